/*
 * A message of 64 MiB; two logs in one folder, whose leaders die; files and folders that are deleted while their log is open.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checker.h"
#include "control.h"
#include "logs.h"
#include "support.h"

static const char *folder;

/* MARK: A huge message */

enum { HUGE_SIZE = 64 << 20 };

static char *huge_text(void) {
  char *text = malloc(HUGE_SIZE + 1);
  if (text == NULL) abort();
  for (size_t i = 0; i < HUGE_SIZE; i++) text[i] = (char)('a' + i * 7 % 26);
  memcpy(text, "huge ", 5);
  text[HUGE_SIZE] = '\0';
  return text;
}

static void write_huge(void *text) {
  satchel_log *log = open_log(folder, "huge", 0);
  CHECK_CODE(SATCHEL_OK, write_text(log, SATCHEL_LOG_INFO, "before"), "before a huge message");
  CHECK_CODE(SATCHEL_OK, write_text(log, SATCHEL_LOG_INFO, text), "a huge message");
  CHECK_CODE(SATCHEL_OK, write_text(log, SATCHEL_LOG_INFO, "after"), "after a huge message");
}

static void post_huge(void *text) {
  memcpy(text, "post ", 5);
  CHECK_CODE(SATCHEL_OK, post_text(folder, "huge", text), "a huge post");
}

/* Without memory for it, it is refused, and the program goes on. */
static void write_huge_without_memory(void *text) {
  satchel_log *log = open_log(folder, "huge", 0);
  memcpy(text, "none ", 5);
  limit_memory(32 << 20);
  int code = write_text(log, SATCHEL_LOG_INFO, text);
  limit_memory(0);
  CHECK(code == SATCHEL_ENOMEM || code == SATCHEL_EFULL, "a huge message without memory gives %s", satchel_error_name(code));
  CHECK_CODE(SATCHEL_OK, write_text(log, SATCHEL_LOG_INFO, "after the refusal"), "after a refusal");
}

static void huge(void) {
  char *text = huge_text();
  folder = scratch_folder("huge");
  child_end_well(child_start(write_huge, text), 60, "a huge message");
  is_there_once(folder, "huge", text, false);
  is_there_once(folder, "huge", "before", false);
  is_there_once(folder, "huge", "after", false);
  child_end_well(child_start(post_huge, text), 60, "a huge post");
  memcpy(text, "post ", 5);
  is_there_once(folder, "huge", text, false);
  child_end_well(child_start(write_huge_without_memory, text), 60, "a huge message without memory");
  is_there_once(folder, "huge", "after the refusal", false);
  free(text);
}

/* MARK: Two logs in one folder */

/* One name begins as the files of the other do. */
static const char *const apps[] = {"twin", "twin-2026-12-01"};
enum { TWIN_RECORDS = 200, TWIN_ROUNDS = 10 };

static void write_both(void *context) {
  int round = *(int *)context;
  satchel_log *logs[] = {open_log(folder, apps[0], 0), open_log(folder, apps[1], 0)};
  char text[64];
  for (int i = 0; i < TWIN_RECORDS; i++) {
    for (int k = 0; k < 2; k++) {
      snprintf(text, sizeof text, "round %d of %s: %d", round, apps[k], i);
      if (write_text(logs[k], SATCHEL_LOG_INFO, text) != SATCHEL_OK) _exit(3);
    }
  }
  kill(getpid(), SIGKILL);
}

typedef struct {
  const char *app;
  int lines, others;
} twin_view;

/* A file is that of the app whose name its own begins with, up to the date. */
static void look_at_twin(const char *name, const log_line *line, void *context) {
  twin_view *view = context;
  char wanted[64], text[64] = {0};
  if (strncmp(name, view->app, strlen(view->app)) != 0 || strlen(name) != strlen(view->app) + strlen("-YYYY-MM-DD.log")) return;
  memcpy(text, line->message, line->message_size < sizeof text - 1 ? line->message_size : sizeof text - 1);
  snprintf(wanted, sizeof wanted, " of %s: ", view->app);
  if (strstr(text, wanted) != NULL) view->lines++;
  else view->others++;
}

static void twins(void) {
  folder = scratch_folder("twins");
  for (int i = 0; i < TWIN_ROUNDS; i++) {
    int status = child_end(child_start(write_both, &i), 20);
    CHECK(status == SIGKILL, "a writer of two logs ended with %d", status);
  }
  for (int k = 0; k < 2; k++) {
    drain_log(folder, apps[k]);
    twin_view view = {apps[k], 0, 0};
    each_line(folder, look_at_twin, &view);
    CHECK(view.lines == TWIN_RECORDS * TWIN_ROUNDS, "%s: %d records", apps[k], view.lines);
    CHECK(view.others == 0, "%s: %d records of the other one", apps[k], view.others);
  }
}

/* MARK: Files, and a folder, that are deleted */

static void write_many(satchel_log *log, const char *text) {
  for (int i = 0; i < 100; i++) CHECK_CODE(SATCHEL_OK, write_text(log, SATCHEL_LOG_INFO, text), text);
}

static void write_over_deletions(void *context) {
  char path[4200];
  (void)context;
  satchel_log *log = open_log(folder, "deleted", 0);
  write_many(log, "before");
  CHECK_CODE(SATCHEL_OK, satchel_log_flush(log, 5000), "flushing before the deletion");
  snprintf(path, sizeof path, "find '%s' -maxdepth 1 -name '*.log' -delete", folder);
  CHECK(system(path) == 0, "%s", path);
  write_many(log, "files deleted");
  CHECK_CODE(SATCHEL_OK, write_text(log, SATCHEL_LOG_ALERT, "an alert after that"), "an alert");
  CHECK_CODE(SATCHEL_OK, satchel_log_flush(log, 5000), "flushing after the deletion");
}

/* What the old handle is given has nowhere to go where the memory is deleted too, but it harms nobody; a new handle is whole. */
static void write_without_folder(void *context) {
  (void)context;
  satchel_log *log = open_log(folder, "deleted", 0);
  write_many(log, "again");
  remove_all(folder);
  write_many(log, "folder deleted");
  int code = write_text(log, SATCHEL_LOG_ALERT, "an alert without a folder");
  CHECK(code == SATCHEL_OK || code == SATCHEL_LOG_QUEUED || code == SATCHEL_EFULL, "an alert without a folder gives %s",
        satchel_error_name(code));
  code = satchel_log_flush(log, 300);
  CHECK(code == SATCHEL_OK || code == SATCHEL_ETIMEOUT, "flushing without a folder gives %s", satchel_error_name(code));
  satchel_log *fresh = open_log(folder, "deleted", 0);
  write_many(fresh, "a new handle");
  CHECK_CODE(SATCHEL_OK, satchel_log_flush(fresh, 5000), "flushing the new handle");
}

static void deleted(void) {
  folder = scratch_folder("deleted");
  child_end_well(child_start(write_over_deletions, NULL), 60, "deleted files");
  CHECK(times_in_files(folder, "files deleted", NULL) == 100, "%d of 100 records after the deletion",
        times_in_files(folder, "files deleted", NULL));
  is_there_once(folder, "deleted", "an alert after that", false);
  child_end_well(child_start(write_without_folder, NULL), 60, "a deleted folder");
  CHECK(times_in_files(folder, "a new handle", NULL) == 100, "%d of 100 records of a new handle",
        times_in_files(folder, "a new handle", NULL));
}

int main(void) {
  checks_begin("sizes");
  huge();
  twins();
  deleted();
  return checks_finish();
}
