/*
 * Power loss, simulated: what a file holds is recorded after every write and at every fdatasync; then any moment is chosen
 * as the end, and each sector of the file is, independently, of any moment between the last sync and that end, header
 * words included. The boot id changes, as it does.
 *
 * Promised is an exact prefix at or after the last sync, or all but one record of one, said so. What a writer had stored whole
 * when it died, without committing it, may be there as well, but only where nothing was committed after it.
 *
 * Usage: power TRACES [SEED]. Needs the library with fault points, for the dead writers.
 *
 * This program's fdatasync and fsync stand in front of the C library's, so what counts as synced is what the engine really
 * asked for, and not what it says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "format.h"
#include "support.h"

void satchel_fault_at(const char *name, int skip);

enum { KEYS = 8, STEPS = 40, EVENTS = 400, CUTS = 6, LONGEST = 1500, ABSENT = -1, CORRUPT = -2, WRONG = -3, PHANTOM = 100000 };

typedef struct {
  int64_t of[KEYS];
} state;

/* What the file held at one moment. */
typedef struct {
  image bytes;
  ino_t inode;
  bool synced; /* as a sync was asked for: on the disk once that has returned */
  bool named;  /* and the domain's name led to it */
  int step;    /* acknowledged steps so far */
} event;

static event events[EVENTS];
static int event_count;
static bool recording;
static int current_step;
static pid_t recorder;
static state history[STEPS + 1];
static int synced_step[STEPS + 1]; /* the newest step that a sync has acknowledged, by step */
static uint64_t revisions[STEPS + 1];
static const char *folder;
static char path[4096];
static long whole_cuts, prefix_cuts, corrupt_cuts, phantom_cuts, deepest;

/* MARK: Recording */

static void record(int file, bool synced) {
  struct stat status, under_the_name;
  if (!recording || getpid() != recorder || event_count >= EVENTS || fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
    return;
  image bytes = {malloc((size_t)status.st_size + 1), 0};
  for (ssize_t n; bytes.size < (size_t)status.st_size &&
                  (n = pread(file, bytes.data + bytes.size, (size_t)status.st_size - bytes.size, (off_t)bytes.size)) > 0;)
    bytes.size += (size_t)n;
  bool named = stat(path, &under_the_name) == 0 && under_the_name.st_ino == status.st_ino;
  events[event_count++] = (event){bytes, status.st_ino, synced, named, current_step};
}

int fdatasync(int file) {
  record(file, true);
  return (int)syscall(SYS_fdatasync, file);
}

int fsync(int file) {
  record(file, true);
  return (int)syscall(SYS_fsync, file);
}

static void record_named(void) {
  image bytes = image_load(path);
  struct stat status;
  if (stat(path, &status) != 0 || event_count >= EVENTS) abort();
  events[event_count++] = (event){bytes, status.st_ino, false, true, current_step};
}

/* MARK: The trace */

static void key_name(char out[32], int key) { snprintf(out, 32, "key.%d", key); }

static void fill(unsigned char *bytes, size_t size, int64_t number) {
  memset(bytes, (int)(1 + number % 250), size);
  memcpy(bytes, &number, sizeof number);
}

static void set(satchel_settings *settings, int key, int64_t number, size_t size) {
  char name[32];
  unsigned char bytes[LONGEST];
  key_name(name, key);
  fill(bytes, size, number);
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_data(settings, name, satchel_blob(bytes, size)), "set");
}

static int64_t value_of(satchel_settings *settings, const char *name) {
  unsigned char bytes[LONGEST], expected[LONGEST];
  size_t size = 0;
  int code = satchel_settings_copy_bytes(bytes, sizeof bytes, &size, settings, name);
  if (code == SATCHEL_ENOTFOUND) return ABSENT;
  if (code == SATCHEL_ECORRUPT) return CORRUPT;
  int64_t number = 0;
  if (code != SATCHEL_OK || size < sizeof number) return WRONG;
  memcpy(&number, bytes, sizeof number);
  fill(expected, size, number);
  return memcmp(bytes, expected, size) == 0 ? number : WRONG;
}

static state state_of(satchel_settings *settings) {
  state result;
  for (int key = 0; key < KEYS; key++) {
    char name[32];
    key_name(name, key);
    result.of[key] = value_of(settings, name);
  }
  return result;
}

/* Few sizes, so that what is stored in the place of something else often ends where that did. */
static size_t size_of_value(chance *dice) {
  static const size_t sizes[] = {12, 12, 12, 36, 60, 60, 476, 700, LONGEST - 8};
  size_t size = sizes[chance_below(dice, sizeof sizes / sizeof *sizes)];
  return chance_below(dice, 4) == 0 ? size + 4 * chance_below(dice, 3) : size;
}

typedef struct {
  const char *point;
  int skip, records;
  size_t size;
  int64_t number;
} death;

/* A writer that dies with its transaction stored and not committed: whole frames, with right CRCs, behind the end. */
static void phantom(void *context) {
  const death *death = context;
  unsigned char bytes[LONGEST];
  fill(bytes, death->size, death->number);
  satchel_settings *settings = open_domain(folder, "power", 0);
  satchel_value *value = NULL;
  satchel_transaction *transaction = NULL;
  ignore(satchel_value_new_data(&value, satchel_blob(bytes, death->size)));
  satchel_fault_at(death->point, death->skip);
  ignore(satchel_settings_begin(&transaction, settings));
  for (int i = 0; i < death->records; i++) {
    char name[32];
    snprintf(name, sizeof name, "phantom.%d", i);
    ignore(satchel_transaction_set_value(transaction, name, value));
  }
  ignore(satchel_transaction_commit(NULL, transaction));
}

static void one_step(satchel_settings *settings, chance *dice, state *now) {
  int key = (int)chance_below(dice, KEYS);
  size_t size = size_of_value(dice);
  int64_t number = 1000 + current_step;
  char name[32];
  switch (chance_below(dice, 8)) {
  case 0:
    key_name(name, key);
    if (now->of[key] != ABSENT) {
      CHECK_CODE(SATCHEL_OK, satchel_settings_remove(settings, name), "remove");
      now->of[key] = ABSENT;
      break;
    } /* fall through */
  case 1: {
    satchel_transaction *transaction = NULL;
    CHECK_CODE(SATCHEL_OK, satchel_settings_begin(&transaction, settings), "begin");
    for (int i = 0; i < 3; i++) {
      unsigned char bytes[LONGEST];
      satchel_value *value = NULL;
      int other = (key + i) % KEYS;
      fill(bytes, size, number);
      key_name(name, other);
      CHECK_CODE(SATCHEL_OK, satchel_value_new_data(&value, satchel_blob(bytes, size)), "value");
      CHECK_CODE(SATCHEL_OK, satchel_transaction_set_value(transaction, name, value), "set");
      satchel_value_free(value);
      now->of[other] = number;
    }
    CHECK_CODE(SATCHEL_OK, satchel_transaction_commit(NULL, transaction), "commit");
    break;
  }
  default:
    set(settings, key, number, size);
    now->of[key] = number;
  }
}

static void trace(chance *dice, bool every_step_synced) {
  static const char *const deaths[] = {"write.frame", "write.before-commit"};
  for (int i = 0; i < event_count; i++) image_free(&events[i].bytes);
  event_count = current_step = 0;
  remove_all(folder);
  folder = scratch_folder("store");
  recorder = getpid();
  recording = true;
  satchel_settings_options options = SATCHEL_SETTINGS_OPTIONS_INIT;
  options.directory = folder;
  options.flags = portable_mode() ? SATCHEL_SETTINGS_PORTABLE : 0;
  options.durability = every_step_synced ? SATCHEL_DURABILITY_DISK : SATCHEL_DURABILITY_PROCESS;
  satchel_settings *settings = NULL;
  CHECK_CODE(SATCHEL_OK, satchel_settings_open(&settings, "power", &options), "open");
  mode_is_as_told(settings);
  record_named();
  state now;
  for (int key = 0; key < KEYS; key++) now.of[key] = ABSENT;
  history[0] = now;
  synced_step[0] = 0;
  revisions[0] = 0;
  int synced = 0;
  for (int step = 1; step <= STEPS; step++) {
    if (chance_below(dice, 6) == 0) {
      /* The names are four bytes longer than those of the keys: the frames are as large. */
      death death = {deaths[chance_below(dice, 2)], 0, chance_below(dice, 2) == 0 ? 1 : 3, size_of_value(dice) - 4,
                     PHANTOM + step - 1};
      death.skip = death.point == deaths[0] ? (int)chance_below(dice, (uint64_t)death.records) : 0;
      int status = child_end(child_start(phantom, &death), 20);
      CHECK(status != -1 && WIFSIGNALED(status), "the phantom did not die: %x", status);
      record_named();
    }
    current_step = step - 1;
    one_step(settings, dice, &now);
    current_step = step;
    history[step] = now;
    CHECK_CODE(SATCHEL_OK, satchel_settings_revision(&revisions[step], settings), "revision");
    if (every_step_synced || portable_mode()) synced = step;
    uint64_t lot = chance_below(dice, 20);
    if (lot == 0 && CHECK_CODE(SATCHEL_OK, satchel_settings_sync(settings), "sync")) synced = step;
    if (lot == 1 && CHECK_CODE(SATCHEL_OK, satchel_settings_compact(settings), "compact")) synced = step;
    synced_step[step] = synced;
    record_named();
  }
  recording = false;
  satchel_settings_close(settings);
}

/* MARK: The cut */

static bool agrees(const state *seen, const state *expected, int *corrupt) {
  *corrupt = 0;
  for (int key = 0; key < KEYS; key++) {
    if (seen->of[key] == CORRUPT) ++*corrupt;
    else if (seen->of[key] != expected->of[key]) return false;
  }
  return true;
}

/* What `key` held before the newest change at or before `step`. */
static int64_t before_last_change(int key, int step) {
  int64_t newest = history[step].of[key];
  while (step > 0 && history[step].of[key] == newest) step--;
  return history[step].of[key];
}

/* All of `step` but one record, whose key is not known any more and therefore answers its older value. */
static bool lacks_one(const state *seen, int step) {
  int older = 0;
  for (int key = 0; key < KEYS; key++) {
    if (seen->of[key] == history[step].of[key]) continue;
    if (seen->of[key] != before_last_change(key, step)) return false;
    older++;
  }
  return older == 1;
}

/* What a writer had stored whole when it died continues the chain: recovery may take it as committed, but only whole, and only
 * where it is the last there is: what was acknowledged in its place must never give way to it. */
static void judge_phantom(satchel_settings *settings, const state *seen, int last, const char *what) {
  int64_t values[3];
  int found = 0, corrupt = 0;
  for (int i = 0; i < 3; i++) {
    char name[32];
    snprintf(name, sizeof name, "phantom.%d", i);
    values[i] = value_of(settings, name);
    found += values[i] != ABSENT;
  }
  if (found == 0) return;
  phantom_cuts++;
  CHECK((found == 1 || found == 3) && values[0] == PHANTOM + last &&
            (found == 1 || (values[1] == values[0] && values[2] == values[0])),
        "%s: a dead writer's %ld, %ld, %ld after step %d", what, (long)values[0], (long)values[1], (long)values[2], last);
  CHECK(agrees(seen, &history[last], &corrupt), "%s: a dead writer's transaction, but not all before it", what);
}

static void judge(satchel_settings *settings, int last, int synced, int header_step, const char *what) {
  state seen = state_of(settings);
  satchel_settings_health health = health_of(settings);
  int kept = -1, corrupt = 0;
  for (int step = last; step >= 0 && kept < 0; step--)
    if (agrees(&seen, &history[step], &corrupt)) kept = step;
  for (int step = last; step >= synced && kept < 0 && health.degraded; step--)
    if (lacks_one(&seen, step)) kept = step;
  if (kept < 0) {
    char text[256] = "";
    for (int key = 0; key < KEYS; key++)
      snprintf(text + strlen(text), sizeof text - strlen(text), " %ld/%ld", (long)seen.of[key], (long)history[last].of[key]);
    CHECK(false, "%s: not a prefix of what was written:%s; %lu damaged, %lu dropped, degraded %u, synced %d", what, text,
          (unsigned long)health.damaged_records, (unsigned long)health.dropped_bytes, health.degraded, synced);
    return;
  }
  CHECK(kept >= synced, "%s: step %d was synced, only %d are left", what, synced, kept);
  CHECK(corrupt <= 1, "%s: %d keys are corrupt", what, corrupt);
  /* Where the header that reached the disk knows of more than was found, the loss can be told and must be. */
  if (kept < header_step)
    CHECK(health.dropped_bytes != 0 || health.damaged_records != 0 || health.degraded, "%s: steps dropped and no word of it",
          what);
  CHECK((uint64_t)corrupt <= health.corrupt_keys && (corrupt == 0 || health.damaged_records != 0),
        "%s: corrupt keys that the health check does not know", what);
  judge_phantom(settings, &seen, last, what);
  whole_cuts += kept == last && corrupt == 0;
  prefix_cuts += kept < last;
  corrupt_cuts += corrupt != 0;
  if (last - kept > deepest) deepest = last - kept;
}

/* Salts and times differ from run to run, so a cut that breaks a promise is kept where SATCHEL_KEEP names a folder. */
static void keep_when_broken(image bad, long failed_before, int round) {
  const char *folder_of_the_broken = getenv("SATCHEL_KEEP");
  if (folder_of_the_broken != NULL && checks_failed() > failed_before) {
    char name[4200];
    snprintf(name, sizeof name, "%s/power-%d-%ld.satchel", folder_of_the_broken, round, checks_failed());
    image_store(bad, bad.size, name);
    printf("     kept as %s\n", name);
  }
  image_free(&bad);
}

static void cut(chance *dice, size_t sector, int round) {
  /* The end: some event of the file that bears the name, after its first sync. A portable file is synced within every write,
     so there the end is the very moment at which a sync is asked for, with a step under way. */
  bool amid = portable_mode();
  int end = (int)chance_below(dice, (uint64_t)event_count);
  while (end >= 0 && (amid ? !events[end].named : events[end].synced)) end--;
  if (end < 0) return;
  int start = amid && events[end].synced ? end - 1 : end;
  while (start >= 0 && !(events[start].synced && events[start].inode == events[end].inode)) start--;
  if (!CHECK(start >= 0, "a file bears its name and was never synced")) return;
  int choices[EVENTS], count = 0;
  for (int i = start; i <= end; i++)
    if (events[i].inode == events[end].inode) choices[count++] = i;
  int last = events[end].step, synced = synced_step[last];
  if (amid && events[end].synced && last < STEPS) last++;

  size_t size = events[chance_below(dice, 4) == 0 ? start : end].bytes.size;
  image bad = {calloc(1, size), size};
  int header_step = last;
  uint64_t mood = chance_below(dice, 3);
  for (size_t at = 0; at < size; at += sector) {
    int chosen = choices[mood == 0                           ? (int)chance_below(dice, (uint64_t)count)
                         : chance_below(dice, mood * 4) == 0 ? (int)chance_below(dice, (uint64_t)count)
                                                             : count - 1];
    if (at == 0) header_step = events[chosen].step;
    image from = events[chosen].bytes;
    size_t part = sector < size - at ? sector : size - at;
    if (from.size > at) memcpy(bad.data + at, from.data + at, from.size - at < part ? from.size - at : part);
  }
  if (!amid) change_boot(bad.data);
  image_store(bad, bad.size, path);
  long failed_before = checks_failed();
  char what[96];
  snprintf(what, sizeof what, "trace %d, %zu-byte sectors, event %d to %d", round, sector, start, end);

  satchel_settings *observer = open_domain(folder, "power", SATCHEL_SETTINGS_READ_ONLY);
  if (observer == NULL) goto done;
  state privately = state_of(observer);
  satchel_settings_close(observer);
  satchel_settings *settings = open_domain(folder, "power", 0);
  if (settings == NULL) goto done;
  judge(settings, last, synced, header_step, what);
  state seen = state_of(settings);
  CHECK(memcmp(&seen, &privately, sizeof seen) == 0, "%s: a reader and a writer disagree", what);
  uint64_t revision = 0;
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "new", 42), what);
  CHECK_CODE(SATCHEL_OK, satchel_settings_revision(&revision, settings), what);
  CHECK(revision > revisions[header_step], "%s: revision %lu is given out twice (%lu before)", what, (unsigned long)revision,
        (unsigned long)revisions[header_step]);
  satchel_settings_close(settings);
  settings = open_domain(folder, "power", 0);
  if (settings == NULL) goto done;
  state again = state_of(settings);
  CHECK(memcmp(&seen, &again, sizeof seen) == 0 && integer_of(settings, "new", -1) == 42, "%s: opened again it differs", what);
  satchel_settings_close(settings);
done:
  keep_when_broken(bad, failed_before, round);
}

int main(int count, char **arguments) {
  checks_begin("power");
  int traces = count > 1 ? atoi(arguments[1]) : 60;
  chance dice = chance_of(count > 2 ? strtoull(arguments[2], NULL, 10) : 1);
  folder = scratch_folder("store");
  snprintf(path, sizeof path, "%s/power.satchel", folder);
  for (int round = 0; round < traces; round++) {
    round_begin();
    trace(&dice, round % 8 == 7);
    for (int i = 0; i < CUTS; i++) {
      round_next();
      cut(&dice, i % 2 == 0 ? 512 : 4096, round);
    }
    round_end();
  }
  printf(
      "%d power cuts: %ld kept all, %ld cut to a prefix (at most %ld steps), %ld with one record damaged, %ld with what a dead "
      "writer left\n",
      traces * CUTS, whole_cuts, prefix_cuts, deepest, corrupt_cuts, phantom_cuts);
  CHECK(prefix_cuts > 0, "no cut has lost anything: nothing was tried");
  return checks_finish();
}
