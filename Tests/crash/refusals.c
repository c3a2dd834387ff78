/*
 * Lets each system call of an open, a write, a growth, a compaction, a read and a close fail, one at a time, with each errno
 * that a full, read-only, forbidden, broken or busy machine gives. To be run with preload.so in LD_PRELOAD.
 *
 * Promised: an error code for that operation and nothing changed, or success; reads go on; nothing is lost; no signal; and
 * the same operation works as soon as the machine does.
 *
 * Usage: refusals [all]. With `all` every call of the scenario is tried, else the first few of each kind and then some.
 *        refusals CALL NTH ERRNO [on]: one of them again.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "support.h"

enum { BIG = 150000, STEADY = 10 };

static void (*refuse_arm)(const char *call, long nth, int error, bool on);
static long (*refuse_hits)(void);
static long (*refuse_count)(int index);
static const char *(*refuse_name)(int index);

static const struct {
  int number;
  const char *name;
} errors[] = {{ENOSPC, "ENOSPC"}, {EROFS, "EROFS"}, {EACCES, "EACCES"}, {EDQUOT, "EDQUOT"},
              {EIO, "EIO"},       {EINTR, "EINTR"}, {EMFILE, "EMFILE"}, {ENFILE, "ENFILE"}};

typedef struct refusal {
  const char *call;
  long nth;
  int error;
  const char *error_name;
  bool on;
  long counts[64]; /* out, in shared memory: how often each call was made */
} refusal;

static char what[160];
static char folder[4096];

/* What must be there. */
typedef struct {
  int64_t steady[STEADY], a, b;
  size_t big;
} state;

static state expected;

static void reads_go_on(satchel_settings *settings, const char *after) {
  for (int i = 0; i < STEADY; i++) {
    char key[32];
    int64_t value = -1;
    snprintf(key, sizeof key, "steady.%d", i);
    int code = satchel_settings_get_int64(&value, settings, key);
    int wanted = expected.steady[i] < 0 ? SATCHEL_ENOTFOUND : SATCHEL_OK;
    CHECK(code == wanted && (code != SATCHEL_OK || value == expected.steady[i]), "%s, after %s: %s reads %s %ld", what, after,
          key, satchel_error_name(code), (long)value);
  }
  int64_t a = integer_of(settings, "a", 0), b = integer_of(settings, "b", 0);
  CHECK(a == expected.a && b == expected.b, "%s, after %s: a %ld, b %ld, not %ld", what, after, (long)a, (long)b,
        (long)expected.a);
  size_t size = 0;
  int code = satchel_settings_copy_bytes(NULL, 0, &size, settings, "big");
  CHECK(expected.big == 0 ? code == SATCHEL_ENOTFOUND : code == SATCHEL_ERANGE && size == expected.big,
        "%s, after %s: the big value: %s, %zu bytes", what, after, satchel_error_name(code), size);
}

/* MARK: The operations */

typedef int operation(satchel_settings **settings);

static int do_open(satchel_settings **settings) {
  if (*settings != NULL) satchel_settings_close(*settings);
  /* A lock that is refused with EACCES looks like one that somebody else holds, and is waited for. */
  return open_with(settings, folder, "refusals", 0, portable_mode() ? INT64_C(20000000) : 0);
}

static int next_steady;
static int do_set(satchel_settings **settings) {
  char key[32];
  int64_t value = expected.steady[next_steady] + 100;
  snprintf(key, sizeof key, "steady.%d", next_steady);
  int code = satchel_settings_set_int64(*settings, key, value);
  if (code == SATCHEL_OK) {
    expected.steady[next_steady] = value;
    next_steady = (next_steady + 1) % STEADY;
  }
  return code;
}

static int do_grow(satchel_settings **settings) {
  char *bytes = calloc(1, BIG + expected.big);
  int code = satchel_settings_set_data(*settings, "big", satchel_blob(bytes, BIG + expected.big));
  if (code == SATCHEL_OK) expected.big += BIG;
  free(bytes);
  return code;
}

static int do_transfer(satchel_settings **settings) {
  satchel_transaction *transaction = NULL;
  int code = satchel_settings_begin(&transaction, *settings);
  if (code != SATCHEL_OK) return code;
  int first = satchel_transaction_add(NULL, transaction, "a", 1), second = satchel_transaction_add(NULL, transaction, "b", 1);
  if (first != SATCHEL_OK || second != SATCHEL_OK) {
    satchel_transaction_rollback(transaction);
    return first != SATCHEL_OK ? first : second;
  }
  code = satchel_transaction_commit(NULL, transaction);
  if (code == SATCHEL_OK) expected.a++, expected.b++;
  return code;
}

/* A lock that was refused must not be held by mistake: another handle gets it, and what it writes stands. */
static int64_t others;
static void another_writes(satchel_settings *settings) {
  satchel_settings *other = NULL;
  if (!CHECK_CODE(SATCHEL_OK, open_with(&other, folder, "refusals", 0, 0), what)) return;
  CHECK(integer_of(other, "other", 0) == others, "%s: what another handle wrote is lost", what);
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(other, "other", ++others), what);
  CHECK(integer_of(settings, "other", 0) == others, "%s: what another handle writes is not seen", what);
  satchel_settings_close(other);
}

/* Just before a write: one that does not see it, because its look at the file is refused, must not write over it. */
static void beside(void) {
  satchel_settings *other = NULL;
  if (open_with(&other, folder, "refusals", 0, INT64_C(20000000)) != SATCHEL_OK) return;
  if (satchel_settings_set_int64(other, "other", others + 1) == SATCHEL_OK) others++;
  satchel_settings_close(other);
}

static void others_stand(satchel_settings *settings, const char *after) {
  int64_t seen = integer_of(settings, "other", 0);
  CHECK(seen == others, "%s, after %s: what another handle wrote is %ld, not %ld", what, after, (long)seen, (long)others);
}

static int do_sync(satchel_settings **settings) { return satchel_settings_sync(*settings); }
static int do_compact(satchel_settings **settings) { return satchel_settings_compact(*settings); }
static int do_nothing(satchel_settings **settings) { return *settings == NULL; }

static int do_health(satchel_settings **settings) {
  satchel_settings_health health = SATCHEL_SETTINGS_HEALTH_INIT;
  int code = satchel_settings_health_check(&health, *settings);
  CHECK(code != SATCHEL_OK || (health.damaged_records == 0 && health.corrupt_keys == 0 && health.dropped_bytes == 0),
        "%s: damage is told of", what);
  return code;
}

static const struct {
  const char *name;
  operation *run;
} steps[] = {{"open", do_open},
             {"set", do_set},
             {"set again", do_set},
             {"transaction", do_transfer},
             {"growth", do_grow},
             {"sync", do_sync},
             {"set", do_set},
             {"compaction", do_compact},
             {"set", do_set},
             {"health", do_health},
             {"growth", do_grow},
             {"open again", do_open},
             {"set", do_set},
             {"compaction", do_compact},
             {"transaction", do_transfer},
             {"the end", do_nothing}};

/* MARK: One refusal */

/* After these a handle stays what it has become: one whose sync has failed, or one that may only read. */
static bool lasts(const refusal *refusal) {
  const char *call = refusal->call;
  bool read_only = strncmp(call, "open", 4) == 0 && (refusal->error == EROFS || refusal->error == EACCES);
  return strcmp(call, "fdatasync") == 0 || strcmp(call, "fsync") == 0 || strcmp(call, "msync") == 0 || read_only;
}

static void scenario(void *context) {
  refusal *refusal = context;
  satchel_settings *settings = NULL;
  bool lasting = false;
  refuse_arm(refusal->call, refusal->nth, refusal->error, refusal->on);
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    if (portable_mode() && steps[i].run == do_set) beside();
    long before = refuse_hits();
    int code = steps[i].run(&settings);
    bool hit = refuse_hits() > before;
    lasting = lasting || (hit && lasts(refusal));
    CHECK(code <= 0, "%s: %s gives %d", what, steps[i].name, code);
    if (code == SATCHEL_OK) {
      if (settings != NULL) reads_go_on(settings, steps[i].name);
      continue;
    }
    /* Only the operation that was hit may fail; or, by design, any write on a handle that was spoilt before. */
    CHECK(hit || lasting, "%s: %s gives %s though nothing was refused in it: %s", what, steps[i].name, satchel_error_name(code),
          satchel_last_error()->message);
    CHECK(satchel_last_error()->code == code && satchel_last_error()->message[0] != '\0', "%s: %s leaves no last error", what,
          steps[i].name);
    if (hit && strcmp(steps[i].name, "open") == 0)
      CHECK(satchel_last_error()->path != NULL || satchel_last_error()->domain != NULL, "%s: the error names no file", what);
    if (settings != NULL) reads_go_on(settings, steps[i].name);
    /* The machine works again: so does the operation. */
    refuse_arm(NULL, 0, 0, false);
    if (settings != NULL) another_writes(settings);
    code = steps[i].run(&settings);
    if (code != SATCHEL_OK && lasting && settings != NULL) {
      CHECK_CODE(SATCHEL_OK, do_open(&settings), what);
      lasting = false;
      code = steps[i].run(&settings);
    }
    CHECK(code == SATCHEL_OK, "%s: %s still gives %s though nothing is refused: %s", what, steps[i].name,
          satchel_error_name(code), satchel_last_error()->message);
    if (settings == NULL) return;
    reads_go_on(settings, "trying again");
    others_stand(settings, "trying again");
  }
  for (int i = 0; i < 64; i++) refusal->counts[i] = refuse_count(i);
  refuse_arm(NULL, 0, 0, false);
  satchel_settings_close(settings);
  settings = open_domain(folder, "refusals", SATCHEL_SETTINGS_READ_ONLY);
  if (settings != NULL) reads_go_on(settings, "opening at the end");
  if (settings != NULL) others_stand(settings, "opening at the end");
  if (settings != NULL) CHECK_CODE(SATCHEL_OK, do_health(&settings), what);
  satchel_settings_close(settings);
  settings = open_domain(folder, "refusals", 0);
  CHECK_CODE(SATCHEL_OK, do_compact(&settings), what);
  satchel_settings_close(settings);
  CHECK(entries_with(folder, "refusals") == 1, "%s: litter is left beside the file", what);
}

/* The errno a disk, a directory or a process table gives is not the same for all calls, but any may come from a FUSE server. */
static void one(refusal *refusal) {
  snprintf(what, sizeof what, "%s %s of %s", refusal->error_name, refusal->on ? "from a call on" : "once", refusal->call);
  snprintf(what + strlen(what), sizeof what - strlen(what), " (call %ld)", refusal->nth);
  remove_all(folder); /* the engine makes it anew */
  child_round(scenario, refusal, 20, what);
}

/* The quick run takes the others in the other mode only. */
static bool differs_in_portable_mode(const char *call) {
  static const char *const calls[] = {"open", "fcntl", "pread", "pwrite", "fdatasync", "fstat", "rename"};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (strcmp(calls[i], call) == 0) return true;
  return false;
}

/* Durability DISK on a disk that refuses: what was committed stands, for everybody, and the handle writes no more. */
static void unsynced(void *context) {
  (void)context;
  satchel_settings_options options = SATCHEL_SETTINGS_OPTIONS_INIT;
  options.directory = folder;
  options.durability = SATCHEL_DURABILITY_DISK;
  satchel_settings *settings = NULL, *other = open_domain(folder, "unsynced", 0);
  int64_t sum = -1;
  uint64_t revision = 0;
  CHECK_CODE(SATCHEL_OK, satchel_settings_open(&settings, "unsynced", &options), "open");
  CHECK_CODE(SATCHEL_OK, satchel_settings_add(NULL, settings, "a", 1), "add");
  refuse_arm("fdatasync", 1, EIO, false);
  CHECK_CODE(SATCHEL_EIO, satchel_settings_add(&sum, settings, "a", 5), "add that the disk refuses");
  CHECK(sum == 0, "the result of a failure is %ld", (long)sum);
  CHECK(strstr(satchel_last_error()->message, "visible") != NULL, "the message says: %s", satchel_last_error()->message);
  refuse_arm(NULL, 0, 0, false);
  CHECK(integer_of(settings, "a", -1) == 6 && integer_of(other, "a", -1) == 6, "what was committed is not visible");
  CHECK_CODE(SATCHEL_EIO, satchel_settings_add(&sum, settings, "a", 5), "add on the failed handle");
  CHECK_CODE(SATCHEL_EIO, satchel_settings_sync(settings), "sync of the failed handle");
  satchel_transaction *transaction = NULL;
  CHECK_CODE(SATCHEL_EIO, satchel_settings_begin(&transaction, settings), "begin on the failed handle");
  CHECK(integer_of(other, "a", -1) == 6, "a refused write has changed something");
  satchel_settings_close(settings);
  CHECK_CODE(SATCHEL_OK, satchel_settings_open(&settings, "unsynced", &options), "open again");
  CHECK_CODE(SATCHEL_OK, satchel_settings_begin(&transaction, settings), "begin");
  CHECK_CODE(SATCHEL_OK, satchel_transaction_add(NULL, transaction, "a", 1), "add");
  refuse_arm("fdatasync", 1, EIO, false);
  CHECK_CODE(SATCHEL_EIO, satchel_transaction_commit(&revision, transaction), "commit that the disk refuses");
  refuse_arm(NULL, 0, 0, false);
  CHECK(revision == 0 && integer_of(other, "a", -1) == 7, "revision %lu after a refused commit", (unsigned long)revision);
  satchel_settings_close(settings);
  satchel_settings_close(other);
}

/* A compaction that cannot be done is tried again only when the log has grown by as much again, not at every write. */
static void in_vain(void *context) {
  int error = *(int *)context;
  enum { VALUE = 1000, FIRST = 400, THEN = 1000 };
  char bytes[VALUE] = {0};
  satchel_settings *settings = open_domain(folder, "in-vain", 0);
  sleep_ms(1100); /* a younger file puts it off, whether or not it could be done */
  refuse_arm("rename", 1, error, true);
  for (int i = 0; i < FIRST; i++)
    CHECK_CODE(SATCHEL_OK, satchel_settings_set_data(settings, "a", satchel_blob(bytes, VALUE)), "a write that is to compact");
  long hits = refuse_hits();
  CHECK(hits > 0, "no compaction was tried");
  for (int i = 0; i < THEN; i++) CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "b", i), "a write after that");
  CHECK(refuse_hits() <= 4, "%ld compactions were tried, %ld of them at once", refuse_hits(), hits);
  refuse_arm(NULL, 0, 0, false);
  CHECK_CODE(SATCHEL_OK, satchel_settings_compact(settings), "compact");
  satchel_settings_close(settings);
}

int main(int count, char **arguments) {
  checks_begin("refusals");
  bool all = count > 1 && strcmp(arguments[1], "all") == 0;
  for (int i = 0; i < STEADY; i++) expected.steady[i] = -1;
  snprintf(folder, sizeof folder, "%s/store", scratch());
  *(void **)&refuse_arm = dlsym(RTLD_DEFAULT, "refuse_arm");
  *(void **)&refuse_hits = dlsym(RTLD_DEFAULT, "refuse_hits");
  *(void **)&refuse_count = dlsym(RTLD_DEFAULT, "refuse_count");
  *(void **)&refuse_name = dlsym(RTLD_DEFAULT, "refuse_name");
  if (!CHECK(refuse_arm && refuse_hits && refuse_count && refuse_name, "not run with preload.so")) return checks_finish();
  refusal *refusal = shared_memory(sizeof *refusal);
  satchel_settings *settings = open_domain(scratch_folder("mode"), "mode", 0);
  mode_is_as_told(settings);
  satchel_settings_close(settings);
  /* In portable mode a commit that cannot be synced is taken back. */
  if (!portable_mode()) child_round(unsynced, NULL, 20, "a disk that refuses");
  int full = ENOSPC, broken = EIO;
  child_round(in_vain, &full, 60, "compactions of a full disk");
  child_round(in_vain, &broken, 60, "compactions of a broken disk");
  refusal->call = refusal->error_name = "none";
  one(refusal);    /* nothing is refused: this counts the calls */
  if (count > 3) { /* one of them again: CALL NTH ERRNO [on] */
    *refusal = (struct refusal){arguments[1], atol(arguments[2]), atoi(arguments[3]), arguments[3], count > 4, {0}};
    one(refusal);
    return checks_finish();
  }
  long tried = 0, counts[64];
  memcpy(counts, refusal->counts, sizeof counts);
  printf("calls of the scenario:");
  for (int i = 0; i < 64; i++) {
    const char *call = refuse_name(i);
    if (call == NULL) continue;
    if (counts[i] > 0) printf(" %s %ld", call, counts[i]);
    if (!all && portable_mode() && !differs_in_portable_mode(call)) continue;
    for (size_t e = 0; e < sizeof errors / sizeof *errors; e++)
      for (long nth = 1; nth <= counts[i]; nth++) {
        /* Beyond the first calls of a kind the quick run takes each with one errno only. */
        if (!all && nth > 3 && (nth + i) % (long)(sizeof errors / sizeof *errors) != (long)e) continue;
        /* In portable mode every read makes some. */
        if (!all && nth > 3 && counts[i] > 100 && nth % 21 != 0) continue;
        /* An interruption that never ends may be waited for without end. */
        for (int on = 0; on < (errors[e].number == EINTR ? 1 : 2); on++) {
          refusal->call = call;
          refusal->nth = nth;
          refusal->error = errors[e].number;
          refusal->error_name = errors[e].name;
          refusal->on = on != 0;
          one(refusal);
          tried++;
        }
      }
  }
  printf("\n%ld refusals\n", tried);
  CHECK(tried > 100, "only %ld refusals tried", tried);
  return checks_finish();
}
