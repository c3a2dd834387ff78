/*
 * Threads of one process on one handle: readers beside a writer, while the table grows and the file is compacted; and a
 * handle that is closed while others use it.
 *
 * Usage: threads [forked]. With `forked` only the threads of forked children are tried.
 */
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support.h"

enum { HOT = 64, COLD = 60000, READERS = 3, RACES = 200, RACERS = 4 };

static const char *folder;
static satchel_settings *common;
static atomic_bool stop;
static atomic_long reads, growing;
static _Atomic int64_t acknowledged[HOT], begun[HOT];

static void hot_key(char out[32], int key) { snprintf(out, 32, "hot.%d", key); }

/* MARK: Readers beside a writer */

static void *read_hot(void *context) {
  chance dice = chance_of((uint64_t)(uintptr_t)context + 1);
  while (!stop) {
    int key = (int)chance_below(&dice, HOT);
    char name[32];
    hot_key(name, key);
    int64_t low = acknowledged[key], value = -1;
    int code = satchel_settings_get_int64(&value, common, name);
    int64_t high = begun[key];
    CHECK(code == SATCHEL_OK || (code == SATCHEL_ENOTFOUND && low == 0), "%s: %s", name, satchel_error_name(code));
    if (code == SATCHEL_OK)
      CHECK(value >= low && value <= high, "%s is %ld, outside %ld ... %ld", name, (long)value, (long)low, (long)high);
    long cold = growing;
    if (cold > 0) {
      snprintf(name, sizeof name, "cold.%ld", (long)chance_below(&dice, (uint64_t)cold));
      CHECK(integer_of(common, name, -1) == atol(name + 5), "%s is lost while the table grows", name);
    }
    reads++;
  }
  return NULL;
}

static void *list_keys(void *context) {
  (void)context;
  while (!stop) {
    satchel_cursor *cursor = NULL;
    satchel_bytes key;
    long before = growing, seen = 0;
    CHECK_CODE(SATCHEL_OK, satchel_settings_keys(&cursor, common), "keys");
    while (satchel_cursor_next(&key, cursor) == 1) {
      seen += strncmp(key.data, "cold.", 5) == 0;
      if (strlen(key.data) != key.size) CHECK(false, "a key of %zu bytes without its NUL", key.size);
    }
    satchel_cursor_free(cursor);
    CHECK(seen >= before, "%ld keys listed, %ld were there before", seen, before);
    sleep_ms(5);
  }
  return NULL;
}

static void *compact(void *context) {
  (void)context;
  while (!stop) {
    CHECK_CODE(SATCHEL_OK, satchel_settings_compact(common), "compact");
    sleep_ms(30);
  }
  return NULL;
}

static void beside_a_writer(void *context) {
  (void)context;
  common = open_domain(folder, "threads", 0);
  pthread_t threads[READERS + 2];
  for (int i = 0; i < READERS; i++) pthread_create(&threads[i], NULL, read_hot, (void *)(intptr_t)i);
  pthread_create(&threads[READERS], NULL, list_keys, NULL);
  pthread_create(&threads[READERS + 1], NULL, compact, NULL);
  chance dice = chance_of(7);
  long cold = portable_mode() ? COLD / 10 : COLD; /* each is synced twice there */
  for (long i = 0; i < cold; i++) {
    char name[32];
    snprintf(name, sizeof name, "cold.%ld", i);
    if (!CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(common, name, i), name)) break;
    growing = i + 1;
    int key = (int)chance_below(&dice, HOT);
    hot_key(name, key);
    int64_t value = ++begun[key];
    if (!CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(common, name, value), name)) break;
    acknowledged[key] = value;
  }
  stop = true;
  for (int i = 0; i < READERS + 2; i++) pthread_join(threads[i], NULL);
  CHECK(reads > 1000, "only %ld reads beside the writer", (long)reads);
  CHECK(health_of(common).keys == (uint64_t)growing + HOT, "%lu keys at the end", (unsigned long)health_of(common).keys);
  satchel_settings_close(common);
}

/* MARK: Following another process's compactions */

enum { COMPACTIONS = 400, FEWEST = 20 };

static void compact_elsewhere(void *context) {
  (void)context;
  satchel_settings *settings = open_domain(folder, "followed", 0);
  /* Beside busy neighbours fewer have to do. */
  int64_t deadline = now_ns() + INT64_C(20000000000);
  int turns = portable_mode() ? COMPACTIONS / 4 : COMPACTIONS;
  for (int i = 0; i < turns && (i < FEWEST || now_ns() < deadline); i++) {
    CHECK_CODE(SATCHEL_OK, satchel_settings_add(NULL, settings, "rising", 1), "add");
    CHECK_CODE(SATCHEL_OK, satchel_settings_compact(settings), "compact");
  }
  satchel_settings_close(settings);
}

/* A number that only rises, on a handle whose other threads follow to the new file at the same time: whoever comes second
   must not look into a view that the first has not filled yet. */
static void *watch_it_rise(void *context) {
  int64_t seen = 0;
  for (long i = 0; !stop; i++) {
    if (context != NULL) CHECK_CODE(SATCHEL_OK, satchel_settings_add(NULL, common, "rising", 1), "add");
    int64_t now = -1;
    int code = satchel_settings_get_int64(&now, common, "rising");
    CHECK(code == SATCHEL_OK && now >= seen, "the number was %ld and is %ld (%s)", (long)seen, (long)now,
          satchel_error_name(code));
    if (code == SATCHEL_OK) seen = now;
  }
  return NULL;
}

static void following(void *context) {
  (void)context;
  common = open_domain(folder, "followed", 0);
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(common, "rising", 1), "set");
  /* Many keys, so that filling a view takes a while. */
  satchel_transaction *transaction = NULL;
  CHECK_CODE(SATCHEL_OK, satchel_settings_begin(&transaction, common), "begin");
  for (int i = 0; i < 3000; i++) {
    char name[32];
    snprintf(name, sizeof name, "cold.%d", i);
    CHECK_CODE(SATCHEL_OK, satchel_transaction_set_int64(transaction, name, i), "set");
  }
  CHECK_CODE(SATCHEL_OK, satchel_transaction_commit(NULL, transaction), "commit");
  pid_t other = child_start(compact_elsewhere, NULL);
  pthread_t threads[READERS + 1];
  for (int i = 0; i <= READERS; i++) pthread_create(&threads[i], NULL, watch_it_rise, i == READERS ? "writing" : NULL);
  child_end_well(other, 60, "a process that compacts");
  stop = true;
  for (int i = 0; i <= READERS; i++) pthread_join(threads[i], NULL);
  CHECK(health_of(common).generation > FEWEST, "generation %lu", (unsigned long)health_of(common).generation);
  satchel_settings_close(common);
}

/* MARK: Several writers on one handle */

static void *add_many(void *context) {
  (void)context;
  for (int i = 0; i < 5000; i++) CHECK_CODE(SATCHEL_OK, satchel_settings_add(NULL, common, "sum", 1), "add");
  return NULL;
}

static void several_writers(void *context) {
  (void)context;
  common = open_domain(folder, "writers", 0);
  mode_is_as_told(common);
  pthread_t threads[RACERS];
  for (int i = 0; i < RACERS; i++) pthread_create(&threads[i], NULL, add_many, NULL);
  for (int i = 0; i < RACERS; i++) pthread_join(threads[i], NULL);
  CHECK(integer_of(common, "sum", -1) == RACERS * 5000, "%ld of %d", (long)integer_of(common, "sum", -1), RACERS * 5000);
  satchel_settings_close(common);
}

/* A handle each: one process, and as strange to each other as two. */
static void *add_many_by_another_handle(void *context) {
  (void)context;
  satchel_settings *settings = open_domain(folder, "handles", 0);
  for (int i = 0; i < 2000; i++) CHECK_CODE(SATCHEL_OK, satchel_settings_add(NULL, settings, "sum", 1), "add");
  satchel_settings_close(settings);
  return NULL;
}

static void several_handles(void *context) {
  (void)context;
  pthread_t threads[RACERS];
  for (int i = 0; i < RACERS; i++) pthread_create(&threads[i], NULL, add_many_by_another_handle, NULL);
  for (int i = 0; i < RACERS; i++) pthread_join(threads[i], NULL);
  common = open_domain(folder, "handles", 0);
  CHECK(integer_of(common, "sum", -1) == RACERS * 2000, "%ld of %d", (long)integer_of(common, "sum", -1), RACERS * 2000);
  satchel_settings_close(common);
}

/* MARK: Closed while in use */

static bool fine_when_closed(int code) {
  return code == SATCHEL_OK || code == SATCHEL_EINVAL || code == SATCHEL_ENOTFOUND || code == SATCHEL_ETIMEOUT;
}

static void *use_until_closed(void *context) {
  int role = (int)(intptr_t)context;
  for (long i = 0; i < 50000000; i++) {
    int code = 0;
    int64_t number = 0;
    uint64_t revision = 0;
    satchel_buffer text = {NULL, 0};
    satchel_cursor *cursor = NULL;
    satchel_transaction *transaction = NULL;
    satchel_bytes key;
    switch ((role + (role == 3 ? i : 0)) % 4) {
    case 0:
      code = satchel_settings_get_int64(&number, common, "a");
      break;
    case 1:
      code = satchel_settings_set_int64(common, "a", i);
      break;
    case 2:
      code = satchel_settings_wait(&revision, common, UINT64_MAX - 1, INT64_C(1000000));
      if (code == SATCHEL_ETIMEOUT) code = satchel_settings_get_string(&text, common, "text");
      satchel_buffer_free(&text);
      break;
    default:
      code = satchel_settings_keys(&cursor, common);
      while (cursor != NULL && satchel_cursor_next(&key, cursor) == 1);
      satchel_cursor_free(cursor);
      if (code != SATCHEL_OK) break;
      code = satchel_settings_begin(&transaction, common);
      if (code != SATCHEL_OK) break;
      number = satchel_transaction_set_int64(transaction, "b", i);
      CHECK(fine_when_closed((int)number), "set in a transaction: %s", satchel_error_name((int)number));
      code = satchel_transaction_commit(NULL, transaction);
    }
    if (!CHECK(fine_when_closed(code), "role %d while closing: %s: %s", role, satchel_error_name(code),
               satchel_last_error()->message))
      return NULL;
    if (code == SATCHEL_EINVAL) return NULL;
  }
  CHECK(false, "the handle was never closed");
  return NULL;
}

static void closing(void *context) {
  (void)context;
  chance dice = chance_of(3);
  for (int race = 0; race < RACES; race++) {
    common = open_domain(folder, "closing", 0);
    CHECK_CODE(SATCHEL_OK, satchel_settings_set_string(common, "text", satchel_text("text")), "set");
    pthread_t threads[RACERS];
    for (int i = 0; i < RACERS; i++) pthread_create(&threads[i], NULL, use_until_closed, (void *)(intptr_t)i);
    usleep((useconds_t)chance_below(&dice, 4000));
    satchel_settings_close(common);
    int64_t number = 0;
    CHECK_CODE(SATCHEL_EINVAL, satchel_settings_get_int64(&number, common, "a"), "a get after close has returned");
    for (int i = 0; i < RACERS; i++) pthread_join(threads[i], NULL);
    round_next();
  }
  satchel_settings *last = open_domain(folder, "closing", 0);
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(last, "a", 1), "a set after all races: no lock was left behind");
  satchel_settings_close(last);
}

/* Threads that come and go leave their reading cells to others. */
static void *read_once(void *context) {
  (void)context;
  CHECK(integer_of(common, "a", -1) == 1, "a read in a short thread");
  return NULL;
}

static void short_threads(void *context) {
  (void)context;
  common = open_domain(folder, "short", 0);
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(common, "a", 1), "set");
  for (int i = 0; i < 2000; i++) {
    pthread_t thread;
    if (!CHECK(pthread_create(&thread, NULL, read_once, NULL) == 0, "thread %d", i)) break;
    pthread_join(thread, NULL);
  }
  satchel_settings_close(common);
}

/* MARK: Threads of a forked child */

enum { CHILDREN = 400 };

static atomic_int arrived;

/* All at once, what this process has never called before: whatever the library makes at first use, it makes here. */
static void *first_uses(void *context) {
  (void)context;
  satchel_value *value = NULL;
  satchel_buffer text = {NULL, 0};
  arrived++;
  while (arrived < RACERS);
  CHECK(satchel_error_name(SATCHEL_EINVAL)[0] == 'S', "a name");
  CHECK(satchel_strerror(SATCHEL_EINVAL)[0] != '\0', "a text");
  CHECK_CODE(SATCHEL_OK, satchel_value_from_json(&value, satchel_text("[1.5, {\"$date\": \"2026-01-31T22:59:59.5Z\"}]")),
             "JSON");
  CHECK_CODE(SATCHEL_OK, satchel_value_to_json(&text, value), "JSON");
  satchel_buffer_free(&text);
  satchel_value_free(value);
  CHECK_CODE(SATCHEL_OK, satchel_settings_add(NULL, common, "after fork", 1), "add");
  CHECK_CODE(SATCHEL_OK, satchel_settings_export_json(&text, common), "export");
  satchel_buffer_free(&text);
  return NULL;
}

static void several_first_uses(void *context) {
  (void)context;
  /* The thread that was forked is one of them: what its parent knew of it, such as its number, is true no more. */
  pthread_t threads[RACERS];
  for (int i = 1; i < RACERS; i++) pthread_create(&threads[i], NULL, first_uses, NULL);
  first_uses(NULL);
  for (int i = 1; i < RACERS; i++) pthread_join(threads[i], NULL);
}

static void forked_children(void *context) {
  (void)context;
  common = open_domain(folder, "forked", 0);
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(common, "after fork", 0), "set");
  long before = checks_failed();
  for (int i = 0; i < CHILDREN && checks_failed() == before; i++) {
    arrived = 0;
    child_end_well(child_start(several_first_uses, NULL), 10, "threads of a forked child");
    round_next();
  }
  satchel_settings_close(common);
}

/* MARK: What later threads must not pay for */

static bool has_barrier(void) { return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0; }

/* Registering for the barrier is free with one thread. With several it takes as long as the slowest processor. */
static void registering_early(void *context) {
  (void)context;
  if ((syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0) & MEMBARRIER_CMD_PRIVATE_EXPEDITED) <= 0) {
    skipped("registering for the barrier: this kernel has none");
    return;
  }
  satchel_settings *settings = open_domain(folder, "early", 0);
  CHECK(integer_of(settings, "cold.1", -1) == -1, "a new domain");
  CHECK(!has_barrier(), "who only reads has registered for the barrier");
  for (int i = 0; i < 3000; i++) {
    char name[32];
    snprintf(name, sizeof name, "cold.%d", i);
    CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, name, i), "set");
  }
  CHECK(has_barrier(), "a writer has left the barrier's registration to the time when there are threads");
  satchel_settings_close(settings);
}

int main(int count, char **arguments) {
  checks_begin("threads");
  folder = scratch_folder("store");
  if (count > 1 && strcmp(arguments[1], "forked") == 0) {
    child_round(forked_children, NULL, 120, "forked children with threads");
    return checks_finish();
  }
  child_round(registering_early, NULL, 60, "registering for the barrier early");
  child_round(beside_a_writer, NULL, 90, "readers beside a writer");
  child_round(following, NULL, 90, "following compactions");
  child_round(several_writers, NULL, 60, "several writers");
  child_round(several_handles, NULL, 60, "several handles");
  child_round(closing, NULL, 60, "closing while in use");
  child_round(forked_children, NULL, 120, "forked children with threads");
  child_round(short_threads, NULL, 60, "short threads");
  return checks_finish();
}
