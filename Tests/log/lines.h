/*
 * The lines of a text log, as the tests read them. How a line looks is known in lines.c alone, and, for the reader that shares no
 * code with it, in lines.py.
 */
#ifndef LINES_H
#define LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MARK_NORMAL = ' ', MARK_LATE = '~', MARK_REPEATED = '=', MARK_DIRECT = '!', MARK_RECORDED = '^' };

typedef struct {
  int64_t time; /* microseconds since 1970 */
  uint32_t pid, tid;
  char mark;
  char severity[16];
  char kind[16]; /* "loss", "clock-step", ...; empty: a message */
  const char *message, *fields;
  size_t message_size, fields_size;
} log_line;

/*
 * Takes the first line of [text, end), with the indented ones that belong to it, and gives its size with the line break; 0 where
 * there is no line break any more. `valid` is false where that is no record. Its continuation lines are joined where they stand:
 * the text is changed.
 */
size_t line_take(log_line *line, bool *valid, char *text, char *end);

/* The number that a field of the line has, or `fallback`. */
int64_t line_number(const log_line *line, const char *field, int64_t fallback);

/* Whether a file of that name holds lines that their writers wrote themselves. */
bool is_direct_name(const char *name);
bool is_log_name(const char *name);

#endif
