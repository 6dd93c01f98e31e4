/* Servers, tools and calls. A server is found when its name is first read, a tool
 * when its field is; a call is started by the host and held by a handle. */
#include "bridge.h"

#define HANDLE "toolcrib.call"

static const char tasks_mark;

enum { PENDING, VALUE, FAULT };

/* Its uservalue is the value or the fault, once it is known. */
typedef struct {
  int id, state;
} Handle;

int calls_is_handle(lua_State *L, int index) { return luaL_testudata(L, index, HANDLE) != NULL; }

static Handle *check(lua_State *L, const char *method) {
  Handle *h = luaL_testudata(L, 1, HANDLE);
  if (!h) luaL_error(L, "%s is a method of a call: write server.tool({...}):%s(), with a colon", method, method);
  return h;
}

/* Tells whether the running coroutine is one of parallel's and can be left. */
static int in_task(lua_State *L) {
  if (!lua_isyieldable(L)) return 0;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &tasks_mark);
  lua_pushthread(L);
  lua_rawget(L, -2);
  int task = lua_toboolean(L, -1);
  lua_pop(L, 2);
  return task;
}

/* Pushes the outcome of the call at index 1 and returns whether it is a value. A
 * finalizer may settle the same call while room is made for its value. */
static int settle(lua_State *L) {
  Handle *h = lua_touserdata(L, 1);
  int n = 0;
  char *text = NULL;
  if (h->state == PENDING) {
    fuel_burn(FUEL_HOST);
    n = host_await(h->id);
    if (n >= 0) text = lua_newuserdatauv(L, (size_t)n + 1, 0);
  }
  if (h->state != PENDING) {
    lua_getiuservalue(L, 1, 1);
    return h->state == VALUE;
  }
  if (n < 0) {
    fault_push_host(L);
  } else {
    if (host_take(h->id, text, n) != n) return luaL_error(L, "the value of this call was lost in a finalizer");
    if (text[0] == 2) lua_pushlstring(L, text + 1, (size_t)n - 1); /* text, as it is */
    else json_read(L, text, (size_t)n);
  }
  h->state = n < 0 ? FAULT : VALUE;
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, 1, 1);
  return n >= 0;
}

static int finish_await(lua_State *L, int status, lua_KContext k) {
  (void)status, (void)k;
  lua_settop(L, 1);
  return settle(L) ? 1 : lua_error(L);
}

static int finish_try(lua_State *L, int status, lua_KContext k) {
  (void)status, (void)k;
  lua_settop(L, 1);
  if (settle(L)) return 1;
  lua_pushnil(L);
  lua_insert(L, -2);
  return 2;
}

/* Inside a task a call that is not done is handed to parallel's loop. */
static int wait_for(lua_State *L, Handle *h, lua_KFunction then) {
  lua_settop(L, 1);
  if (h->state == PENDING && in_task(L) && !host_done(h->id)) {
    lua_createtable(L, 1, 0);
    lua_pushvalue(L, 1);
    lua_rawseti(L, -2, 1);
    return lua_yieldk(L, 1, 0, then);
  }
  return then(L, LUA_OK, 0);
}

int calls_await(lua_State *L) { return wait_for(L, check(L, "await"), finish_await); }

int calls_try(lua_State *L) { return wait_for(L, check(L, "try"), finish_try); }

static int not_awaited(lua_State *L) {
  return fault_raise(L, "not_awaited", "this is a call in flight, not its value: write :await() after the call");
}

static int handle_index(lua_State *L) {
  const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  if (strcmp(key, "await") == 0) lua_pushcfunction(L, calls_await);
  else if (strcmp(key, "try") == 0) lua_pushcfunction(L, calls_try);
  else return not_awaited(L);
  return 1;
}

static int handle_tostring(lua_State *L) {
  lua_pushliteral(L, "call (not awaited)");
  return 1;
}

/* tool(arguments): upvalues are the tool's number and its server's table. */
static int call_tool(lua_State *L) {
  int tool = (int)lua_tointeger(L, lua_upvalueindex(1));
  if (lua_gettop(L) > 0 && lua_rawequal(L, 1, lua_upvalueindex(2))) lua_remove(L, 1); /* server:tool() */
  int kind = lua_type(L, 1), id;
  if (kind == LUA_TUSERDATA && calls_is_handle(L, 1)) return not_awaited(L);
  if (kind == LUA_TNONE || kind == LUA_TNIL || kind == LUA_TLIGHTUSERDATA) {
    id = host_call(tool, "{}", 2, fault_line(L, 1));
  } else {
    Json arguments = json_write(L, 1, WRITE_ARGUMENTS);
    id = host_call(tool, arguments.text, (int)arguments.size, fault_line(L, 1));
  }
  if (id < 0) {
    fault_push_host(L);
    return lua_error(L);
  }
  Handle *h = lua_newuserdatauv(L, sizeof *h, 1);
  h->id = id;
  h->state = PENDING;
  luaL_setmetatable(L, HANDLE);
  return 1;
}

/* The name at index 2, NULL if it can be none. */
static const char *name_at(lua_State *L, size_t *n) {
  if (lua_type(L, 2) != LUA_TSTRING) return NULL;
  const char *name = lua_tolstring(L, 2, n);
  fuel_burn(FUEL_HOST);
  return *n <= MAX_NAME ? name : NULL;
}

static int server_index(lua_State *L) {
  size_t n;
  const char *name = name_at(L, &n);
  int server = (int)lua_tointeger(L, lua_upvalueindex(1));
  if (!name) return luaL_error(L, "a tool's name is a string of at most %d bytes", MAX_NAME);
  int tool = host_tool(server, name, (int)n);
  if (tool < 0) {
    fault_push_host(L);
    return lua_error(L);
  }
  lua_pushinteger(L, tool);
  lua_pushvalue(L, 1);
  lua_pushcclosure(L, call_tool, 2);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, -2);
  lua_rawset(L, 1);
  return 1;
}

static int server_tostring(lua_State *L) {
  lua_pushfstring(L, "server %s", lua_tostring(L, lua_upvalueindex(1)));
  return 1;
}

/* Pushes the table of the server whose name is at index 2, and keeps it at index 1. */
static void push_server(lua_State *L, int server) {
  lua_newtable(L);
  lua_createtable(L, 0, 3);
  lua_pushinteger(L, server);
  lua_pushcclosure(L, server_index, 1);
  lua_setfield(L, -2, "__index");
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, server_tostring, 1);
  lua_setfield(L, -2, "__tostring");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, -2);
  lua_rawset(L, 1);
}

/* A global that is not there may be a server; if it is none, it is nil. */
static int global_index(lua_State *L) {
  size_t n;
  const char *name = name_at(L, &n);
  int server = name ? host_server(name, (int)n, 0) : -1;
  if (server < 0) return 0;
  push_server(L, server);
  return 1;
}

/* servers.name, for a server that is called as something of Lua's is. */
static int servers_index(lua_State *L) {
  size_t n;
  const char *name = name_at(L, &n);
  if (!name) return luaL_error(L, "a server's name is a string of at most %d bytes", MAX_NAME);
  int server = host_server(name, (int)n, 1);
  if (server < 0) {
    fault_push_host(L);
    return lua_error(L);
  }
  push_server(L, server);
  return 1;
}

/* The fall-back of a library of Lua's that a server shares its name with. */
static int library_index(lua_State *L) {
  size_t n;
  const char *name = name_at(L, &n);
  if (!name) return 0;
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_replace(L, 1);
  if (host_tool((int)lua_tointeger(L, lua_upvalueindex(2)), name, (int)n) < 0) return 0;
  lua_gettable(L, 1);
  return 1;
}

static int call_hidden(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_replace(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

/* blend(place, name, meaning, server): a server called math, or parallel. Its tools
 * are found where Lua's own things are not, and those go on working. */
static int blend(lua_State *L) {
  int server = (int)lua_tointeger(L, 4);
  push_server(L, server);
  if (lua_istable(L, 3) && !lua_getmetatable(L, 3)) {
    lua_createtable(L, 0, 1);
    lua_pushvalue(L, -2);
    lua_pushinteger(L, server);
    lua_pushcclosure(L, library_index, 2);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, 3);
  } else if (lua_isfunction(L, 3)) {
    lua_getmetatable(L, -1);
    lua_pushvalue(L, 3);
    lua_pushcclosure(L, call_hidden, 1);
    lua_setfield(L, -2, "__call");
    lua_pop(L, 1);
    lua_setglobal(L, lua_tostring(L, 2));
  }
  return 0;
}

void calls_blend(lua_State *L) {
  lua_pushglobaltable(L);
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    size_t n;
    const char *name = lua_tolstring(L, -2, &n);
    int server = host_server(name, (int)n, 0);
    if (server >= 0) {
      lua_pushcfunction(L, blend);
      lua_newtable(L);
      lua_pushvalue(L, -4);
      lua_pushvalue(L, -4);
      lua_pushinteger(L, server);
      lua_call(L, 4, 0);
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

static void lock_index(lua_State *L, lua_CFunction index) {
  lua_createtable(L, 0, 2);
  lua_pushcfunction(L, index);
  lua_setfield(L, -2, "__index");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
}

/* For the prelude: a coroutine in which await gives way to other tasks. */
static int spawn(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &tasks_mark);
  lua_State *task = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, task, 1);
  lua_pushvalue(L, -1);
  lua_pushboolean(L, 1);
  lua_rawset(L, -4);
  return 1;
}

static int is_task(lua_State *L) {
  lua_pushboolean(L, in_task(L));
  return 1;
}

static int is_handle(lua_State *L) {
  lua_pushboolean(L, calls_is_handle(L, 1));
  return 1;
}

static int is_done(lua_State *L) {
  Handle *h = luaL_checkudata(L, 1, HANDLE);
  lua_pushboolean(L, h->state != PENDING || host_done(h->id));
  return 1;
}

/* Waits until one of a list of calls is done. */
static int await_any(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_Integer n = (lua_Integer)lua_rawlen(L, 1);
  int *ids = lua_newuserdatauv(L, (size_t)n * sizeof *ids + 1, 0);
  for (lua_Integer i = 0; i < n; i++) {
    lua_rawgeti(L, 1, i + 1);
    Handle *h = luaL_checkudata(L, -1, HANDLE);
    if (h->state != PENDING) return 0;
    ids[i] = h->id;
    lua_pop(L, 1);
  }
  if (n > 0) host_await_any(ids, (int)n);
  return 0;
}

void calls_open(lua_State *L, int internals) {
  static const luaL_Reg handle[] = {
      {"__index", handle_index}, {"__tostring", handle_tostring}, {NULL, NULL}};
  static const char *uses[] = {"__newindex", "__call", "__len", "__concat", "__add", "__sub", "__mul", "__div",
                               "__mod", "__pow", "__unm", "__idiv", "__lt", "__le", "__pairs", "__band", "__bor",
                               "__bxor", "__shl", "__shr", "__bnot", "__close", NULL};
  static const luaL_Reg inner[] = {{"spawn", spawn}, {"is_task", is_task}, {"is_handle", is_handle},
                                   {"is_done", is_done}, {"await_any", await_any}, {"try", calls_try}, {NULL, NULL}};
  luaL_newmetatable(L, HANDLE);
  luaL_setfuncs(L, handle, 0);
  for (int i = 0; uses[i]; i++) {
    lua_pushcfunction(L, not_awaited);
    lua_setfield(L, -2, uses[i]);
  }
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);

  lua_newtable(L); /* the tasks, forgotten when nothing else holds them */
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "k");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &tasks_mark);

  lua_newtable(L);
  lock_index(L, servers_index);
  lua_setglobal(L, "servers");
  lua_pushglobaltable(L);
  lock_index(L, global_index);
  lua_pop(L, 1);

  lua_pushvalue(L, internals);
  luaL_setfuncs(L, inner, 0);
  lua_pop(L, 1);
}
