#include "lines.h"

#include <stdlib.h>
#include <string.h>

/*
 *   2026-12-01T00:53:10.123456+00:00 notice [812/815 main] net player.c:12 play: message⇥name=value
 *
 * Behind the time stands a mark, behind the severity the kind of a record that is no message, and behind a tab come fields.
 * Between the thread and ": " stands the place; the tests log without one. Line breaks go on in lines that are indented.
 */

enum { INDENT = 4, TIME = 32 };

typedef struct {
  const char *at, *end;
  bool failed;
} cursor;

static char peek(const cursor *c) { return c->at < c->end ? *c->at : '\0'; }

static void expect(cursor *c, char wanted) {
  if (peek(c) != wanted) c->failed = true;
  else c->at++;
}

static int64_t number(cursor *c, int digits) {
  int64_t value = 0;
  int count = 0;
  while (c->at < c->end && *c->at >= '0' && *c->at <= '9' && (digits == 0 || count < digits)) {
    value = value * 10 + (*c->at++ - '0');
    count++;
  }
  if (count == 0 || (digits != 0 && count != digits) || count > 18) c->failed = true;
  return value;
}

/* Days since 1970 in the Gregorian calendar; years begin in March, so that leap days come last. */
static int64_t days(int64_t year, int64_t month, int64_t day) {
  if (month <= 2) {
    year--;
    month += 12;
  }
  return 365 * year + year / 4 - year / 100 + year / 400 + (153 * (month - 3) + 2) / 5 + day - 1 - 719468;
}

static int64_t time_of_line(cursor *c) {
  if (c->end - c->at < TIME) c->failed = true;
  int64_t year = number(c, 4);
  expect(c, '-');
  int64_t month = number(c, 2);
  expect(c, '-');
  int64_t day = number(c, 2);
  expect(c, 'T');
  int64_t hour = number(c, 2);
  expect(c, ':');
  int64_t minute = number(c, 2);
  expect(c, ':');
  int64_t second = number(c, 2);
  expect(c, '.');
  int64_t micro = number(c, 6);
  bool west = peek(c) == '-';
  expect(c, west ? '-' : '+');
  int64_t hours = number(c, 2);
  expect(c, ':');
  int64_t east = (hours * 60 + number(c, 2)) * (west ? -60 : 60);
  return (days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - east) * 1000000 + micro;
}

static void word(cursor *c, char *out, size_t size) {
  size_t count = 0;
  while (c->at < c->end && *c->at != ' ' && *c->at != '\n' && count + 1 < size) out[count++] = *c->at++;
  out[count] = '\0';
  if (count == 0) c->failed = true;
}

/* Of the head all but the place. */
static void head(cursor *c, log_line *line) {
  line->time = time_of_line(c);
  line->mark = peek(c);
  if (line->mark == '\0' || strchr(" ~=!^", line->mark) == NULL) c->failed = true;
  c->at++;
  word(c, line->severity, sizeof line->severity);
  expect(c, ' ');
  line->kind[0] = '\0';
  if (peek(c) != '[') {
    word(c, line->kind, sizeof line->kind);
    expect(c, ' ');
  }
  expect(c, '[');
  line->pid = (uint32_t)number(c, 0);
  expect(c, '/');
  line->tid = (uint32_t)number(c, 0);
  expect(c, ' ');
  const char *close = c->failed ? NULL : memchr(c->at, ']', (size_t)(c->end - c->at));
  if (close == NULL) c->failed = true;
  else c->at = close + 1;
  expect(c, ':');
  expect(c, ' ');
}

/* The end of the lines that belong together, behind the last line break; NULL where there is none. */
static char *end_of_record(char *text, char *end) {
  char *stop = NULL;
  while (text < end) {
    char *feed = memchr(text, '\n', (size_t)(end - text));
    if (feed == NULL) return stop;
    stop = text = feed + 1;
    if (end - text < INDENT || memcmp(text, "    ", INDENT) != 0) return stop;
  }
  return stop;
}

/* Takes the indents out; gives the new end. */
static char *joined(char *text, char *end) {
  char *feed = memchr(text, '\n', (size_t)(end - text));
  if (feed == NULL) return end;
  char *out = feed;
  for (char *at = feed; at < end; at++) {
    *out++ = *at;
    if (*at == '\n') at += INDENT;
  }
  return out;
}

size_t line_take(log_line *line, bool *valid, char *text, char *end) {
  char *stop = end_of_record(text, end);
  if (stop == NULL) return 0;
  cursor c = {text, stop - 1, false};
  head(&c, line);
  *valid = !c.failed;
  if (c.failed) return (size_t)(stop - text);
  char *tab = memchr(c.at, '\t', (size_t)(stop - 1 - c.at));
  char *last = joined((char *)c.at, tab != NULL ? tab : stop - 1);
  line->message = c.at;
  line->message_size = (size_t)(last - c.at);
  line->fields = tab != NULL ? tab + 1 : stop - 1;
  line->fields_size = (size_t)(stop - 1 - line->fields);
  return (size_t)(stop - text);
}

int64_t line_number(const log_line *line, const char *field, int64_t fallback) {
  size_t size = strlen(field);
  const char *end = line->fields + line->fields_size;
  for (const char *at = line->fields; at < end;) {
    const char *space = memchr(at, ' ', (size_t)(end - at));
    const char *stop = space != NULL ? space : end;
    if ((size_t)(stop - at) > size && memcmp(at, field, size) == 0 && at[size] == '=') {
      cursor c = {at + size + 1, stop, false};
      int64_t value = number(&c, 0);
      return c.failed ? fallback : value;
    }
    at = stop + 1;
  }
  return fallback;
}

bool is_log_name(const char *name) {
  size_t size = strlen(name);
  return name[0] != '.' && size > 4 && strcmp(name + size - 4, ".log") == 0;
}

bool is_direct_name(const char *name) { return is_log_name(name) && strstr(name, ".direct.") != NULL; }
