/*
 * Forks while threads log and a signal comes every millisecond, whose handler logs too: nobody hangs, in the children neither, and
 * each line has the process and the thread that wrote it.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "checker.h"
#include "logs.h"
#include "support.h"

enum { THREADS = 4, OF_CHILD = 3 };

static satchel_log *program_log;
static const char *folder;
static atomic_bool done;

/* What every record says of itself. */
static int write_self(int severity, const char *who, int number) {
  char text[128];
  snprintf(text, sizeof text, "%s %d of %d/%d", who, number, (int)getpid(), (int)syscall(SYS_gettid));
  return write_text(program_log, severity, text);
}

static void on_signal(int number) {
  (void)number;
  static atomic_int count;
  int mine = count++;
  write_self(mine % 100 == 7 ? SATCHEL_LOG_ALERT : SATCHEL_LOG_INFO, "handler", mine);
}

static void signal_every_millisecond(void) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &action, NULL);
  struct itimerval time = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_REAL, &time, NULL);
}

/* Not in the thread that forks: the kernel begins a fork anew when a signal comes, and on a busy machine takes longer than that. */
static void hear_signals(bool hears) {
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  pthread_sigmask(hears ? SIG_UNBLOCK : SIG_BLOCK, &alarm, NULL);
}

/* The allocator is in the middle of something as often as can be. */
static void churn(int turns) {
  void *volatile rooms[16] = {0};
  for (int i = 0; i < turns; i++) {
    free(rooms[i % 16]);
    rooms[i % 16] = malloc((size_t)(1 + i * 37 % 3000));
  }
  for (int i = 0; i < 16; i++) free(rooms[i]);
}

static void *log_on(void *argument) {
  for (int i = 0; !done; i++) {
    write_self(SATCHEL_LOG_INFO, "thread", i);
    if (i % 4 == 0) churn(50);
    if (i % 5 == 0) usleep(1000);
  }
  return argument;
}

/* MARK: Children */

static void *log_once(void *number) {
  CHECK(write_self(SATCHEL_LOG_INFO, "child-thread", *(int *)number) == SATCHEL_OK, "a thread of a child");
  return NULL;
}

/* Its first record may be that of the handler. */
static void child(void *context) {
  int number = *(int *)context;
  pthread_t thread;
  hear_signals(true);
  signal_every_millisecond();
  churn(number % 3 == 0 ? 20000 : 0);
  CHECK(write_self(SATCHEL_LOG_INFO, "child", number) == SATCHEL_OK, "a child");
  if (pthread_create(&thread, NULL, log_once, &number) != 0) abort();
  pthread_join(thread, NULL);
  int severity = number % 20 == 0 ? SATCHEL_LOG_ALERT : SATCHEL_LOG_INFO;
  CHECK(write_self(severity, "child-again", number) == SATCHEL_OK, "a child, again");
}

/* MARK: Forks while other threads log for the first time */

static void *log_first(void *argument) {
  write_self(SATCHEL_LOG_INFO, "first", 0);
  return argument;
}

static void child_of_beginner(void *context) {
  CHECK(write_self(SATCHEL_LOG_INFO, "beginner", *(int *)context) == SATCHEL_OK, "a child of a beginner");
}

/* What the runtime makes at its first use may be half made in the child. */
static void fork_early(void *context) {
  pthread_t threads[2];
  program_log = open_log(folder, "forks", 0);
  for (int i = 0; i < 2; i++)
    if (pthread_create(&threads[i], NULL, log_first, NULL) != 0) abort();
  int64_t until = now_ns() + *(int *)context * 1009 % 120000;
  while (now_ns() < until);
  child_end_well(child_start(child_of_beginner, context), 30, "a child of a beginner");
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}

/* MARK: The lines */

typedef struct {
  uint8_t *children; /* records of each that are there */
  int forks;
  uint64_t others, faults;
} view;

static bool tells_the_truth(const log_line *line, int *number, char who[32]) {
  char text[128];
  int pid = 0, tid = 0;
  size_t size = line->message_size < sizeof text ? line->message_size : sizeof text - 1;
  memcpy(text, line->message, size);
  text[size] = '\0';
  if (sscanf(text, "%31s %d of %d/%d", who, number, &pid, &tid) != 4) return false;
  return line->pid == (uint32_t)pid && line->tid == (uint32_t)tid;
}

static void look(const char *name, const log_line *line, void *context) {
  view *view = context;
  int number = 0;
  char who[32];
  if (line->kind[0] != '\0') return;
  if (!tells_the_truth(line, &number, who)) {
    view->faults++;
    CHECK(false, "%s: %u/%u: %.*s", name, line->pid, line->tid, (int)line->message_size, line->message);
  } else if (strncmp(who, "child", 5) == 0 && number >= 0 && number < view->forks) {
    if (line->mark != MARK_REPEATED) view->children[number]++;
  } else {
    view->others++;
  }
}

static void check_lines(int forks) {
  view view = {calloc((size_t)forks, 1), forks, 0, 0};
  each_line(folder, look, &view);
  for (int i = 0; i < forks; i++) CHECK(view.children[i] == OF_CHILD, "child %d has %d records", i, view.children[i]);
  CHECK(view.others > 0, "the parent has logged nothing");
  printf("  %d forks, and %lu records of parents and handlers\n", forks, (unsigned long)view.others);
  free(view.children);
}

/* MARK: The program */

static void fork_on(void *context) {
  int forks = *(int *)context;
  pthread_t threads[THREADS];
  program_log = open_log(folder, "forks", 0);
  if (program_log == NULL) return;
  signal_every_millisecond();
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, log_on, NULL) != 0) abort();
  hear_signals(false);
  for (int i = 0; i < forks; i++) child_round(child, &i, 30, "a child");
  done = true;
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

int main(int count, char **words) {
  int forks = count > 1 ? atoi(words[1]) : 300;
  checks_begin("forks");
  folder = scratch_folder("forks");
  child_end_well(child_start(fork_on, &forks), 60 + forks / 20, "forks under load");
  for (int i = 0; i < forks; i++) child_round(fork_early, &i, 40, "an early fork");
  drain_log(folder, "forks");
  check_lines(forks);
  return checks_finish();
}
