// What a forked child finds empty: the names of this process, and the cells in which threads say that they are reading.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "CSatchelSystem.h"

#define PAGE 4096

__thread scs_cell *scs_thread_cell __attribute__((tls_model("initial-exec")));
__thread uint64_t scs_thread_number __attribute__((tls_model("initial-exec")));

// A page of zeros that the kernel empties in a child; NULL where it cannot (before 4.14).
static void *wiped_page(void) {
  void *p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return NULL;
  if (madvise(p, PAGE, MADV_WIPEONFORK) == 0) return p;
  munmap(p, PAGE);
  return NULL;
}

// MARK: Names of this process

static scs_names never_kept;
scs_names *scs_own_names = &never_kept;

static void make_names(void) {
  scs_names *p = wiped_page();
  if (p != NULL) __atomic_store_n(&scs_own_names, p, __ATOMIC_RELEASE);
}

static bool can_keep_names(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_names);
  return scs_own_names != &never_kept;
}

void scs_keep_identity(uint64_t identity) {
  if (can_keep_names()) __atomic_store_n(&scs_own_names->identity, identity, __ATOMIC_RELAXED);
}

uint64_t scs_make_mark(void) {
  if (!can_keep_names()) return 0;
  // The time tells it from an ancestor that had the same number and is no more.
  uint64_t mark = (uint64_t)getpid() | (uint64_t)(scs_monotonic_ns() >> 10) << 32, first = 0;
  bool is_first = __atomic_compare_exchange_n(&scs_own_names->mark, &first, mark, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return is_first ? mark : first;
}

// MARK: Cells

static scs_seat *seats;
static pthread_key_t key;
static bool has_key;

static void leave(void *p) {
  scs_seat *seat = p;
  scs_thread_cell = NULL;
  __atomic_store_n(&seat->cell->epoch, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&seat->taken, false, __ATOMIC_RELEASE);
}

// A program that has taken all the keys: the seats of its threads stay taken when they end.
static void make_key(void) { has_key = pthread_key_create(&key, leave) == 0; }

scs_seat *scs_seat_list(void) { return __atomic_load_n(&seats, __ATOMIC_ACQUIRE); }

static scs_seat *take_free_seat(void) {
  for (scs_seat *seat = scs_seat_list(); seat != NULL; seat = seat->next)
    if (!__atomic_exchange_n(&seat->taken, true, __ATOMIC_ACQ_REL)) {
      __atomic_thread_fence(__ATOMIC_SEQ_CST); // against that of scs_is_alone
      return seat;
    }
  return NULL;
}

bool scs_is_alone(void) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  for (scs_seat *seat = scs_seat_list(); seat != NULL; seat = seat->next)
    if (seat->cell != scs_thread_cell && __atomic_load_n(&seat->taken, __ATOMIC_ACQUIRE)) return false;
  return true;
}

// Without a page that is wiped, a child goes on with what other threads of its parent left: it frees less, and that is all.
static scs_cell *page_of_cells(void) {
  void *p = wiped_page();
  if (p == NULL && (p = aligned_alloc(64, PAGE)) != NULL) memset(p, 0, PAGE);
  return p;
}

// A page of cells, and a seat for each.
static void add_seats(void) {
  enum { COUNT = PAGE / sizeof(scs_cell) };
  scs_cell *cells = page_of_cells();
  scs_seat *fresh = calloc(COUNT, sizeof *fresh);
  if (cells == NULL || fresh == NULL) abort(); // a thread that cannot say that it reads must not read
  for (size_t i = 0; i < COUNT; i++) {
    fresh[i].cell = &cells[i];
    fresh[i].next = &fresh[i + 1];
  }
  scs_seat **last = &fresh[COUNT - 1].next;
  *last = scs_seat_list();
  while (!__atomic_compare_exchange_n(&seats, last, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
  }
}

scs_cell *scs_cell_register(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_key);
  scs_seat *seat;
  while ((seat = take_free_seat()) == NULL) add_seats();
  if (has_key) pthread_setspecific(key, seat);
  static uint64_t last_number;
  scs_thread_number = __atomic_add_fetch(&last_number, 1, __ATOMIC_RELAXED);
  return scs_thread_cell = seat->cell;
}
