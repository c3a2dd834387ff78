/*
 * Leaders that stop or die at each named point of a commit, and leaders that die while a child that they have forked lives on:
 * others log all the same, what they log is in a file when it has to be, and is there once.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "checker.h"
#include "control.h"
#include "logs.h"
#include "support.h"

void satchel_fault_call(const char *name, int skip, void (*body)(void));

static char text[128];
static const char *folder;

static bool wait_for_leader(const control *control, pid_t process) {
  for (int turn = 0; turn < 5000; turn++) {
    if (control_leader(control) == process && !control_is_writing(control)) return true;
    sleep_ms(1);
  }
  return false;
}

/* MARK: At a named point */

static const char *const points[] = {"log-announced", "log-writing", "log-written", "log-committed"};
typedef enum { STOPPED, KILLED, HOWS } how;
typedef enum { WRITES, POSTS, LATER_WRITES, WHOS } who;

static void stop_here(void) { kill(getpid(), SIGSTOP); }

typedef struct {
  const char *point;
  how how;
  who who;
} scene;

/* Leads, and comes to its end with the first record that somebody writes. */
static void lead(void *context) {
  const scene *scene = context;
  satchel_log *log = open_log(folder, "leaders", 0);
  if (log == NULL) return;
  write_text(log, SATCHEL_LOG_INFO, "warm");
  CHECK_CODE(SATCHEL_OK, satchel_log_flush(log, 5000), "warming up");
  satchel_fault_call(scene->point, 0, scene->how == STOPPED ? stop_here : NULL);
  for (;;) pause();
}

/* With and without a thread that stands by to lead. */
static void write_alert(void *context) {
  const scene *scene = context;
  int code = SATCHEL_OK;
  if (scene->who == POSTS) {
    code = post_text(folder, "leaders", text);
  } else {
    satchel_log *log = open_log(folder, "leaders", scene->who == LATER_WRITES ? SATCHEL_LOG_NO_THREAD : 0);
    if (log == NULL) return;
    code = write_text(log, SATCHEL_LOG_ALERT, text);
  }
  CHECK_CODE(SATCHEL_OK, code, text);
  CHECK(times_in_files(folder, text, NULL) == 1, "%s: %d times in the files on return", text,
        times_in_files(folder, text, NULL));
}

static void play(const scene *scene, int number) {
  char name[64];
  snprintf(name, sizeof name, "scene.%d", number);
  snprintf(text, sizeof text, "scene %d: %s at %s, %s", number, scene->how == STOPPED ? "stopped" : "killed", scene->point,
           scene->who == WRITES  ? "alert"
           : scene->who == POSTS ? "post"
                                 : "alert without a thread");
  folder = scratch_folder(name);
  round_begin();
  pid_t leader = child_start(lead, (void *)scene);
  const control *control = NULL;
  for (int turn = 0; turn < 5000 && (control = control_open(folder, "leaders")) == NULL; turn++) sleep_ms(1);
  bool leads = control != NULL && wait_for_leader(control, leader);
  if (CHECK(leads, "%s: nobody leads", text)) {
    sleep_ms(20);
    child_end_well(child_start(write_alert, (void *)scene), 30, text);
    kill(leader, SIGCONT);
    sleep_ms(20);
    /* Killed later, it has written what it had in hand. */
    is_there_once(folder, "leaders", text, scene->how == STOPPED);
  }
  child_kill(leader);
  is_there_once(folder, "leaders", text, scene->how == STOPPED);
  if (control != NULL) control_close(control);
  round_end();
}

static void play_all(void) {
  int number = 0;
  for (size_t p = 0; p < sizeof points / sizeof *points; p++)
    for (int h = 0; h < HOWS; h++)
      for (int w = 0; w < WHOS; w++) play(&(scene){points[p], (how)h, (who)w}, number++);
}

/* MARK: Dead, with a child that lives */

/* Opens, and forks at once: its thread may be in the middle of taking the leadership. */
static void fork_and_log(void *context) {
  int *tell = context;
  satchel_log *log = open_log(folder, "orphans", 0);
  volatile int spin = (int)(now_ns() % 20000);
  while (spin > 0) spin--;
  pid_t child = fork();
  if (child == 0)
    for (;;) pause(); /* it never logs */
  if (write(tell[1], &child, sizeof child) != sizeof child) abort();
  for (int i = 0;; i++) {
    if (i % 3 == 0) write_text(log, SATCHEL_LOG_INFO, "on");
    usleep(100);
  }
}

static void post_after(void *context) {
  (void)context;
  CHECK_CODE(SATCHEL_OK, post_text(folder, "orphans", text), text);
}

/* The child may still be on its way to closing what it has inherited. */
static bool becomes_free(void) {
  for (int turn = 0; turn < 10000; turn++) {
    if (leadership_is_free(folder, "orphans")) return true;
    sleep_ms(1);
  }
  return false;
}

static void orphan(int number) {
  int tell[2];
  pid_t child = 0;
  snprintf(text, sizeof text, "orphan %d", number);
  round_begin();
  if (pipe(tell) != 0) abort();
  pid_t parent = child_start(fork_and_log, tell);
  if (read(tell[0], &child, sizeof child) != sizeof child) abort();
  usleep((useconds_t)(number * 37 % 4000));
  child_kill(parent);
  CHECK(becomes_free(), "%s: the leadership has stayed with a child", text);
  child_end_well(child_start(post_after, NULL), 30, text);
  CHECK(times_in_files(folder, text, NULL) == 1, "%s: not in the files", text);
  kill(child, SIGKILL);
  close(tell[0]);
  close(tell[1]);
  round_end();
}

int main(int count, char **words) {
  int rounds = count > 1 ? atoi(words[1]) : 100;
  checks_begin("leaders");
  play_all();
  folder = scratch_folder("orphans");
  for (int i = 0; i < rounds; i++) orphan(i);
  return checks_finish();
}
