/*
 * Forks in the middle of another thread's write: the child goes on with what it finds in memory, and no revision may be given
 * twice, no record name another one as its predecessor than it has. At named points (needs the library with fault points), and
 * at any instruction, from a signal handler.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "format.h"
#include "support.h"

/* Exported by the fault build only: the (skip + 1)-th passing of the point calls `body`. */
void satchel_fault_call(const char *name, int skip, void (*body)(void));

static const char *folder;
static satchel_settings *settings;
static volatile sig_atomic_t child;

/* In the middle of a write: it holds the lock, and goes on in the parent alone. */
static void fork_here(void) {
  pid_t pid = fork();
  if (pid == 0) {
    alarm(20);
    uint64_t before = 0, after = 0;
    int64_t value = -1;
    int code = satchel_settings_set_int64(settings, "child", 1);
    if (code == SATCHEL_OK) code = satchel_settings_get_int64(&value, settings, "child");
    if (code == SATCHEL_OK) code = satchel_settings_revision(&before, settings);
    if (code == SATCHEL_OK) code = satchel_settings_set_int64(settings, "child", 2);
    if (code == SATCHEL_OK) code = satchel_settings_revision(&after, settings);
    _exit(code == SATCHEL_OK && value == 1 && after > before ? 0 : 1);
  }
  child = pid;
}

static void end_child(const char *what) {
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) != child);
  CHECK(child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s: the child's status is %x", what, (unsigned)status);
  child = 0;
}

/* Every record names the one before it, and the revisions are consecutive. */
static void check_chain(const char *what) {
  image file = image_load(satchel_settings_path(settings));
  size_t at = word_at(file.data, AT_HISTORY_END), end = commit_length(word_at(file.data, AT_COMMITTED));
  uint64_t revision = 0;
  uint32_t crc = 0;
  for (bool first = true; at < end; first = false, at += half_at(file.data, at + 8)) {
    uint64_t own = word_at(file.data, at + 16);
    if (!first)
      CHECK(half_at(file.data, at + 12) == crc && own == revision + 1, "%s: at %zu revision %lu after %lu, prev is %s", what,
            at, (unsigned long)own, (unsigned long)revision, half_at(file.data, at + 12) == crc ? "right" : "wrong");
    crc = half_at(file.data, at);
    revision = own;
  }
  image_free(&file);
}

static void at_points(void *context) {
  (void)context;
  static const char *const points[] = {"write.frame",           "write.before-commit", "write.after-commit",
                                       "index.before-settling", "index.settled",       "write.indexed"};
  settings = open_domain(folder, "points", 0);
  for (size_t i = 0; i < sizeof points / sizeof *points; i++)
    for (int turn = 0; turn < 3; turn++) {
      satchel_fault_call(points[i], 0, fork_here);
      CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "parent", turn), points[i]);
      satchel_fault_call(NULL, 0, NULL);
      end_child(points[i]);
      CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "parent", -turn), points[i]);
      check_chain(points[i]);
    }
  satchel_settings_close(settings);
}

/* MARK: Anywhere */

enum { FORKS_A_DOMAIN = 4, MOST_WRITES = 600 };

static atomic_bool works, rests = true;

static void on_signal(int number) {
  (void)number;
  works = false;
  fork_here();
}

static void *write_on(void *context) {
  (void)context;
  for (int64_t value = 0;;) {
    rests = true;
    while (!works);
    rests = false;
    /* So few that nothing is compacted: a fork inside the allocator of the C library would wait for itself. */
    for (int i = 0; works; i++)
      if (i < MOST_WRITES) satchel_settings_set_int64(settings, "parent", value++);
  }
  return NULL;
}

static void anywhere(void *context) {
  const int *forks = context;
  signal(SIGUSR1, on_signal);
  pthread_t thread;
  chance dice = chance_of(5);
  for (int i = 0; i < *forks; i++) {
    if (i % FORKS_A_DOMAIN == 0) {
      satchel_settings_close(settings);
      char name[32];
      snprintf(name, sizeof name, "anywhere-%d", i / FORKS_A_DOMAIN);
      settings = open_domain(folder, name, 0);
      if (i == 0) pthread_create(&thread, NULL, write_on, NULL);
    }
    while (!rests);
    works = true;
    while (rests);
    for (uint64_t pause = chance_below(&dice, 60000); pause > 0; pause--) __asm__ volatile("");
    pthread_kill(thread, SIGUSR1);
    while (child == 0);
    end_child("anywhere");
    while (!rests) sleep_ms(1);
    check_chain("anywhere");
  }
}

int main(int count, char **arguments) {
  checks_begin("forks");
  folder = scratch_folder("store");
  int forks = count > 1 ? atoi(arguments[1]) : 300;
  child_round(at_points, NULL, 60, "forks at points");
  settings = NULL;
  child_round(anywhere, &forks, 120 + forks / 20, "forks anywhere");
  return checks_finish();
}
