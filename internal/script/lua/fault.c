/* Errors of calls and of the bridge: tables with code, message, line and, of a
 * call, server and tool, that read as text wherever text is wanted. */
#include "bridge.h"

static const char fault_mark;

/* The line of the script at or above a level of the stack, 0 if there is none. */
int fault_line(lua_State *L, int level) {
  lua_Debug ar;
  while (lua_getstack(L, level, &ar)) {
    lua_getinfo(L, "Sl", &ar);
    if (ar.currentline > 0 && strcmp(ar.short_src, "script") == 0) return ar.currentline;
    level++;
  }
  return 0;
}

static int fault_tostring(lua_State *L) {
  luaL_Buffer b;
  lua_settop(L, 1);
  int line = lua_getfield(L, 1, "line") == LUA_TNUMBER;
  int server = lua_getfield(L, 1, "server") == LUA_TSTRING;
  int tool = lua_getfield(L, 1, "tool") == LUA_TSTRING;
  int message = lua_getfield(L, 1, "message") == LUA_TSTRING;
  luaL_buffinit(L, &b);
  if (line) {
    luaL_addstring(&b, "script:");
    lua_pushvalue(L, 2);
    luaL_addvalue(&b);
    luaL_addstring(&b, ": ");
  }
  if (server && tool) {
    lua_pushfstring(L, "%s.%s: ", lua_tostring(L, 3), lua_tostring(L, 4));
    luaL_addvalue(&b);
  }
  if (message) {
    lua_pushvalue(L, 5);
    luaL_addvalue(&b);
  } else {
    luaL_addstring(&b, "error");
  }
  luaL_pushresult(&b);
  return 1;
}

static int fault_concat(lua_State *L) {
  luaL_tolstring(L, 1, NULL);
  luaL_tolstring(L, 2, NULL);
  lua_concat(L, 2);
  return 1;
}

void fault_open(lua_State *L) {
  lua_createtable(L, 0, 4);
  lua_pushcfunction(L, fault_tostring);
  lua_setfield(L, -2, "__tostring");
  lua_pushcfunction(L, fault_concat);
  lua_setfield(L, -2, "__concat");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &fault_mark);
}

static void dress(lua_State *L) {
  int line = fault_line(L, 1);
  if (line) {
    lua_pushinteger(L, line);
    lua_setfield(L, -2, "line");
  }
  lua_rawgetp(L, LUA_REGISTRYINDEX, &fault_mark);
  lua_setmetatable(L, -2);
}

int fault_raise(lua_State *L, const char *code, const char *message) {
  lua_createtable(L, 0, 3);
  lua_pushstring(L, code);
  lua_setfield(L, -2, "code");
  lua_pushstring(L, message);
  lua_setfield(L, -2, "message");
  dress(L);
  return lua_error(L);
}

/* Nothing is allocated before the text is here: a finalizer might fail meanwhile. */
void fault_push_host(lua_State *L) {
  static char text[MAX_FAULT];
  size_t n;
  lua_pushlstring(L, text, (size_t)host_take_fault(text, (int)sizeof text));
  const char *kept = lua_tolstring(L, -1, &n);
  json_read(L, kept, n);
  lua_remove(L, -2);
  dress(L);
}

int fault_is(lua_State *L, int index) {
  if (!lua_istable(L, index) || !lua_getmetatable(L, index)) return 0;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &fault_mark);
  int same = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return same;
}
