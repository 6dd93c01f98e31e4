/* What the parts of the bridge between Lua and the host share. */
#ifndef BRIDGE_H
#define BRIDGE_H

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"

#define EXPORT(name) __attribute__((export_name(name)))

#define MAX_DEPTH 64  /* of JSON, both ways */
#define MAX_NAME 256  /* of a server or a tool */
#define MAX_MESSAGE 8192 /* of an error, for the host */
#define MAX_FAULT 16384 /* of an error, from the host */

/* The host. A pointer and a length name bytes of ours that it reads before it
 * returns; where it has bytes for us it says how many, and writes them on "take". */
HOST("print") void host_print(const char *text, int n);
HOST("result") void host_result(const char *json, int n);
HOST("failure") void host_failure(const char *json, int n);
HOST("awaited_result") void host_awaited_result(void);
HOST("inexact") void host_inexact(const char *digits, int n);
HOST("server") int host_server(const char *name, int n, int wanted);
HOST("tool") int host_tool(int server, const char *name, int n);
HOST("call") int host_call(int tool, const char *json, int n, int line);
HOST("done") int host_done(int call);
HOST("await") int host_await(int call);
HOST("await_any") int host_await_any(const int *calls, int n);
HOST("take") int host_take(int call, char *to, int room);
HOST("take_fault") int host_take_fault(char *to, int room);
HOST("blob") int host_blob(int blob);
HOST("take_blob") void host_take_blob(int blob, char *to);
HOST("take_blob_type") int host_blob_type(int blob, char *to, int room);

/* json_read.c */
void json_read(lua_State *L, const char *s, size_t n); /* pushes the value */
int json_decode(lua_State *L);
void json_push_array(lua_State *L, int index); /* marks a table as an array */
int json_is_array(lua_State *L, int index);

/* json_write.c: json_write pushes the buffer in which the text lies, json_push the
 * text as a string. */
typedef struct {
  const char *text;
  size_t size;
} Json;
enum { WRITE_ARGUMENTS, WRITE_RESULT, WRITE_VALUE, WRITE_PRINT };
Json json_write(lua_State *L, int index, int purpose);
void json_push(lua_State *L, int index, int purpose);
int json_encode(lua_State *L);

/* calls.c */
void calls_open(lua_State *L, int internals);
void calls_blend(lua_State *L); /* once all globals are there */
int calls_is_handle(lua_State *L, int index);
int calls_await(lua_State *L);
int calls_try(lua_State *L);

/* blob.c */
void blob_open(lua_State *L);
void blob_push(lua_State *L, int id);
int blob_id(lua_State *L, int index); /* -1 if it is none */

/* fault.c */
void fault_open(lua_State *L);
int fault_raise(lua_State *L, const char *code, const char *message);
void fault_push_host(lua_State *L); /* what the host has to complain of */
int fault_is(lua_State *L, int index);
int fault_line(lua_State *L, int level);

/* vm.c */
extern size_t limit_arguments, limit_result;

#endif
