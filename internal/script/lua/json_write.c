/* Lua to JSON, into a buffer of its own that is charged to the script. Keys are
 * sorted, so that the same value has the same text. Access is raw, and metamethods
 * are not asked; but a finalizer of the script may run at any allocation, and write
 * JSON too. */
#include "bridge.h"

typedef struct {
  lua_State *L;
  int purpose;
  size_t most;
  char *buffer; /* a userdata at this place of the stack */
  int place;
  size_t used, room;
} Writer;

typedef struct {
  const char *text;
  size_t size;
} Key;

static void write_value(Writer *w, int index, int depth);

static int too_large(Writer *w) {
  if (w->purpose == WRITE_ARGUMENTS) return fault_raise(w->L, "argument_limit", "the arguments of this call are too large");
  if (w->purpose == WRITE_RESULT) return fault_raise(w->L, "result_limit", "the result is too large: return a part of it, or a summary");
  return luaL_error(w->L, "not enough memory");
}

static void grow(Writer *w, size_t least) {
  size_t size = w->room * 2;
  while (size < least) size *= 2;
  char *bigger = lua_newuserdatauv(w->L, size, 0);
  memcpy(bigger, w->buffer, w->used);
  lua_replace(w->L, w->place);
  w->buffer = bigger;
  w->room = size;
}

static void put(Writer *w, const char *s, size_t n) {
  if (w->used + n > w->most) too_large(w);
  if (w->used + n > w->room) grow(w, w->used + n);
  memcpy(w->buffer + w->used, s, n);
  w->used += n;
}

#define PUT(w, literal) put(w, literal, sizeof(literal) - 1)

/* The length of the UTF-8 sequence at s, 0 if it is none. */
static size_t sequence(const unsigned char *s, size_t n) {
  size_t size = s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : s[0] < 0xF5 ? 4 : 0;
  if (size == 0 || size > n) return 0;
  for (size_t i = 1; i < size; i++)
    if ((s[i] & 0xC0) != 0x80) return 0;
  if (s[0] == 0xE0 && s[1] < 0xA0) return 0;
  if (s[0] == 0xED && s[1] > 0x9F) return 0;
  if (s[0] == 0xF0 && s[1] < 0x90) return 0;
  if (s[0] == 0xF4 && s[1] > 0x8F) return 0;
  return size;
}

static void put_escaped(Writer *w, unsigned char c) {
  static const char hex[] = "0123456789abcdef";
  char code[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
  switch (c) {
    case '"': PUT(w, "\\\""); break;
    case '\\': PUT(w, "\\\\"); break;
    case '\n': PUT(w, "\\n"); break;
    case '\r': PUT(w, "\\r"); break;
    case '\t': PUT(w, "\\t"); break;
    default: put(w, code, sizeof code);
  }
}

static void put_string(Writer *w, const char *s, size_t n) {
  size_t plain = 0, i = 0;
  PUT(w, "\"");
  while (i < n) {
    unsigned char c = (unsigned char)s[i];
    if (c >= 0x20 && c < 0x80 && c != '"' && c != '\\') {
      i++;
      continue;
    }
    size_t whole = c < 0x80 ? 0 : sequence((const unsigned char *)s + i, n - i);
    if (whole) {
      i += whole;
      continue;
    }
    put(w, s + plain, i - plain);
    if (c < 0x80) put_escaped(w, c);
    else PUT(w, "\xEF\xBF\xBD");
    plain = ++i;
  }
  put(w, s + plain, n - plain);
  PUT(w, "\"");
}

static void put_text(Writer *w, const char *s) { put_string(w, s, strlen(s)); }

/* A whole number is written as one: 10/2 is 5, which is what a server wants. Any
 * other gets as few digits as bring it back. */
static void put_number(Writer *w, int index) {
  char text[40];
  if (lua_isinteger(w->L, index)) {
    put(w, text, (size_t)fuel_itoa(text, lua_tointeger(w->L, index)));
    return;
  }
  double d = lua_tonumber(w->L, index);
  if (d != d || d - d != 0) {
    if (w->purpose == WRITE_PRINT) put_text(w, d != d ? "nan" : d > 0 ? "inf" : "-inf");
    else luaL_error(w->L, "JSON has no number for %s", d != d ? "nan (0/0)" : "infinity (x/0)");
    return;
  }
  if (d == 0 && 1 / d < 0) {
    PUT(w, "-0.0");
    return;
  }
  if (d >= -9007199254740992.0 && d <= 9007199254740992.0 && d == (double)(long long)d) {
    put(w, text, (size_t)fuel_itoa(text, (long long)d));
    return;
  }
  int n = 0;
  for (int digits = 15; digits <= 17; digits++) {
    n = snprintf(text, sizeof text, "%.*g", digits, d);
    if (strtod(text, NULL) == d) break;
  }
  put(w, text, (size_t)n);
}

static void put_other(Writer *w, const char *what, const char *advice) {
  if (w->purpose != WRITE_PRINT) luaL_error(w->L, "cannot turn %s into JSON%s", what, advice);
  PUT(w, "\"<");
  put(w, what, strlen(what));
  PUT(w, ">\"");
}

static int compare_keys(const void *a, const void *b) {
  const Key *x = a, *y = b;
  int order = memcmp(x->text, y->text, x->size < y->size ? x->size : y->size);
  fuel_burn(2);
  return order ? order : (x->size > y->size) - (x->size < y->size);
}

/* What is in a table: integer keys, strings, any other, and the first index that lacks. */
typedef struct {
  lua_Integer items, strings, strays, hole;
} Census;

static Census count(Writer *w, int index) {
  lua_State *L = w->L;
  Census c = {0, 0, 0, 0};
  lua_Integer integers = 0, largest = 0, inside = 0, n = (lua_Integer)lua_rawlen(L, index);
  lua_pushnil(L);
  while (lua_next(L, index)) {
    lua_pop(L, 1);
    if (lua_type(L, -1) == LUA_TSTRING) {
      c.strings++;
    } else if (lua_isinteger(L, -1)) {
      lua_Integer key = lua_tointeger(L, -1);
      integers++;
      if (key >= 1 && key <= n) inside++;
      if (key > largest) largest = key;
    } else {
      c.strays++;
    }
  }
  c.items = integers;
  if (integers > 0 && (inside != integers || integers != n)) {
    c.hole = 1;
    while (c.hole < largest && lua_rawgeti(L, index, c.hole) != LUA_TNIL) {
      lua_pop(L, 1);
      c.hole++;
    }
    if (c.hole < largest) lua_pop(L, 1);
  }
  return c;
}

static void put_array(Writer *w, int index, lua_Integer n, int depth) {
  PUT(w, "[");
  for (lua_Integer i = 1; i <= n; i++) {
    if (i > 1) PUT(w, ",");
    lua_rawgeti(w->L, index, i);
    write_value(w, -1, depth + 1);
    lua_pop(w->L, 1);
  }
  PUT(w, "]");
}

static void put_object(Writer *w, int index, lua_Integer n, int depth) {
  lua_State *L = w->L;
  if ((size_t)n > w->most / 4) too_large(w);
  Key *keys = lua_newuserdatauv(L, (size_t)n * sizeof *keys + 1, 0);
  lua_Integer i = 0;
  lua_pushnil(L);
  while (lua_next(L, index)) {
    lua_pop(L, 1);
    keys[i].text = lua_tolstring(L, -1, &keys[i].size);
    i++;
  }
  qsort(keys, (size_t)n, sizeof *keys, compare_keys);
  PUT(w, "{");
  for (i = 0; i < n; i++) {
    if (i > 0) PUT(w, ",");
    put_string(w, keys[i].text, keys[i].size);
    PUT(w, ":");
    lua_pushlstring(L, keys[i].text, keys[i].size);
    lua_rawget(L, index);
    write_value(w, -1, depth + 1);
    lua_pop(L, 1);
  }
  PUT(w, "}");
  lua_pop(L, 1);
}

/* For print: any table, as it comes. */
static void put_mixed(Writer *w, int index, int depth) {
  lua_State *L = w->L;
  int first = 1;
  PUT(w, "{");
  lua_pushnil(L);
  while (lua_next(L, index)) {
    if (!first) PUT(w, ",");
    first = 0;
    if (lua_type(L, -2) == LUA_TSTRING) {
      size_t size;
      const char *key = lua_tolstring(L, -2, &size);
      put_string(w, key, size);
    } else if (lua_type(L, -2) == LUA_TNUMBER) {
      PUT(w, "\"");
      put_number(w, -2);
      PUT(w, "\"");
    } else {
      put_text(w, luaL_typename(L, -2));
    }
    PUT(w, ":");
    write_value(w, -1, depth + 1);
    lua_pop(L, 1);
  }
  PUT(w, "}");
}

static void put_table(Writer *w, int index, int depth) {
  lua_State *L = w->L;
  if (depth > MAX_DEPTH) {
    if (w->purpose == WRITE_PRINT) {
      PUT(w, "\"...\"");
      return;
    }
    luaL_error(L, "a table nested deeper than %d, or one that holds itself, cannot be JSON", MAX_DEPTH);
  }
  Census c = count(w, index);
  int kinds = (c.items > 0) + (c.strings > 0) + (c.strays > 0);
  if (kinds == 0) {
    if (json_is_array(L, index)) PUT(w, "[]");
    else if (w->purpose == WRITE_ARGUMENTS) PUT(w, "\2"); /* the host decides by the schema */
    else PUT(w, "{}");
  } else if (kinds == 1 && c.items && !c.hole) {
    put_array(w, index, c.items, depth);
  } else if (kinds == 1 && c.strings) {
    put_object(w, index, c.strings, depth);
  } else if (w->purpose == WRITE_PRINT) {
    put_mixed(w, index, depth);
  } else if (c.strays) {
    luaL_error(L, "a table with keys that are neither strings nor integers cannot be JSON");
  } else if (c.strings) {
    luaL_error(L, "a table with both a list part and named fields cannot be JSON: it is either an array or an object");
  } else {
    luaL_error(L, "an array with a hole cannot be JSON: index %I is nil (write null to keep the place)", (LUAI_UACINT)c.hole);
  }
}

static void put_blob(Writer *w, int id) {
  char text[16];
  if (w->purpose == WRITE_VALUE) luaL_error(w->L, "cannot turn binary content into JSON here: use its :base64(), or give it to result() as it is");
  if (w->purpose == WRITE_PRINT) {
    PUT(w, "\"<binary content>\"");
    return;
  }
  PUT(w, "\1");
  put(w, text, (size_t)fuel_itoa(text, id));
  PUT(w, "\1");
}

static void write_value(Writer *w, int index, int depth) {
  lua_State *L = w->L;
  size_t n;
  const char *s;
  int id;
  fuel_burn(FUEL_STEP);
  luaL_checkstack(L, 8, "json");
  index = lua_absindex(L, index);
  switch (lua_type(L, index)) {
    case LUA_TNIL: PUT(w, "null"); break;
    case LUA_TBOOLEAN:
      if (lua_toboolean(L, index)) PUT(w, "true");
      else PUT(w, "false");
      break;
    case LUA_TNUMBER: put_number(w, index); break;
    case LUA_TSTRING: s = lua_tolstring(L, index, &n); put_string(w, s, n); break;
    case LUA_TLIGHTUSERDATA: PUT(w, "null"); break;
    case LUA_TTABLE: put_table(w, index, depth); break;
    case LUA_TFUNCTION: put_other(w, "a function", ": a call of a tool is server.tool({...}):await()"); break;
    case LUA_TUSERDATA:
      if ((id = blob_id(L, index)) >= 0) put_blob(w, id);
      else put_other(w, "a call that was not awaited", ": write :await() after it");
      break;
    default: put_other(w, "a coroutine", "");
  }
}

Json json_write(lua_State *L, int index, int purpose) {
  Writer w = {L, purpose, (size_t)-1 >> 2, NULL, 0, 0, 256};
  if (purpose == WRITE_ARGUMENTS) w.most = limit_arguments;
  if (purpose == WRITE_RESULT) w.most = limit_result;
  index = lua_absindex(L, index);
  luaL_checkstack(L, 2, "json");
  w.buffer = lua_newuserdatauv(L, w.room, 0);
  w.place = lua_gettop(L);
  write_value(&w, index, 1);
  Json written = {w.buffer, w.used};
  return written;
}

void json_push(lua_State *L, int index, int purpose) {
  Json j = json_write(L, index, purpose);
  lua_pushlstring(L, j.text, j.size);
  lua_remove(L, -2);
}

int json_encode(lua_State *L) {
  luaL_checkany(L, 1);
  json_push(L, 1, WRITE_VALUE);
  return 1;
}
