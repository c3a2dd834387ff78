/* A whole process that prints one of 1,000 settings, against git config. Usage: cli FOLDER SATCHEL */
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include "bench.h"

#define HISTORY 11 /* writes a key: more than the history keeps */

extern char **environ;
static char *satchel_words[] = {NULL, "get", "bench.cli", "section.key500", NULL};
static char *git_words[] = {"git", "config", "--file", NULL, "--get", "section.key500", NULL};
static posix_spawn_file_actions_t silent;

static void spawn(char **words, const posix_spawn_file_actions_t *actions) {
  pid_t child;
  int status;
  MUST(posix_spawnp(&child, words[0], actions, NULL, words, environ));
  MUST(waitpid(child, &status, 0) < 0 || status != 0);
}

static void run_satchel(long count) {
  for (long i = 0; i < count; i++) spawn(satchel_words, &silent);
}

static void run_git(long count) {
  for (long i = 0; i < count; i++) spawn(git_words, &silent);
}

/* What it prints must be 500. */
static void check(char **words, const char *folder) {
  char path[4096], answer[16] = {0};
  posix_spawn_file_actions_t into;
  snprintf(path, sizeof path, "%s/answer", folder);
  MUST(posix_spawn_file_actions_init(&into));
  MUST(posix_spawn_file_actions_addopen(&into, 1, path, O_WRONLY | O_CREAT | O_TRUNC, 0600));
  spawn(words, &into);
  FILE *file = fopen(path, "r");
  MUST(!file || !fgets(answer, sizeof answer, file) || strcmp(answer, "500\n") != 0);
  fclose(file);
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  char path[4096], key[32];
  MUST(setenv("XDG_CONFIG_HOME", argv[1], 1));
  satchel_settings *settings;
  MUST(satchel_settings_open(&settings, "bench.cli", NULL));
  snprintf(path, sizeof path, "%s/gitconfig", argv[1]);
  FILE *file = fopen(path, "w");
  MUST(!file);
  fprintf(file, "[section]\n");
  for (int i = 0; i < KEYS; i++) fprintf(file, "\tkey%d = %d\n", i, i);
  MUST(fclose(file));
  for (int i = 0; i < KEYS * HISTORY; i++) {
    snprintf(key, sizeof key, "section.key%d", i % KEYS);
    MUST(satchel_settings_set_int64(settings, key, i % KEYS));
  }
  satchel_settings_close(settings);
  satchel_words[0] = argv[2], git_words[3] = path;
  MUST(posix_spawn_file_actions_init(&silent));
  MUST(posix_spawn_file_actions_addopen(&silent, 1, "/dev/null", O_WRONLY, 0));
  check(satchel_words, argv[1]);
  check(git_words, argv[1]);
  subject ours = {run_satchel, 1, 1, 0}, theirs = {run_git, 1, 1, 0};
  take_turns(&ours, &theirs, 500);
  ours.result /= 1e3, theirs.result /= 1e3;
  emit("cli.get", ours.result, "us", "git-config", theirs.result, theirs.result / ours.result);
  return 0;
}
