// What Swift cannot say: variadic and hidden system calls, initial-exec thread locals, the CRC instruction.
// Every function that can fail returns 0 or a positive errno, unless its comment says otherwise.
#ifndef CSATCHELSYSTEM_H
#define CSATCHELSYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

// MARK: System calls

// Futexes on shared, file-backed pages: never FUTEX_PRIVATE_FLAG. `timeout_ns` < 0: no time-out.
int scs_futex_wait(const void *word32, uint32_t expected, int64_t timeout_ns);
int scs_futex_wake(const void *word32, int count);

// open(2); the descriptor, or a negated errno. EINTR is retried.
int scs_open(const char *path, int flags, unsigned mode);
// The same for a descriptor that is kept: with a number that nobody chooses by hand. A shell that runs `exec 3>file`, or a
// program whose standard output was closed, would put a file of its own in the place of a low one.
int scs_open_kept(const char *path, int flags);
// A nameless file in the folder `directory` (O_TMPFILE); the descriptor, or a negated errno.
int scs_open_nameless(const char *directory, unsigned mode);
// Another description of the same file takes the descriptor's place: it shares no lock with what it was forked from.
int scs_reopen(int descriptor, bool writable);
// Has a network file system ask its server what the names in a folder lead to now.
void scs_forget_names(const char *directory);
// Renames a file where nothing has the new name yet: EEXIST otherwise.
int scs_rename_exclusive(const char *from, const char *to);
// Gives a nameless file a name.
int scs_link_nameless(int descriptor, const char *path);
int scs_fallocate(int descriptor, int64_t offset, int64_t length);
int scs_reserve(int descriptor, int64_t offset, int64_t length); // allocates without changing the file's size
// Every byte from the start of the block device's point of view: zeros written where fallocate is not to be had.
int scs_write_zeros(int descriptor, int64_t offset, int64_t length);
int scs_pread_all(int descriptor, void *buffer, size_t size, int64_t offset);
int scs_pwrite_all(int descriptor, const void *buffer, size_t size, int64_t offset);
// Whether that much memory, and some more, could be had now; small amounts are added up before the allocator is asked.
bool scs_has_memory(ptrdiff_t bytes);
bool scs_within_file_limit(int64_t size); // RLIMIT_FSIZE: a write beyond it raises SIGXFSZ, which kills
int scs_random(void *buffer, size_t size);

// How this process is called: 0 until it is kept, and again in a forked child. Where the kernel can zero no page in a child
// (before 4.14) nothing is ever kept.
typedef struct scs_names {
  uint64_t identity; // in locks that other processes share
  uint64_t mark;     // in private locks, which only a forked child can inherit
} scs_names;
extern scs_names *scs_own_names __attribute__((visibility("hidden")));
static inline uint64_t scs_known_identity(void) { return __atomic_load_n(&scs_own_names->identity, __ATOMIC_RELAXED); }
void scs_keep_identity(uint64_t identity);
static inline uint64_t scs_known_mark(void) { return __atomic_load_n(&scs_own_names->mark, __ATOMIC_RELAXED); }
// The mark, made by the first thread that asks; 0 where it cannot be kept. Its bit 31 is clear.
uint64_t scs_make_mark(void);

// 0 when every running thread of this process has passed a full barrier since the call.
int scs_membarrier(void);
// What that needs once: free while the process has one thread, and some 10 ms with more. So it does nothing with more, nor twice.
void scs_register_barrier(void);

// Open-file-description locks on one byte. `exclusive` false: a read lock. EAGAIN: somebody else holds it.
int scs_ofd_lock(int descriptor, int64_t byte, bool exclusive);
int scs_ofd_unlock(int descriptor, int64_t byte);
// True when another description holds a lock there, or when that cannot be found out.
bool scs_ofd_held(int descriptor, int64_t byte);

int64_t scs_now_ns(void);       // CLOCK_REALTIME
int64_t scs_tick_ns(void);      // CLOCK_REALTIME_COARSE: the time of the last tick (1–10 ms), as files have it; 20 ns cheaper
int64_t scs_monotonic_ns(void); // CLOCK_MONOTONIC
int64_t scs_coarse_ns(void);    // CLOCK_MONOTONIC_COARSE: 4 ms steps, no system call
const char *scs_program_name(void);
const char *scs_errno_text(int error); // thread-local or static storage

// MARK: Hashing

uint64_t scs_fresh_seed(void); // nobody outside can guess it; another one each time, and never 0

uint32_t scs_crc32c(uint32_t seed, const void *data, size_t size);

static inline uint64_t scs_mix(uint64_t a, uint64_t b) {
  __uint128_t product = (__uint128_t)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// `size` bytes, fewer than eight, as a little-endian number. By overlapping halves: their number is hard to foresee for a branch
// each, and a memcpy of unknown length would be a call.
static inline uint64_t scs_few(const unsigned char *p, size_t size) {
  if (size >= 4) {
    uint32_t low, high;
    memcpy(&low, p, 4);
    memcpy(&high, p + size - 4, 4);
    return low | (uint64_t)high << (size - 4) * 8;
  }
  if (size == 0) return 0;
  return p[0] | (uint64_t)p[size / 2] << size / 2 * 8 | (uint64_t)p[size - 1] << (size - 1) * 8;
}

static inline uint64_t scs_eight(const unsigned char *p) {
  uint64_t w;
  memcpy(&w, p, 8);
  return w;
}

// The key hash of docs/formats.md. Little-endian machines only, as is the whole format.
static inline uint64_t scs_hash(uint64_t seed, const void *data, size_t size) {
  const unsigned char *p = (const unsigned char *)data;
  uint64_t h = seed ^ (size * 0x9E3779B97F4A7C15ull);
  if (size < 8) return scs_mix(h ^ scs_few(p, size), 0xE7037ED1A0B428DBull);
  const unsigned char *end = p + size;
  for (; end - p >= 8; p += 8) h = scs_mix(h ^ scs_eight(p), 0xA0761D6478BD642Full);
  // The rest is the upper end of the last eight bytes; none of them where nothing is left.
  uint64_t rest = scs_eight(end - 8) >> 8 >> (56 - (end - p) * 8);
  return scs_mix(h ^ rest, 0xE7037ED1A0B428DBull);
}

// memcmp(a, b, size) == 0 without a call: keys are short.
static inline bool scs_equal(const void *a, const void *b, size_t size) {
  const unsigned char *p = (const unsigned char *)a, *q = (const unsigned char *)b;
  if (size < 8) return scs_few(p, size) == scs_few(q, size);
  for (size_t i = 0; i < size - 8; i += 8)
    if (scs_eight(p + i) != scs_eight(q + i)) return false;
  // The last eight, some of them for the second time.
  return scs_eight(p + size - 8) == scs_eight(q + size - 8);
}

// MARK: Reading without locks

// One cell a thread: the epoch in which it is reading, 0 when it is not. A forked child finds all of them 0: it inherits no
// other thread, and nothing may be held back there for one that does not exist.
typedef struct scs_cell {
  uint64_t epoch;
  uint32_t ticks; // counts reads, so that a clock is looked at only now and then
  uint32_t rest_of_cache_line[13];
} scs_cell;

// Whose turn it is to use a cell; in a list that only grows.
typedef struct scs_seat {
  scs_cell *cell;
  struct scs_seat *next;
  bool taken;
} scs_seat;

extern __thread scs_cell *scs_thread_cell __attribute__((tls_model("initial-exec")));
extern __thread uint64_t scs_thread_number __attribute__((tls_model("initial-exec")));
extern bool scs_fence_needed; // membarrier(2) is forbidden here: readers need a fence of their own
bool scs_need_fences(void);   // says so; true when it had been said before
scs_cell *scs_cell_register(void);
scs_seat *scs_seat_list(void);
// True while no other thread has a seat: none is reading, and one that begins to will see all that was stored before the call.
bool scs_is_alone(void);

static inline scs_cell *scs_my_cell(void) {
  scs_cell *cell = scs_thread_cell;
  return __builtin_expect(cell != NULL, 1) ? cell : scs_cell_register();
}

// The calling thread's: never given to another thread of this process, as its cell and its id are.
static inline uint64_t scs_my_number(void) {
  (void)scs_my_cell();
  return scs_thread_number;
}

// Orders the store of an epoch before the loads that follow. The reclaiming side pays for it with membarrier.
static inline void scs_reader_fence(void) {
  if (__builtin_expect(scs_fence_needed, 0)) __atomic_thread_fence(__ATOMIC_SEQ_CST);
  __asm__ volatile("" ::: "memory");
}

static inline void scs_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb");
#endif
}

// MARK: Logging

// A thread's view of the ring that it writes its records to. It lies in memory that a forked child finds zeroed: `limit` is 0
// there, as it is before the first record and while a record is being written, and all of these take the slow path. So the fast
// one has no other question to ask.
typedef struct scs_log_view {
  uint64_t limit; // a record may begin below it: there is room for the longest one
  uint64_t head;  // where the next record begins, counted from the beginning of time; the owner's copy of *shared
  uint64_t mask;  // size of the ring - 1
  uint8_t *base;  // of the ring, mapped twice in a row so that no record wraps; NULL: no ring
  void *owner;    // the log that the ring belongs to
  uint64_t *shared;
  uint32_t *sleep; // the leader's word
  uint64_t room;   // what `limit` is again once the record is written
  // One cache line to here, and another one to `slot`.
  uint8_t *record; // the one that is being written, or NULL
  uint8_t *stop;   // its last byte may lie before this
  uint8_t *cursor;
  uint64_t pid_tid; // pid | tid << 32
  uint64_t name[2]; // of the thread, NUL-padded
  uint64_t unusual; // something is to be done after this record: see Producer
  uint64_t slot;
  uint64_t lost;    // records dropped since the last one
  uint8_t *scratch; // a record that found no room, or grew too long
  uint64_t scratch_size;
  struct scs_log_view *outer; // whose record is open while this one is used
  struct scs_log_view *next;  // another view of the same thread
  uint64_t redacts;           // secrets are looked for in text
  uint64_t rest_of_cache_line[2];
} scs_log_view;
extern __thread scs_log_view *scs_thread_log_view __attribute__((tls_model("initial-exec")));
static inline scs_log_view *scs_my_log_view(void) { return scs_thread_log_view; }
static inline void scs_set_log_view(scs_log_view *view) { scs_thread_log_view = view; }
scs_log_view *scs_no_log_view(void); // what a thread has before its first record

// A counter of the processor, at a constant rate where scs_has_steady_ticks.
static inline uint64_t scs_tick(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t tick;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(tick));
  return tick;
#else
  return (uint64_t)scs_monotonic_ns();
#endif
}
bool scs_has_steady_ticks(void);
static inline void scs_keep(const void *value) { __asm__ volatile("" ::"r"(value)); } // as if it were used
static inline void scs_compiler_barrier(void) { __asm__ volatile("" ::: "memory"); }
static inline void scs_full_barrier(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

uint32_t scs_thread_id(void);
// open(2) of the name `prefix` with `number` behind it, without allocating; the descriptor, or a negated errno.
int scs_open_numbered(const char *prefix, int number, int flags, unsigned mode);
void scs_thread_name(char name[16]);              // NUL-padded
void *scs_map_twice(int descriptor, size_t size); // NULL: it cannot be had
// Whether that much memory could be mapped now. The allocator is not asked: a signal handler may have interrupted it.
bool scs_can_map(size_t bytes);
void *scs_wiped_room(size_t size); // zeros, and again in a forked child; NULL: it cannot be had
// Keeps a file description, and so its locks, until exec or exit, whoever closes the descriptor; not in a forked child.
void scs_hold_description(int descriptor);

// Writes all of it to a stream that may be a pipe, without the signal that a broken one raises. 0 or an errno: EAGAIN where nobody
// has read for a tenth of a second, and the stream does not block.
int scs_write_console(int descriptor, const void *bytes, size_t size);

// Which file that is: inode numbers are used again, times of birth are not. 0 where the file system knows none.
typedef struct scs_file_identity {
  uint64_t device, inode, birth, size, links;
} scs_file_identity;
int scs_identify(int descriptor, const char *path, scs_file_identity *out); // of `path` where the descriptor is negative

int scs_ofd_lock_waiting(int descriptor, int64_t byte);
int scs_join_barriers(void);   // once a process; lost by exec
int scs_barrier_for_all(void); // 0: every running thread of the processes that joined has passed a full barrier since the call

// A detached thread that hears no signal and allocates nothing to start.
int scs_start_thread(void (*body)(void *), void *context);
// One body for all threads: called at the end of those that have named an argument.
void scs_at_thread_end(void (*body)(void *), void *argument);
void scs_at_fork_child(void (*body)(void));
void scs_close_all(uint64_t device, uint64_t inode); // whatever leads to that file

// MARK: Fatal signals

// What there is to say of one, as long as its handler runs.
typedef struct scs_crash {
  int number, code;        // si_signo, si_code
  uint64_t address;        // that could not be accessed; 0 where it is none
  uint64_t pc, sp;         // where the thread was
  const char *name, *text; // "SIGSEGV"; a sentence, and a line for each frame
  size_t size;             // of the text
} scs_crash;

// From now on `body` is told of fatal signals (and of SIGTERM), in the handler, before what was there before goes on: the former
// handler, or the end of the process with the same status. The calling thread gets an alternate stack. Not for two threads at once.
int scs_catch_signals(void *log, bool termination, void (*body)(void *log, const scs_crash *crash));
void scs_release_signals(void);
void scs_describe_crash(scs_crash *crash, int number, const void *siginfo, const void *context);

// Memory of this process that may not be there: EFAULT. EPERM or ENOSYS: it cannot be found out.
int scs_read_memory(void *to, const void *from, size_t size);

// How deep the calling thread is in calls that call back into the program, which may make the same call again.
typedef struct scs_depths {
  uint32_t dumps, assertions;
} scs_depths;
extern __thread scs_depths scs_thread_depths __attribute__((tls_model("initial-exec")));
static inline scs_depths *scs_my_depths(void) { return &scs_thread_depths; }

// MARK: The last error of a thread

typedef struct scs_error_texts {
  char message[512];
  char domain[256];
  char path[4096];
  char key[1056];
} scs_error_texts;

// This thread's, made at its first use and freed when it ends; NULL when there is no memory for it.
scs_error_texts *scs_thread_error_texts(void);
// `size` bytes of thread-local room beside it, zeroed at first, or NULL.
void *scs_thread_error(size_t size);

// MARK: The Swift runtime in a forked child

// Sees to it, from now on, that the runtime's locks work in the threads of a forked child.
void scs_watch_forks(void);

// MARK: Fault points; defined in builds for tests only

void satchel_fault_at(const char *name, int skip);
void satchel_fault_call(const char *name, int skip, void (*body)(void));
void scs_fault_point(const char *name);

#endif
