#include "logs.h"

#include <string.h>

#include "checker.h"
#include "control.h"
#include "support.h"

satchel_log_options log_options(const char *folder, uint32_t flags) {
  satchel_log_options options = SATCHEL_LOG_OPTIONS_INIT;
  options.directory = folder;
  options.console = -1;
  options.flags = flags;
  options.retention_days = -1;
  return options;
}

satchel_log *open_log(const char *folder, const char *app, uint32_t flags) {
  satchel_log *log = NULL;
  satchel_log_options options = log_options(folder, flags);
  CHECK_CODE(SATCHEL_OK, satchel_log_open(&log, app, &options), app);
  return log;
}

int write_text(satchel_log *log, int severity, const char *text) {
  return satchel_log_write(log, severity, NULL, satchel_text(text), NULL, 0);
}

int post_text(const char *folder, const char *app, const char *text) {
  satchel_log_options options = log_options(folder, 0);
  return satchel_log_post(app, &options, NULL, SATCHEL_LOG_INFO, satchel_text(text), NULL, 0);
}

typedef struct {
  const char *folder, *app;
} place;

static void drain(void *context) {
  place *place = context;
  satchel_log *log = open_log(place->folder, place->app, SATCHEL_LOG_NO_THREAD);
  const control *control = control_open(place->folder, place->app);
  if (log == NULL || control == NULL) return;
  for (int turn = 0; turn < 100 && !control_is_drained(control); turn++) ignore(satchel_log_flush(log, 200));
  CHECK(control_is_drained(control), "%s: not everything can be brought into the files", place->app);
}

void drain_log(const char *folder, const char *app) {
  place place = {folder, app};
  child_end_well(child_start(drain, &place), 60, "draining");
}

void is_there_once(const char *folder, const char *app, const char *text, bool may_repeat) {
  int repeats = 0;
  drain_log(folder, app);
  int times = times_in_files(folder, text, &repeats);
  bool once = times == 1 || (may_repeat && times == 2 && repeats == 1);
  CHECK(once, "%s: %d times in the files, %d of them repeats", text, times, repeats);
}
