/*
 * Disks that are full, limits on file size, read-only disks and folders without permission.
 *
 * Promised: an error for that write and nothing lost; reads go on, the read-only opener's among them; a full disk can be
 * compacted; once there is room, writing goes on; never SIGBUS and never SIGXFSZ.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

enum { VALUE = 1000, BOUND = 200000 };

static char place[4096];

/* Mounts of our own, gone with this process. */
static bool private_mounts(void) {
  if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) {
    skipped("no mounts of our own: %s", strerror(errno));
    return false;
  }
  return true;
}

static int set_number(satchel_settings *settings, const char *key, int number) {
  char bytes[VALUE];
  memset(bytes, 'x', sizeof bytes);
  memcpy(bytes, &number, sizeof number);
  return satchel_settings_set_data(settings, key, satchel_blob(bytes, sizeof bytes));
}

static int number_of(satchel_settings *settings, const char *key) {
  char bytes[VALUE];
  size_t size = 0;
  int number = -1;
  if (satchel_settings_copy_bytes(bytes, sizeof bytes, &size, settings, key) != SATCHEL_OK || size != VALUE) return -1;
  memcpy(&number, bytes, sizeof number);
  return number;
}

/* Sets one key until that fails; how often it worked. */
static int fill_one(satchel_settings *settings, const char *key, int *code) {
  int sets = 0;
  while (sets < BOUND && (*code = set_number(settings, key, sets)) == SATCHEL_OK) sets++;
  return sets;
}

/* MARK: A full disk */

/* What takes the rest of the disk away, to the last byte. */
static void eat_the_disk(const char *directory) {
  char path[4200];
  static const char zeros[4096];
  snprintf(path, sizeof path, "%s/eater", directory);
  int file = open(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return;
  for (size_t size = sizeof zeros; size > 0; size /= 2)
    for (int turn = 0; turn < 100000 && write(file, zeros, size) > 0; turn++);
  close(file);
}

typedef struct {
  const char *size;
  bool eaten; /* by others; else the store fills the disk alone */
} disk;

static void full_disk(void *context) {
  const disk *disk = context;
  char size[64];
  snprintf(size, sizeof size, "%s%s", disk->size, disk->eaten ? " filled by others" : " filled by the store");
  if (!private_mounts()) return;
  char options[64], eater[4200];
  snprintf(options, sizeof options, "size=%s", disk->size);
  if (mount("satchel-test", place, "tmpfs", 0, options) != 0) {
    skipped("no tmpfs: %s", strerror(errno));
    return;
  }
  snprintf(eater, sizeof eater, "%s/eater", place);
  satchel_settings *settings = open_domain(place, "full", 0);
  satchel_settings *observer = open_domain(place, "full", SATCHEL_SETTINGS_READ_ONLY);
  if (settings == NULL || observer == NULL) return;
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "first", 1), size);
  if (disk->eaten) eat_the_disk(place);
  /* Compaction by itself may make room for ever for a key that is only overwritten; then other keys fill the disk. */
  int code = 0, sets = fill_one(settings, "key", &code);
  bool compacts_by_itself = sets == BOUND;
  int keys = 0;
  char key[32];
  if (compacts_by_itself) {
    for (; keys < BOUND; keys++) {
      snprintf(key, sizeof key, "key.%d", keys);
      if ((code = set_number(settings, key, keys)) != SATCHEL_OK) break;
    }
  }
  CHECK_CODE(SATCHEL_EFULL, code, "a set on a full disk");
  CHECK(sets + keys > 10, "%s: only %d sets before the disk was full", size, sets + keys);
  for (int turn = 0; turn < 20; turn++) {
    code = set_number(settings, "another", turn);
    CHECK(code == SATCHEL_EFULL || code == SATCHEL_OK, "%s: a later set gives %s", size, satchel_error_name(code));
  }
  CHECK(number_of(settings, "key") == sets - 1, "%s: the last acknowledged value is %d, not %d", size,
        number_of(settings, "key"), sets - 1);
  CHECK(number_of(observer, "key") == sets - 1, "%s: the read-only opener reads %d, not %d", size, number_of(observer, "key"),
        sets - 1);
  for (int i = 0; i < keys; i++) {
    snprintf(key, sizeof key, "key.%d", i);
    CHECK(number_of(settings, key) == i && number_of(observer, key) == i, "%s: %s is lost", size, key);
  }
  satchel_settings *late = open_domain(place, "full", SATCHEL_SETTINGS_READ_ONLY);
  CHECK(number_of(late, "key") == sets - 1, "%s: who opens on a full disk reads %d", size, number_of(late, "key"));
  satchel_settings_close(late);

  /* On the full disk, whatever it says. */
  code = satchel_settings_compact(settings);
  CHECK(code == SATCHEL_OK || code == SATCHEL_EFULL, "%s: compaction on a full disk gives %s", size, satchel_error_name(code));
  printf("%s: %d sets of one key and %d keys, then full; compaction on the full disk: %s\n", size, sets, keys,
         code == 0 ? "done" : "full");
  CHECK(number_of(settings, "key") == sets - 1 && number_of(observer, "key") == sets - 1, "%s: lost by a compaction", size);
  /* Where the history of one key has filled the disk, giving it up makes room for the next write. */
  if (!disk->eaten || code == SATCHEL_OK)
    CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "first", 2), "a set after a compaction on the full disk");

  /* With room again. */
  unlink(eater);
  CHECK(mount("satchel-test", place, "tmpfs", MS_REMOUNT, "size=32m") == 0, "a larger disk: %s", strerror(errno));
  CHECK_CODE(SATCHEL_OK, satchel_settings_compact(settings), "a compaction with room");
  CHECK_CODE(SATCHEL_OK, set_number(settings, "key", 4711), "a set with room");
  CHECK(number_of(observer, "key") == 4711, "%s: the read-only opener misses what came after", size);
  satchel_settings_close(settings);
  settings = open_domain(place, "full", 0);
  satchel_settings_health health = health_of(settings);
  CHECK(number_of(settings, "key") == 4711 && health.damaged_records == 0 && health.dropped_bytes == 0,
        "%s: opened again it is not well", size);
  satchel_settings_close(settings);
  satchel_settings_close(observer);
}

/* No room at all, not for the header. */
static void no_room_to_create(void *context) {
  (void)context;
  if (!private_mounts() || mount("satchel-test", place, "tmpfs", 0, "size=64k") != 0) return;
  eat_the_disk(place);
  satchel_settings *settings = NULL;
  CHECK_CODE(SATCHEL_EFULL, open_with(&settings, place, "full", 0, 0), "creating a domain without room");
  CHECK(settings == NULL && entries_with(place, "full") == 0, "a domain without room has left something");
  CHECK(strstr(satchel_last_error()->message, place) != NULL ||
            (satchel_last_error()->path != NULL && strstr(satchel_last_error()->path, place) != NULL),
        "the error does not name the path");
  char eater[4200];
  snprintf(eater, sizeof eater, "%s/eater", place);
  unlink(eater);
  settings = open_domain(place, "full", 0);
  int code = satchel_settings_set_int64(settings, "a", 1);
  CHECK(code == SATCHEL_OK || code == SATCHEL_EFULL, "64 KiB: %s", satchel_error_name(code));
  satchel_settings_close(settings);
}

/* MARK: A limit on the size of files */

static void size_limit(void *context) {
  const char *directory = context;
  struct rlimit limit = {1 << 20, 1 << 20};
  satchel_settings *settings = open_domain(directory, "limit", 0);
  CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0, "setrlimit");
  char *big = calloc(1, 1 << 21);
  CHECK_CODE(SATCHEL_EFULL, satchel_settings_set_data(settings, "big", satchel_blob(big, 1 << 21)),
             "2 MiB under a 1 MiB limit");
  free(big);
  int code = 0, keys = 0;
  char key[32];
  for (; keys < 3000; keys++) {
    snprintf(key, sizeof key, "key.%d", keys);
    if ((code = set_number(settings, key, keys)) != SATCHEL_OK) break;
  }
  CHECK_CODE(SATCHEL_EFULL, code, "many keys under a 1 MiB limit");
  CHECK(keys > 300, "only %d keys under a 1 MiB limit", keys);
  for (int i = 0; i < keys; i++) {
    snprintf(key, sizeof key, "key.%d", i);
    CHECK(number_of(settings, key) == i, "%s is lost under the limit", key);
  }
  code = satchel_settings_compact(settings);
  CHECK(code == SATCHEL_OK || code == SATCHEL_EFULL, "compaction under the limit: %s", satchel_error_name(code));
  satchel_settings_close(settings);
}

/* tmpfs counts what is allocated beyond the end of a file as well, other file systems do not. */
static void size_limit_in_memory(void *context) {
  if (!private_mounts() || mount("satchel-test", place, "tmpfs", 0, "size=32m") != 0) return;
  size_limit(context);
}

static void tiny_size_limit(void *context) {
  const char *directory = context;
  satchel_settings *fresh = NULL;
  struct rlimit tiny = {100, 1 << 20};
  CHECK(setrlimit(RLIMIT_FSIZE, &tiny) == 0, "setrlimit");
  int code = open_with(&fresh, directory, "limit-new", 0, 0);
  CHECK(code == SATCHEL_EFULL, "creating under a limit of 100 bytes: %s", satchel_error_name(code));
  satchel_settings_close(fresh);
}

/* MARK: Read-only */

static void read_only_disk(void *context) {
  const char *directory = context;
  if (!private_mounts()) return;
  if (mount(directory, place, NULL, MS_BIND, NULL) != 0 ||
      mount(NULL, place, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL) != 0) {
    skipped("no read-only mount: %s", strerror(errno));
    return;
  }
  satchel_settings *settings = open_domain(place, "disk", 0);
  CHECK(integer_of(settings, "a", -1) == 7, "a read-only disk does not read");
  int code = satchel_settings_set_int64(settings, "a", 8);
  CHECK(code == SATCHEL_EREADONLY || code == SATCHEL_EDENIED, "a set on a read-only disk: %s", satchel_error_name(code));
  code = satchel_settings_compact(settings);
  CHECK(code == SATCHEL_EREADONLY || code == SATCHEL_EDENIED, "a compaction there: %s", satchel_error_name(code));
  satchel_transaction *transaction = NULL;
  code = satchel_settings_begin(&transaction, settings);
  CHECK(code == SATCHEL_EREADONLY || code == SATCHEL_EDENIED, "a transaction there: %s", satchel_error_name(code));
  CHECK(integer_of(settings, "a", -1) == 7, "a refused set changed something");
  satchel_settings *writer = open_domain(directory, "disk", 0);
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(writer, "a", 9), "a set by the other way");
  CHECK(integer_of(settings, "a", -1) == 9, "the read-only view is not the file");
  satchel_settings_close(writer);
  satchel_settings_close(settings);
  settings = NULL;
  code = open_with(&settings, place, "new", 0, 0);
  CHECK(code == SATCHEL_EREADONLY || code == SATCHEL_EDENIED, "creating on a read-only disk: %s", satchel_error_name(code));
  CHECK(settings == NULL, "a handle of a domain that cannot be");
}

static void without_permission(void *context) {
  const char *directory = context;
  satchel_settings *settings = NULL;
  CHECK_CODE(SATCHEL_EDENIED, open_with(&settings, directory, "mine", 0, 0), "a domain in a folder of somebody else");
  CHECK_CODE(SATCHEL_EDENIED, open_with(&settings, directory, "mine", SATCHEL_SETTINGS_READ_ONLY, 0), "reading it");
  CHECK(settings == NULL, "a handle without permission");
}

/* A file that may be read and not written, in a folder that may not be written. */
static void reading_only(void *context) {
  const char *directory = context;
  satchel_settings *settings = open_domain(directory, "shared", 0);
  CHECK(integer_of(settings, "a", -1) == 7, "a file of somebody else does not read");
  int code = satchel_settings_set_int64(settings, "a", 8);
  CHECK(code == SATCHEL_EREADONLY || code == SATCHEL_EDENIED, "writing it: %s", satchel_error_name(code));
  uint64_t revision = 0;
  int64_t start = now_ns();
  CHECK_CODE(SATCHEL_ETIMEOUT, satchel_settings_wait(&revision, settings, 1000, INT64_C(100000000)),
             "waiting without permission");
  CHECK(now_ns() - start >= INT64_C(90000000), "the wait came back early");
  satchel_settings_close(settings);
  CHECK_CODE(SATCHEL_EDENIED, open_with(&settings, directory, "new", 0, 0), "creating in a folder of somebody else");
}

int main(void) {
  checks_begin("full");
  snprintf(place, sizeof place, "%s", scratch_folder("place"));
  disk disks[] = {{"256k", false}, {"2m", false}, {"256k", true}, {"2m", true}};
  for (size_t i = 0; i < sizeof disks / sizeof *disks; i++) child_round(full_disk, &disks[i], 120, disks[i].size);
  child_round(no_room_to_create, NULL, 60, "no room");
  child_round(size_limit, (void *)(uintptr_t)scratch_folder("limit"), 60, "a limit on file sizes");
  child_round(size_limit_in_memory, place, 60, "a limit on file sizes, in memory");
  child_round(tiny_size_limit, (void *)(uintptr_t)scratch_folder("tiny"), 60, "a limit of 100 bytes");

  const char *read_only = scratch_folder("disk");
  satchel_settings *settings = open_domain(read_only, "disk", 0);
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "a", 7), "set");
  satchel_settings_close(settings);
  child_round(read_only_disk, (void *)(uintptr_t)read_only, 60, "a read-only disk");

  if (geteuid() == 0) {
    const char *closed = scratch_folder("closed"), *open = scratch_folder("open");
    satchel_settings_close(open_domain(closed, "mine", 0));
    chmod(closed, 0700);
    child_as_nobody(without_permission, (void *)(uintptr_t)closed, "no permission");
    settings = open_domain(open, "shared", 0);
    CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "a", 7), "set");
    chmod(satchel_settings_path(settings), 0644);
    child_as_nobody(reading_only, (void *)(uintptr_t)open, "reading only");
    satchel_settings_close(settings);
  } else {
    skipped("permissions: not root, so there is no other user to be");
  }
  return checks_finish();
}
