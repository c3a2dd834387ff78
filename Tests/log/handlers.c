/*
 * Handlers that log what has to be in a file at once, while the leader stands still and the allocator has been interrupted: they
 * do not hang, and what they log is there once.
 */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "checker.h"
#include "control.h"
#include "logs.h"
#include "support.h"

enum { LONG = 50000 };

static satchel_log *program_log;
static const char *folder;
static atomic_int handled;
static int wanted;

static void on_signal(int number) {
  static char text[LONG];
  (void)number;
  if (handled >= wanted) return;
  int mine = handled++, size = snprintf(text, sizeof text, "handler %d ", mine);
  if (mine % 5 == 0) { /* too long for a ring */
    memset(text + size, 'x', sizeof text - (size_t)size);
    size = LONG;
  }
  int severity = mine % 5 == 0 ? SATCHEL_LOG_INFO : SATCHEL_LOG_ALERT;
  satchel_bytes message = {text, (size_t)size};
  if (satchel_log_write(program_log, severity, NULL, message, NULL, 0) != SATCHEL_OK) _exit(3);
}

static void lead(void *context) {
  (void)context;
  if (open_log(folder, "handlers", 0) == NULL) return;
  for (;;) pause();
}

/* Records and rooms of memory by turns, until the handler has come often enough. */
static void work(void *context) {
  (void)context;
  void *volatile rooms[64] = {0};
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  struct itimerval time = {{0, 500}, {0, 500}};
  program_log = open_log(folder, "handlers", 0);
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &time, NULL);
  for (unsigned i = 0; handled < wanted; i++) {
    free(rooms[i % 64]);
    rooms[i % 64] = malloc(1 + i * 37 % 3000);
    if (i % 1000 == 0) ignore(write_text(program_log, SATCHEL_LOG_INFO, "work"));
  }
}

static void count_handlers(const char *name, const log_line *line, void *context) {
  int number = 0;
  char head[32] = {0};
  (void)name;
  memcpy(head, line->message, line->message_size < 31 ? line->message_size : 31);
  if (sscanf(head, "handler %d ", &number) == 1 && number < wanted && line->mark != MARK_REPEATED) ((char *)context)[number]++;
}

int main(int count, char **words) {
  wanted = count > 1 ? atoi(words[1]) : 100;
  checks_begin("handlers");
  folder = scratch_folder("handlers");
  pid_t leader = child_start(lead, NULL);
  const control *control = NULL;
  for (int turn = 0; turn < 5000 && (control == NULL || control_leader(control) != leader); turn++) {
    if (control == NULL) control = control_open(folder, "handlers");
    sleep_ms(1);
  }
  CHECK(control != NULL && control_leader(control) == leader, "nobody leads");
  kill(leader, SIGSTOP);
  child_end_well(child_start(work, NULL), 60 + wanted, "a program with a handler");
  child_kill(leader);
  drain_log(folder, "handlers");
  char *seen = calloc((size_t)wanted, 1);
  each_line(folder, count_handlers, seen);
  for (int i = 0; i < wanted; i++) CHECK(seen[i] == 1, "handler %d: %d times in the files", i, seen[i]);
  free(seen);
  return checks_finish();
}
