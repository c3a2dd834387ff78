/* Every function of log.h, called as no one should: an error code each time, never a crash. Usage: hostile */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <satchel/log.h>

#include "support.h"

#define REFUSED_AS(expected, call) CHECK_CODE((expected), (call), #call)
#define REFUSED(call) REFUSED_AS(SATCHEL_EINVAL, call)

static char folder[256];
static const satchel_bytes message = {"hello", 5};

static satchel_log_options quiet(void) {
  satchel_log_options options = SATCHEL_LOG_OPTIONS_INIT;
  options.directory = folder;
  options.console = -1;
  return options;
}

static void names_that_are_none(void) {
  static const char *const names[] = {"", ".hidden", "a/b", "a b", "\xc3\xa4", "\xff", "..", "a\nb"};
  satchel_log_options options = quiet();
  char longest[400];
  satchel_log *log = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    REFUSED(satchel_log_open(&log, names[i], &options));
    CHECK(log == NULL, "the log of \"%s\"", names[i]);
    REFUSED(satchel_log_post(names[i], &options, NULL, SATCHEL_LOG_INFO, message, NULL, 0));
  }
  memset(longest, 'x', sizeof longest - 1);
  longest[sizeof longest - 1] = '\0';
  REFUSED(satchel_log_open(&log, longest, &options));
  REFUSED(satchel_log_open(&log, NULL, &options));
  REFUSED(satchel_log_open(NULL, "app", &options));
}

static void options_that_are_none(void) {
  satchel_log *log = NULL;
  const size_t sizes[] = {0, 1, 8, 47, 4097, SIZE_MAX};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    satchel_log_options options = quiet();
    options.struct_size = sizes[i];
    int code = satchel_log_open(&log, "app", &options);
    CHECK(code == SATCHEL_EINVAL || code == SATCHEL_EVERSION, "options of %zu bytes give %d", sizes[i], code);
  }
  const int32_t none[] = {9, INT_MAX, INT_MIN, -2};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    satchel_log_options options = quiet();
    options.level = none[i];
    REFUSED(satchel_log_open(&log, "app", &options));
    options = quiet();
    options.console = none[i];
    REFUSED(satchel_log_open(&log, "app", &options));
    options = quiet();
    options.format = none[i];
    REFUSED(satchel_log_open(&log, "app", &options));
  }
  satchel_log_options options = quiet();
  options.directory = "/proc/nowhere";
  int code = satchel_log_open(&log, "app", &options);
  CHECK(code < 0 && log == NULL, "a folder that cannot be made gives %d", code);
  CHECK(strstr(satchel_last_error()->message, "/proc/nowhere") != NULL, "\"%s\" names no path", satchel_last_error()->message);
}

static void records_that_are_none(satchel_log *log) {
  const satchel_bytes missing = {NULL, 5}, absurd = {"x", SIZE_MAX / 2};
  const int severities[] = {0, -1, 9, 15, 257, 258, INT_MAX, INT_MIN};
  for (size_t i = 0; i < sizeof severities / sizeof *severities; i++) {
    REFUSED(satchel_log_write(log, severities[i], NULL, message, NULL, 0));
    satchel_log_options options = quiet();
    REFUSED(satchel_log_post("app", &options, NULL, severities[i], message, NULL, 0));
    (void)satchel_log_enabled(log, severities[i]);
  }
  REFUSED(satchel_log_write(NULL, SATCHEL_LOG_INFO, NULL, message, NULL, 0));
  REFUSED(satchel_log_write(log, SATCHEL_LOG_INFO, NULL, missing, NULL, 0));
  REFUSED(satchel_log_write(log, SATCHEL_LOG_INFO, NULL, absurd, NULL, 0));
  REFUSED(satchel_log_write(log, SATCHEL_LOG_INFO, NULL, message, NULL, 3));
  REFUSED(satchel_log_write(log, SATCHEL_LOG_INFO, NULL, message, (const satchel_log_field *)&message, SIZE_MAX));
  REFUSED(satchel_log_post(NULL, NULL, NULL, SATCHEL_LOG_INFO, message, NULL, 0));
  CHECK(satchel_log_enabled(NULL, SATCHEL_LOG_INFO) == 0, "no log is enabled");
}

static void odd_records(satchel_log *log) {
  satchel_log_site site = {NULL, NULL, 17, UINT32_MAX, UINT32_MAX, UINT32_MAX};
  const satchel_log_field fields[] = {{NULL, SATCHEL_LOG_FIELD_INT, {.int64 = INT64_MIN}},
                                      {"", 0, {.int64 = 0}},
                                      {"unknown", INT64_MAX, {.int64 = 5}},
                                      {"\xff\n", SATCHEL_LOG_FIELD_TEXT, {.bytes = {NULL, 7}}},
                                      {"nothing", SATCHEL_LOG_FIELD_SECRET, {.bytes = {NULL, 0}}},
                                      {"bytes", SATCHEL_LOG_FIELD_BYTES, {.bytes = {"\0\xff", 2}}}};
  CHECK_CODE(SATCHEL_OK, satchel_log_write(log, SATCHEL_LOG_ALERT, &site, message, fields, sizeof fields / sizeof *fields),
             "odd fields");
  CHECK_CODE(SATCHEL_OK, satchel_log_write(log, SATCHEL_LOG_INFO, NULL, satchel_blob(NULL, 0), NULL, 0), "no message");
  CHECK_CODE(SATCHEL_OK,
             satchel_log_write(log, SATCHEL_LOG_INFO, NULL, satchel_blob("\0\n\x1b[2J\xff\xe2\x80\xae", 10), NULL, 0),
             "any bytes");
  SATCHEL_INFO(log, "%s %d", "printf", 5);
  SATCHEL_EVENT(log, SATCHEL_LOG_NOTICE, "event", satchel_field_int("a", 1), satchel_field_text("b", NULL));
}

int main(void) {
  checks_begin("hostile");
  snprintf(folder, sizeof folder, "%s/logs", getenv("HOME"));
  satchel_log *log = NULL, *category = NULL;
  names_that_are_none();
  options_that_are_none();
  satchel_log_options options = quiet();
  CHECK_CODE(SATCHEL_OK, satchel_log_open(&log, "app", &options), "open");
  REFUSED(satchel_log_category(NULL, log, "net"));
  REFUSED(satchel_log_category(&category, NULL, "net"));
  REFUSED(satchel_log_category(&category, log, NULL));
  REFUSED(satchel_log_category(&category, log, "\xff"));
  records_that_are_none(log);
  odd_records(log);
  REFUSED(satchel_log_flush(NULL, 5));
  CHECK_CODE(SATCHEL_OK, satchel_log_flush(log, 10000), "flush");
  return checks_finish();
}
