#include "scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[256];

void scratch_new(void) {
  static int count;
  snprintf(folder, sizeof folder, "%s/log-%d-%d", getenv("HOME"), (int)getpid(), count++);
  mkdir(folder, 0700);
}
const char *log_folder(void) { return folder; }

satchel_log *scratch_log(void (*change)(satchel_log_options *)) {
  satchel_log_options options = SATCHEL_LOG_OPTIONS_INIT;
  satchel_log *log = NULL;
  options.directory = folder;
  options.console = -1;
  if (change != NULL) change(&options);
  if (satchel_log_open(&log, "test", &options) != 0) {
    fprintf(stderr, "no log in %s: %s\n", folder, satchel_last_error()->message);
    exit(99);
  }
  return log;
}

static char text[1 << 22];

static size_t append(const char *name, size_t size) {
  char path[600];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  int file = open(path, O_RDONLY);
  ssize_t more = 0;
  while (file >= 0 && size < sizeof text - 1 && (more = read(file, text + size, sizeof text - 1 - size)) > 0)
    size += (size_t)more;
  close(file);
  return size;
}

const char *scratch_text_now(void) {
  struct dirent **names;
  int count = scandir(folder, &names, NULL, alphasort);
  size_t size = 0;
  for (int i = 0; i < count; i++) {
    size_t length = strlen(names[i]->d_name);
    if (names[i]->d_name[0] != '.' && length > 4 && strcmp(names[i]->d_name + length - 4, ".log") == 0)
      size = append(names[i]->d_name, size);
    free(names[i]);
  }
  if (count >= 0) free(names);
  text[size] = '\0';
  return text;
}

const char *scratch_text(void) {
  CHECK_CODE(0, satchel_log_flush(scratch_log(NULL), 20000), "a flush");
  return scratch_text_now();
}

int occurrences(const char *in, const char *of) {
  int count = 0;
  for (const char *at = strstr(in, of); at != NULL; at = strstr(at + 1, of)) count++;
  return count;
}
