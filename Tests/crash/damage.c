/*
 * Flips every byte of a small store and cuts it at every length, with and without a reboot in between.
 *
 * A flip may take the one record it lies in, never more: that record's key answers CORRUPT rather than an older value, and
 * the health check says so. A cut leaves an exact prefix of what was committed; one inside the header leaves nothing that could be
 * taken for a domain: it is refused, and the file stays as it is. Whatever happened: never a value that was
 * never written, a read-only opener agrees with a writer, writing goes on, opening again changes nothing, compaction keeps
 * the mark, and satchel_settings_accept gives the older value.
 *
 * Usage: damage [all | some]. With `all` each of the eight bits is flipped by itself, else one random pattern and 0xff; with
 * `some` at every eighth place only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "format.h"
#include "support.h"

static size_t stride = 1; /* between the places that are tried */

enum { KEYS = 10, ROOM = 256, ABSENT = -1, CORRUPT = -2, OTHER = -3 };

/* What every key holds: the number, or one of the names above. */
typedef struct {
  int64_t of[KEYS];
} state;

/* One frame of the log or snapshot and what it does to the keys. */
typedef struct {
  frame frame;
  int key; /* -1 for a note */
  int64_t value;
} record;

typedef struct {
  const char *name;
  image file;
  record records[ROOM];
  size_t count;
  size_t log; /* index of the first record of the log */
  size_t end; /* committed */
} store;

static const char *folder;
static char path[4096];
static long cases, lost_one, reported_cases, refused, prefixes;

static void key_name(char out[32], int key) { snprintf(out, 32, "key.%d", key); }

static int64_t value_of(satchel_settings *settings, int key) {
  char name[32];
  int64_t value = 0;
  key_name(name, key);
  int code = satchel_settings_get_int64(&value, settings, name);
  if (code == SATCHEL_OK) return value;
  if (code == SATCHEL_ENOTFOUND) return ABSENT;
  return code == SATCHEL_ECORRUPT ? CORRUPT : OTHER;
}

static state state_of(satchel_settings *settings) {
  state result;
  for (int key = 0; key < KEYS; key++) result.of[key] = value_of(settings, key);
  return result;
}

static bool same(const state *left, const state *right) { return memcmp(left, right, sizeof *left) == 0; }

/* The first key in which two states differ, in words. */
static const char *difference(const state *seen, const state *expected) {
  static char text[128];
  for (int key = 0; key < KEYS; key++)
    if (seen->of[key] != expected->of[key]) {
      snprintf(text, sizeof text, "key.%d is %ld, not %ld", key, (long)seen->of[key], (long)expected->of[key]);
      return text;
    }
  return "the same";
}

/* MARK: The stores */

/* Which key a frame is about, by its text. */
static int key_of(const unsigned char *bytes) {
  int length = bytes[56] | bytes[57] << 8;
  int key = -1;
  char text[32] = "";
  if (length > 0 && length < (int)sizeof text) memcpy(text, bytes + FRAME_HEADER, (size_t)length);
  return sscanf(text, "key.%d", &key) == 1 ? key : -1;
}

/* The integers used here take one CBOR head: 1000 ... 1999 are 19 03e8 ... 19 07cf. */
static int64_t value_in(const unsigned char *bytes) {
  int length = bytes[56] | bytes[57] << 8;
  const unsigned char *value = bytes + FRAME_HEADER + length;
  return bytes[58] == 1 && value[0] == 0x19 ? value[1] << 8 | value[2] : ABSENT;
}

static void describe(store *store, const char *name) {
  store->name = name;
  store->file = image_load(path);
  static frame frames[ROOM];
  store->count = frames_of(store->file.data, frames, ROOM);
  store->end = commit_length(word_at(store->file.data, AT_COMMITTED));
  store->log = 0;
  for (size_t i = 0; i < store->count; i++) {
    const unsigned char *bytes = store->file.data + frames[i].offset;
    store->records[i] = (record){frames[i], frames[i].operation == 4 ? -1 : key_of(bytes), value_in(bytes)};
    if (frames[i].offset < word_at(store->file.data, AT_HISTORY_END)) store->log = i + 1;
  }
}

static void write_some(satchel_settings *settings, int from, int to) {
  for (int step = from; step < to; step++) {
    char name[32], other[32];
    key_name(name, step * 7 % KEYS);
    key_name(other, (step * 7 + 3) % KEYS);
    if (step % 11 == 10) {
      ignore(satchel_settings_remove(settings, name));
    } else if (step % 5 == 4) {
      satchel_transaction *transaction = NULL;
      CHECK_CODE(SATCHEL_OK, satchel_settings_begin(&transaction, settings), "begin");
      CHECK_CODE(SATCHEL_OK, satchel_transaction_set_int64(transaction, name, 1000 + 2 * step), "set");
      CHECK_CODE(SATCHEL_OK, satchel_transaction_set_int64(transaction, other, 1001 + 2 * step), "set");
      CHECK_CODE(SATCHEL_OK, satchel_transaction_commit(NULL, transaction), "commit");
    } else {
      CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, name, 1000 + 2 * step), "set");
    }
  }
}

/* A log only, all of it beyond `durable`; the same, synced; and a snapshot, history and log. */
static void build(store *out, int kind) {
  static const char *const names[] = {"log", "synced log", "compacted"};
  unlink(path);
  satchel_settings *settings = open_domain(folder, "damage", 0);
  mode_is_as_told(settings);
  write_some(settings, 0, 30);
  if (kind == 1) CHECK_CODE(SATCHEL_OK, satchel_settings_sync(settings), "sync");
  if (kind == 2) {
    CHECK_CODE(SATCHEL_OK, satchel_settings_compact(settings), "compact");
    write_some(settings, 30, 42);
  }
  satchel_settings_close(settings);
  describe(out, names[kind]);
  state now, expected = {{0}};
  for (int key = 0; key < KEYS; key++) expected.of[key] = ABSENT;
  for (size_t i = 0; i < out->count; i++)
    if (out->records[i].key >= 0) expected.of[out->records[i].key] = out->records[i].value;
  settings = open_domain(folder, "damage", SATCHEL_SETTINGS_READ_ONLY);
  now = state_of(settings);
  satchel_settings_close(settings);
  CHECK(same(&now, &expected), "%s: the file does not say what the library says", out->name);
  CHECK(out->count >= 20, "%s: only %zu frames", out->name, out->count);
}

/* The state after the first `count` records, without record `without` (its key then answers `instead`). */
static state replay(const store *store, size_t count, size_t without, int64_t instead) {
  state result;
  for (int key = 0; key < KEYS; key++) result.of[key] = ABSENT;
  for (size_t i = 0; i < count; i++) {
    int key = store->records[i].key;
    if (key >= 0) result.of[key] = i == without ? instead : store->records[i].value;
  }
  return result;
}

/* The newest undamaged value of the key of record `without`. */
static int64_t older(const store *store, size_t without) {
  int64_t value = ABSENT;
  for (size_t i = 0; i < store->count; i++)
    if (i != without && store->records[i].key == store->records[without].key) value = store->records[i].value;
  return value;
}

static size_t record_at(const store *store, size_t offset) {
  for (size_t i = 0; i < store->count; i++)
    if (offset >= store->records[i].frame.offset && offset < store->records[i].frame.offset + store->records[i].frame.size)
      return i;
  return SIZE_MAX;
}

static bool tells(const satchel_settings_health *health) {
  return health->damaged_records != 0 || health->corrupt_keys != 0 || health->dropped_bytes != 0 || health->degraded != 0;
}

/* MARK: One case */

typedef struct {
  const char *what;
  long at;
  int detail;
} place;

static bool writes_go_on(satchel_settings *settings, place place) {
  return CHECK(satchel_settings_set_int64(settings, "new", 42) == SATCHEL_OK && integer_of(settings, "new", -1) == 42,
               "%s %d at %ld: cannot write after it: %s", place.what, place.detail, place.at, satchel_last_error()->message);
}

/*
 * After a flip in record `hit` (SIZE_MAX: in none). `cut_allowed`: beyond the last sync a reboot may end the log at the hole.
 * One damaged byte always leaves the key of its record known, so its key must be CORRUPT and nothing may be degraded.
 */
static void judge_flip(const store *store, satchel_settings *settings, size_t hit, bool cut_allowed, place place) {
  state now = state_of(settings), whole = replay(store, store->count, SIZE_MAX, 0);
  satchel_settings_health health = health_of(settings);
  if (hit != SIZE_MAX)
    CHECK(tells(&health), "%s %d at %ld: a damaged record and no word of it", place.what, place.detail, place.at);
  if (same(&now, &whole)) return;
  if (hit != SIZE_MAX) {
    state without = replay(store, store->count, hit, CORRUPT);
    if (same(&now, &without)) {
      lost_one++;
      CHECK(health.corrupt_keys == 1 && !health.degraded, "%s %d at %ld: %lu corrupt keys said, degraded %u", place.what,
            place.detail, place.at, (unsigned long)health.corrupt_keys, health.degraded);
      return;
    }
    /* The end of the log: a hole after a reboot. */
    if (cut_allowed)
      for (size_t count = store->log; count <= hit; count++) {
        without = replay(store, count, SIZE_MAX, 0);
        bool inside = count > 0 && store->records[count - 1].frame.more;
        if (inside || !same(&now, &without)) continue;
        prefixes++;
        return;
      }
  }
  CHECK(false, "%s %d at %ld (record %ld): the state is neither whole nor without that record; degraded %u", place.what,
        place.detail, place.at, hit == SIZE_MAX ? -1 : (long)hit, health.degraded);
}

static void judge_cut(const store *store, satchel_settings *settings, size_t length, place place) {
  state now = state_of(settings);
  size_t whole = 0;
  while (whole < store->count && store->records[whole].frame.offset + store->records[whole].frame.size <= length) whole++;
  /* A transaction that was cut has never been. */
  while (whole > store->log && store->records[whole - 1].frame.more) whole--;
  state expected = replay(store, whole, SIZE_MAX, 0);
  CHECK(same(&now, &expected), "%s %d at %ld: not the prefix of %zu records: %s", place.what, place.detail, place.at, whole,
        difference(&now, &expected));
  satchel_settings_health health = health_of(settings);
  if (length < store->end && whole < store->count)
    CHECK(tells(&health), "%s %d at %ld: records cut off and no word of it", place.what, place.detail, place.at);
  prefixes += whole < store->count;
}

/* Opens what lies at `path` in every way. `hit` as above; `length` is SIZE_MAX for flips. */
static void one(const store *store, size_t hit, size_t length, bool cut_allowed, bool may_refuse, place place) {
  cases++;
  state observed = {{0}};
  bool seen = false;
  satchel_settings *settings = NULL;
  image before = image_load(path);
  int code = open_with(&settings, folder, "damage", SATCHEL_SETTINGS_READ_ONLY, 0);
  if (code == SATCHEL_OK) {
    if (length == SIZE_MAX) judge_flip(store, settings, hit, cut_allowed, place);
    else judge_cut(store, settings, length, place);
    observed = state_of(settings);
    seen = true;
    satchel_settings_close(settings);
  } else {
    CHECK(may_refuse, "%s %d at %ld: read-only open: %s", place.what, place.detail, place.at, satchel_error_name(code));
  }
  image after = image_load(path);
  CHECK(image_same(before, after), "%s %d at %ld: a read-only opener has written", place.what, place.detail, place.at);
  image_free(&before);
  image_free(&after);

  code = open_with(&settings, folder, "damage", 0, 0);
  if (code != SATCHEL_OK) {
    refused++;
    CHECK(may_refuse, "%s %d at %ld: open: %s", place.what, place.detail, place.at, satchel_error_name(code));
    return;
  }
  if (length == SIZE_MAX) judge_flip(store, settings, hit, cut_allowed, place);
  else if (length >= HEADER_BYTES) judge_cut(store, settings, length, place);
  state now = state_of(settings), again;
  CHECK(!seen || same(&now, &observed), "%s %d at %ld: a reader and a writer disagree: %s", place.what, place.detail, place.at,
        difference(&now, &observed));
  satchel_settings_health said = health_of(settings);
  reported_cases += tells(&said);
  if (!writes_go_on(settings, place)) {
    satchel_settings_close(settings);
    return;
  }
  satchel_settings_close(settings);

  settings = open_domain(folder, "damage", 0);
  if (settings == NULL) return;
  again = state_of(settings);
  CHECK(same(&now, &again), "%s %d at %ld: opened again it differs", place.what, place.detail, place.at);
  satchel_settings_health later = health_of(settings);
  CHECK(tells(&said) == tells(&later), "%s %d at %ld: opened again it tells something else", place.what, place.detail,
        place.at);
  CHECK_CODE(SATCHEL_OK, satchel_settings_compact(settings), place.what);
  again = state_of(settings);
  CHECK(same(&now, &again), "%s %d at %ld: compaction changed the state", place.what, place.detail, place.at);
  later = health_of(settings);
  CHECK(later.corrupt_keys == said.corrupt_keys && later.degraded == said.degraded,
        "%s %d at %ld: compaction forgot the marks (%lu keys, %u; before %lu, %u)", place.what, place.detail, place.at,
        (unsigned long)later.corrupt_keys, later.degraded, (unsigned long)said.corrupt_keys, said.degraded);
  satchel_settings_close(settings);
}

/* A folder of its own for each, since originals are kept aside. */
static void clear(void) {
  remove_all(folder);
  if (mkdir(folder, 0700) != 0) abort();
}

/* MARK: Flips */

static void flip(const store *store, size_t at, unsigned char pattern, bool reboot, const char *what) {
  image bad = image_copy(store->file);
  bad.data[at] ^= pattern;
  if (reboot) change_boot(bad.data);
  clear();
  image_store(bad, bad.size, path);
  size_t hit = at < HEADER_BYTES ? SIZE_MAX : record_at(store, at);
  size_t durable = commit_length(word_at(store->file.data, AT_DURABLE));
  /* Version 1 with a bit flipped may look like a newer one in neither copy: its CRC is wrong then. */
  bool cut_allowed = reboot && hit != SIZE_MAX && store->records[hit].frame.offset >= durable;
  round_begin();
  one(store, hit, SIZE_MAX, cut_allowed, false, (place){what, (long)at, pattern});
  round_end();
  image_free(&bad);
}

static void flips(const store *store, bool all_bits, bool reboot, uint64_t seed) {
  cases = lost_one = reported_cases = refused = prefixes = 0;
  char what[64];
  snprintf(what, sizeof what, "%s, flip%s", store->name, reboot ? " and reboot" : "");
  chance dice = chance_of(seed);
  for (size_t at = chance_below(&dice, stride); at < store->end + 64 && at < store->file.size; at += stride) {
    /* The zeros of the header page are ignored by definition; a few of them are tried all the same. */
    bool idle = (at >= AT_DURABLE + 8 && at < AT_COPY) || (at >= AT_COPY + HEADER_COPIED && at < HEADER_BYTES);
    if (idle && at % 256 != 0) continue;
    if (all_bits) {
      for (int bit = 0; bit < 8; bit++) flip(store, at, (unsigned char)(1 << bit), reboot, what);
    } else {
      flip(store, at, (unsigned char)(1 + chance_below(&dice, 254)), reboot, what);
      if (at < HEADER_BYTES || at % 3 == 0) flip(store, at, 0xff, reboot, what);
    }
  }
  printf("%s: %ld cases, %ld lost one record, %ld reported, %ld cut, %ld refused\n", what, cases, lost_one, reported_cases,
         prefixes, refused);
  CHECK(lost_one > 0, "%s: no flip has hit anything", what);
}

/* MARK: Cuts */

/* A crash leaves no file that ends inside its header: what does is refused, whoever opens it, and stays as it is. */
static void refused_whole(place place) {
  static const uint32_t flags[] = {SATCHEL_SETTINGS_READ_ONLY, SATCHEL_SETTINGS_NO_CREATE, 0};
  cases++;
  image before = image_load(path);
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
    satchel_settings *settings = NULL;
    int code = open_with(&settings, folder, "damage", flags[i], 0);
    CHECK(code == SATCHEL_ECORRUPT, "%s at %ld: open with flags %u: %s", place.what, place.at, flags[i],
          satchel_error_name(code));
    satchel_settings_close(settings);
    refused++;
  }
  image after = image_load(path);
  CHECK(image_same(before, after) && entries_with(folder, "damage.satchel") == 1, "%s at %ld: it was changed or put aside",
        place.what, place.at);
  image_free(&before);
  image_free(&after);
}

static void cuts(const store *store, bool reboot) {
  cases = lost_one = reported_cases = refused = prefixes = 0;
  char what[64];
  snprintf(what, sizeof what, "%s, cut%s", store->name, reboot ? " and reboot" : "");
  for (size_t length = 0; length <= store->end + 64; length += stride) {
    if (length < HEADER_BYTES && length % 16 > 1) continue; /* all of these are refused alike */
    image bad = image_copy(store->file);
    if (reboot && length > AT_BOOT) change_boot(bad.data);
    clear();
    image_store(bad, length, path);
    place place = {what, (long)length, 0};
    round_begin();
    if (length > 0 && length < HEADER_BYTES) refused_whole(place);
    else one(store, SIZE_MAX, length, false, length == 0, place);
    if (length == 0) CHECK(entries_with(folder, ".damaged-0-") == 1, "%s: an empty file was not put aside", what);
    round_end();
    image_free(&bad);
  }
  printf("%s: %ld cases, %ld cut to a prefix, %ld reported, %ld refused\n", what, cases, prefixes, reported_cases, refused);
}

/* MARK: Accepting */

/* Damages the value of a record that has an older one, and of one that has none; accepts; the older one answers. */
static void accepting(const store *store) {
  int accepted = 0;
  for (size_t hit = store->log; hit < store->count; hit++) {
    const record *record = &store->records[hit];
    state whole = replay(store, store->count, SIZE_MAX, 0), without = replay(store, store->count, hit, CORRUPT);
    if (record->key < 0 || record->frame.operation != 1 || same(&whole, &without)) continue;
    char name[32];
    key_name(name, record->key);
    for (int compacted = 0; compacted < 2; compacted++)
      for (int all = 0; all < 2; all++) {
        round_begin();
        image bad = image_copy(store->file);
        bad.data[record->frame.offset + FRAME_HEADER + strlen(name) + 2] ^= 0x10;
        clear();
        image_store(bad, bad.size, path);
        image_free(&bad);
        satchel_settings *settings = open_domain(folder, "damage", 0);
        satchel_settings_info info = SATCHEL_SETTINGS_INFO_INIT;
        CHECK(value_of(settings, record->key) == CORRUPT, "accept: %s is not corrupt", name);
        CHECK_CODE(SATCHEL_ECORRUPT, satchel_settings_get_info(&info, settings, name), "info of a corrupt key");
        CHECK_CODE(SATCHEL_ENOTFOUND, satchel_settings_accept(settings, "no such key"), "accepting what is not damaged");
        if (compacted) {
          CHECK_CODE(SATCHEL_OK, satchel_settings_compact(settings), "compact");
          CHECK(value_of(settings, record->key) == CORRUPT, "accept: compaction forgot the mark of %s", name);
          CHECK(entries_with(folder, ".damaged-") >= 1, "accept: the original was not kept aside");
        }
        CHECK_CODE(SATCHEL_OK, satchel_settings_accept(settings, all ? NULL : name), name);
        int64_t value = value_of(settings, record->key), expected = older(store, hit);
        CHECK(value == expected, "accept%s%s: %s is %ld, not the older %ld", compacted ? " after compaction" : "",
              all ? ", all" : "", name, (long)value, (long)expected);
        satchel_settings_health health = health_of(settings);
        CHECK(health.corrupt_keys == 0, "accept: %lu keys are corrupt still", (unsigned long)health.corrupt_keys);
        satchel_settings_close(settings);
        settings = open_domain(folder, "damage", 0);
        CHECK(value_of(settings, record->key) == expected, "accept: another value after opening again");
        /* A corrupt key may simply be written again, too. */
        CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, name, 7), name);
        CHECK(value_of(settings, record->key) == 7, "a new value is not read");
        satchel_settings_close(settings);
        round_end();
        accepted++;
      }
  }
  CHECK(accepted >= 4, "%s: only %d records were accepted", store->name, accepted);
}

/* A corrupt key that is written again is healthy, without anybody accepting anything. */
static void written_again(const store *store) {
  size_t hit = store->count - 1;
  while (hit > 0 && store->records[hit].key < 0) hit--;
  char name[32];
  key_name(name, store->records[hit].key);
  image bad = image_copy(store->file);
  bad.data[store->records[hit].frame.offset + FRAME_HEADER + strlen(name)] ^= 0x10;
  clear();
  image_store(bad, bad.size, path);
  image_free(&bad);
  satchel_settings *settings = open_domain(folder, "damage", 0);
  CHECK(value_of(settings, store->records[hit].key) == CORRUPT, "%s is not corrupt", name);
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, name, 7), name);
  CHECK(value_of(settings, store->records[hit].key) == 7 && health_of(settings).corrupt_keys == 0, "%s is not well again",
        name);
  satchel_settings_close(settings);
}

/* MARK: The whole */

typedef struct {
  const store *store;
  int part;
  bool all_bits;
} job;

/* Each part in a child: one that dies takes only itself along. */
static void run(void *context) {
  const job *job = context;
  bool reboot = (job->part & 1) != 0;
  if (job->part < 2) flips(job->store, job->all_bits, reboot, 1);
  else if (job->part < 4) cuts(job->store, reboot);
  else {
    accepting(job->store);
    written_again(job->store);
  }
}

int main(int count, char **arguments) {
  checks_begin("damage");
  bool all_bits = count > 1 && strcmp(arguments[1], "all") == 0;
  if (count > 1 && strcmp(arguments[1], "some") == 0) stride = 8;
  folder = scratch_folder("store");
  snprintf(path, sizeof path, "%s/damage.satchel", folder);
  for (int kind = 0; kind < 3; kind++) {
    static store store;
    build(&store, kind);
    for (int part = 0; part < 5; part++) {
      if (portable_mode() && (part == 1 || part == 3)) continue; /* no boot is asked for */
      job job = {&store, part, all_bits};
      child_end_well(child_start(run, &job), all_bits ? 3600 : 300, store.name);
    }
    image_free(&store.file);
  }
  return checks_finish();
}
