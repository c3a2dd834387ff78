#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/single_threaded.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "CSatchelSystem.h"

int scs_futex_wait(const void *word, uint32_t expected, int64_t ns) {
  struct timespec t = {ns / 1000000000, ns % 1000000000};
  return syscall(SYS_futex, word, FUTEX_WAIT, expected, ns < 0 ? NULL : &t, NULL, 0) == 0 ? 0 : errno;
}

int scs_futex_wake(const void *word, int count) {
  return syscall(SYS_futex, word, FUTEX_WAKE, count, NULL, NULL, 0) >= 0 ? 0 : errno;
}

int scs_open(const char *path, int flags, unsigned mode) {
  int descriptor;
  do descriptor = open(path, flags, mode);
  while (descriptor < 0 && errno == EINTR);
  return descriptor >= 0 ? descriptor : -errno;
}

int scs_open_kept(const char *path, int flags) {
  enum { LOWEST = 64 };
  int low = scs_open(path, flags | O_CLOEXEC, 0);
  if (low < 0 || low >= LOWEST) return low;
  // Where the limit is lower than that, the low one has to do.
  int high = fcntl(low, F_DUPFD_CLOEXEC, LOWEST);
  if (high < 0) return low;
  close(low);
  return high;
}

int scs_open_nameless(const char *directory, unsigned mode) {
  return scs_open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
}

int scs_reopen(int descriptor, bool writable) {
  char name[64];
  snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
  int fresh = scs_open(name, (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC, 0);
  if (fresh < 0) return -fresh;
  int result;
  do result = dup3(fresh, descriptor, O_CLOEXEC);
  while (result < 0 && (errno == EINTR || errno == EBUSY));
  int error = result < 0 ? errno : 0;
  close(fresh);
  return error;
}

void scs_forget_names(const char *directory) {
  struct statx status;
  // A change of the folder that shows here is what makes the kernel look its names up again.
  (void)statx(AT_FDCWD, directory, AT_STATX_FORCE_SYNC, STATX_BASIC_STATS, &status);
}

int scs_rename_exclusive(const char *from, const char *to) {
  if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // A file system that cannot: with two names for an instant.
  if (link(from, to) != 0) return errno;
  return unlink(from) == 0 ? 0 : errno;
}

int scs_link_nameless(int descriptor, const char *path) {
  char name[64];
  snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
  return linkat(AT_FDCWD, name, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

static int allocate(int descriptor, int mode, int64_t offset, int64_t length) {
  for (;;) {
    if (fallocate(descriptor, mode, offset, length) == 0) return 0;
    if (errno != EINTR) return errno;
  }
}

int scs_fallocate(int descriptor, int64_t offset, int64_t length) { return allocate(descriptor, 0, offset, length); }

int scs_reserve(int descriptor, int64_t offset, int64_t length) {
  // tmpfs applies the file-size limit to room beyond the end as well.
  if (!scs_within_file_limit(offset + length)) return EFBIG;
  return allocate(descriptor, FALLOC_FL_KEEP_SIZE, offset, length);
}

int scs_write_zeros(int descriptor, int64_t offset, int64_t length) {
  static const char zeros[65536];
  while (length > 0) {
    size_t step = length < (int64_t)sizeof zeros ? (size_t)length : sizeof zeros;
    int error = scs_pwrite_all(descriptor, zeros, step, offset);
    if (error != 0) return error;
    offset += (int64_t)step;
    length -= (int64_t)step;
  }
  return 0;
}

int scs_pread_all(int descriptor, void *buffer, size_t size, int64_t offset) {
  char *p = buffer;
  while (size > 0) {
    ssize_t n = pread(descriptor, p, size, offset);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    if (n == 0) return ENODATA;
    p += n;
    offset += n;
    size -= (size_t)n;
  }
  return 0;
}

int scs_pwrite_all(int descriptor, const void *buffer, size_t size, int64_t offset) {
  if (!scs_within_file_limit(offset + (int64_t)size)) return EFBIG;
  const char *p = buffer;
  while (size > 0) {
    ssize_t n = pwrite(descriptor, p, size, offset);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? errno : EIO;
    p += n;
    offset += n;
    size -= (size_t)n;
  }
  return 0;
}

enum { MEMORY_PART = 16 << 10, MEMORY_STEP = 256 << 10, MEMORY_SPARE = 1 << 20 };

// What a thread has claimed since it last told the others: hardly any claim touches what threads share.
static __thread ptrdiff_t part_owed __attribute__((tls_model("initial-exec")));

bool scs_has_memory(ptrdiff_t bytes) {
  static _Atomic ptrdiff_t owed;
  ptrdiff_t part = part_owed + bytes;
  part_owed = part;
  if (part < MEMORY_PART) return true;
  part_owed = 0;
  ptrdiff_t sum = atomic_fetch_add_explicit(&owed, part, memory_order_relaxed) + part;
  if (sum < MEMORY_STEP) return true;
  // The allocator may have room where the system has none left. Volatile, or a compiler drops what nobody uses.
  void *volatile room = malloc((size_t)sum + MEMORY_SPARE);
  bool has_room = room != NULL;
  free(room);
  // After a refusal every further amount is asked for.
  part_owed = has_room ? 0 : MEMORY_PART;
  atomic_store_explicit(&owed, has_room ? 0 : MEMORY_STEP, memory_order_relaxed);
  return has_room;
}

bool scs_within_file_limit(int64_t size) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || (uint64_t)size <= limit.rlim_cur;
}

int scs_random(void *buffer, size_t size) {
  for (;;) {
    ssize_t n = getrandom(buffer, size, 0);
    if (n == (ssize_t)size) return 0;
    if (n < 0 && errno != EINTR) return errno;
  }
}

bool scs_fence_needed;
bool scs_need_fences(void) { return __atomic_exchange_n(&scs_fence_needed, true, __ATOMIC_SEQ_CST); }

// Registration is per address space and survives neither exec nor, on old kernels, fork: an attempt that is refused
// registers and tries once more.
int scs_membarrier(void) {
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0) return 0;
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0 &&
      syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0)
    return 0;
  return errno;
}

void scs_register_barrier(void) {
  static bool has_asked;
  if (has_asked || !__libc_single_threaded) return;
  has_asked = true;
  syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
}

static int ofd(int descriptor, int command, short type, int64_t byte, struct flock *lock) {
  *lock = (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
  for (;;) {
    if (fcntl(descriptor, command, lock) == 0) return 0;
    if (errno != EINTR) return errno == EACCES ? EAGAIN : errno;
  }
}

int scs_ofd_lock(int descriptor, int64_t byte, bool exclusive) {
  struct flock lock;
  return ofd(descriptor, F_OFD_SETLK, exclusive ? F_WRLCK : F_RDLCK, byte, &lock);
}

int scs_ofd_unlock(int descriptor, int64_t byte) {
  struct flock lock;
  return ofd(descriptor, F_OFD_SETLK, F_UNLCK, byte, &lock);
}

bool scs_ofd_held(int descriptor, int64_t byte) {
  struct flock lock;
  return ofd(descriptor, F_OFD_GETLK, F_WRLCK, byte, &lock) != 0 || lock.l_type != F_UNLCK;
}

static int64_t clock_ns(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * 1000000000ll + t.tv_nsec;
}

int64_t scs_now_ns(void) { return clock_ns(CLOCK_REALTIME); }
int64_t scs_tick_ns(void) { return clock_ns(CLOCK_REALTIME_COARSE); }
int64_t scs_monotonic_ns(void) { return clock_ns(CLOCK_MONOTONIC); }
int64_t scs_coarse_ns(void) { return clock_ns(CLOCK_MONOTONIC_COARSE); }

const char *scs_program_name(void) { return program_invocation_short_name; }

const char *scs_errno_text(int error) {
  static __thread char text[128];
  return strerror_r(error, text, sizeof text);
}
