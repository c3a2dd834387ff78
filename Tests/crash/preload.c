/*
 * Stands in front of the C library (LD_PRELOAD) and makes the n-th call of one function fail with a chosen errno.
 *
 * Armed by refuse_arm(), or for a program that knows nothing of it by SATCHEL_REFUSE=call:n:errno[:on], where `on` means
 * that every later call fails too, as on a disk that stays full.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { CALLS = 64 };

static const char *names[CALLS];
static atomic_long counts[CALLS];
static atomic_long hits;
static char armed_call[32];
static long armed_nth;
static int armed_errno;
static bool armed_on;

void refuse_arm(const char *call, long nth, int error, bool on) {
  snprintf(armed_call, sizeof armed_call, "%s", call == NULL ? "" : call);
  armed_nth = nth;
  armed_errno = error;
  armed_on = on;
  hits = 0;
  for (int i = 0; i < CALLS; i++) counts[i] = 0;
}

long refuse_hits(void) { return hits; }
long refuse_count(int index) { return index >= 0 && index < CALLS && names[index] != NULL ? (long)counts[index] : -1; }
const char *refuse_name(int index) { return index >= 0 && index < CALLS ? names[index] : NULL; }

__attribute__((constructor)) static void from_environment(void) {
  const char *text = getenv("SATCHEL_REFUSE");
  char call[32], on[8] = "";
  long nth = 0;
  int error = 0;
  if (text != NULL && sscanf(text, "%31[^:]:%ld:%d:%7s", call, &nth, &error, on) >= 3)
    refuse_arm(call, nth, error, on[0] != '\0');
}

static bool refused(int index, const char *name) {
  names[index] = name;
  long number = atomic_fetch_add(&counts[index], 1) + 1;
  if (armed_call[0] == '\0' || strcmp(armed_call, name) != 0) return false;
  if (number < armed_nth || (number > armed_nth && !armed_on)) return false;
  hits++;
  errno = armed_errno;
  return true;
}

/* A name, its result, parameters and arguments. Each has its number by its place in the file. */
#define WRAP(type, failure, name, parameters, ...)                                                                             \
  enum { INDEX_##name = __COUNTER__ };                                                                                         \
  __attribute__((constructor)) static void announce_##name(void) { names[INDEX_##name] = #name; }                              \
  type name parameters {                                                                                                       \
    static type(*_Atomic next) parameters;                                                                                     \
    if (next == NULL) next = (type(*) parameters)dlsym(RTLD_NEXT, #name);                                                      \
    return refused(INDEX_##name, #name) ? (failure) : next(__VA_ARGS__);                                                       \
  }

static mode_t mode_of(int flags, va_list arguments) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;
}

#define WRAP_OPEN(name, before, first, ...)                                                                                    \
  enum { INDEX_##name = __COUNTER__ };                                                                                         \
  __attribute__((constructor)) static void announce_##name(void) { names[INDEX_##name] = #name; }                              \
  int name before {                                                                                                            \
    static int (*_Atomic next)(first, const char *, int, ...);                                                                 \
    if (next == NULL) next = (int (*)(first, const char *, int, ...))dlsym(RTLD_NEXT, #name);                                  \
    va_list arguments;                                                                                                         \
    va_start(arguments, flags);                                                                                                \
    mode_t mode = mode_of(flags, arguments);                                                                                   \
    va_end(arguments);                                                                                                         \
    return refused(INDEX_##name, #name) ? -1 : next(__VA_ARGS__, mode);                                                        \
  }

WRAP_OPEN(openat, (int folder, const char *path, int flags, ...), int, folder, path, flags)
WRAP_OPEN(openat64, (int folder, const char *path, int flags, ...), int, folder, path, flags)
#undef WRAP_OPEN

/* Without a folder: the same by hand, since a macro cannot leave an argument out. */
#define WRAP_OPEN(name)                                                                                                        \
  enum { INDEX_##name = __COUNTER__ };                                                                                         \
  __attribute__((constructor)) static void announce_##name(void) { names[INDEX_##name] = #name; }                              \
  int name(const char *path, int flags, ...) {                                                                                 \
    static int (*_Atomic next)(const char *, int, ...);                                                                        \
    if (next == NULL) next = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name);                                         \
    va_list arguments;                                                                                                         \
    va_start(arguments, flags);                                                                                                \
    mode_t mode = mode_of(flags, arguments);                                                                                   \
    va_end(arguments);                                                                                                         \
    return refused(INDEX_##name, #name) ? -1 : next(path, flags, mode);                                                        \
  }

WRAP_OPEN(open)
WRAP_OPEN(open64)

enum { INDEX_fcntl = __COUNTER__ };
__attribute__((constructor)) static void announce_fcntl(void) { names[INDEX_fcntl] = "fcntl"; }
int fcntl(int file, int command, ...) {
  static int (*_Atomic next)(int, int, ...);
  if (next == NULL) next = (int (*)(int, int, ...))dlsym(RTLD_NEXT, "fcntl");
  va_list arguments;
  va_start(arguments, command);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  return refused(INDEX_fcntl, "fcntl") ? -1 : next(file, command, argument);
}

WRAP(int, -1, fallocate, (int file, int mode, off_t offset, off_t size), file, mode, offset, size)
WRAP(int, -1, fallocate64, (int file, int mode, off_t offset, off_t size), file, mode, offset, size)
WRAP(int, -1, ftruncate, (int file, off_t size), file, size)
WRAP(int, -1, ftruncate64, (int file, off_t size), file, size)
WRAP(ssize_t, -1, pread, (int file, void *bytes, size_t size, off_t offset), file, bytes, size, offset)
WRAP(ssize_t, -1, pread64, (int file, void *bytes, size_t size, off_t offset), file, bytes, size, offset)
WRAP(ssize_t, -1, pwrite, (int file, const void *bytes, size_t size, off_t offset), file, bytes, size, offset)
WRAP(ssize_t, -1, pwrite64, (int file, const void *bytes, size_t size, off_t offset), file, bytes, size, offset)
WRAP(ssize_t, -1, write, (int file, const void *bytes, size_t size), file, bytes, size)
WRAP(ssize_t, -1, read, (int file, void *bytes, size_t size), file, bytes, size)
WRAP(void *, MAP_FAILED, mmap, (void *at, size_t size, int protection, int flags, int file, off_t offset), at, size, protection,
     flags, file, offset)
WRAP(void *, MAP_FAILED, mmap64, (void *at, size_t size, int protection, int flags, int file, off_t offset), at, size,
     protection, flags, file, offset)
WRAP(int, -1, fdatasync, (int file), file)
WRAP(int, -1, fsync, (int file), file)
WRAP(int, -1, msync, (void *at, size_t size, int flags), at, size, flags)
WRAP(int, -1, madvise, (void *at, size_t size, int advice), at, size, advice)
WRAP(int, -1, rename, (const char *from, const char *to), from, to)
WRAP(int, -1, renameat, (int from_folder, const char *from, int to_folder, const char *to), from_folder, from, to_folder, to)
WRAP(int, -1, link, (const char *from, const char *to), from, to)
WRAP(int, -1, linkat, (int from_folder, const char *from, int to_folder, const char *to, int flags), from_folder, from,
     to_folder, to, flags)
WRAP(int, -1, unlink, (const char *path), path)
WRAP(int, -1, fstat, (int file, struct stat *status), file, status)
WRAP(int, -1, stat, (const char *path, struct stat *status), path, status)
WRAP(int, -1, lstat, (const char *path, struct stat *status), path, status)
WRAP(int, -1, fstatat, (int folder, const char *path, struct stat *status, int flags), folder, path, status, flags)
WRAP(int, -1, statfs, (const char *path, struct statfs *status), path, status)
WRAP(int, -1, fstatfs, (int file, struct statfs *status), file, status)
WRAP(int, -1, mkdir, (const char *path, mode_t mode), path, mode)
WRAP(int, -1, mkdirat, (int folder, const char *path, mode_t mode), folder, path, mode)
WRAP(int, -1, fchmod, (int file, mode_t mode), file, mode)
WRAP(int, -1, fchown, (int file, uid_t user, gid_t group), file, user, group)
WRAP(int, -1, access, (const char *path, int mode), path, mode)
WRAP(ssize_t, -1, readlink, (const char *path, char *out, size_t size), path, out, size)
WRAP(char *, NULL, realpath, (const char *path, char *out), path, out)
WRAP(ssize_t, -1, flistxattr, (int file, char *out, size_t size), file, out, size)
WRAP(ssize_t, -1, fgetxattr, (int file, const char *name, void *out, size_t size), file, name, out, size)
WRAP(int, -1, fsetxattr, (int file, const char *name, const void *value, size_t size, int flags), file, name, value, size,
     flags)
WRAP(ssize_t, -1, getrandom, (void *bytes, size_t size, unsigned flags), bytes, size, flags)
