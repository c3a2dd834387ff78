/*
 * Programs that end in unusual ways, programs that close all descriptors, programs in containers: nothing that they have logged is
 * lost, and the log never keeps one of them from ending.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "checker.h"
#include "control.h"
#include "logs.h"
#include "support.h"

#define APP "ends"

static const char *folder;
static satchel_log *program_log;
/* Set in the child whose exit handlers and destructors are to log. */
static const char *at_exit_text, *in_destructor_text;

static void write_now(const char *text) {
  int code = write_text(program_log, SATCHEL_LOG_INFO, text);
  if (code != SATCHEL_OK) _exit(4);
}

static void write_at_exit(void) {
  if (at_exit_text != NULL) write_now(at_exit_text);
}

__attribute__((destructor)) static void write_in_destructor(void) {
  if (in_destructor_text != NULL) write_now(in_destructor_text);
}

/* MARK: Ways to end. Each writes the text that it is given, and ends with 0. */

typedef void way(const char *text);

static void open_it(void) { program_log = open_log(folder, APP, 0); }

static void returns(const char *text) {
  open_it();
  write_now(text);
  exit(0);
}

static void ends_at_once(const char *text) {
  open_it();
  write_now(text);
  _exit(0);
}

static void exits_quickly(const char *text) {
  open_it();
  write_now(text);
  quick_exit(0);
}

static void executes(const char *text) {
  open_it();
  write_now(text);
  execlp("true", "true", (char *)NULL);
  _exit(5);
}

/* Registered before the log's own handler, and so called after it. */
static void logs_at_exit_late(const char *text) {
  atexit(write_at_exit);
  at_exit_text = text;
  open_it();
  exit(0);
}

static void logs_at_exit_early(const char *text) {
  open_it();
  atexit(write_at_exit);
  at_exit_text = text;
  exit(0);
}

static void logs_in_destructor(const char *text) {
  open_it();
  in_destructor_text = text;
  exit(0);
}

/* The first thing that it does with a log. */
static void opens_at_exit(void) {
  open_it();
  write_now(at_exit_text);
}
static void opens_in_exit_handler(const char *text) {
  at_exit_text = text;
  atexit(opens_at_exit);
  exit(0);
}

static void *log_for_ever(void *text) {
  write_now(text);
  for (;;) write_text(program_log, SATCHEL_LOG_INFO, "on and on"), usleep(200);
  return NULL;
}
static void start_detached(const char *text) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, log_for_ever, (void *)text) != 0) abort();
  pthread_detach(thread);
  usleep(20000);
}
static void returns_beside_detached_thread(const char *text) {
  open_it();
  start_detached(text);
  exit(0);
}

static void *log_and_exit(void *text) {
  usleep(5000);
  write_now(text);
  exit(0);
}
static void main_thread_ends_first(const char *text) {
  open_it();
  pthread_t thread;
  if (pthread_create(&thread, NULL, log_and_exit, (void *)text) != 0) abort();
  write_text(program_log, SATCHEL_LOG_INFO, "the main thread goes");
  pthread_exit(NULL);
}

static void child_logs_at_exit(const char *text) {
  atexit(write_at_exit);
  open_it();
  if (fork() == 0) {
    at_exit_text = text;
    exit(0);
  }
  int status = 0;
  wait(&status);
  _exit(status == 0 ? 0 : 6);
}

static void grandchild_of_the_dead_logs(const char *text) {
  open_it();
  write_text(program_log, SATCHEL_LOG_INFO, "the parent");
  if (fork() == 0) {
    sleep_ms(50);
    write_now(text);
    exit(0);
  }
  _exit(0);
}

static void exit_in_handler(int number) {
  (void)number;
  write_now(at_exit_text);
  _exit(0);
}
static void exits_in_handler(const char *text) {
  open_it();
  at_exit_text = text;
  signal(SIGUSR1, exit_in_handler);
  raise(SIGUSR1);
}

/* The numbers of its descriptors lead to files of the program then. */
static void closes_everything(const char *text) {
  open_it();
  write_text(program_log, SATCHEL_LOG_INFO, "before");
  sleep_ms(30); /* so that it leads */
  closefrom(3);
  char path[4200];
  for (int i = 0; i < 16; i++) {
    snprintf(path, sizeof path, "%s/decoy.%d", folder, i);
    if (open(path, O_RDWR | O_CREAT | O_APPEND, 0600) < 0) _exit(7);
  }
  for (int i = 0; i < 100; i++) {
    if (write_text(program_log, i % 10 == 0 ? SATCHEL_LOG_ALERT : SATCHEL_LOG_INFO, "closed") != SATCHEL_OK) _exit(8);
    usleep(500);
  }
  write_now(text);
  if (fork() == 0) {
    write_text(program_log, SATCHEL_LOG_INFO, "a child without descriptors");
    exit(0);
  }
  wait(NULL);
  exit(0);
}

static void has_no_descriptors_left(const char *text) {
  open_it();
  write_text(program_log, SATCHEL_LOG_INFO, "before");
  struct rlimit limit = {3, 3};
  setrlimit(RLIMIT_NOFILE, &limit);
  write_now(text);
  exit(0);
}

/* Writing beyond it raises a signal that kills. */
static void may_write_small_files_only(const char *text) {
  open_it();
  write_now(text);
  ignore(satchel_log_flush(program_log, 5000));
  struct rlimit limit = {1, 1};
  setrlimit(RLIMIT_FSIZE, &limit);
  ignore(write_text(program_log, SATCHEL_LOG_ALERT, "beyond the limit"));
  _exit(0);
}

typedef struct {
  const char *name;
  way *way;
} end;

static const end ends[] = {{"returns", returns},
                           {"ends at once", ends_at_once},
                           {"exits quickly", exits_quickly},
                           {"executes another program", executes},
                           {"logs at exit, after the log's own handler", logs_at_exit_late},
                           {"logs at exit, before it", logs_at_exit_early},
                           {"logs in a destructor", logs_in_destructor},
                           {"opens its log in an exit handler", opens_in_exit_handler},
                           {"returns while a detached thread logs", returns_beside_detached_thread},
                           {"has lost its main thread", main_thread_ends_first},
                           {"has a child that logs at exit", child_logs_at_exit},
                           {"leaves a child that logs", grandchild_of_the_dead_logs},
                           {"exits in a handler", exits_in_handler},
                           {"closes everything", closes_everything},
                           {"has no descriptors left", has_no_descriptors_left},
                           {"may write small files only", may_write_small_files_only}};

static void run_end(void *context) {
  const end *end = context;
  end->way(end->name);
}

/* Its standard output is this program's, and is not to be flushed twice. */
static void try_end(const end *end, int number) {
  char name[32];
  snprintf(name, sizeof name, "end.%d", number);
  folder = scratch_folder(name);
  round_begin();
  child_end_well(child_start(run_end, (void *)end), 20, end->name);
  if (end->way == grandchild_of_the_dead_logs) sleep_ms(150);
  is_there_once(folder, APP, end->name, false);
  for (int i = 0; i < 16; i++) {
    char path[4200];
    struct stat status;
    snprintf(path, sizeof path, "%s/decoy.%d", folder, i);
    if (stat(path, &status) == 0)
      CHECK(status.st_size == 0, "%s: %ld bytes in a file of the program", end->name, (long)status.st_size);
  }
  round_end();
}

/* MARK: Process 1, and a second place of the same folder */

typedef struct {
  const char *text;
  const char *place; /* where the container sees the folder */
  int records;
} inhabitant;

static void write_some(const inhabitant *who, const char *where) {
  char text[128];
  satchel_log *log = open_log(where, APP, 0);
  for (int i = 0; log != NULL && i < who->records; i++) {
    snprintf(text, sizeof text, "%s %d", who->text, i);
    int severity = i % 50 == 0 ? SATCHEL_LOG_ALERT : SATCHEL_LOG_INFO;
    CHECK(write_text(log, severity, text) == SATCHEL_OK, "%s", text);
    if (i % 10 == 0) usleep(1000);
  }
}

/* A parent outside, and process 1 inside, which ends without waiting for anything. */
static void live_in_container(void *context) {
  inhabitant *who = context;
  if (unshare(CLONE_NEWNS | CLONE_NEWPID) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
      mount(folder, who->place, NULL, MS_BIND, NULL) != 0) {
    skipped("no container: %s", strerror(errno));
    return;
  }
  pid_t first = fork();
  if (first == 0) {
    if (getpid() != 1) _exit(9);
    write_some(who, who->place);
    _exit(0);
  }
  int status = 0;
  waitpid(first, &status, 0);
  CHECK(status == 0, "%s: process 1 ended with %d", who->text, status);
}

static void live_outside(void *context) {
  write_some(context, folder);
  _exit(0);
}

typedef struct {
  const char *text;
  char *seen;
  int records;
} tally_of;

static void tally_line(const char *name, const log_line *line, void *context) {
  tally_of *tally = context;
  size_t size = strlen(tally->text);
  char number[16] = {0};
  (void)name;
  if (line->mark == MARK_REPEATED || line->message_size <= size || memcmp(line->message, tally->text, size) != 0) return;
  memcpy(number, line->message + size, line->message_size - size < 15 ? line->message_size - size : 15);
  int record = atoi(number);
  if (record >= 0 && record < tally->records) tally->seen[record]++;
}

static void all_there(const inhabitant *who) {
  tally_of tally = {who->text, calloc((size_t)who->records, 1), who->records};
  each_line(folder, tally_line, &tally);
  for (int i = 0; i < who->records; i++) CHECK(tally.seen[i] == 1, "%s %d: %d times in the files", who->text, i, tally.seen[i]);
  free(tally.seen);
}

static void containers(void) {
  folder = scratch_folder("shared");
  char first_place[4200], second_place[4200];
  snprintf(first_place, sizeof first_place, "%s", scratch_folder("first"));
  snprintf(second_place, sizeof second_place, "%s", scratch_folder("second"));
  inhabitant people[] = {{"in a container", first_place, 600}, {"in another one", second_place, 600}, {"outside", NULL, 400}};
  round_begin();
  pid_t first = child_start(live_in_container, &people[0]), second = child_start(live_in_container, &people[1]);
  pid_t outside = child_start(live_outside, &people[2]);
  child_end_well(first, 60, people[0].text);
  child_end_well(second, 60, people[1].text);
  child_end_well(outside, 60, people[2].text);
  if (entries_with(folder, APP) > 0) {
    drain_log(folder, APP);
    all_there(&people[2]);
    if (unshare(CLONE_NEWPID) == 0) {
      all_there(&people[0]);
      all_there(&people[1]);
    }
  }
  round_end();
}

int main(void) {
  checks_begin("ends");
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) try_end(&ends[i], (int)i);
  containers();
  return checks_finish();
}
