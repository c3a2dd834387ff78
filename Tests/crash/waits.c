/*
 * Who waits for whom: locks that others hold, handles that are closed meanwhile, sleepers whose file is replaced, writers
 * whose file is gone. Each case ends by itself or is stopped by its deadline, which is far beyond what it takes.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "format.h"
#include "support.h"

static const char *folder;
static atomic_bool stop;

static void *in_thread(void *(*body)(void *), void *context) {
  pthread_t thread;
  void *result = NULL;
  pthread_create(&thread, NULL, body, context);
  pthread_join(thread, &result);
  return result;
}

/* MARK: Another process inside a transaction */

typedef struct {
  const char *domain;
  atomic_bool began, ends;
} holder;

static void hold(void *context) {
  holder *holder = context;
  satchel_settings *settings = open_domain(folder, holder->domain, 0);
  satchel_transaction *transaction = NULL;
  CHECK_CODE(SATCHEL_OK, satchel_settings_begin(&transaction, settings), "begin");
  holder->began = true;
  while (!holder->ends) sleep_ms(1);
  satchel_transaction_rollback(transaction);
  satchel_settings_close(settings);
}

static pid_t held(holder *holder, const char *domain) {
  holder->domain = domain;
  pid_t child = child_start(hold, holder);
  while (!holder->began) sleep_ms(1);
  return child;
}

/* 200 waits of 20 ms would be 200 s if each took the second that an engine may spend on a lock. */
static void short_waits(void *context) {
  (void)context;
  holder *holder = shared_memory(sizeof *holder);
  satchel_settings *settings = open_domain(folder, "short", 0);
  uint64_t revision = 0;
  pid_t child = held(holder, "short");
  for (int i = 0; i < 200; i++)
    CHECK_CODE(SATCHEL_ETIMEOUT, satchel_settings_wait(&revision, settings, 0, INT64_C(20000000)),
               "a wait beside a transaction");
  holder->ends = true;
  child_end_well(child, 10, "the transaction");
  satchel_settings_close(settings);
}

/* 5,000 refusals would be 25 s if each waited for one slice of 5 ms. */
static void not_at_all(void *context) {
  (void)context;
  holder *holder = shared_memory(sizeof *holder);
  satchel_settings *settings = NULL;
  CHECK_CODE(SATCHEL_OK, open_with(&settings, folder, "never", 0, -1), "open");
  pid_t child = held(holder, "never");
  for (int i = 0; i < 5000; i++)
    if (!CHECK_CODE(SATCHEL_ETIMEOUT, satchel_settings_set_int64(settings, "a", i), "a write that does not wait")) break;
  /* A dead owner is no reason to wait. */
  child_kill(child);
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "a", 1), "a write that does not wait for the dead");
  satchel_settings_close(settings);
}

/* MARK: The thread's own transaction */

static void *begin(void *context) {
  satchel_transaction *transaction = NULL;
  CHECK_CODE(SATCHEL_OK, satchel_settings_begin(&transaction, context), "begin");
  return transaction;
}

static void *set_beside(void *context) {
  CHECK_CODE(SATCHEL_ETIMEOUT, satchel_settings_set_int64(context, "a", 1), "another thread's write beside a transaction");
  return NULL;
}

static void own_transaction(void *context) {
  (void)context;
  satchel_settings *settings = NULL;
  uint64_t revision = 0;
  CHECK_CODE(SATCHEL_OK, open_with(&settings, folder, "own", 0, INT64_C(50000000)), "open");
  satchel_transaction *transaction = begin(settings);
  CHECK_CODE(SATCHEL_EBUSY, satchel_settings_set_int64(settings, "a", 1), "a write inside");
  CHECK_CODE(SATCHEL_EBUSY, satchel_settings_wait(&revision, settings, 0, -1), "a wait inside");
  CHECK_CODE(SATCHEL_ETIMEOUT, satchel_settings_wait(&revision, settings, 0, 0), "a look inside");
  in_thread(set_beside, settings);
  satchel_transaction_rollback(transaction);
  /* The thread that began it has ended, and another one may have its memory and its number by now. */
  transaction = in_thread(begin, settings);
  in_thread(set_beside, settings);
  satchel_transaction_rollback(transaction);
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "a", 1), "a write after it");
  satchel_settings_close(settings);
}

/* MARK: Closing while another thread waits */

static atomic_int answer;

static void *set_patiently(void *context) {
  answer = satchel_settings_set_int64(context, "waited", 1);
  return NULL;
}

static void close_beside(satchel_settings *holding, satchel_settings *waiting, satchel_settings *closed) {
  satchel_transaction *transaction = begin(holding);
  pthread_t thread;
  pthread_create(&thread, NULL, set_patiently, waiting);
  sleep_ms(100); /* until it waits; where it does not yet, the case is only an easier one */
  satchel_settings_close(closed);
  satchel_transaction_rollback(transaction);
  pthread_join(thread, NULL);
  CHECK_CODE(SATCHEL_OK, answer, "the write that waited");
}

static satchel_settings *patient(const char *domain) {
  satchel_settings *settings = NULL;
  CHECK_CODE(SATCHEL_OK, open_with(&settings, folder, domain, 0, INT64_MAX), "open");
  return settings;
}

static void closing_beside(void *context) {
  (void)context;
  satchel_settings *first = patient("closing"), *second = patient("closing"), *other = patient("elsewhere");
  close_beside(first, first, other);
  other = patient("elsewhere");
  close_beside(first, second, other);
  close_beside(first, second, second);
  close_beside(first, first, first);
}

/* MARK: Files that others replace or remove */

static void *read_on(void *context) {
  while (!stop) integer_of(context, "a", -1);
  return NULL;
}

/* A reading thread looks at the name all the time; that must not keep the writers from looking. */
static void removed_beside_a_reader(void *context) {
  (void)context;
  satchel_settings *settings = open_domain(folder, "removed", 0);
  pthread_t thread;
  pthread_create(&thread, NULL, read_on, settings);
  for (int i = 1; i <= 5; i++) {
    sleep_ms(120);
    CHECK(unlink(satchel_settings_path(settings)) == 0, "rm");
    sleep_ms(120);
    CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "a", i), "set after rm");
    satchel_settings *fresh = open_domain(folder, "removed", 0);
    CHECK(integer_of(fresh, "a", -1) == i, "an acknowledged write went into a removed file (%d)", i);
    satchel_settings_close(fresh);
  }
  stop = true;
  pthread_join(thread, NULL);
  satchel_settings_close(settings);
}

static void sleep_on(void *context) {
  atomic_bool *asleep = context;
  satchel_settings *settings = open_domain(folder, "asleep", 0);
  uint64_t revision = 0;
  CHECK_CODE(SATCHEL_OK, satchel_settings_revision(&revision, settings), "revision");
  *asleep = true;
  CHECK_CODE(SATCHEL_OK, satchel_settings_wait(&revision, settings, revision, -1), "wait");
  CHECK(integer_of(settings, "a", -1) == 3, "woken, and not by the replaced file");
  satchel_settings_close(settings);
}

static void replaced_under_a_sleeper(void *context) {
  (void)context;
  atomic_bool *asleep = shared_memory(sizeof *asleep);
  satchel_settings_close(open_domain(folder, "asleep", 0));
  pid_t child = child_start(sleep_on, asleep);
  while (!*asleep) sleep_ms(1);
  sleep_ms(50);
  satchel_settings *other = open_domain(scratch_folder("other"), "asleep", 0);
  for (int i = 1; i <= 3; i++) CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(other, "a", i), "set");
  char path[4096];
  snprintf(path, sizeof path, "%s/asleep.satchel", folder);
  CHECK(rename(satchel_settings_path(other), path) == 0, "mv");
  child_end_well(child, 20, "the sleeper");
  satchel_settings_close(other);
}

/* A thread that reads now and then looks each time. */
static void seldom(void *context) {
  (void)context;
  satchel_settings *settings = open_domain(folder, "seldom", 0), *other = open_domain(scratch_folder("third"), "seldom", 0);
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(other, "a", 1), "set");
  CHECK(rename(satchel_settings_path(other), satchel_settings_path(settings)) == 0, "mv");
  sleep_ms(120);
  uint64_t revision = 0;
  CHECK_CODE(SATCHEL_OK, satchel_settings_revision(&revision, settings), "revision");
  CHECK(revision == 1, "the first look after the replacement sees revision %lu", (unsigned long)revision);
  satchel_settings_close(settings);
  satchel_settings_close(other);
}

/* MARK: Sync after another process has compacted */

static void compact_and_write(void *context) {
  (void)context;
  satchel_settings *settings = open_domain(folder, "synced", 0);
  CHECK_CODE(SATCHEL_OK, satchel_settings_compact(settings), "compact");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "a", 2), "set");
  _exit(0); /* no close, which might sync */
}

static void sync_of_the_new_file(void *context) {
  (void)context;
  satchel_settings *settings = open_domain(folder, "synced", 0);
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "a", 1), "set");
  child_end_well(child_start(compact_and_write, NULL), 20, "the compactor");
  CHECK_CODE(SATCHEL_OK, satchel_settings_sync(settings), "sync");
  image file = image_load(satchel_settings_path(settings));
  uint64_t committed = commit_length(word_at(file.data, AT_COMMITTED)), durable = commit_length(word_at(file.data, AT_DURABLE));
  CHECK(durable >= committed, "of %lu bytes that were acknowledged %lu are on disk", (unsigned long)committed,
        (unsigned long)durable);
  image_free(&file);
  satchel_settings_close(settings);
}

/* MARK: A file to be recovered by whoever follows it, while somebody else holds its lock: only that one thread waits. */

static atomic_long reads;
static atomic_bool followed;

static void *read_until_two(void *settings) {
  int64_t value = 0;
  while (satchel_settings_get_int64(&value, settings, "a") == SATCHEL_OK && value != 2) reads++;
  followed = true;
  return NULL;
}

static void following_beside(void *context) {
  (void)context;
  char from[4500], to[4500];
  snprintf(from, sizeof from, "%s/next.satchel", folder);
  snprintf(to, sizeof to, "%s/followed.satchel", folder);
  satchel_settings *settings = open_domain(folder, "next", 0);
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "a", 2), "set");
  satchel_settings_close(settings);
  settings = open_domain(folder, "followed", 0);
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "a", 1), "set");
  holder *holder = shared_memory(sizeof *holder);
  pid_t child = held(holder, "next");
  uint64_t boot = 1;
  FILE *file = fopen(from, "r+");
  CHECK(file != NULL && fseek(file, AT_BOOT, SEEK_SET) == 0 && fwrite(&boot, sizeof boot, 1, file) == 1, "another boot");
  fclose(file);
  pthread_t reader;
  pthread_create(&reader, NULL, read_until_two, settings);
  rename(from, to);
  /* It has stopped reading: it waits. */
  for (long before = -1; before != reads; sleep_ms(500)) before = reads;
  CHECK(health_of(settings).keys == 1, "health beside a thread that follows");
  CHECK(!followed, "the lock was not waited for");
  holder->ends = true;
  pthread_join(reader, NULL);
  child_end_well(child, 10, "the holder");
  satchel_settings_close(settings);
}

int main(void) {
  checks_begin("waits");
  folder = scratch_folder("store");
  child_round(short_waits, NULL, 60, "short waits beside a transaction");
  child_round(not_at_all, NULL, 20, "writes that do not wait");
  child_round(own_transaction, NULL, 20, "inside a transaction");
  child_round(closing_beside, NULL, 20, "closing beside a waiting thread");
  child_round(removed_beside_a_reader, NULL, 20, "a removed file beside a reader");
  child_round(replaced_under_a_sleeper, NULL, 30, "a sleeper whose file is replaced");
  child_round(seldom, NULL, 20, "a look now and then");
  child_round(sync_of_the_new_file, NULL, 30, "sync after a compaction");
  child_round(following_beside, NULL, 30, "upkeep beside a thread that follows");
  return checks_finish();
}
