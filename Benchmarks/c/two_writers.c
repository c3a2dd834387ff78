/* Two processes write the same 1,000 keys at once: writes a second of both together. Usage: two_writers FOLDER */
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "peers.h"

#define ROUNDS 9

typedef struct gate {
  int ready;
  double start[2], end[2];
} gate;

/* Both have opened: go. */
static void pass(gate *gate, int me) {
  __atomic_add_fetch(&gate->ready, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&gate->ready, __ATOMIC_SEQ_CST) < 2) sched_yield();
  gate->start[me] = now_ns();
}

static void write_satchel(const char *folder, long count, gate *gate, int me) {
  satchel_settings *settings = open_domain(folder, "bench.two", SATCHEL_DURABILITY_PROCESS);
  pass(gate, me);
  for (long i = 0; i < count; i++) MUST(satchel_settings_set_int64(settings, keys[i % KEYS], i));
  gate->end[me] = now_ns();
}

static void write_lmdb(const char *folder, long count, gate *gate, int me) {
  lmdb_open(folder);
  pass(gate, me);
  for (long i = 0; i < count; i++) lmdb_put(keys[i % KEYS], i);
  gate->end[me] = now_ns();
}

/* Millions of writes a second. */
static double rate(void (*writer)(const char *, long, gate *, int), const char *folder, long count, gate *gate) {
  memset(gate, 0, sizeof *gate);
  for (int me = 0; me < 2; me++) {
    pid_t child = fork();
    MUST(child < 0);
    if (child == 0) writer(folder, count, gate, me), _exit(0);
  }
  for (int me = 0, status; me < 2; me++) MUST(wait(&status) < 0 || status != 0);
  double start = gate->start[0] < gate->start[1] ? gate->start[0] : gate->start[1];
  double end = gate->end[0] > gate->end[1] ? gate->end[0] : gate->end[1];
  return 2 * (double)count / (end - start) * 1e3;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  make_keys();
  gate *gate = mmap(NULL, sizeof *gate, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  MUST(gate == MAP_FAILED);
  double ours[ROUNDS], theirs[ROUNDS];
  for (int round = 0; round < ROUNDS; round++) {
    ours[round] = rate(write_satchel, argv[1], 300000, gate);
    theirs[round] = rate(write_lmdb, argv[1], 20000, gate);
  }
  double mine = median(ours, ROUNDS), peer = median(theirs, ROUNDS);
  emit("settings.write.two_writers", mine, "M/s", "lmdb-nosync", peer, mine / peer);
  return 0;
}
