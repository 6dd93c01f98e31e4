/* Included before everything else, in Lua's sources as in ours.
 *
 * Work is counted: loops, function calls and the bytes that libc moves all burn
 * fuel, and each time a tick's worth is gone the host is asked whether to go on.
 * The host ends a script by never returning from tick, so no Lua code, pcall
 * included, can see it happen.
 */
#ifndef FUEL_H
#define FUEL_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define HOST(name) __attribute__((import_module("host"), import_name(name)))

HOST("tick") void host_tick(int units);
HOST("try") int host_try(void *f, void *L, void *ud);
HOST("throw") __attribute__((noreturn)) void host_throw(void);
HOST("seed") unsigned host_seed(void);
HOST("time") long long host_time(void);
HOST("clock") long long host_clock(void);

/* A unit is about 5 ns: a turn of a loop in C. A jump or call of the virtual machine
 * is FUEL_STEP of them, and a tick about a millisecond. */
#define FUEL_TICK 200000
#define FUEL_STEP 8
#define FUEL_HOST 60 /* a question to the host */

extern int fuel_left;

static inline void fuel_burn(int units) {
  fuel_left -= units;
  if (__builtin_expect(fuel_left < 0, 0)) {
    host_tick(FUEL_TICK - fuel_left);
    fuel_left = FUEL_TICK;
  }
}

/* Bytes that are copied, and bytes that are looked at. */
static inline void fuel_copy(size_t n) {
  if (n > 31) fuel_burn((int)(n >> 5));
}
static inline void fuel_scan(size_t n) {
  if (n > 15) fuel_burn((int)(n >> 4));
}

/* Errors: wasm has no setjmp. The host calls back into fuel_call, and a throw
 * unwinds to it. */
#define luai_jmpbuf int
#define LUAI_TRY(L, c, a) fuel_burn(100); host_try((void *)f, (void *)(L), (void *)ud);
#define LUAI_THROW(L, c) (fuel_burn(1600), host_throw())

/* Nothing of the machine leaks in: seeds and clocks are the host's. */
#define luai_makeseed(L) host_seed()
#define l_randomizePivot() host_seed()

static inline time_t fuel_time(time_t *to) {
  time_t now = (time_t)host_time();
  if (to) *to = now;
  return now;
}
#define time(to) fuel_time(to)
#undef CLOCKS_PER_SEC
#define CLOCKS_PER_SEC 1000000000
#define clock() host_clock()

/* libc functions whose work grows with their arguments. */
static inline void *fuel_memcpy(void *to, const void *from, size_t n) {
  if (n < 16 && !__builtin_constant_p(n)) { /* the runtime's copying has a price per call */
    char *t = to;
    const char *f = from, *end = f + n;
    while (f < end) {
      *t++ = *f++;
      __asm__ volatile(""); /* or the loop becomes a memcpy again */
    }
    fuel_burn(1);
    return to;
  }
  fuel_copy(n + 64);
  return __builtin_memcpy(to, from, n);
}
static inline void *fuel_memmove(void *to, const void *from, size_t n) {
  fuel_copy(n);
  return __builtin_memmove(to, from, n);
}
static inline void *fuel_memset(void *to, int c, size_t n) {
  fuel_copy(n);
  return __builtin_memset(to, c, n);
}
static inline int fuel_memcmp(const void *a, const void *b, size_t n) {
  fuel_scan(n);
  return memcmp(a, b, n);
}
static inline const void *fuel_memchr(const void *s, int c, size_t n) {
  const void *at = memchr(s, c, n);
  fuel_scan(at ? (size_t)((const char *)at - (const char *)s) : n);
  return at;
}
static inline size_t fuel_strlen(const char *s) {
  size_t n = strlen(s);
  fuel_scan(n);
  return n;
}
static inline int fuel_strcmp(const char *a, const char *b) {
  fuel_scan(strlen(a));
  return strcmp(a, b);
}
static inline char *fuel_strchr(const char *s, int c) {
  fuel_scan(strlen(s));
  return strchr(s, c);
}
static inline char *fuel_strpbrk(const char *s, const char *set) {
  char *at = strpbrk(s, set);
  fuel_scan(at ? (size_t)(at - s) : strlen(s));
  return at;
}
static inline size_t fuel_strspn(const char *s, const char *set) {
  size_t n = strspn(s, set);
  fuel_scan(n);
  return n;
}

/* fmod takes a step for each power of two between its arguments. */
static inline double fuel_fmod(double a, double b) {
  int steps = ilogb(a) - ilogb(b);
  if (steps > 0 && steps < 4096) fuel_burn(steps >> 1);
  return fmod(a, b);
}

/* lua_integer2str, many times faster than snprintf. */
static inline int fuel_itoa(char *to, long long value) {
  char digits[24];
  int i = (int)sizeof digits, n = 0;
  unsigned long long rest = value < 0 ? 0ULL - (unsigned long long)value : (unsigned long long)value;
  do {
    digits[--i] = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest);
  if (value < 0) to[n++] = '-';
  while (i < (int)sizeof digits) to[n++] = digits[i++];
  to[n] = 0;
  return n;
}

#define memcpy(to, from, n) fuel_memcpy(to, from, n)
#define memmove(to, from, n) fuel_memmove(to, from, n)
#define memset(to, c, n) fuel_memset(to, c, n)
#define memcmp(a, b, n) fuel_memcmp(a, b, n)
#define memchr(s, c, n) fuel_memchr(s, c, n)
#define strlen(s) fuel_strlen(s)
#define strcmp(a, b) fuel_strcmp(a, b)
#define strcoll(a, b) fuel_strcmp(a, b)
#define strchr(s, c) fuel_strchr(s, c)
#define strpbrk(s, set) fuel_strpbrk(s, set)
#define strspn(s, set) fuel_strspn(s, set)

/* libc functions of a bounded, but not a small cost. */
#define snprintf(...) (fuel_burn(600), snprintf(__VA_ARGS__))
#define strtod(...) (fuel_burn(100), strtod(__VA_ARGS__))
#define strftime(...) (fuel_burn(400), strftime(__VA_ARGS__))
#define mktime(t) (fuel_burn(100), mktime(t))
#define fmod(a, b) fuel_fmod(a, b)
#define pow(a, b) (fuel_burn(20), pow(a, b))
#define sin(x) (fuel_burn(40), sin(x))
#define cos(x) (fuel_burn(40), cos(x))
#define tan(x) (fuel_burn(40), tan(x))

/* The rest of the os library has nothing to work on. */
#define system(command) (-1)
#define remove(name) (-1)
#define rename(from, to) (-1)
#define getenv(name) ((char *)0)
#define exit(status) abort()
#define LUA_TMPNAMBUFSIZE 1
#define lua_tmpnam(to, failed) { (void)(to); failed = 1; }

#endif
