/*
 * Kills hot writers, readers, waiters and compactors at random, again and again, and checks what the others see meanwhile
 * and what is left at the end: no acknowledged write lost, no phantom, no wrong value, sums exact, revisions rising.
 *
 * Usage: kills KILLS [SEED [FOLDER]]. The domain `kills` stays in FOLDER, for the independent reader to judge.
 *
 * What was begun and what was acknowledged is kept in shared anonymous memory, which outlives every kill. Each key belongs
 * to one slot and each slot to one process at a time, so the value of a key is a number that only its owner raises:
 * whatever anybody reads lies between the last acknowledged and the last begun.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

enum { WRITERS = 4, SLOTS = 2 * WRITERS, KEYS = 16, LONGEST = 3000, DEADLINE = 60, CHILD_DEADLINE = 20 };
/* The processes: writers first, then these. */
enum { READER = WRITERS, OBSERVER, WAITER, COMPACTOR, PROCESSES };

typedef struct {
  _Atomic int64_t begun[KEYS], acknowledged[KEYS];
  _Atomic int64_t sum_begun, sum_acknowledged, count_begun, count_acknowledged;
  _Atomic uint64_t revision;
  _Atomic pid_t busy; /* the forked child that uses this slot */
} slot;

typedef struct {
  slot slots[SLOTS];
  _Atomic int64_t writes, reads, compactions, forks, woken;
  _Atomic bool stop;
} control;

static control *shared;
static const char *folder;
static uint64_t seed;
static char role[32] = "main";

static void key_name(char out[64], int owner, int key) { snprintf(out, 64, "writer.%d.key/%d", owner, key); }

/* A long value names its number in the first eight bytes and repeats it in all that follow. */
static void long_value(unsigned char *out, size_t size, int64_t number) {
  memset(out, (int)(number % 251), size);
  memcpy(out, &number, sizeof number);
}

static bool number_of(int64_t *out, const satchel_value *value) {
  if (satchel_value_type(value) == SATCHEL_TYPE_INT) return satchel_value_get_int64(out, value) == SATCHEL_OK;
  satchel_bytes bytes;
  if (satchel_value_get_data(&bytes, value) != SATCHEL_OK || bytes.size < sizeof *out) return false;
  memcpy(out, bytes.data, sizeof *out);
  unsigned char expected[LONGEST];
  if (bytes.size > sizeof expected) return false;
  long_value(expected, bytes.size, *out);
  return memcmp(expected, bytes.data, bytes.size) == 0;
}

/* MARK: Writing */

/* Adds one to the common sum and to the slot's own, in one transaction that also shows both halves to itself. */
static void transfer(satchel_settings *settings, int owner) {
  slot *mine = &shared->slots[owner];
  char own[64];
  snprintf(own, sizeof own, "sum.%d", owner);
  satchel_transaction *transaction = NULL;
  mine->sum_begun++;
  if (!CHECK_CODE(SATCHEL_OK, satchel_settings_begin(&transaction, settings), "begin")) {
    mine->sum_begun--;
    return;
  }
  bool ok = satchel_transaction_add(NULL, transaction, "sum", 1) == SATCHEL_OK;
  ok = satchel_transaction_add(NULL, transaction, own, 1) == SATCHEL_OK && ok;
  CHECK(ok, "adding within a transaction: %s", satchel_last_error()->message);
  if (!CHECK_CODE(SATCHEL_OK, satchel_transaction_commit(NULL, transaction), "commit")) {
    mine->sum_begun--;
    return;
  }
  mine->sum_acknowledged++;
}

static void count(satchel_settings *settings, int owner) {
  slot *mine = &shared->slots[owner];
  int64_t result = 0;
  mine->count_begun++;
  if (CHECK_CODE(SATCHEL_OK, satchel_settings_add(&result, settings, "count", 1), "add")) mine->count_acknowledged++;
  else mine->count_begun--;
  CHECK(result >= mine->count_acknowledged, "add gave %ld after %ld of our own", (long)result, (long)mine->count_acknowledged);
}

static void set_number(satchel_settings *settings, int owner, int key, int64_t number, chance *dice) {
  char name[64];
  key_name(name, owner, key);
  int code;
  unsigned char bytes[LONGEST];
  switch (chance_below(dice, 8)) {
  case 0: {
    size_t size = 8 + chance_below(dice, sizeof bytes - 8);
    long_value(bytes, size, number);
    code = satchel_settings_set_data(settings, name, satchel_blob(bytes, size));
    break;
  }
  case 1:
    code = satchel_settings_remove(settings, name);
    CHECK(code == SATCHEL_OK || code == SATCHEL_ENOTFOUND, "remove: %s", satchel_error_name(code));
    code = satchel_settings_set_int64(settings, name, number);
    break;
  default:
    code = satchel_settings_set_int64(settings, name, number);
  }
  CHECK_CODE(SATCHEL_OK, code, "set");
  if (code != SATCHEL_OK) return;
  shared->slots[owner].acknowledged[key] = number;
  if (chance_below(dice, 4) != 0) return;
  satchel_settings_info info = SATCHEL_SETTINGS_INFO_INIT;
  CHECK_CODE(SATCHEL_OK, satchel_settings_get_info(&info, settings, name), "info of our own write");
  CHECK(info.revision > shared->slots[owner].revision, "revision %lu after %lu", (unsigned long)info.revision,
        (unsigned long)shared->slots[owner].revision);
  shared->slots[owner].revision = info.revision;
  satchel_value *value = NULL;
  int64_t back = -1;
  if (CHECK_CODE(SATCHEL_OK, satchel_settings_get_value(&value, settings, name), "own write"))
    CHECK(number_of(&back, value) && back == number, "own write read as %ld, not %ld", (long)back, (long)number);
  satchel_value_free(value);
}

static void write_once(satchel_settings *settings, int owner, chance *dice) {
  switch (chance_below(dice, 8)) {
  case 0:
    transfer(settings, owner);
    break;
  case 1:
    count(settings, owner);
    break;
  default: {
    int key = (int)chance_below(dice, KEYS);
    int64_t number = ++shared->slots[owner].begun[key];
    set_number(settings, owner, key, number, dice);
  }
  }
  shared->writes++;
}

/* MARK: Reading */

static void read_one(satchel_settings *settings, int owner, int key) {
  char name[64];
  key_name(name, owner, key);
  slot *theirs = &shared->slots[owner];
  int64_t low = theirs->acknowledged[key];
  satchel_value *value = NULL;
  int code = satchel_settings_get_value(&value, settings, name);
  int64_t high = theirs->begun[key];
  shared->reads++;
  /* The owner may be between its removal and its set; never, though, when nothing is under way. */
  if (code == SATCHEL_ENOTFOUND) {
    CHECK(low == 0 || high > low || theirs->acknowledged[key] > low, "acknowledged key %s is gone", name);
    return;
  }
  if (!CHECK_CODE(SATCHEL_OK, code, name)) return;
  int64_t number = -1;
  CHECK(number_of(&number, value), "%s has bytes that nobody wrote", name);
  CHECK(number >= low && number <= high, "%s is %ld, outside %ld ... %ld", name, (long)number, (long)low, (long)high);
  satchel_value_free(value);
}

/* A number that only rises. What went wrong is looked at once more, to tell a moment from a lasting state. */
static void never_back(satchel_settings *settings, const char *key, int64_t *seen) {
  int64_t now = 0, again = 0;
  int code = satchel_settings_get_int64(&now, settings, key);
  bool rises = (code == SATCHEL_OK && now >= *seen) || (code == SATCHEL_ENOTFOUND && *seen == 0);
  if (!rises) ignore(satchel_settings_get_int64(&again, settings, key));
  CHECK(rises, "%s was %ld and is %ld (%s), then %ld; role %s, path %s", key, (long)*seen, (long)now, satchel_error_name(code),
        (long)again, role, satchel_settings_path(settings));
  if (code == SATCHEL_OK) *seen = now;
}

static void *read_on(void *context) {
  satchel_settings *settings = context;
  chance dice = chance_of(seed ^ (uint64_t)getpid() << 32 ^ (uintptr_t)&dice);
  int64_t sum = 0, counted = 0;
  uint64_t revision = 0;
  while (!shared->stop) {
    read_one(settings, (int)chance_below(&dice, SLOTS), (int)chance_below(&dice, KEYS));
    never_back(settings, "sum", &sum);
    never_back(settings, "count", &counted);
    uint64_t newest = 0;
    CHECK_CODE(SATCHEL_OK, satchel_settings_revision(&newest, settings), "revision");
    CHECK(newest >= revision, "the revision went back from %lu to %lu", (unsigned long)revision, (unsigned long)newest);
    revision = newest;
  }
  return NULL;
}

/* Both sides of every transfer, seen at one moment. */
static void sums_agree(satchel_settings *settings) {
  satchel_transaction *transaction = NULL;
  if (!CHECK_CODE(SATCHEL_OK, satchel_settings_begin(&transaction, settings), "begin to read")) return;
  int64_t total = 0, parts = 0;
  int code = satchel_transaction_get_int64(&total, transaction, "sum");
  CHECK(code == SATCHEL_OK || code == SATCHEL_ENOTFOUND, "sum: %s", satchel_error_name(code));
  for (int owner = 0; owner < SLOTS; owner++) {
    char own[64];
    int64_t part = 0;
    snprintf(own, sizeof own, "sum.%d", owner);
    if (satchel_transaction_get_int64(&part, transaction, own) == SATCHEL_OK) parts += part;
  }
  satchel_transaction_rollback(transaction);
  CHECK(total == parts, "the sum is %ld, its parts %ld", (long)total, (long)parts);
}

/* MARK: The processes */

static satchel_settings *open_store(uint32_t flags) {
  satchel_settings *settings = open_domain(folder, "kills", flags);
  if (settings == NULL) _exit(1);
  return settings;
}

/* Without exec, with threads running in the parent: both go on at once, the child in a slot of its own. */
static void fork_and_write(satchel_settings *settings, int owner, chance *dice) {
  pid_t parent = getpid(), child = fork();
  if (child == 0) {
    slot *mine = &shared->slots[WRITERS + owner];
    /* First the name, then the question whether our parent still lives: so the main process either finds the name or may
       be sure that nothing is written. */
    mine->busy = getpid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    chance own = chance_of(chance_next(dice));
    for (int step = 0; step < 200 && !shared->stop; step++) {
      write_once(settings, WRITERS + owner, &own);
      if (step == 100 && chance_below(&own, 2) == 0) CHECK_CODE(SATCHEL_OK, satchel_settings_compact(settings), "compact");
    }
    _exit(0);
  }
  if (child < 0) return;
  shared->forks++;
  bool murder = chance_below(dice, 2) == 0;
  for (int step = 0; murder && step < 30; step++) write_once(settings, owner, dice);
  if (murder) kill(child, SIGKILL);
  int64_t deadline = now_ns() + CHILD_DEADLINE * INT64_C(1000000000);
  int status;
  while (!child_ended(child, &status)) {
    write_once(settings, owner, dice);
    if (!CHECK(now_ns() < deadline, "a forked child hangs")) {
      child_kill(child);
      break;
    }
  }
  shared->slots[WRITERS + owner].busy = 0;
}

static void run_writer(int owner) {
  chance dice = chance_of(seed ^ (uint64_t)getpid() << 20);
  satchel_settings *settings = open_store(0);
  pthread_t thread;
  if (chance_below(&dice, 3) == 0) pthread_create(&thread, NULL, read_on, settings);
  while (!shared->stop) {
    write_once(settings, owner, &dice);
    uint64_t lot = chance_below(&dice, 3000);
    if (lot == 0 && CHECK_CODE(SATCHEL_OK, satchel_settings_compact(settings), "compact")) shared->compactions++;
    if (lot == 1 || lot == 2) fork_and_write(settings, owner, &dice);
  }
}

static void run_waiter(void) {
  satchel_settings *settings = open_store(0);
  uint64_t seen = 0;
  CHECK_CODE(SATCHEL_OK, satchel_settings_revision(&seen, settings), "revision");
  while (!shared->stop) {
    uint64_t newest = 0;
    int code = satchel_settings_wait(&newest, settings, seen, INT64_C(2000000000));
    if (code == SATCHEL_OK) {
      CHECK(newest > seen, "woken by revision %lu, not above %lu", (unsigned long)newest, (unsigned long)seen);
      seen = newest;
      shared->woken++;
      sums_agree(settings);
    } else if (!shared->stop) {
      CHECK_CODE(SATCHEL_ETIMEOUT, code, "wait");
    }
  }
}

static void run_compactor(void) {
  satchel_settings *settings = open_store(0);
  for (int turn = 0; !shared->stop; turn++) {
    if (CHECK_CODE(SATCHEL_OK, satchel_settings_compact(settings), "compact")) shared->compactions++;
    sleep_ms(20 + turn % 7 * 10);
  }
}

static void run(void *context) {
  int process = (int)(intptr_t)context;
  snprintf(role, sizeof role, process < WRITERS ? "writer %d" : "helper %d", process);
  if (process < WRITERS) run_writer(process);
  else if (process == READER) read_on(open_store(0));
  else if (process == OBSERVER) read_on(open_store(SATCHEL_SETTINGS_READ_ONLY));
  else if (process == WAITER) run_waiter();
  else run_compactor();
}

static pid_t start(int process) { return child_start(run, (void *)(intptr_t)process); }

/* The slot of a forked child must rest before the next writer may use it. Orphans come to us: we are the sub-reaper. */
static void rest(int owner) {
  pid_t child = atomic_exchange(&shared->slots[WRITERS + owner].busy, 0);
  /* Where its parent had reaped it already the number may be anybody's by now. */
  if (child == 0 || waitpid(child, NULL, WNOHANG) != 0) return;
  child_kill(child);
}

/* MARK: The end */

static void judge(void) {
  satchel_settings *settings = open_store(0);
  mode_is_as_told(settings);
  for (int owner = 0; owner < SLOTS; owner++)
    for (int key = 0; key < KEYS; key++) read_one(settings, owner, key);
  int64_t begun = 0, acknowledged = 0;
  for (int owner = 0; owner < SLOTS; owner++) {
    slot *one = &shared->slots[owner];
    char own[64];
    snprintf(own, sizeof own, "sum.%d", owner);
    int64_t sum = integer_of(settings, own, 0);
    CHECK(sum >= one->sum_acknowledged && sum <= one->sum_begun, "%s is %ld, outside %ld ... %ld", own, (long)sum,
          (long)one->sum_acknowledged, (long)one->sum_begun);
    begun += one->count_begun;
    acknowledged += one->count_acknowledged;
  }
  sums_agree(settings);
  int64_t counted = integer_of(settings, "count", 0);
  CHECK(counted >= acknowledged && counted <= begun, "the count is %ld, outside %ld ... %ld", (long)counted, (long)acknowledged,
        (long)begun);
  satchel_settings_health health = health_of(settings);
  CHECK(health.damaged_records == 0 && health.corrupt_keys == 0 && health.dropped_bytes == 0 && !health.degraded,
        "damage after kills: %lu records, %lu keys, %lu bytes", (unsigned long)health.damaged_records,
        (unsigned long)health.corrupt_keys, (unsigned long)health.dropped_bytes);
  satchel_cursor *cursor = NULL;
  CHECK_CODE(SATCHEL_OK, satchel_settings_keys(&cursor, settings), "keys");
  satchel_bytes key;
  while (satchel_cursor_next(&key, cursor) == 1)
    CHECK(strncmp(key.data, "writer.", 7) == 0 || strncmp(key.data, "sum", 3) == 0 || strcmp(key.data, "count") == 0,
          "phantom key %s", (const char *)key.data);
  satchel_cursor_free(cursor);
  printf("generation %lu, ", (unsigned long)health.generation);
  satchel_settings_close(settings);
}

int main(int count, char **arguments) {
  checks_begin("kills");
  long kills = count > 1 ? atol(arguments[1]) : 300, done = 0;
  seed = count > 2 ? strtoull(arguments[2], NULL, 10) : 1;
  folder = count > 3 ? arguments[3] : scratch_folder("store");
  chance dice = chance_of(seed);
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) abort();
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  /* A read-only opener does not create it. */
  satchel_settings_close(open_domain(folder, "kills", 0));
  pid_t processes[PROCESSES];
  round_begin();
  for (int i = 0; i < PROCESSES; i++) processes[i] = start(i);

  int64_t progress = now_ns(), last = 0;
  /* A kill every 5 ms or so; a machine fifty times slower still ends. */
  int64_t deadline = now_ns() + (kills * INT64_C(250) + 60000) * INT64_C(1000000);
  for (; done < kills && now_ns() < deadline; done++) {
    usleep((useconds_t)(200 + chance_below(&dice, 6000)));
    int victim = (int)chance_below(&dice, PROCESSES);
    if (victim >= WRITERS && chance_below(&dice, 2) == 0) victim = (int)chance_below(&dice, WRITERS);
    int status = 0;
    kill(processes[victim], SIGKILL);
    waitpid(processes[victim], &status, 0);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "process %d ended by itself, status %x", victim, status);
    if (victim < WRITERS) rest(victim);
    processes[victim] = start(victim);
    if (shared->writes != last) {
      last = shared->writes;
      progress = now_ns();
    } else if (now_ns() - progress > DEADLINE * INT64_C(1000000000)) {
      CHECK(false, "no progress for %d s", DEADLINE);
      progress = now_ns();
    }
    round_next();
  }
  CHECK(done == kills, "only %ld of %ld kills in the time allowed", done, kills);
  CHECK(shared->writes > kills, "%ld writes in %ld kills: nothing was tried", (long)shared->writes, kills);
  shared->stop = true;
  for (int i = 0; i < PROCESSES; i++) {
    char what[128];
    snprintf(what, sizeof what, "process %d at the end (%d writers, reader, observer, waiter, compactor)", i, WRITERS);
    child_end_well(processes[i], DEADLINE, what);
  }
  for (int owner = 0; owner < WRITERS; owner++) rest(owner);
  while (waitpid(-1, NULL, WNOHANG) > 0);
  judge();
  round_end();
  printf("%ld kills, %ld writes, %ld reads, %ld compactions, %ld forks, %ld wake-ups\n", done, (long)shared->writes,
         (long)shared->reads, (long)shared->compactions, (long)shared->forks, (long)shared->woken);
  return checks_finish();
}
