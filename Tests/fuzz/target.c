/*
 * The target: the fuzzer's bytes are a domain file. It is opened through the C interface, read, checked, written, compacted,
 * accepted and opened again. Besides crashes, hangs and reports of the sanitizers, these are faults:
 *   - a key answers a value that no frame with right CRCs in the file holds for it;
 *   - an acknowledged write does not read back, then, after a compaction, or after opening again;
 *   - opening for writing, which may recover the file, opening again, or compacting, changes what another key answers, or what
 *     the health check says of keys, damage and degradation.
 * The control byte in the page: 1 read-only, 2 of this boot, 4 without compaction, 8 accept damage first, 16 DISK.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image.h"
#include "satchel.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { READ_ONLY = 1, THIS_BOOT = 2, NO_COMPACTION = 4, ACCEPTS = 8, ON_DISK = 16 };
enum { KEY_ROOM = 256, LARGEST_FILE = 2 << 20 };

static char folder[64];
static char path[128];

static void fault(const char *what, const char *key) {
  fprintf(stderr, "FAULT: %s (key %s)\n", what, key);
  abort();
}

/* Copies put aside, and a compaction's half-made file. */
static void empty_folder(void) {
  DIR *entries = opendir(folder);
  if (entries == NULL) return;
  for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
    if (entry->d_name[0] != '.' || entry->d_name[1] > '.') unlinkat(dirfd(entries), entry->d_name, 0);
  }
  closedir(entries);
}

static void remove_folder(void) {
  empty_folder();
  rmdir(folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  snprintf(folder, sizeof folder, "/dev/shm/satchel-fuzz.%d", (int)getpid());
  snprintf(path, sizeof path, "%s/d.satchel", folder);
  /* One that crashed may have left it. */
  if (mkdir(folder, 0700) != 0 && errno != EEXIST) perror(folder), exit(1);
  empty_folder();
  atexit(remove_folder);
  /* A forged header may ask for gigabytes. */
  struct rlimit limit = {LARGEST_FILE, LARGEST_FILE};
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0) perror("setrlimit"), exit(1);
  return 0;
}

/* What every key answers, as canonical CBOR or a code, and what the health check says. */
typedef struct {
  size_t count;
  struct {
    char *key;
    satchel_buffer cbor;
    int code;
  } items[KEY_ROOM];
  satchel_settings_health health;
} answers;

static void free_answers(answers *all) {
  for (size_t i = 0; i < all->count; i++) {
    free(all->items[i].key);
    satchel_buffer_free(&all->items[i].cbor);
  }
  all->count = 0;
}

static satchel_buffer cbor_of(satchel_value *value) {
  satchel_buffer cbor = {NULL, 0};
  if (satchel_value_to_cbor(&cbor, value) != 0) cbor.data = NULL;
  satchel_value_free(value);
  return cbor;
}

static void read_all(satchel_settings *settings, answers *all) {
  satchel_cursor *cursor;
  all->count = 0;
  all->health = (satchel_settings_health)SATCHEL_SETTINGS_HEALTH_INIT;
  if (satchel_settings_health_check(&all->health, settings) != 0) fault("no health check", "");
  if (satchel_settings_keys(&cursor, settings) != 0) return;
  satchel_bytes key;
  while (satchel_cursor_next(&key, cursor) == 1 && all->count < KEY_ROOM) {
    satchel_value *value;
    satchel_settings_info info = SATCHEL_SETTINGS_INFO_INIT;
    satchel_buffer text;
    int64_t number;
    int has_info = satchel_settings_get_info(&info, settings, key.data);
    int has_number = satchel_settings_get_int64(&number, settings, key.data);
    (void)has_info, (void)has_number;
    if (satchel_settings_get_string(&text, settings, key.data) == 0) satchel_buffer_free(&text);
    int code = satchel_settings_get_value(&value, settings, key.data);
    all->items[all->count].key = strdup(key.data);
    all->items[all->count].code = code;
    all->items[all->count++].cbor = code == 0 ? cbor_of(value) : (satchel_buffer){NULL, 0};
  }
  satchel_cursor_free(cursor);
  if (all->count < KEY_ROOM && all->count != all->health.keys) fault("the health check counts other keys than are listed", "");
}

static bool is_same(satchel_buffer a, satchel_buffer b) {
  return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static bool is_held(const uint8_t *file, size_t size, uint32_t salt, const char *key, satchel_buffer cbor) {
  size_t length = strlen(key);
  for (size_t at = PAGE_BYTES; at + FRAME_BYTES <= size; at += 8) {
    const uint8_t *frame = file + at;
    if (frame[AT_OPERATION] != 1 || get16(frame + AT_KEY_LENGTH) != length) continue;
    if (!is_whole_frame(frame, size - at, salt) || memcmp(frame + FRAME_BYTES, key, length) != 0) continue;
    satchel_value *value;
    if (satchel_value_from_cbor(&value, satchel_blob(frame + FRAME_BYTES + length, value_length(frame))) != 0) continue;
    satchel_buffer held = cbor_of(value);
    bool same = is_same(held, cbor);
    satchel_buffer_free(&held);
    if (same) return true;
  }
  return false;
}

static void check_held(const uint8_t *file, size_t size, const answers *all) {
  const uint8_t *header = sound_header(file, size);
  for (size_t i = 0; i < all->count; i++) {
    if (all->items[i].code != 0) continue;
    if (header == NULL || !is_held(file, size, get32(header + AT_SALT), all->items[i].key, all->items[i].cbor)) {
      fault("a value that no sound frame holds", all->items[i].key);
    }
  }
}

static void check_same(const answers *before, const answers *after, const char *what) {
  for (size_t i = 0; i < before->count || i < after->count; i++) {
    if (i >= before->count) fault(what, after->items[i].key);
    if (i >= after->count) fault(what, before->items[i].key);
    if (strcmp(before->items[i].key, after->items[i].key) != 0) fault(what, before->items[i].key);
    if (before->items[i].code != after->items[i].code) fault(what, before->items[i].key);
    if (!is_same(before->items[i].cbor, after->items[i].cbor)) fault(what, before->items[i].key);
  }
  if (before->health.corrupt_keys != after->health.corrupt_keys) fault(what, "corrupt keys");
  if (before->health.degraded != after->health.degraded) fault(what, "degraded");
}

static int open_domain(satchel_settings **settings, uint32_t control) {
  satchel_settings_options options = SATCHEL_SETTINGS_OPTIONS_INIT;
  options.directory = folder;
  options.program = "fuzz";
  options.lock_timeout_ns = -1;
  options.flags = control & READ_ONLY ? SATCHEL_SETTINGS_READ_ONLY : SATCHEL_SETTINGS_NO_CREATE;
  options.durability = control & ON_DISK ? SATCHEL_DURABILITY_DISK : SATCHEL_DURABILITY_PROCESS;
  return satchel_settings_open(settings, "d", &options);
}

/* All that a writer does, each step compared with what was there before. */
static void exercise(satchel_settings *settings, uint32_t control) {
  static answers before, after;
  if (control & ACCEPTS && satchel_settings_accept(settings, NULL) == 0) {
    read_all(settings, &after);
    if (after.health.degraded || after.health.corrupt_keys > 0) fault("accepted, and not well", "");
    free_answers(&after);
  }
  int64_t sum = 0;
  bool wrote = satchel_settings_set_int64(settings, "fuzz.written", 4711) == 0;
  bool added = satchel_settings_add(&sum, settings, "fuzz.written", 1) == 0;
  if (wrote && added && sum != 4712) fault("a sum that is not one", "fuzz.written");
  satchel_transaction *transaction;
  if (satchel_settings_begin(&transaction, settings) == 0) {
    bool set = satchel_transaction_set_int64(transaction, "fuzz.one", 1) == 0;
    set = satchel_transaction_set_string(transaction, "fuzz.two", satchel_text("two")) == 0 && set;
    if (satchel_transaction_commit(NULL, transaction) == 0 && set && satchel_settings_contains(settings, "fuzz.two") != 1) {
      fault("a transaction that does not read back", "fuzz.two");
    }
  }
  read_all(settings, &before);
  if (!(control & NO_COMPACTION) && satchel_settings_compact(settings) == 0) {
    read_all(settings, &after);
    check_same(&before, &after, "a compaction changed what a key answers");
    free_answers(&after);
    wrote = satchel_settings_set_int64(settings, "fuzz.written", 4712) == 0;
  }
  int64_t number = 0;
  int result = satchel_settings_get_int64(&number, settings, "fuzz.written");
  if (wrote && (result != 0 || number != 4712)) fault("a write that does not read back", "fuzz.written");
  satchel_settings_close(settings);
  if (open_domain(&settings, control | READ_ONLY) == 0) {
    read_all(settings, &after);
    check_same(&before, &after, "opening again changed what a key answers");
    free_answers(&after);
    satchel_settings_close(settings);
  } else {
    fault("what was written cannot be opened again", "");
  }
  free_answers(&before);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static answers all;
  uint8_t *file = malloc(size + 1);
  if (file == NULL) return 0;
  memcpy(file, data, size);
  uint32_t control = size >= PAGE_BYTES ? file[AT_CONTROL] : 0;
  if (size >= PAGE_BYTES) {
    if (control & THIS_BOOT) put64(file + AT_BOOT, boot_hash());
    /* An owner of this boot may be alive, and then waiting is right: only free locks and owners of another boot. */
    uint64_t lock = get64(file + AT_LOCK);
    if ((lock >> 36 & 0x3FFF) == (boot_hash() & 0x3FFF)) put64(file + AT_LOCK, 0);
  }
  int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (descriptor < 0 || write(descriptor, file, size) != (ssize_t)size) perror(path), exit(1);
  close(descriptor);

  satchel_settings *settings;
  int code = open_domain(&settings, control | READ_ONLY);
  if (code == 0) {
    read_all(settings, &all);
    check_held(file, size, &all);
    if (satchel_settings_set_int64(settings, "fuzz.written", 1) == 0) fault("a read-only handle wrote", "fuzz.written");
    satchel_settings_close(settings);
  }
  if (!(control & READ_ONLY)) {
    int other = open_domain(&settings, control);
    if (size >= PAGE_BYTES && other != code) fault("a reader and a writer do not open alike", "");
    if (other == 0) {
      static answers recovered;
      read_all(settings, &recovered);
      if (code == 0) check_same(&all, &recovered, "opening for writing changed what a key answers");
      if (code == 0 && all.health.damaged_records != recovered.health.damaged_records) fault("a recovery forgot damage", "");
      free_answers(&recovered);
      exercise(settings, control);
    }
  }
  free_answers(&all);
  empty_folder();
  free(file);
  return 0;
}
