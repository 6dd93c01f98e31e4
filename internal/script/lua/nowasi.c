/* wasi-libc would import the system's functions from the host. A script needs none
 * of them: they fail here, inside, and the module imports nothing but ours. */
#include <stdint.h>

#define BADF 8 /* no file is open, none can be */
#define STUB(name, ...) \
  int32_t __imported_wasi_snapshot_preview1_##name(__VA_ARGS__) { return BADF; }

typedef int32_t i;
typedef int64_t l;

STUB(fd_close, i a)
STUB(fd_fdstat_get, i a, i b)
STUB(fd_fdstat_set_flags, i a, i b)
STUB(fd_prestat_get, i a, i b)
STUB(fd_prestat_dir_name, i a, i b, i c)
STUB(fd_renumber, i a, i b)
STUB(fd_read, i a, i b, i c, i d)
STUB(fd_seek, i a, l b, i c, i d)
STUB(fd_write, i a, i b, i c, i d)
STUB(path_open, i a, i b, i c, i d, i e, l f, l g, i h, i k)
STUB(clock_time_get, i a, l b, i c)
STUB(environ_get, i a, i b)
STUB(environ_sizes_get, i a, i b)

_Noreturn void __imported_wasi_snapshot_preview1_proc_exit(i status) { __builtin_trap(); }
