// What the logger needs of the machine: a thread's view of its ring, ticks, rings that never wrap, a thread of its own.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "CSatchelSystem.h"

static scs_log_view no_view; // without room: the first record of a thread takes the slow path
__thread scs_log_view *scs_thread_log_view __attribute__((tls_model("initial-exec"))) = &no_view;
scs_log_view *scs_no_log_view(void) { return &no_view; }
__thread scs_depths scs_thread_depths __attribute__((tls_model("initial-exec")));

#if defined(__x86_64__)
#include <cpuid.h>
// The counter goes on at one rate, through sleep states too. Whether the kernel has found the counters of the processors to
// agree, it says by its own choice of a clock, which the caller looks at.
bool scs_has_steady_ticks(void) {
  unsigned a, b, c, d = 0;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8) != 0;
}
#elif defined(__aarch64__)
bool scs_has_steady_ticks(void) { return true; }
#else
bool scs_has_steady_ticks(void) { return false; }
#endif

uint32_t scs_thread_id(void) { return (uint32_t)syscall(SYS_gettid); }

int scs_open_numbered(const char *prefix, int number, int flags, unsigned mode) {
  char name[4096], digits[12];
  size_t size = strlen(prefix), count = 0;
  do digits[count++] = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  if (size + count >= sizeof name) return -ENAMETOOLONG;
  memcpy(name, prefix, size);
  while (count > 0) name[size++] = digits[--count];
  name[size] = '\0';
  return scs_open(name, flags, mode);
}

void scs_thread_name(char name[16]) {
  memset(name, 0, 16);
  prctl(PR_GET_NAME, name, 0, 0, 0);
}

void *scs_map_twice(int descriptor, size_t size) {
  uint8_t *start = mmap(NULL, 2 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) return NULL;
  for (int half = 0; half < 2; half++) {
    void *place = start + (size_t)half * size;
    if (mmap(place, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_POPULATE, descriptor, 0) == MAP_FAILED) {
      munmap(start, 2 * size);
      return NULL;
    }
  }
  return start;
}

bool scs_can_map(size_t bytes) {
  void *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return room != MAP_FAILED && munmap(room, bytes) == 0;
}

void *scs_wiped_room(size_t size) {
  void *room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return NULL;
  if (madvise(room, size, MADV_WIPEONFORK) == 0) return room;
  munmap(room, size);
  return NULL;
}

static int write_all(int descriptor, const char *bytes, size_t size) {
  while (size > 0) {
    ssize_t written = write(descriptor, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) {
      struct pollfd wanted = {.fd = descriptor, .events = POLLOUT};
      if (poll(&wanted, 1, 100) > 0) continue;
      return EAGAIN;
    }
    if (written < 0) return errno;
    bytes += written;
    size -= (size_t)written;
  }
  return 0;
}

// The signal of a broken pipe is the thread's: it is held back, and taken away where it came from here.
int scs_write_console(int descriptor, const void *bytes, size_t size) {
  sigset_t broken, old, pending;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  sigpending(&pending);
  bool was_pending = sigismember(&pending, SIGPIPE) == 1;
  pthread_sigmask(SIG_BLOCK, &broken, &old);
  int error = write_all(descriptor, bytes, size);
  if (error == EPIPE && !was_pending) {
    struct timespec now = {0, 0};
    while (sigtimedwait(&broken, NULL, &now) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  return error;
}

void scs_hold_description(int descriptor) {
  void *page = mmap(NULL, 4096, PROT_NONE, MAP_SHARED, descriptor, 0);
  if (page != MAP_FAILED) madvise(page, 4096, MADV_DONTFORK);
}

int scs_identify(int descriptor, const char *path, scs_file_identity *out) {
  struct statx status;
  bool is_open = descriptor >= 0;
  int flags = (is_open ? AT_EMPTY_PATH : 0) | AT_SYMLINK_NOFOLLOW;
  if (statx(is_open ? descriptor : AT_FDCWD, is_open ? "" : path, flags, STATX_BASIC_STATS | STATX_BTIME, &status) != 0)
    return errno;
  out->device = makedev(status.stx_dev_major, status.stx_dev_minor);
  out->inode = status.stx_ino;
  out->size = status.stx_size;
  out->links = status.stx_nlink;
  bool has_birth = (status.stx_mask & STATX_BTIME) != 0;
  out->birth = has_birth ? (uint64_t)status.stx_btime.tv_sec * 1000000000u + status.stx_btime.tv_nsec : 0;
  return 0;
}

int scs_ofd_lock_waiting(int descriptor, int64_t byte) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
  for (;;) {
    if (fcntl(descriptor, F_OFD_SETLKW, &lock) == 0) return 0;
    if (errno != EINTR) return errno;
  }
}

int scs_join_barriers(void) { return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) == 0 ? 0 : errno; }
int scs_barrier_for_all(void) { return syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0) == 0 ? 0 : errno; }

typedef struct start {
  void (*body)(void *);
  void *context;
} start;
enum { STARTS = 64 };
static start starts[STARTS];

static void *run(void *argument) {
  start *s = argument, mine = *s;
  __atomic_store_n(&s->body, NULL, __ATOMIC_RELEASE);
  mine.body(mine.context);
  return NULL;
}

static start *free_start(void (*body)(void *)) {
  for (int i = 0; i < STARTS; i++) {
    void (*none)(void *) = NULL;
    if (__atomic_compare_exchange_n(&starts[i].body, &none, body, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return &starts[i];
  }
  return NULL;
}

// Without memory of its own, since a forked child may not be able to allocate.
int scs_start_thread(void (*body)(void *), void *context) {
  start *s = free_start(body);
  if (s == NULL) return EAGAIN;
  s->context = context;
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  int error = pthread_create(&thread, &attributes, run, s);
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  if (error == 0) pthread_setname_np(thread, "satchel-log");
  if (error != 0) __atomic_store_n(&s->body, NULL, __ATOMIC_RELEASE);
  return error;
}

static pthread_key_t key;
static bool has_key;
static void (*leave)(void *);
static void make_key(void) { has_key = pthread_key_create(&key, leave) == 0; }

void scs_at_thread_end(void (*body)(void *), void *argument) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  leave = body;
  pthread_once(&once, make_key);
  if (has_key) pthread_setspecific(key, argument);
}

void scs_at_fork_child(void (*body)(void)) { pthread_atfork(NULL, NULL, body); }

void scs_close_all(uint64_t device, uint64_t inode) {
  struct stat status;
  long most = sysconf(_SC_OPEN_MAX);
  for (int fd = 3; fd < (most > 4096 ? 4096 : most); fd++)
    if (fstat(fd, &status) == 0 && status.st_ino == inode && status.st_dev == device) close(fd);
}
