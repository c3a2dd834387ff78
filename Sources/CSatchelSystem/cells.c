// The cells in which threads say that they are reading.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "CSatchelSystem.h"

__thread scs_cell *scs_thread_cell __attribute__((tls_model("initial-exec")));

static scs_cell *cells;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void thread_ended(void *p) {
  scs_cell *cell = p;
  scs_thread_cell = NULL;
  __atomic_store_n(&cell->epoch, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&cell->used, 0, __ATOMIC_RELEASE);
}

static void make_key(void) { pthread_key_create(&key, thread_ended); }

scs_cell *scs_cell_list(void) { return __atomic_load_n(&cells, __ATOMIC_ACQUIRE); }

static scs_cell *claim_free_cell(void) {
  for (scs_cell *cell = scs_cell_list(); cell != NULL; cell = cell->next) {
    uint32_t unused = 0;
    if (__atomic_compare_exchange_n(&cell->used, &unused, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return cell;
  }
  return NULL;
}

static scs_cell *new_cell(void) {
  scs_cell *cell = aligned_alloc(64, 64);
  if (cell == NULL) abort(); // a thread that cannot say that it reads must not read
  memset(cell, 0, 64);
  cell->used = 1;
  cell->next = scs_cell_list();
  while (!__atomic_compare_exchange_n(&cells, &cell->next, cell, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
  }
  return cell;
}

scs_cell *scs_cell_register(void) {
  pthread_once(&once, make_key);
  scs_cell *cell = claim_free_cell();
  if (cell == NULL) cell = new_cell();
  pthread_setspecific(key, cell);
  return scs_thread_cell = cell;
}

// Only the thread that forked lives on in a child: no other's cell may hold memory back there.
void scs_cells_after_fork(void) {
  for (scs_cell *cell = scs_cell_list(); cell != NULL; cell = cell->next) {
    if (cell == scs_thread_cell) continue;
    cell->epoch = 0;
    cell->used = 0;
  }
}
