/*
 * Dies at every named point of a write, a growth, a wake-up, a recovery, a creation and a compaction, and checks what the
 * others then see. Needs the library that was built with fault points; with and without a sleeping waiter in another
 * process.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "format.h"
#include "support.h"

/* Exported by the fault build only: SIGKILL to itself at the (skip + 1)-th passing of the point. */
void satchel_fault_at(const char *name, int skip);

/* The promise is 100 ms after the owner's death; on a machine that builds other things at the same time, five times that.
   A lock that is only waited for takes 5 s. */
static const int64_t takeover_ns = INT64_C(500000000);

enum { STEADY = 100, BIG = 200000 };

typedef enum { TRANSFER, GROW, COMPACT, RECOVER, CREATE } action;
typedef enum { BEFORE, AFTER } outcome;

/* When a point is passed at all. */
typedef enum { ALWAYS, WITH_A_WAITER, PORTABLE } when;

typedef struct {
  const char *name;
  int skip;
  action action;
  outcome outcome; /* what others see of the transaction */
  when when;
} point;

static const point points[] = {
    {"write.frame", 0, TRANSFER, BEFORE, ALWAYS},         {"write.frame", 1, TRANSFER, BEFORE, ALWAYS},
    {"write.before-commit", 0, TRANSFER, BEFORE, ALWAYS}, {"write.after-commit", 0, TRANSFER, AFTER, ALWAYS},
    {"write.indexed", 0, TRANSFER, AFTER, ALWAYS},        {"grow.allocated", 0, GROW, BEFORE, ALWAYS},
    {"wake.marked", 0, TRANSFER, BEFORE, WITH_A_WAITER},  {"wake.woken", 0, TRANSFER, BEFORE, WITH_A_WAITER},
    {"wake.marked", 0, COMPACT, BEFORE, WITH_A_WAITER},   {"wake.woken", 0, COMPACT, BEFORE, WITH_A_WAITER},
    {"compact.written", 0, COMPACT, BEFORE, ALWAYS},      {"compact.synced", 0, COMPACT, BEFORE, ALWAYS},
    {"compact.before-mark", 0, COMPACT, BEFORE, ALWAYS},  {"compact.marked", 0, COMPACT, BEFORE, ALWAYS},
    {"compact.renamed", 0, COMPACT, BEFORE, ALWAYS},      {"compact.directory-synced", 0, COMPACT, BEFORE, ALWAYS},
    {"portable.written", 0, TRANSFER, BEFORE, PORTABLE},  {"portable.committed", 0, TRANSFER, AFTER, PORTABLE},
    {"portable.written", 0, GROW, BEFORE, PORTABLE},      {"portable.committed", 0, COMPACT, BEFORE, PORTABLE},
};

static const char *folder;
static char what[128];

/* The dying process may have a handle of its own, or one that it inherited over fork: both are tried. */
static satchel_settings *inherited;

static void transfer(satchel_settings *settings, int64_t delta) {
  satchel_transaction *transaction = NULL;
  CHECK_CODE(SATCHEL_OK, satchel_settings_begin(&transaction, settings), what);
  CHECK_CODE(SATCHEL_OK, satchel_transaction_add(NULL, transaction, "a", delta), what);
  CHECK_CODE(SATCHEL_OK, satchel_transaction_add(NULL, transaction, "b", delta), what);
  CHECK_CODE(SATCHEL_OK, satchel_transaction_commit(NULL, transaction), what);
}

static void die(void *context) {
  const point *point = context;
  satchel_settings *settings = inherited != NULL ? inherited : open_domain(folder, "points", 0);
  satchel_fault_at(point->name, point->skip);
  if (point->action == TRANSFER) transfer(settings, 1);
  if (point->action == COMPACT) ignore(satchel_settings_compact(settings));
  if (point->action == GROW) {
    char *bytes = calloc(1, BIG);
    satchel_settings_set_data(settings, "big", satchel_blob(bytes, BIG));
    free(bytes);
  }
}

/* Ends well when it was woken by a newer revision. */
static void wait_for_news(void *context) {
  (void)context;
  satchel_settings *settings = open_domain(folder, "points", 0);
  uint64_t revision = 0;
  CHECK_CODE(SATCHEL_OK, satchel_settings_revision(&revision, settings), what);
  uint64_t newest = 0;
  CHECK_CODE(SATCHEL_OK, satchel_settings_wait(&newest, settings, revision, INT64_C(20000000000)), what);
  CHECK(newest > revision, "%s: woken by revision %lu, not above %lu", what, (unsigned long)newest, (unsigned long)revision);
}

/* A waiter marks the sleep word; a word without the mark means that it has not fallen asleep yet. In portable mode it looks
   now and then instead. */
static bool wait_until_asleep(const char *path) {
  if (portable_mode()) {
    sleep_ms(20);
    return true;
  }
  for (int turn = 0; turn < 2000; turn++) {
    image file = image_load(path);
    bool asleep = file.size >= HEADER_BYTES && (half_at(file.data, AT_SLEEP) & 3) == 1;
    image_free(&file);
    if (asleep) {
      sleep_ms(5); /* from the mark to the futex */
      return true;
    }
    sleep_ms(2);
  }
  return false;
}

static bool died(int status) { return status != -1 && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL; }

static int64_t both(satchel_settings *settings) {
  int64_t a = integer_of(settings, "a", -1), b = integer_of(settings, "b", -2);
  CHECK(a == b, "%s: a is %ld, b %ld", what, (long)a, (long)b);
  return a;
}

static void steady_keys_stand(satchel_settings *settings) {
  int standing = 0;
  for (int i = 0; i < STEADY; i++) {
    char key[32];
    snprintf(key, sizeof key, "steady.%d", i);
    standing += integer_of(settings, key, -1) == i;
  }
  CHECK(standing == STEADY, "%s: %d of %d keys stand", what, standing, STEADY);
}

static void one(const point *point, bool waiting, bool fork_inherits) {
  snprintf(what, sizeof what, "%s skip %d%s%s%s", point->name, point->skip, point->action == COMPACT ? " in a compaction" : "",
           waiting ? ", with a waiter" : "", fork_inherits ? ", inherited handle" : "");
  remove_all(folder);
  folder = scratch_folder("points");
  satchel_settings *settings = open_domain(folder, "points", 0);
  satchel_settings *observer = open_domain(folder, "points", SATCHEL_SETTINGS_READ_ONLY);
  if (settings == NULL || observer == NULL) return;
  for (int i = 0; i < STEADY; i++) {
    char key[32];
    snprintf(key, sizeof key, "steady.%d", i);
    CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, key, i), what);
  }
  transfer(settings, 5);
  uint64_t before = 0, after = 0;
  CHECK_CODE(SATCHEL_OK, satchel_settings_revision(&before, settings), what);

  pid_t waiter = 0;
  if (waiting) {
    waiter = child_start(wait_for_news, NULL);
    CHECK(wait_until_asleep(satchel_settings_path(settings)), "%s: the waiter never fell asleep", what);
  }
  inherited = fork_inherits ? settings : NULL;
  int status = child_end(child_start(die, (void *)(uintptr_t)point), 20);
  int64_t death = now_ns();
  if (point->when != WITH_A_WAITER || waiting) CHECK(died(status), "%s: not passed, status %x", what, status);

  bool committed = died(status) ? point->outcome == AFTER : point->action == TRANSFER;
  int64_t expected = committed ? 6 : 5;
  CHECK(both(settings) == expected, "%s: the handle of another process does not see %ld", what, (long)expected);
  CHECK(both(observer) == expected, "%s: a read-only handle does not see %ld", what, (long)expected);
  satchel_value *big = NULL;
  CHECK(satchel_settings_get_value(&big, settings, "big") == SATCHEL_ENOTFOUND, "%s: a value that was never committed", what);
  satchel_value_free(big);

  if (waiter != 0) {
    /* Committed: it is woken although the writer is dead. Not committed: it goes on sleeping. */
    int early = 0;
    bool woken = false;
    for (int turn = 0; turn < (committed ? 5000 : 60) && !woken; turn++) {
      woken = child_ended(waiter, &early);
      if (!woken) sleep_ms(1);
    }
    CHECK(woken == committed, "%s: the waiter was %s", what, woken ? "woken for nothing" : "not woken");
    if (woken) {
      CHECK(early == 0, "%s: the waiter ended with status %x", what, early);
      waiter = 0;
    }
    death = now_ns(); /* the owner is dead since, but nobody had asked for the lock */
  }
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "next", 1), what);
  int64_t taken = now_ns() - death;
  CHECK(taken < takeover_ns, "%s: the next writer went on after %.1f ms", what, (double)taken / 1e6);
  if (waiter != 0) child_end_well(waiter, 20, what);
  CHECK_CODE(SATCHEL_OK, satchel_settings_revision(&after, settings), what);
  CHECK(after == before + committed + 1, "%s: revision %lu after %lu", what, (unsigned long)after, (unsigned long)before);
  CHECK(integer_of(observer, "next", -1) == 1, "%s: the read-only handle misses the next write", what);
  CHECK_CODE(SATCHEL_OK, satchel_settings_compact(settings), what);
  CHECK(entries_with(folder, "points") == 1, "%s: litter is left beside the file", what);

  satchel_settings *fresh = open_domain(folder, "points", 0);
  mode_is_as_told(fresh);
  steady_keys_stand(fresh);
  steady_keys_stand(settings);
  CHECK(both(fresh) == expected && integer_of(fresh, "next", -1) == 1, "%s: a new handle sees something else", what);
  satchel_settings_health health = health_of(fresh);
  CHECK(health.damaged_records == 0 && health.corrupt_keys == 0 && health.dropped_bytes == 0, "%s: damage reported", what);
  satchel_settings_close(fresh);
  satchel_settings_close(observer);
  satchel_settings_close(settings);
}

/* MARK: Recovery and creation: the dying process is one that opens */

static void die_opening(void *context) {
  satchel_fault_at(context, 0);
  satchel_settings *settings = NULL;
  ignore(open_with(&settings, folder, "points", 0, 0));
  if (settings != NULL) satchel_settings_set_int64(settings, "a", 9);
}

static void recovery(const char *name) {
  snprintf(what, sizeof what, "%s", name);
  remove_all(folder);
  folder = scratch_folder("points");
  satchel_settings *settings = open_domain(folder, "points", 0);
  for (int i = 0; i < STEADY; i++) {
    char key[32];
    snprintf(key, sizeof key, "steady.%d", i);
    CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, key, i), what);
  }
  transfer(settings, 5);
  char path[4096];
  snprintf(path, sizeof path, "%s", satchel_settings_path(settings));
  satchel_settings_close(settings);
  image file = image_load(path);
  if (portable_mode()) file.data[AT_COMMITTED + 6] ^= 0x55; /* no boot is asked for: the word itself is damaged */
  else change_boot(file.data);
  image_store(file, file.size, path);
  image_free(&file);
  int status = child_end(child_start(die_opening, (void *)(uintptr_t)name), 20);
  int64_t death = now_ns();
  CHECK(died(status), "%s: not passed, status %x", what, status);
  settings = open_domain(folder, "points", 0);
  CHECK(both(settings) == 5, "%s: another state after a recovery that died", what);
  steady_keys_stand(settings);
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "next", 1), what);
  CHECK(now_ns() - death < takeover_ns, "%s: the next writer waited", what);
  satchel_settings_health health = health_of(settings);
  CHECK(health.damaged_records == 0 && health.corrupt_keys == 0 && health.dropped_bytes == 0, "%s: damage reported", what);
  satchel_settings_close(settings);
}

static void creation(void) {
  snprintf(what, sizeof what, "create.written");
  remove_all(folder);
  folder = scratch_folder("points");
  int status = child_end(child_start(die_opening, (void *)(uintptr_t)"create.written"), 20);
  CHECK(died(status), "create.written: not passed, status %x", status);
  satchel_settings *settings = open_domain(folder, "points", 0);
  CHECK(integer_of(settings, "a", -1) == -1, "create.written: a value in a new domain");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "a", 1), what);
  satchel_settings_close(settings);
  CHECK(entries_with(folder, "points") == 1, "create.written: litter is left beside the file");
}

int main(void) {
  checks_begin("points");
  folder = scratch_folder("points");
  for (size_t i = 0; i < sizeof points / sizeof *points; i++)
    for (int way = 0; way < 4; way++) {
      /* Nobody sleeps on a portable file, and nothing is written back elsewhere. */
      if (points[i].when == (portable_mode() ? WITH_A_WAITER : PORTABLE)) continue;
      round_begin();
      one(&points[i], (way & 1) != 0, (way & 2) != 0);
      round_end();
    }
  recovery("recover.committed");
  recovery("recover.durable");
  creation();
  return checks_finish();
}
