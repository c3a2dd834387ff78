/*
 * Compaction where it is awkward: file systems that cannot allocate, names that leave no room for another, a file put in
 * place by somebody else, a lock that somebody holds while a handle is closed; and what it must give back.
 */
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "support.h"

enum { KEYS = 100 };

static void set_keys(satchel_settings *settings, int64_t value) {
  char key[32];
  for (int i = 0; i < KEYS; i++) {
    snprintf(key, sizeof key, "key.%d", i);
    CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, key, value + i), key);
  }
}

static void keys_hold(satchel_settings *settings, int64_t value, const char *when) {
  char key[32];
  for (int i = 0; i < KEYS; i++) {
    snprintf(key, sizeof key, "key.%d", i);
    CHECK(integer_of(settings, key, -1) == value + i, "%s: %s is %lld", when, key, (long long)integer_of(settings, key, -1));
  }
}

/* A file system that has no fallocate: zeros are written there instead, and not over what has been written before. */
static void without_fallocate(void *context) {
  const char *place = context;
  if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
      mount("satchel-test", place, "ramfs", 0, NULL) != 0) {
    skipped("no file system without fallocate: %s", strerror(errno));
    return;
  }
  satchel_settings *settings = open_domain(place, "plain", 0);
  set_keys(settings, 0);
  set_keys(settings, 1000);
  CHECK_CODE(SATCHEL_OK, satchel_settings_compact(settings), "compact");
  keys_hold(settings, 1000, "compacted");
  set_keys(settings, 2000);
  satchel_settings_close(settings);
  settings = open_domain(place, "plain", 0);
  keys_hold(settings, 2000, "opened again");
  CHECK(health_of(settings).damaged_records == 0, "damaged");
  satchel_settings_close(settings);
}

/* The longest names leave no room for longer ones beside them: twice, so that the second needs one that is longer still. */
static void long_name(const char *folder, int length) {
  char name[248], path[4500];
  memset(name, 'x', (size_t)length);
  name[length] = '\0';
  satchel_settings *settings = open_domain(folder, name, 0);
  set_keys(settings, 0);
  CHECK_CODE(SATCHEL_OK, satchel_settings_compact(settings), "compact");
  keys_hold(settings, 0, "a long name");
  satchel_settings_close(settings);
  snprintf(path, sizeof path, "%s/%s.satchel", folder, name);
  int before = entries_with(folder, ".damaged-0-");
  for (int i = 1; i <= 3; i++) {
    CHECK(truncate(path, 0) == 0, "emptied: %s", strerror(errno));
    settings = open_domain(folder, name, 0);
    CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "a", 1), "in place of the empty file");
    CHECK(entries_with(folder, ".damaged-0-") == before + i, "an empty file with a name of %d bytes was not put aside", length);
    satchel_settings_close(settings);
  }
}

/* From where the hash comes into the name beside it to the longest of all. */
static void long_names(const char *folder) {
  for (int length = 205; length <= 247; length++) long_name(folder, length);
}

/* Descriptors of this process that lead to files without a name. */
static int files_without_name(void) {
  char link[300], target[4096];
  int found = 0;
  DIR *folder = opendir("/proc/self/fd");
  for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
    snprintf(link, sizeof link, "/proc/self/fd/%s", entry->d_name);
    ssize_t size = readlink(link, target, sizeof target - 1);
    if (size <= 0) continue;
    target[size] = '\0';
    if (strstr(target, ".satchel") != NULL && strstr(target, "(deleted)") != NULL) found++;
  }
  if (folder != NULL) closedir(folder);
  return found;
}

static void gives_back(const char *folder) {
  satchel_settings *settings = open_domain(folder, "back", 0), *other = open_domain(folder, "back", 0);
  set_keys(settings, 0);
  CHECK_CODE(SATCHEL_OK, satchel_settings_compact(settings), "compact");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(other, "key.0", 0), "a write of the other handle");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(other, "key.0", 0), "and another");
  CHECK(files_without_name() == 0, "%d replaced files are still held", files_without_name());
  keys_hold(settings, 0, "given back");
  satchel_settings_close(settings);
  satchel_settings_close(other);
}

/* Files whose records end near the end of the room, and just there: no room is left to be given, and none is asked for. */
static void full_to_the_byte(const char *folder) {
  enum { ROOM = 64 << 10, STEP = 8 };
  static char text[ROOM];
  char path[4500];
  snprintf(path, sizeof path, "%s/brimful.satchel", folder);
  memset(text, 'x', sizeof text);
  for (size_t size = ROOM - 5000; size < ROOM - 3800; size += STEP) {
    satchel_settings *settings = open_domain(folder, "brimful", 0);
    satchel_bytes value = {text, size};
    CHECK_CODE(SATCHEL_OK, satchel_settings_set_string(settings, "text", value), "set");
    CHECK_CODE(SATCHEL_OK, satchel_settings_compact(settings), "compact");
    CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "more", 1), "a write after it");
    CHECK(integer_of(settings, "more", 0) == 1, "the write after it is lost");
    satchel_settings_close(settings);
    unlink(path);
  }
}

/* What another program has put under the name is not replaced by what was there before. */
static void put_in_place(const char *folder) {
  char from[4500], to[4500];
  snprintf(from, sizeof from, "%s/theirs.satchel", folder);
  snprintf(to, sizeof to, "%s/ours.satchel", folder);
  satchel_settings *settings = open_domain(folder, "theirs", 0);
  set_keys(settings, 500);
  satchel_settings_close(settings);
  settings = open_domain(folder, "ours", 0);
  set_keys(settings, 0);
  CHECK(rename(from, to) == 0, "rename: %s", strerror(errno));
  (void)!satchel_settings_compact(settings);
  satchel_settings_close(settings);
  settings = open_domain(folder, "ours", 0);
  keys_hold(settings, 500, "put in place");
  satchel_settings_close(settings);
}

/* Somebody holds the lock for as long as it takes; whoever closes after many writes does not wait for that. */
static volatile int *stage;

static void close_beside(void *context) {
  satchel_settings *settings = NULL;
  CHECK_CODE(SATCHEL_OK, open_with(&settings, context, "held", 0, INT64_C(60000000000)), "open");
  for (int i = 0; i < 40; i++) set_keys(settings, i);
  *stage = 1;
  while (*stage != 2) sleep_ms(1);
  satchel_settings_close(settings);
}

static void close_while_locked(const char *folder) {
  stage = shared_memory(sizeof *stage);
  pid_t child = child_start(close_beside, (void *)(uintptr_t)folder);
  while (*stage != 1) sleep_ms(1);
  satchel_transaction *transaction = NULL;
  satchel_settings *settings = open_domain(folder, "held", 0);
  CHECK_CODE(SATCHEL_OK, satchel_settings_begin(&transaction, settings), "begin");
  *stage = 2;
  child_end_well(child, 30, "closing while another one is inside a transaction");
  satchel_transaction_rollback(transaction);
  satchel_settings_close(settings);
}

static void tried(void (*body)(const char *), const char *folder) {
  round_begin();
  body(folder);
  round_end();
}

int main(void) {
  checks_begin("compaction");
  child_round(without_fallocate, (void *)(uintptr_t)scratch_folder("ramfs"), 60, "without fallocate");
  tried(long_names, scratch_folder("long"));
  tried(gives_back, scratch_folder("back"));
  tried(full_to_the_byte, scratch_folder("full"));
  tried(put_in_place, scratch_folder("place"));
  tried(close_while_locked, scratch_folder("held"));
  return checks_finish();
}
