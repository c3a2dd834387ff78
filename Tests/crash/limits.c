/*
 * What a host program may run out of: memory, thread-specific keys. The library says so and goes on; it never ends the program.
 */
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

static const char *folder;

/* MARK: Keys */

enum { MOST_KEYS = 4096 };
static pthread_key_t keys[MOST_KEYS];
static int key_count;

static void *use_and_fail(void *context) {
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(context, "a", 1), "set");
  CHECK_CODE(SATCHEL_EINVAL, satchel_settings_set_int64(context, "", 1), "a key that is none");
  CHECK(satchel_last_error()->code == SATCHEL_EINVAL, "the last error of a thread");
  for (int i = 0; i < key_count; i++)
    if (pthread_getspecific(keys[i]) != NULL) return CHECK(false, "another library's key %d has a value", i), NULL;
  return NULL;
}

static void without_keys(void *context) {
  (void)context;
  while (key_count < MOST_KEYS && pthread_key_create(&keys[key_count], NULL) == 0) key_count++;
  satchel_settings *settings = open_domain(folder, "keys", 0);
  use_and_fail(settings);
  for (int i = 0; i < 20; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, use_and_fail, settings);
    pthread_join(thread, NULL);
  }
  satchel_settings_close(settings);
}

/* MARK: What a failed opening leaves behind */

static void failed_openings(void *context) {
  (void)context;
  satchel_settings *settings = NULL;
  size_t before = 0;
  for (int i = 0; i < 20000; i++) {
    if (i == 1000) before = mallinfo2().uordblks;
    CHECK_CODE(SATCHEL_ENOTFOUND, open_with(&settings, folder, "none", SATCHEL_SETTINGS_NO_CREATE, 0), "open");
  }
  size_t after = mallinfo2().uordblks;
  CHECK(after < before + 200000, "%zu bytes more in use after 19,000 failed openings", after - before);
}

/* MARK: Memory: reading and writing by a process whose index cannot grow. What is large in itself is memory.c's. */

static void fail_once(void) {
  satchel_settings *settings = open_domain(folder, "warm", 0);
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_bool(settings, "flag", true), "set");
  int64_t value = 0;
  CHECK_CODE(SATCHEL_ETYPE, satchel_settings_get_int64(&value, settings, "flag"), "a get of the wrong type");
  satchel_settings *none = NULL;
  CHECK_CODE(SATCHEL_ENOTFOUND, open_with(&none, folder, "none", SATCHEL_SETTINGS_NO_CREATE, 0), "open");
  CHECK_CODE(SATCHEL_OK, satchel_settings_compact(settings), "compact");
  CHECK(health_of(settings).keys > 0, "health");
  satchel_settings_set_int64(settings, "", 1);
  satchel_settings_close(settings);
}

enum { MANY = 200000 };

static void write_many(void *context) {
  (void)context;
  satchel_settings *settings = open_domain(folder, "memory", 0);
  satchel_transaction *transaction = NULL;
  CHECK_CODE(SATCHEL_OK, satchel_settings_begin(&transaction, settings), "begin");
  for (int i = 0; i < MANY; i++) {
    char name[32];
    snprintf(name, sizeof name, "key.%d", i);
    CHECK_CODE(SATCHEL_OK, satchel_transaction_set_int64(transaction, name, i), "set");
  }
  CHECK_CODE(SATCHEL_OK, satchel_transaction_commit(NULL, transaction), "commit");
  satchel_settings_close(settings);
}

static void without_memory(void *context) {
  (void)context;
  fail_once();
  satchel_settings *settings = open_domain(folder, "memory", 0), *another = NULL;
  int64_t value = -1;
  uint64_t revision = 0;
  satchel_settings_health health = SATCHEL_SETTINGS_HEALTH_INIT;
  child_end_well(child_start(write_many, NULL), 60, "the writer");
  limit_memory(1 << 20); /* the index of so many keys is larger */
  CHECK_CODE(SATCHEL_ENOMEM, satchel_settings_get_int64(&value, settings, "key.1"), "get without memory");
  CHECK_CODE(SATCHEL_ENOMEM, satchel_settings_revision(&revision, settings), "revision without memory");
  CHECK_CODE(SATCHEL_ENOMEM, satchel_settings_set_int64(settings, "key.1", 2), "set without memory");
  CHECK_CODE(SATCHEL_ENOMEM, satchel_settings_wait(&revision, settings, 0, 0), "wait without memory");
  CHECK_CODE(SATCHEL_ENOMEM, satchel_settings_sync(settings), "sync without memory");
  CHECK_CODE(SATCHEL_ENOMEM, satchel_settings_health_check(&health, settings), "health without memory");
  CHECK_CODE(SATCHEL_ENOMEM, satchel_settings_compact(settings), "compact without memory");
  CHECK_CODE(SATCHEL_ENOMEM, open_with(&another, folder, "memory", 0, 0), "open without memory");
  CHECK(satchel_last_error()->code == SATCHEL_ENOMEM, "the last error");
  limit_memory(0);
  CHECK(integer_of(settings, "key.199999", -1) == 199999, "with memory again");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "key.1", 2), "set with memory again");
  CHECK(health_of(settings).keys == MANY, "all keys are there");
  satchel_settings_close(settings);
}

/* A write that grows the table. */
static void growing_without_memory(void *context) {
  (void)context;
  fail_once();
  satchel_settings *settings = open_domain(folder, "growing", 0);
  limit_memory(256 << 10);
  int code = SATCHEL_OK, last = 0;
  for (; code == SATCHEL_OK && last < 400000; last++) {
    char name[32];
    snprintf(name, sizeof name, "key.%d", last);
    code = satchel_settings_set_int64(settings, name, last);
  }
  CHECK_CODE(SATCHEL_ENOMEM, code, "a write that cannot grow the index");
  limit_memory(0);
  CHECK(health_of(settings).keys == (uint64_t)last - 1, "of %d acknowledged keys %lu are there", last - 1,
        (unsigned long)health_of(settings).keys);
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "after", 2), "set with memory again");
  satchel_settings_close(settings);
}

int main(void) {
  checks_begin("limits");
  folder = scratch_folder("store");
  child_round(without_keys, NULL, 30, "all keys taken");
  child_round(failed_openings, NULL, 60, "failed openings");
  child_round(without_memory, NULL, 90, "no memory to read");
  child_round(growing_without_memory, NULL, 60, "no memory to write");
  return checks_finish();
}
