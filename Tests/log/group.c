#include "group.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

static pid_t group;

void group_begin(void) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  group = fork();
  if (group < 0) abort();
  if (group == 0) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) pause();
  }
  setpgid(group, group);
}

void group_end(void) {
  group_kill();
  group_wait(20);
  child_kill(group);
}

pid_t group_spawn(const char *const arguments[]) {
  pid_t child = fork();
  if (child < 0) abort();
  if (child == 0) {
    setpgid(0, group);
    execv("/proc/self/exe", (char *const *)arguments);
    _exit(127);
  }
  setpgid(child, group);
  return child;
}

bool group_has(pid_t process) { return process > 0 && process != group && getpgid(process) == group; }

/* The state of a process or thread, and its group; 0 where it has gone. */
static char state_of(int folder, const char *path, pid_t *its_group) {
  char text[512];
  int file = openat(folder, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  if (size <= 0) return 0;
  text[size] = '\0';
  char *close_bracket = strrchr(text, ')'), state = 0;
  if (close_bracket == NULL || sscanf(close_bracket + 1, " %c %*d %d", &state, its_group) != 2) return 0;
  return state;
}

static bool stands_still(char state) { return state == 0 || strchr("TtZX", state) != NULL; }

static bool threads_stand_still(int proc, const char *process) {
  char path[300];
  pid_t ignored;
  snprintf(path, sizeof path, "%s/task", process);
  int tasks = openat(proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *threads = tasks < 0 ? NULL : fdopendir(tasks);
  if (threads == NULL) return true;
  bool still = true;
  for (struct dirent *entry; still && (entry = readdir(threads)) != NULL;) {
    if (!isdigit((unsigned char)entry->d_name[0])) continue;
    snprintf(path, sizeof path, "%s/stat", entry->d_name);
    still = stands_still(state_of(dirfd(threads), path, &ignored));
  }
  closedir(threads);
  return still;
}

/* How many live; `still` says whether all of their threads stand still. */
static int look(bool *still) {
  DIR *proc = opendir("/proc");
  if (proc == NULL) abort();
  int count = 0;
  *still = true;
  for (struct dirent *entry; (entry = readdir(proc)) != NULL;) {
    if (!isdigit((unsigned char)entry->d_name[0]) || atoi(entry->d_name) == group) continue;
    char path[300];
    pid_t its_group = 0;
    snprintf(path, sizeof path, "%s/stat", entry->d_name);
    char state = state_of(dirfd(proc), path, &its_group);
    if (its_group != group || state == 0 || state == 'Z' || state == 'X') continue;
    count++;
    if (*still && !threads_stand_still(dirfd(proc), entry->d_name)) *still = false;
  }
  closedir(proc);
  return count;
}

int group_size(void) {
  bool still;
  return look(&still);
}

bool group_stop(void) {
  bool still = false;
  for (int turn = 0; turn < 200 && !still; turn++) {
    kill(-group, SIGSTOP);
    usleep(turn < 10 ? 500 : 5000);
    look(&still);
  }
  return still;
}

void group_continue(void) { kill(-group, SIGCONT); }

void group_kill(void) {
  /* The one that waits goes too; its number stays while it is a zombie. */
  kill(-group, SIGKILL);
}

int group_wait(int seconds) {
  int64_t deadline = now_ns() + seconds * INT64_C(1000000000);
  int left = 1;
  while ((left = group_size()) > 0 && now_ns() < deadline) {
    while (waitpid(-group, NULL, WNOHANG) > 0 && errno != ECHILD);
    sleep_ms(5);
  }
  return left;
}
