/* JSON to Lua. Integers keep 64 bits, null is the null pointer as light userdata
 * (which fuel counts as false, see build.sh), and an array carries a mark, so that
 * an empty one stays one. */
#include "bridge.h"

typedef struct {
  lua_State *L;
  const char *at, *end;
  int depth;
} Reader;

static const char array_mark;

static void read_value(Reader *r);

static void bad(Reader *r, const char *what) {
  luaL_error(r->L, "json: %s", what);
}

static char next_char(Reader *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r')) r->at++;
  if (r->at == r->end) bad(r, "unexpected end");
  return *r->at;
}

static unsigned hex4(Reader *r) {
  unsigned value = 0;
  if (r->end - r->at < 4) bad(r, "bad escape");
  for (int i = 0; i < 4; i++) {
    char c = *r->at++;
    value <<= 4;
    if (c >= '0' && c <= '9') value |= (unsigned)(c - '0');
    else if (c >= 'a' && c <= 'f') value |= (unsigned)(c - 'a' + 10);
    else if (c >= 'A' && c <= 'F') value |= (unsigned)(c - 'A' + 10);
    else bad(r, "bad escape");
  }
  return value;
}

static void add_rune(luaL_Buffer *b, unsigned rune) {
  if (rune < 0x80) {
    luaL_addchar(b, (char)rune);
  } else if (rune < 0x800) {
    luaL_addchar(b, (char)(0xC0 | rune >> 6));
    luaL_addchar(b, (char)(0x80 | (rune & 63)));
  } else if (rune < 0x10000) {
    luaL_addchar(b, (char)(0xE0 | rune >> 12));
    luaL_addchar(b, (char)(0x80 | (rune >> 6 & 63)));
    luaL_addchar(b, (char)(0x80 | (rune & 63)));
  } else {
    luaL_addchar(b, (char)(0xF0 | rune >> 18));
    luaL_addchar(b, (char)(0x80 | (rune >> 12 & 63)));
    luaL_addchar(b, (char)(0x80 | (rune >> 6 & 63)));
    luaL_addchar(b, (char)(0x80 | (rune & 63)));
  }
}

/* After "\u": a surrogate without its other half becomes U+FFFD. */
static unsigned escaped_rune(Reader *r) {
  unsigned high = hex4(r);
  if (high < 0xD800 || high > 0xDFFF) return high;
  if (high < 0xDC00 && r->end - r->at >= 6 && r->at[0] == '\\' && r->at[1] == 'u') {
    const char *back = r->at;
    r->at += 2;
    unsigned low = hex4(r);
    if (low >= 0xDC00 && low <= 0xDFFF) return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
    r->at = back;
  }
  return 0xFFFD;
}

static const char *plain_end(Reader *r) {
  const char *p = r->at;
  while (p < r->end && *p != '"' && *p != '\\' && (unsigned char)*p >= 0x20) p++;
  if (p == r->end) bad(r, "unterminated string");
  if ((unsigned char)*p < 0x20) bad(r, "control character in a string");
  return p;
}

static void read_string(Reader *r) {
  const char *start = ++r->at;
  r->at = plain_end(r);
  if (*r->at == '"') {
    lua_pushlstring(r->L, start, (size_t)(r->at++ - start));
    return;
  }
  luaL_Buffer b;
  luaL_buffinit(r->L, &b);
  luaL_addlstring(&b, start, (size_t)(r->at - start));
  while (*r->at != '"') {
    if (++r->at == r->end) bad(r, "unterminated string");
    char c = *r->at++;
    switch (c) {
      case 'n': luaL_addchar(&b, '\n'); break;
      case 't': luaL_addchar(&b, '\t'); break;
      case 'r': luaL_addchar(&b, '\r'); break;
      case 'b': luaL_addchar(&b, '\b'); break;
      case 'f': luaL_addchar(&b, '\f'); break;
      case 'u': add_rune(&b, escaped_rune(r)); break;
      case '"': case '\\': case '/': luaL_addchar(&b, c); break;
      default: bad(r, "bad escape");
    }
    start = r->at;
    r->at = plain_end(r);
    luaL_addlstring(&b, start, (size_t)(r->at - start));
  }
  r->at++;
  luaL_pushresult(&b);
}

static int is_digit(const Reader *r) { return r->at < r->end && *r->at >= '0' && *r->at <= '9'; }

static void skip_digits(Reader *r) {
  if (!is_digit(r)) bad(r, "bad number");
  while (is_digit(r)) r->at++;
}

static void read_number(Reader *r) {
  const char *start = r->at;
  int negative = *r->at == '-', whole = 1;
  if (negative) r->at++;
  if (is_digit(r) && *r->at == '0') r->at++;
  else skip_digits(r);
  const char *digits = start + negative, *digits_end = r->at;
  if (r->at < r->end && *r->at == '.') {
    whole = 0;
    r->at++;
    skip_digits(r);
  }
  if (r->at < r->end && (*r->at == 'e' || *r->at == 'E')) {
    whole = 0;
    r->at++;
    if (r->at < r->end && (*r->at == '+' || *r->at == '-')) r->at++;
    skip_digits(r);
  }
  if (whole && digits_end - digits <= 19) {
    unsigned long long value = 0, most = 0x7FFFFFFFFFFFFFFFULL + (unsigned)negative;
    for (const char *p = digits; p < digits_end; p++) value = value * 10 + (unsigned)(*p - '0');
    if (value <= most) {
      if (negative && value == 0) lua_pushnumber(r->L, -0.0);
      else lua_pushinteger(r->L, (lua_Integer)(negative ? 0ULL - value : value));
      return;
    }
  }
  size_t n = (size_t)(r->at - start);
  if (whole) host_inexact(start, (int)(n < 40 ? n : 40));
  char small[64];
  if (n < sizeof small) {
    memcpy(small, start, n);
    small[n] = 0;
    lua_pushnumber(r->L, strtod(small, NULL));
    return;
  }
  fuel_burn((int)n);
  const char *copy = lua_pushlstring(r->L, start, n);
  lua_Number value = strtod(copy, NULL);
  lua_pop(r->L, 1);
  lua_pushnumber(r->L, value);
}

static int more(Reader *r, char close) {
  char c = next_char(r);
  r->at++;
  if (c == close) return 0;
  if (c != ',') bad(r, "expected , or the end of an array or object");
  return 1;
}

static void read_object(Reader *r) {
  lua_State *L = r->L;
  lua_createtable(L, 0, 4);
  r->at++;
  if (next_char(r) == '}') {
    r->at++;
    return;
  }
  do {
    if (next_char(r) != '"') bad(r, "expected a key");
    read_string(r);
    if (next_char(r) != ':') bad(r, "expected :");
    r->at++;
    read_value(r);
    lua_rawset(L, -3);
  } while (more(r, '}'));
}

static void read_array(Reader *r) {
  lua_State *L = r->L;
  lua_createtable(L, 4, 0);
  json_push_array(L, -1);
  r->at++;
  if (next_char(r) == ']') {
    r->at++;
    return;
  }
  lua_Integer i = 0;
  do {
    read_value(r);
    lua_rawseti(L, -2, ++i);
  } while (more(r, ']'));
}

static void read_word(Reader *r, const char *word, size_t n) {
  if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0) bad(r, "unexpected character");
  r->at += n;
}

/* The host puts \1 and a number where binary content was: no JSON has that. */
static void read_blob(Reader *r) {
  int id = 0;
  r->at++;
  while (is_digit(r)) id = id * 10 + (*r->at++ - '0');
  blob_push(r->L, id);
}

static void read_value(Reader *r) {
  lua_State *L = r->L;
  if (++r->depth > MAX_DEPTH) bad(r, "nested deeper than 64");
  luaL_checkstack(L, 6, "json");
  switch (next_char(r)) {
    case '"': read_string(r); break;
    case '{': read_object(r); break;
    case '[': read_array(r); break;
    case 't': read_word(r, "true", 4); lua_pushboolean(L, 1); break;
    case 'f': read_word(r, "false", 5); lua_pushboolean(L, 0); break;
    case 'n': read_word(r, "null", 4); lua_pushlightuserdata(L, NULL); break;
    case '-': case '0': case '1': case '2': case '3': case '4':
    case '5': case '6': case '7': case '8': case '9': read_number(r); break;
    case 1: read_blob(r); break;
    default: bad(r, "unexpected character");
  }
  r->depth--;
}

void json_read(lua_State *L, const char *s, size_t n) {
  Reader r = {L, s, s + n, 0};
  read_value(&r);
  while (r.at < r.end && (*r.at == ' ' || *r.at == '\n' || *r.at == '\t' || *r.at == '\r')) r.at++;
  if (r.at != r.end) bad(&r, "text after the value");
}

int json_decode(lua_State *L) {
  size_t n;
  const char *s = luaL_checklstring(L, 1, &n);
  if (memchr(s, 1, n)) return luaL_error(L, "json: control character");
  json_read(L, s, n);
  return 1;
}

void json_push_array(lua_State *L, int index) {
  index = lua_absindex(L, index);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &array_mark) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &array_mark);
  }
  lua_setmetatable(L, index);
}

int json_is_array(lua_State *L, int index) {
  if (!lua_getmetatable(L, index)) return 0;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &array_mark);
  int same = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return same;
}
