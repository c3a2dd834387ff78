/*
 * Where domains live and what is around them: homes that are not, symbolic links, modes and attributes, files of a newer
 * version, files that somebody else puts there.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "format.h"
#include "support.h"

/* What the user database gives to those who have no home; another name, since root could make it. */
#define NOWHERE "/nonexistent-satchel"

static char home[4096];

static unsigned mode_of(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0 ? status.st_mode & 07777 : 0;
}

static bool is_link(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

static bool exists(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0;
}

static char *joined(const char *directory, const char *name) {
  static char paths[8][8192];
  static int next;
  char *path = paths[next++ % 8];
  snprintf(path, sizeof paths[0], "%s/%s", directory, name);
  return path;
}

static bool error_names(const char *part) {
  const satchel_error *error = satchel_last_error();
  return strstr(error->message, part) != NULL || (error->path != NULL && strstr(error->path, part) != NULL);
}

/* MARK: Homes. Each in a child, since the environment is the process's. */

static void by_default(void *context) {
  (void)context;
  setenv("HOME", home, 1);
  unsetenv("XDG_CONFIG_HOME");
  umask(022);
  satchel_settings *settings = NULL;
  CHECK_CODE(SATCHEL_OK, satchel_settings_open(&settings, "org.example.place", NULL), "opening below a new home");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "a", 1), "set");
  const char *folder = joined(home, ".config/satchel"), *file = joined(home, ".config/satchel/org.example.place.satchel");
  CHECK(strcmp(satchel_settings_path(settings), file) == 0, "the path is %s", satchel_settings_path(settings));
  CHECK(strcmp(satchel_settings_domain(settings), "org.example.place") == 0, "the domain is %s",
        satchel_settings_domain(settings));
  CHECK(mode_of(folder) == 0700, "a new folder has mode %o", mode_of(folder));
  CHECK(mode_of(file) == 0600, "a new file has mode %o", mode_of(file));
  satchel_settings_close(settings);
}

static void xdg(void *context) {
  const char *config = context;
  setenv("HOME", home, 1);
  setenv("XDG_CONFIG_HOME", config, 1);
  satchel_settings *settings = NULL;
  CHECK_CODE(SATCHEL_OK, satchel_settings_open(&settings, "xdg", NULL), config);
  const char *expected = config[0] == '/' ? joined(config, "satchel/xdg.satchel") : joined(home, ".config/satchel/xdg.satchel");
  CHECK(strcmp(satchel_settings_path(settings), expected) == 0, "XDG_CONFIG_HOME=%s leads to %s", config,
        satchel_settings_path(settings));
  satchel_settings_close(settings);
}

static void without_home(void *context) {
  const char *value = context;
  unsetenv("XDG_CONFIG_HOME");
  if (value != NULL) setenv("HOME", value, 1);
  else unsetenv("HOME");
  if (chdir("/") != 0) abort();
  satchel_settings *settings = NULL;
  int code = satchel_settings_open(&settings, "homeless", NULL);
  if (value == NULL) {
    /* The user database may know a home where the environment does not; it need not be asked. */
    CHECK(code == SATCHEL_OK || code == SATCHEL_EIO, "HOME unset: %s", satchel_error_name(code));
  } else {
    CHECK(code == SATCHEL_EIO || code == SATCHEL_EDENIED, "HOME=%s: %s", value, satchel_error_name(code));
    if (value[0] == '/')
      CHECK(strstr(satchel_last_error()->message, value) != NULL, "HOME=%s is not in: %s", value,
            satchel_last_error()->message);
    CHECK(satchel_last_error()->message[0] != '\0', "HOME=%s: no message", value);
    CHECK(settings == NULL, "HOME=%s: a handle", value);
  }
  CHECK(!exists("/.config") && !exists("/satchel") && !exists("/homeless.satchel") && !exists(NOWHERE),
        "HOME=%s: something was made in /", value != NULL ? value : "(unset)");
  remove_all(NOWHERE);
  if (settings != NULL) {
    char path[4096];
    snprintf(path, sizeof path, "%s", satchel_settings_path(settings));
    CHECK(path[0] == '/' && strchr(path + 1, '/') != NULL, "HOME unset leads to %s", path);
    satchel_settings_close(settings);
    unlink(path);
  }
}

/* What is missing is a folder, not a domain: no answer that a program may pass over. */
static void no_folder(void *context) {
  const char *config = context;
  setenv("HOME", home, 1);
  setenv("XDG_CONFIG_HOME", config, 1);
  satchel_settings *settings = NULL;
  CHECK_CODE(SATCHEL_EIO, satchel_settings_open(&settings, "nowhere", NULL), config);
  CHECK(strstr(satchel_last_error()->message, config) != NULL && satchel_last_error()->system_error == ENOENT,
        "XDG_CONFIG_HOME=%s: %s", config, satchel_last_error()->message);
  satchel_settings_options options = SATCHEL_SETTINGS_OPTIONS_INIT;
  options.flags = SATCHEL_SETTINGS_NO_CREATE;
  CHECK_CODE(SATCHEL_ENOTFOUND, satchel_settings_open(&settings, "nowhere", &options), config);
  CHECK(strstr(satchel_last_error()->message, config) != NULL, "no such domain in %s: %s", config,
        satchel_last_error()->message);
}

static void read_only_home(void *context) {
  const char *directory = context;
  setenv("HOME", directory, 1);
  unsetenv("XDG_CONFIG_HOME");
  satchel_settings *settings = NULL;
  int code = satchel_settings_open(&settings, "closed", NULL);
  CHECK_CODE(SATCHEL_EDENIED, code, "a home that may not be written");
  CHECK(error_names(directory), "the error does not name the home: %s", satchel_last_error()->message);
}

static void homes(void) {
  child_end_well(child_start(by_default, NULL), 20, "a new home");
  child_end_well(child_start(xdg, (void *)(uintptr_t)scratch_folder("xdg")), 20, "XDG_CONFIG_HOME");
  child_end_well(child_start(xdg, (void *)(uintptr_t)joined(scratch(), "not/there/yet")), 20, "a new XDG_CONFIG_HOME");
  child_end_well(child_start(xdg, (void *)(uintptr_t)"relative/folder"), 20, "a relative XDG_CONFIG_HOME");
  child_end_well(child_start(xdg, (void *)(uintptr_t)""), 20, "an empty XDG_CONFIG_HOME");
  child_end_well(child_start(no_folder, (void *)(uintptr_t)"/proc/none"), 20, "a folder that cannot be made");
  const char *dangling = joined(scratch(), "dangling-config");
  CHECK(symlink("nowhere", dangling) == 0, "symlink");
  child_end_well(child_start(no_folder, (void *)(uintptr_t)dangling), 20, "a link that leads nowhere");
  child_end_well(child_start(without_home, NULL), 20, "HOME unset");
  child_end_well(child_start(without_home, (void *)(uintptr_t)"/nonexistent"), 20, "HOME=/nonexistent");
  child_end_well(child_start(without_home, (void *)(uintptr_t)"relative"), 20, "a relative HOME");
  child_end_well(child_start(without_home, (void *)(uintptr_t)"/dev/null"), 20, "HOME=/dev/null");
  if (geteuid() != 0) return;
  const char *closed = scratch_folder("closed");
  chmod(closed, 0555);
  child_as_nobody(read_only_home, (void *)(uintptr_t)closed, "a read-only home");
}

/* MARK: Symbolic links */

static void links(const char *folder, bool dangling) {
  char target[8192], link[8192];
  snprintf(target, sizeof target, "%s/elsewhere/%s.satchel", folder, dangling ? "later" : "target");
  snprintf(link, sizeof link, "%s/%s.satchel", folder, dangling ? "dangling" : "linked");
  mkdir(joined(folder, "elsewhere"), 0700);
  const char *domain = dangling ? "dangling" : "linked";
  if (!dangling) {
    satchel_settings_close(open_domain(joined(folder, "elsewhere"), "target", 0));
    CHECK(exists(target), "no target");
  }
  CHECK(symlink(dangling ? "elsewhere/later.satchel" : target, link) == 0, "symlink");
  satchel_settings *settings = open_domain(folder, domain, 0);
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "a", 5), "set through a link");
  CHECK(is_link(link) && exists(target), "%s: opening has not kept the link", domain);
  for (int i = 0; i < 3; i++) CHECK_CODE(SATCHEL_OK, satchel_settings_compact(settings), "compact through a link");
  CHECK(is_link(link) && exists(target) && !is_link(target), "%s: compaction has not kept the link", domain);
  satchel_settings *direct = open_domain(joined(folder, "elsewhere"), dangling ? "later" : "target", 0);
  CHECK(integer_of(direct, "a", -1) == 5, "%s: the target does not have the value", domain);
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(direct, "a", 6), "set at the target");
  CHECK(integer_of(settings, "a", -1) == 6, "%s: link and target are two stores", domain);
  satchel_settings_close(direct);
  satchel_settings_close(settings);
  CHECK(entries_with(joined(folder, "elsewhere"), ".satchel") == (dangling ? 2 : 1), "%s: litter beside the target", domain);
}

/* MARK: Modes and attributes */

static void modes(const char *folder) {
  satchel_settings *settings = open_domain(folder, "modes", 0);
  char path[4096], value[64] = "", acl[256];
  snprintf(path, sizeof path, "%s", satchel_settings_path(settings));
  CHECK(mode_of(path) == 0600, "a new file has mode %o", mode_of(path));
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "a", 1), "set");
  CHECK(chmod(path, 0640) == 0, "chmod");
  if (geteuid() == 0) CHECK(chown(path, 65534, 100) == 0, "chown");
  bool attribute = setxattr(path, "user.satchel-test", "kept", 4, 0) == 0;
  if (!attribute) skipped("extended attributes: %s", strerror(errno));
  /* An access list: owner rw-, user 1234 r--, group r--, mask r--, others ---. Version 2, entries of tag, permission, id. */
  static const unsigned char list[] = {2, 0,    0,   0,   1,   0,   6,  0, 255, 255, 255, 255, 2,   0,  4,
                                       0, 0xd2, 4,   0,   0,   4,   0,  4, 0,   255, 255, 255, 255, 16, 0,
                                       4, 0,    255, 255, 255, 255, 32, 0, 0,   0,   255, 255, 255, 255};
  bool access_list = setxattr(path, "system.posix_acl_access", list, sizeof list, 0) == 0;
  if (!access_list) skipped("access lists: %s", strerror(errno));
  struct stat before, after;
  CHECK(stat(path, &before) == 0, "stat");
  CHECK_CODE(SATCHEL_OK, satchel_settings_compact(settings), "compact");
  CHECK(stat(path, &after) == 0 && after.st_ino != before.st_ino, "compaction has not made a new file");
  CHECK(after.st_mode == before.st_mode, "compaction changed mode %o to %o", before.st_mode, after.st_mode);
  CHECK(after.st_uid == before.st_uid && after.st_gid == before.st_gid, "compaction changed the owner to %u:%u", after.st_uid,
        after.st_gid);
  if (attribute)
    CHECK(getxattr(path, "user.satchel-test", value, sizeof value) == 4 && memcmp(value, "kept", 4) == 0,
          "compaction lost an extended attribute");
  if (access_list)
    CHECK(getxattr(path, "system.posix_acl_access", acl, sizeof acl) == (ssize_t)sizeof list &&
              memcmp(acl, list, sizeof list) == 0,
          "compaction lost the access list");
  satchel_settings_close(settings);
}

/* MARK: Versions and headers */

static void refused_whole(const char *folder, const char *domain, int expected, const char *what) {
  char *path = joined(folder, domain);
  strcat(path, ".satchel");
  image before = image_load(path);
  for (int read_only = 0; read_only < 2; read_only++) {
    satchel_settings *settings = NULL;
    CHECK_CODE(expected, open_with(&settings, folder, domain, read_only ? SATCHEL_SETTINGS_READ_ONLY : 0, 0), what);
    CHECK(settings == NULL, "%s: a handle", what);
    CHECK(error_names(domain), "%s: the error does not name the file: %s", what, satchel_last_error()->message);
  }
  image after = image_load(path);
  CHECK(image_same(before, after), "%s: the file was changed", what);
  image_free(&before);
  image_free(&after);
}

/* Whoever may not create a domain finds none in an empty file, and leaves it. */
static void not_there_yet(const char *folder) {
  static const uint32_t flags[] = {SATCHEL_SETTINGS_READ_ONLY, SATCHEL_SETTINGS_NO_CREATE};
  for (size_t i = 0; i < 2; i++) {
    satchel_settings *settings = NULL;
    CHECK_CODE(SATCHEL_ENOTFOUND, open_with(&settings, folder, "emptied", flags[i], 0), "an empty file");
    CHECK(strstr(satchel_last_error()->message, "empty") != NULL && error_names("emptied.satchel"), "an empty file: %s",
          satchel_last_error()->message);
  }
  CHECK(exists(joined(folder, "emptied.satchel")), "a reader has put an empty file aside");
}

static void versions(const char *folder) {
  satchel_settings *settings = open_domain(folder, "future", 0);
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "a", 1), "set");
  char path[4096];
  snprintf(path, sizeof path, "%s", satchel_settings_path(settings));
  satchel_settings_close(settings);
  image file = image_load(path);
  image future = image_copy(file);
  future.data[AT_VERSION] = 2;
  seal_header(future.data);
  image_store(future, future.size, path);
  refused_whole(folder, "future", SATCHEL_EVERSION, "a newer version");
  /* A newer version is not repaired either, when it looks damaged to us. */
  change_boot(future.data);
  memset(future.data + AT_COMMITTED, 0xee, 8);
  image_store(future, future.size, path);
  refused_whole(folder, "future", SATCHEL_EVERSION, "a newer version, rebooted");
  future.data[AT_COPY] ^= 1;
  image_store(future, future.size, path);
  refused_whole(folder, "future", SATCHEL_EVERSION, "a newer version whose copy is damaged");

  image destroyed = image_copy(file);
  destroyed.data[AT_MAGIC] ^= 1;
  destroyed.data[AT_COPY] ^= 1;
  image_store(destroyed, destroyed.size, path);
  refused_whole(folder, "future", SATCHEL_ECORRUPT, "both headers destroyed");
  image_free(&file);
  image_free(&future);
  image_free(&destroyed);
}

static void text_file(const char *folder) {
  FILE *file = fopen(joined(folder, "text.satchel"), "w");
  for (int i = 0; i < 400; i++) fprintf(file, "line %d of something that is no domain\n", i);
  fclose(file);
  refused_whole(folder, "text", SATCHEL_ECORRUPT, "a text file");
  mkdir(joined(folder, "folder.satchel"), 0700);
  satchel_settings *settings = NULL;
  int code = open_with(&settings, folder, "folder", 0, 0);
  CHECK(code < 0 && settings == NULL, "a folder where the file should be: %s", satchel_error_name(code));
  CHECK(mkfifo(joined(folder, "pipe.satchel"), 0600) == 0, "mkfifo");
  code = open_with(&settings, folder, "pipe", 0, 0);
  CHECK(code < 0 && settings == NULL, "a pipe where the file should be: %s", satchel_error_name(code));
}

static void cut_header(const char *folder) {
  static const size_t lengths[] = {1, 79, 128, 2100, 4095};
  satchel_settings *settings = open_domain(folder, "cut-header", 0);
  char path[4096];
  snprintf(path, sizeof path, "%s", satchel_settings_path(settings));
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "a", 1), "set");
  satchel_settings_close(settings);
  image file = image_load(path);
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    image_store(file, lengths[i], path);
    refused_whole(folder, "cut-header", SATCHEL_ECORRUPT, "a file cut inside its header");
    CHECK(error_names("move it away"), "a file cut inside its header names no way out: %s", satchel_last_error()->message);
  }
  image_free(&file);
  CHECK(entries_with(folder, "cut-header") == 1, "what was cut was put aside");
}

/* Nothing is lost by starting over in an empty file; what it may have held once is told of. Two of one second are two files. */
static void emptied(const char *folder) {
  image nothing = {NULL, 0};
  char path[4096];
  snprintf(path, sizeof path, "%s", joined(folder, "emptied.satchel"));
  for (int i = 1; i <= 3; i++) {
    image_store(nothing, 0, path);
    not_there_yet(folder);
    satchel_settings *settings = open_domain(folder, "emptied", 0);
    if (settings == NULL) return;
    CHECK(satchel_settings_contains(settings, "a") == 0, "a key in an empty file");
    CHECK(entries_with(folder, "emptied.satchel.damaged-0-") == i, "%d of %d empty files are kept",
          entries_with(folder, "emptied.satchel.damaged-0-"), i);
    CHECK(health_of(settings).dropped_bytes != 0, "no word of what an empty file may have held");
    CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "a", 2), "set after it");
    satchel_settings_close(settings);
    settings = open_domain(folder, "emptied", 0);
    CHECK(integer_of(settings, "a", -1) == 2, "opened again it differs");
    satchel_settings_close(settings);
  }
}

/* Who may not write the empty file cannot put it aside, though the folder is open to all. */
static void emptied_by_another(void *context) {
  const char *folder = context;
  satchel_settings *settings = NULL;
  CHECK_CODE(SATCHEL_EDENIED, open_with(&settings, folder, "closed", 0, 0), "an empty file that may not be written");
  CHECK(error_names("empty") && error_names("closed.satchel"), "an empty file that may not be written: %s",
        satchel_last_error()->message);
  CHECK_CODE(SATCHEL_ENOTFOUND, open_with(&settings, folder, "closed", SATCHEL_SETTINGS_NO_CREATE, 0), "the same, no create");
  CHECK_CODE(SATCHEL_ENOTFOUND, open_with(&settings, folder, "closed", SATCHEL_SETTINGS_READ_ONLY, 0), "the same, read only");
  CHECK(entries_with(folder, "closed") == 1, "something was left beside it");
}

static void emptied_and_closed(void) {
  if (geteuid() != 0) return;
  const char *folder = scratch_folder("open-to-all"), *path = joined(folder, "closed.satchel");
  image nothing = {NULL, 0};
  image_store(nothing, 0, path);
  CHECK(chmod(path, 0444) == 0 && chmod(folder, 0777) == 0, "chmod");
  child_as_nobody(emptied_by_another, (void *)(uintptr_t)folder, "an empty file of somebody else");
}

/* MARK: Something else than a file */

static void no_file(void *context) {
  const char *folder = context, *names[] = {"pipe", "socket", "directory", "device"};
  char path[4200];
  snprintf(path, sizeof path, "%s/pipe.satchel", folder);
  CHECK(mkfifo(path, 0600) == 0, "mkfifo");
  snprintf(path, sizeof path, "%s/socket.satchel", folder);
  CHECK(mknod(path, S_IFSOCK | 0600, 0) == 0, "mknod");
  snprintf(path, sizeof path, "%s/directory.satchel", folder);
  CHECK(mkdir(path, 0700) == 0, "mkdir");
  snprintf(path, sizeof path, "%s/device.satchel", folder);
  CHECK(symlink("/dev/zero", path) == 0, "symlink");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (uint32_t flags = 0; flags <= SATCHEL_SETTINGS_READ_ONLY; flags++) {
      satchel_settings *settings = NULL;
      CHECK_CODE(SATCHEL_EIO, open_with(&settings, folder, names[i], flags, 0), names[i]);
      CHECK(settings == NULL, "%s is open", names[i]);
      CHECK(satchel_last_error()->path != NULL, "%s: the error names no path", names[i]);
    }
}

/* MARK: Replaced from outside */

static void replaced(const char *folder) {
  const char *other = scratch_folder("other");
  satchel_settings *settings = open_domain(folder, "replaced", 0), *source = open_domain(other, "replaced", 0);
  satchel_settings *observer = open_domain(folder, "replaced", SATCHEL_SETTINGS_READ_ONLY);
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "a", 1), "set");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "only here", 1), "set");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(source, "a", 2), "set");
  CHECK(integer_of(observer, "a", -1) == 1, "before");
  char path[4096];
  snprintf(path, sizeof path, "%s", satchel_settings_path(settings));
  CHECK(rename(satchel_settings_path(source), path) == 0, "mv");
  satchel_settings_close(source);
  /* Noticed within 100 ms. The first look may be the one that notices, so the test waits and then looks. */
  sleep_ms(150);
  for (int i = 0; i < 8; i++) integer_of(settings, "a", -1);
  CHECK(integer_of(settings, "a", -1) == 2, "a writer reads the replaced file");
  /* A thread looks at every eighth of its reads. */
  for (int i = 0; i < 8; i++) integer_of(observer, "a", -1);
  CHECK(integer_of(observer, "a", -1) == 2, "a read-only handle reads the replaced file");
  CHECK(satchel_settings_contains(settings, "only here") == 0, "a key of the replaced file");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "a", 3), "set");
  satchel_settings *fresh = open_domain(folder, "replaced", 0);
  CHECK(integer_of(fresh, "a", -1) == 3, "what is written goes to the replaced file");
  satchel_settings_close(fresh);

  /* Something else altogether, longer than a header and shorter. */
  int code;
  for (int lines = 300; lines > 0; lines -= 299) {
    char note[4200];
    snprintf(note, sizeof note, "%s/note", other);
    FILE *file = fopen(note, "w");
    for (int i = 0; i < lines; i++) fprintf(file, "no domain, line %d\n", i);
    fclose(file);
    image text = image_load(note);
    CHECK(rename(note, path) == 0, "mv");
    sleep_ms(150);
    int64_t value = 0;
    code = satchel_settings_set_int64(settings, "a", 4);
    CHECK_CODE(SATCHEL_ECORRUPT, code, "a set over a text file");
    CHECK(strstr(satchel_last_error()->message, "not a settings file") != NULL, "a set over a text file says: %s",
          satchel_last_error()->message);
    code = satchel_settings_get_int64(&value, settings, "a");
    CHECK(code == SATCHEL_ECORRUPT || (code == SATCHEL_OK && value == 3), "a get over a text file: %s, %ld",
          satchel_error_name(code), (long)value);
    image after = image_load(path);
    CHECK(image_same(text, after), "the text file was changed");
    image_free(&text);
    image_free(&after);
  }

  /* Removed: the next write must not go into a file without a name. */
  CHECK(unlink(path) == 0, "rm");
  sleep_ms(150);
  code = satchel_settings_set_int64(settings, "a", 5);
  CHECK(code == SATCHEL_OK || code < 0, "set after rm");
  if (code == SATCHEL_OK) {
    fresh = open_domain(folder, "replaced", 0);
    CHECK(integer_of(fresh, "a", -1) == 5, "an acknowledged write went into a removed file");
    satchel_settings_close(fresh);
  }
  satchel_settings_close(settings);
  satchel_settings_close(observer);
}

/* A damaged file whose sound copy is put back: no answer may call the copy damaged, before the handle has noticed it. */
static void put_back(const char *folder) {
  static const char text[] = "a value to be found in the file";
  satchel_settings *settings = open_domain(folder, "put-back", 0);
  char path[4096], copy[4200];
  snprintf(path, sizeof path, "%s", satchel_settings_path(settings));
  snprintf(copy, sizeof copy, "%s.copy", path);
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_string(settings, "a", satchel_text(text)), "set");
  satchel_settings_close(settings);
  image file = image_load(path);
  image_store(file, file.size, copy);
  char *place = memmem(file.data, file.size, text, strlen(text));
  CHECK(place != NULL, "the value is not in the file");
  if (place != NULL) *place ^= 1;
  image_store(file, file.size, path);
  image_free(&file);
  settings = open_domain(folder, "put-back", 0);
  satchel_value *value = NULL;
  CHECK_CODE(SATCHEL_ECORRUPT, satchel_settings_get_value(&value, settings, "a"), "a damaged value");
  CHECK(rename(copy, path) == 0, "mv");
  for (int i = 0; i < 8; i++) {
    int code = satchel_settings_get_value(&value, settings, "a");
    CHECK(code == SATCHEL_OK || code == SATCHEL_ECORRUPT, "beside a sound copy: %s", satchel_error_name(code));
    if (code == SATCHEL_ECORRUPT)
      CHECK(!error_names("not a settings file"), "of a sound copy: %s", satchel_last_error()->message);
    satchel_value_free(value);
    value = NULL;
  }
  sleep_ms(150);
  for (int i = 0; i < 8; i++) {
    (void)!satchel_settings_get_value(&value, settings, "a");
    satchel_value_free(value);
    value = NULL;
  }
  CHECK_CODE(SATCHEL_OK, satchel_settings_get_value(&value, settings, "a"), "the copy that was put back");
  satchel_value_free(value);
  satchel_settings_close(settings);
}

/* MARK: Names and flags */

static void names(const char *folder) {
  static const char *const bad[] = {"", ".", "..", ".hidden", "a/b", "../a", "a b", "a\nb", "\xc3\xa9", "global", "a:b", "a%b"};
  satchel_settings *settings = NULL;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    CHECK_CODE(SATCHEL_EINVAL, open_with(&settings, folder, bad[i], 0, 0), bad[i]);
  static const char *const good[] = {"a", "A-Z_0.9", "-", "_", "a..b", "a.satchel", "0"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    settings = open_domain(folder, good[i], 0);
    CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "a", (int64_t)i), good[i]);
    satchel_settings_close(settings);
  }
  char longest[300];
  memset(longest, 'x', sizeof longest);
  longest[247] = '\0';
  satchel_settings_close(open_domain(folder, longest, 0));
  memset(longest, 'x', sizeof longest);
  longest[248] = '\0';
  CHECK_CODE(SATCHEL_ERANGE, open_with(&settings, folder, longest, 0, 0), "a name of 248 bytes");
  longest[248] = 'x';
  longest[256] = '\0';
  int code = open_with(&settings, folder, longest, 0, 0);
  CHECK(code == SATCHEL_EINVAL || code == SATCHEL_ERANGE, "a name of 256 bytes: %s", satchel_error_name(code));

  CHECK_CODE(SATCHEL_ENOTFOUND, open_with(&settings, folder, "absent", SATCHEL_SETTINGS_NO_CREATE, 0), "no create");
  CHECK(satchel_last_error()->code == SATCHEL_ENOTFOUND && strstr(satchel_last_error()->message, "absent.satchel") != NULL,
        "an absent domain: %s", satchel_last_error()->message);
  CHECK_CODE(SATCHEL_ENOTFOUND, open_with(&settings, folder, "absent", SATCHEL_SETTINGS_READ_ONLY, 0), "read only");
  CHECK(!exists(joined(folder, "absent.satchel")), "a domain was created that was not to be");
  settings = open_domain(folder, "a", SATCHEL_SETTINGS_READ_ONLY);
  CHECK(integer_of(settings, "a", -1) == 0, "read");
  CHECK_CODE(SATCHEL_EREADONLY, satchel_settings_set_int64(settings, "a", 1), "set through a read-only handle");
  CHECK_CODE(SATCHEL_EREADONLY, satchel_settings_remove(settings, "a"), "remove through one");
  CHECK_CODE(SATCHEL_EREADONLY, satchel_settings_compact(settings), "compact through one");
  satchel_settings_close(settings);
}

int main(void) {
  checks_begin("places");
  snprintf(home, sizeof home, "%s", scratch_folder("home"));
  const char *folder = scratch_folder("store");
  homes();
  satchel_settings *local = open_domain(folder, "local", 0);
  CHECK(health_of(local).portable == 0, "a domain on a local disk is portable");
  satchel_settings_close(local);
  links(folder, false);
  links(folder, true);
  modes(folder);
  versions(folder);
  text_file(folder);
  cut_header(folder);
  emptied(folder);
  emptied_and_closed();
  child_round(no_file, (void *)scratch_folder("special"), 20, "something else than a file");
  replaced(folder);
  put_back(folder);
  names(folder);
  return checks_finish();
}
