/* Binary content stays with the host. A script holds it by a handle that knows
 * its type and size, can be put into arguments and results, and is read only on
 * demand. */
#include "bridge.h"

#define BLOB "toolcrib.blob"

void blob_push(lua_State *L, int id) {
  int *blob = lua_newuserdatauv(L, sizeof *blob, 0);
  *blob = id;
  luaL_setmetatable(L, BLOB);
}

int blob_id(lua_State *L, int index) {
  int *blob = luaL_testudata(L, index, BLOB);
  return blob ? *blob : -1;
}

static int blob_check(lua_State *L) { return *(int *)luaL_checkudata(L, 1, BLOB); }

static int blob_base64(lua_State *L) {
  int id = blob_check(L);
  size_t n = (size_t)host_blob(id);
  luaL_Buffer b;
  char *to = luaL_buffinitsize(L, &b, n + 1);
  fuel_copy(n);
  host_take_blob(id, to);
  luaL_pushresultsize(&b, n);
  return 1;
}

static void push_type(lua_State *L, int id) {
  char type[128];
  lua_pushlstring(L, type, (size_t)host_blob_type(id, type, (int)sizeof type));
}

/* What base64 text of n characters stands for, padding apart. */
static lua_Integer bytes_of(int n) { return (lua_Integer)n / 4 * 3; }

static int blob_index(lua_State *L) {
  int id = blob_check(L);
  const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  if (strcmp(key, "base64") == 0) lua_pushcfunction(L, blob_base64);
  else if (strcmp(key, "size") == 0) lua_pushinteger(L, bytes_of(host_blob(id)));
  else if (strcmp(key, "mimeType") == 0) push_type(L, id);
  else return luaL_error(L, "binary content has size, mimeType and :base64(), no other field");
  return 1;
}

static int blob_tostring(lua_State *L) {
  int id = blob_check(L);
  push_type(L, id);
  lua_pushfstring(L, "<%s, %I bytes>", lua_tostring(L, -1), (LUAI_UACINT)bytes_of(host_blob(id)));
  return 1;
}

static int blob_len(lua_State *L) {
  lua_pushinteger(L, bytes_of(host_blob(blob_check(L))));
  return 1;
}

void blob_open(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"__index", blob_index}, {"__tostring", blob_tostring}, {"__len", blob_len}, {NULL, NULL}};
  luaL_newmetatable(L, BLOB);
  luaL_setfuncs(L, methods, 0);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
}
