/* One virtual machine, for one script: made, run, thrown away with its memory. */
#include "bridge.h"

int fuel_left = FUEL_TICK;
size_t limit_arguments, limit_result;

static lua_State *state;
static size_t allocated, limit_memory, peak;
static int has_result, compiling;
static const char report_mark;

/* Where the host comes back to for a protected call. */
EXPORT("call") void fuel_call(void (*f)(lua_State *, void *), lua_State *L, void *ud) { f(L, ud); }

EXPORT("allocate") void *vm_room(size_t n) { return malloc(n); }
EXPORT("peak") size_t vm_peak(void) { return peak; }

static void *vm_allocate(void *unused, void *old, size_t old_size, size_t size) {
  (void)unused;
  if (!old) old_size = 0;
  if (size == 0) {
    free(old);
    allocated -= old_size;
    return NULL;
  }
  if (size > old_size && allocated + (size - old_size) > limit_memory) return NULL;
  void *new = realloc(old, size);
  if (!new) return NULL;
  fuel_burn(FUEL_STEP);
  fuel_copy(size);
  allocated += size - old_size;
  if (allocated > peak) peak = allocated;
  return new;
}

static int print(lua_State *L) {
  luaL_Buffer b;
  int n = lua_gettop(L);
  luaL_buffinit(L, &b);
  for (int i = 1; i <= n; i++) {
    if (i > 1) luaL_addchar(&b, '\t');
    int bare = lua_istable(L, i) && !luaL_getmetafield(L, i, "__tostring");
    if (bare) {
      json_push(L, i, WRITE_PRINT);
    } else {
      if (lua_istable(L, i)) lua_pop(L, 1);
      luaL_tolstring(L, i, NULL);
    }
    luaL_addvalue(&b);
  }
  luaL_pushresult(&b);
  size_t size;
  const char *text = lua_tolstring(L, -1, &size);
  fuel_burn(FUEL_HOST);
  fuel_copy(size);
  host_print(text, (int)size);
  return 0;
}

/* Gives the value at index 1 to the host. A call is awaited first: to fail here
 * would make the agent do it again. */
static int result(lua_State *L) {
  lua_settop(L, 1);
  if (calls_is_handle(L, 1)) {
    host_awaited_result();
    lua_pushcfunction(L, calls_await);
    lua_insert(L, 1);
    lua_call(L, 1, 1);
  }
  Json j = json_write(L, 1, WRITE_RESULT);
  fuel_burn(FUEL_HOST);
  fuel_copy(j.size);
  host_result(j.text, (int)j.size);
  has_result = 1;
  return 0;
}

static int array(lua_State *L) {
  if (lua_isnoneornil(L, 1)) {
    lua_settop(L, 0);
    lua_newtable(L);
  }
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  json_push_array(L, 1);
  return 1;
}

static int null_tostring(lua_State *L) {
  lua_pushliteral(L, "null");
  return 1;
}

/* load as Lua has it, for text alone. */
static int load_text(lua_State *L) {
  if (lua_gettop(L) < 3) lua_settop(L, 3);
  lua_pushliteral(L, "t");
  lua_replace(L, 3);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

static void keep_only(lua_State *L, const char *library, const char *const *names) {
  lua_getglobal(L, library);
  lua_newtable(L);
  for (int i = 0; names[i]; i++) {
    lua_getfield(L, -2, names[i]);
    lua_setfield(L, -2, names[i]);
  }
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE); /* for names in messages */
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, library);
  lua_pop(L, 1);
  lua_setglobal(L, library);
  lua_pop(L, 1);
}

static void remove_global(lua_State *L, const char *name) {
  lua_pushnil(L);
  lua_setglobal(L, name);
}

static void open_libraries(lua_State *L) {
  static const luaL_Reg libraries[] = {{"_G", luaopen_base}, {"coroutine", luaopen_coroutine}, {"table", luaopen_table},
                                       {"string", luaopen_string}, {"math", luaopen_math}, {"utf8", luaopen_utf8},
                                       {"os", luaopen_os}, {NULL, NULL}};
  static const char *clock[] = {"time", "date", "clock", "difftime", NULL};
  static const char *gone[] = {"dofile", "loadfile", "collectgarbage", "warn", NULL};
  for (const luaL_Reg *l = libraries; l->func; l++) {
    luaL_requiref(L, l->name, l->func, 1);
    lua_pop(L, 1);
  }
  keep_only(L, "os", clock);
  for (int i = 0; gone[i]; i++) remove_global(L, gone[i]);
  lua_getglobal(L, "string");
  lua_pushnil(L);
  lua_setfield(L, -2, "dump");
  lua_pop(L, 1);
  lua_getglobal(L, "load");
  lua_pushcclosure(L, load_text, 1);
  lua_setglobal(L, "load");
}

static void open_bridge(lua_State *L) {
  lua_register(L, "print", print);
  lua_register(L, "result", result);
  lua_register(L, "array", array);
  lua_createtable(L, 0, 2);
  lua_pushcfunction(L, json_encode);
  lua_setfield(L, -2, "encode");
  lua_pushcfunction(L, json_decode);
  lua_setfield(L, -2, "decode");
  lua_setglobal(L, "json");
  lua_pushlightuserdata(L, NULL);
  lua_createtable(L, 0, 2);
  lua_pushcfunction(L, null_tostring);
  lua_setfield(L, -2, "__tostring");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  lua_setglobal(L, "null");
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &report_mark);
  fault_open(L);
  blob_open(L);
}

typedef struct {
  const char *text;
  size_t size;
} Text;

static int boot(lua_State *L) {
  const Text *prelude = lua_touserdata(L, 1);
  open_libraries(L);
  open_bridge(L);
  lua_newtable(L);
  calls_open(L, lua_gettop(L));
  if (luaL_loadbufferx(L, prelude->text, prelude->size, "=toolcrib", "t") != LUA_OK) return lua_error(L);
  lua_insert(L, -2);
  lua_call(L, 1, 0);
  calls_blend(L);
  return 0;
}

EXPORT("open") int vm_open(size_t memory, size_t arguments, size_t results, const char *prelude, size_t n) {
  Text text = {prelude, n};
  limit_memory = memory;
  limit_arguments = arguments;
  limit_result = results;
  state = lua_newstate(vm_allocate, NULL);
  if (!state) return LUA_ERRMEM;
  lua_pushcfunction(state, boot);
  lua_pushlightuserdata(state, &text);
  return lua_pcall(state, 1, 0, 0);
}

static int is_report(lua_State *L, int index) {
  if (!lua_getmetatable(L, index)) return 0;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &report_mark);
  int same = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return same;
}

/* Turns what was raised into a report for the host: {message, line, ...}. */
static int on_error(lua_State *L) {
  lua_settop(L, 1);
  if (is_report(L, 1)) return 1; /* raised again */
  int line = fault_line(L, 1), fault = fault_is(L, 1);
  lua_createtable(L, 0, 6);
  static const char *fields[] = {"code", "server", "tool", "line", "message", NULL};
  for (int i = 0; fault && fields[i]; i++) {
    lua_getfield(L, 1, fields[i]);
    lua_setfield(L, 2, fields[i]);
  }
  if (!fault) {
    if (lua_istable(L, 1) && !luaL_getmetafield(L, 1, "__tostring")) {
      json_push(L, 1, WRITE_PRINT);
    } else {
      luaL_tolstring(L, 1, NULL);
    }
    size_t n;
    const char *message = lua_tolstring(L, -1, &n);
    if (n > MAX_MESSAGE) lua_pushlstring(L, message, MAX_MESSAGE);
    lua_setfield(L, 2, "message");
    if (line) {
      lua_pushinteger(L, line);
      lua_setfield(L, 2, "line");
    }
    if (compiling) {
      lua_pushliteral(L, "syntax");
      lua_setfield(L, 2, "code");
    }
  }
  lua_settop(L, 2);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &report_mark);
  lua_setmetatable(L, 2);
  return 1;
}

/* Pushes the script, compiled. */
static void compile(lua_State *L, const Text *source) {
  compiling = 1;
  if (luaL_loadbufferx(L, source->text, source->size, "=script", "t") != LUA_OK) lua_error(L);
  compiling = 0;
}

/* Runs the script at index 1 with the arguments at index 2, and gives the host what it
 * returned unless it called result. */
static int run(lua_State *L) {
  const Text *source = lua_touserdata(L, 1);
  const Text *arguments = lua_touserdata(L, 2);
  lua_settop(L, 0);
  if (arguments->size > 0) {
    json_read(L, arguments->text, arguments->size);
    lua_setglobal(L, "args");
  }
  compile(L, source);
  lua_call(L, 0, LUA_MULTRET);
  int n = lua_gettop(L);
  if (has_result || n == 0) return 0;
  if (n > 1) { /* several values: a list of them */
    lua_createtable(L, n, 0);
    lua_insert(L, 1);
    for (int i = n; i >= 1; i--) {
      if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        lua_pushlightuserdata(L, NULL);
      }
      lua_rawseti(L, 1, i);
    }
  }
  lua_pushcfunction(L, result);
  lua_insert(L, 1);
  lua_call(L, 1, 0);
  return 0;
}

static int tell(lua_State *L) {
  on_error(L);
  Json j = json_write(L, -1, WRITE_PRINT);
  host_failure(j.text, (int)j.size);
  return 0;
}

/* Calls f with two texts and tells the host if it fails. */
static int guarded(lua_CFunction f, Text *first, Text *second) {
  lua_State *L = state;
  lua_pushcfunction(L, on_error);
  lua_pushcfunction(L, f);
  lua_pushlightuserdata(L, first);
  lua_pushlightuserdata(L, second);
  int status = lua_pcall(L, 2, 0, 1);
  if (status == LUA_OK) return 0;
  limit_memory += 1 << 20; /* enough to tell of it */
  lua_pushcfunction(L, tell);
  lua_insert(L, -2);
  lua_pcall(L, 1, 0, 0);
  return status;
}

EXPORT("run") int vm_run(const char *source, size_t n, const char *arguments, size_t m) {
  Text text = {source, n}, json = {arguments, m};
  return guarded(run, &text, &json);
}

/* Compiles without running: what a dry run needs to know. */
static int check(lua_State *L) {
  compile(L, lua_touserdata(L, 1));
  return 0;
}

EXPORT("check") int vm_check(const char *source, size_t n) {
  Text text = {source, n};
  return guarded(check, &text, NULL);
}
