/*
 * Logs: records of every program, in any language, in one dated file that survives kill -9 of any of them.
 *
 * A record is written into memory that is shared with the file's other writers and outlives its process; one process at a time,
 * the leader, merges what all have written by time and appends it to the file, some milliseconds later. When the leader is gone
 * another one goes on, so nothing that a call has taken is lost. An alert or a fatal record is in a file when its call returns.
 *
 * Files: <app>-YYYY-MM-DD[.N].log in $XDG_STATE_HOME/satchel/logs/<app>, beside them <app>-YYYY-MM-DD.direct.N.log with what the
 *   leader could not be waited for, and a hidden folder with the memory. `satchel log show` reads them as one.
 * Threads: every function may be called from any thread at any time. Fork: parent and child both go on.
 * Signal handlers: satchel_log_write may be called from them. Where it interrupts another one it goes a slower way.
 * The message is text, whatever it holds: never a format. Control characters are shown as escapes.
 *
 * Errors that every function here may give, left out below: EINVAL (NULL, a severity that is none).
 */
#ifndef SATCHEL_LOG_H
#define SATCHEL_LOG_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Severities; 0 is none. */
#define SATCHEL_LOG_TRACE 1
#define SATCHEL_LOG_DEBUG 2
#define SATCHEL_LOG_INFO 3
#define SATCHEL_LOG_NOTICE 4
#define SATCHEL_LOG_WARNING 5
#define SATCHEL_LOG_ERROR 6
#define SATCHEL_LOG_ALERT 7
#define SATCHEL_LOG_FATAL 8

/* A positive answer: there was no room in any file; the record is kept and will be written. Not to be tried again. */
#define SATCHEL_LOG_QUEUED 1

/* Calls below this severity leave nothing in the program: -DSATCHEL_LOG_COMPILE_LEVEL=SATCHEL_LOG_NOTICE */
#ifndef SATCHEL_LOG_COMPILE_LEVEL
#define SATCHEL_LOG_COMPILE_LEVEL SATCHEL_LOG_TRACE
#endif

/*
 * A log, or a category of it. Its first fields are what satchel_log_enabled reads inline; they are not to be touched, and keep
 * their place in all versions.
 */
typedef struct satchel_log {
  const uint32_t *SATCHEL_NONNULL outside; /* severities set for all processes; valid where bit 31 is set */
  uint32_t wanted;                         /* severities that this process wants: 1 << severity */
} satchel_log;

/* How a log is to be. Start from SATCHEL_LOG_OPTIONS_INIT; 0 and NULL mean the default. */
typedef struct satchel_log_options {
  size_t struct_size;                     /* sizeof(satchel_log_options) */
  const char *SATCHEL_NULLABLE directory; /* of the files; NULL: $XDG_STATE_HOME/satchel/logs/<app> */
  uint32_t flags;                         /* SATCHEL_LOG_NO_... */
  int32_t level;                          /* the least severity that is written; 0: info, or what SATCHEL_LOG says */
  int32_t console;                        /* the least severity that is shown on stderr; 0: notice; -1: none */
  int32_t format;                         /* SATCHEL_LOG_FORMAT_...; 0: as it is */
  int64_t maximum_size;                   /* of a file in bytes; 0: as it is; -1: none */
  int32_t retention_days;                 /* 0: as it is; -1: for ever */
  int32_t reserved;
} satchel_log_options;
#define SATCHEL_LOG_OPTIONS_INIT {sizeof(satchel_log_options), NULL, 0, 0, 0, 0, 0, 0, 0}

#define SATCHEL_LOG_NO_THREAD 1u /* this process does not stand by to lead */

#define SATCHEL_LOG_FORMAT_TEXT 1
#define SATCHEL_LOG_FORMAT_JSON 2
#define SATCHEL_LOG_FORMAT_LOGFMT 3

/* Where a call stands; what the macros below make. The texts and the struct live as long as the call. */
typedef struct satchel_log_site {
  const char *SATCHEL_NULLABLE file;
  const char *SATCHEL_NULLABLE function;
  uint32_t file_size; /* without the NUL */
  uint32_t function_size;
  uint32_t line;
  uint32_t reserved;
} satchel_log_site;

/* Types of fields. */
#define SATCHEL_LOG_FIELD_INT 1
#define SATCHEL_LOG_FIELD_UINT 2
#define SATCHEL_LOG_FIELD_DOUBLE 3
#define SATCHEL_LOG_FIELD_BOOL 4
#define SATCHEL_LOG_FIELD_TEXT 5
#define SATCHEL_LOG_FIELD_BYTES 6
#define SATCHEL_LOG_FIELD_SECRET 7 /* shown as a fingerprint, by which equal ones can be told; never stored */

/* A name and a value beside the message. Made by the functions below. */
typedef struct satchel_log_field {
  const char *SATCHEL_NULLABLE name;
  int64_t type;
  union {
    int64_t int64;
    uint64_t uint64;
    double real;
    satchel_bytes bytes;
  } value;
} satchel_log_field;

static inline satchel_log_field satchel_field_int(const char *SATCHEL_NULLABLE name, int64_t value) {
  satchel_log_field field;
  field.name = name;
  field.type = SATCHEL_LOG_FIELD_INT;
  field.value.int64 = value;
  return field;
}
static inline satchel_log_field satchel_field_uint(const char *SATCHEL_NULLABLE name, uint64_t value) {
  satchel_log_field field;
  field.name = name;
  field.type = SATCHEL_LOG_FIELD_UINT;
  field.value.uint64 = value;
  return field;
}
static inline satchel_log_field satchel_field_double(const char *SATCHEL_NULLABLE name, double value) {
  satchel_log_field field;
  field.name = name;
  field.type = SATCHEL_LOG_FIELD_DOUBLE;
  field.value.real = value;
  return field;
}
static inline satchel_log_field satchel_field_bool(const char *SATCHEL_NULLABLE name, int value) {
  satchel_log_field field;
  field.name = name;
  field.type = SATCHEL_LOG_FIELD_BOOL;
  field.value.int64 = value != 0;
  return field;
}
static inline satchel_log_field satchel_field_text(const char *SATCHEL_NULLABLE name, const char *SATCHEL_NULLABLE value) {
  satchel_log_field field;
  field.name = name;
  field.type = SATCHEL_LOG_FIELD_TEXT;
  field.value.bytes = satchel_text(value);
  return field;
}
static inline satchel_log_field satchel_field_secret(const char *SATCHEL_NULLABLE name, const char *SATCHEL_NULLABLE value) {
  satchel_log_field field = satchel_field_text(name, value);
  field.type = SATCHEL_LOG_FIELD_SECRET;
  return field;
}

/*
 * Opens the log of `app`, a name as of a domain; the same handle for the same place. Makes what is missing. Handles live as long
 * as the process. Errors: EIO, EDENIED, EREADONLY, EFULL (the memory cannot be had), EUNSUPPORTED (a file system whose maps are
 * not shared), EVERSION, ERANGE (more than 64 logs). Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_log_open(satchel_log *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                   const char *SATCHEL_NULLABLE app,
                                                   const satchel_log_options *SATCHEL_NULLABLE options);

/* The same log, whose records have a category: "net". Its severities are its own. Any text; the first 63 cost least. Since 0.1. */
SATCHEL_API SATCHEL_NODISCARD int satchel_log_category(satchel_log *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                       satchel_log *SATCHEL_NULLABLE log,
                                                       const char *SATCHEL_NULLABLE category);

/* 1 where a record of that severity goes anywhere. A nanosecond, and never stale. Since 0.1. */
static inline int satchel_log_enabled(const satchel_log *SATCHEL_NULLABLE log, int severity) {
  uint32_t mask;
  if (log == NULL) return 0;
  mask = *(const volatile uint32_t *)log->outside;
  if (mask == 0) mask = *(const volatile uint32_t *)&log->wanted;
  return (int)(mask >> (severity & 15) & 1u);
}

/*
 * Writes a record, where its severity is enabled. `site` and `fields` may be NULL. O(bytes), some tens of nanoseconds.
 * Returns 0; for an alert or a fatal record, which is in a file then, perhaps SATCHEL_LOG_QUEUED. Errors: EFULL (the log has
 * had no room for longer than the severity is worth waiting for; the loss is counted and told in the log), ENOMEM. Since 0.1.
 */
SATCHEL_API int satchel_log_write(satchel_log *SATCHEL_NULLABLE log, int severity,
                                  const satchel_log_site *SATCHEL_NULLABLE site, satchel_bytes message,
                                  const satchel_log_field *SATCHEL_NULLABLE fields, size_t count);

/*
 * Writes one record for a program that ends soon, without a thread and without memory of its own, and returns when it is in a
 * file. As satchel_log_write; `options` as for satchel_log_open. Some 100 microseconds. Since 0.1.
 */
SATCHEL_API int satchel_log_post(const char *SATCHEL_NULLABLE app, const satchel_log_options *SATCHEL_NULLABLE options,
                                 const char *SATCHEL_NULLABLE category, int severity, satchel_bytes message,
                                 const satchel_log_field *SATCHEL_NULLABLE fields, size_t count);

/*
 * Waits until everything that this process has logged is in the file, but no longer than `timeout_ms`: ETIMEDOUT, as on a full
 * disk, or behind a leader that is stopped. Since 0.1.
 */
SATCHEL_API int satchel_log_flush(satchel_log *SATCHEL_NULLABLE log, int timeout_ms);

#if defined(__GNUC__)
#define SATCHEL_LOG_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define SATCHEL_LOG_PRINTF(text, first)
#endif

/* As satchel_log_write, with a message as of printf. Longer than 1023 bytes takes memory for the moment. Since 0.1. */
static inline int SATCHEL_LOG_PRINTF(4, 5)
    satchel_logf(satchel_log *SATCHEL_NULLABLE log, int severity, const satchel_log_site *SATCHEL_NULLABLE site,
                 const char *SATCHEL_NULLABLE format, ...) {
  char line[1024];
  satchel_bytes message;
  va_list arguments;
  char *text = line;
  int size, code;
  va_start(arguments, format);
  size = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (size < 0) return SATCHEL_EINVAL;
  if ((size_t)size >= sizeof line) {
    text = (char *)malloc((size_t)size + 1);
    if (text == NULL) return SATCHEL_ENOMEM;
    va_start(arguments, format);
    (void)vsnprintf(text, (size_t)size + 1, format, arguments);
    va_end(arguments);
  }
  message.data = text;
  message.size = (size_t)size;
  code = satchel_log_write(log, severity, site, message, NULL, 0);
  if (text != line) free(text);
  return code;
}

#if defined(__FILE_NAME__)
#define SATCHEL_LOG_FILE __FILE_NAME__
#else
#define SATCHEL_LOG_FILE __FILE__
#endif
#define SATCHEL_LOG_HERE {SATCHEL_LOG_FILE, __func__, sizeof SATCHEL_LOG_FILE - 1, sizeof __func__ - 1, __LINE__, 0}

/* A record with a message as of printf, whose arguments are evaluated only where it is enabled. */
#define SATCHEL_LOG(log, severity, ...)                                                                                        \
  do {                                                                                                                         \
    if ((severity) >= SATCHEL_LOG_COMPILE_LEVEL && satchel_log_enabled(log, severity)) {                                       \
      satchel_log_site satchel_log_here = SATCHEL_LOG_HERE;                                                                    \
      (void)satchel_logf(log, severity, &satchel_log_here, __VA_ARGS__);                                                       \
    }                                                                                                                          \
  } while (0)
#define SATCHEL_TRACE(log, ...) SATCHEL_LOG(log, SATCHEL_LOG_TRACE, __VA_ARGS__)
#define SATCHEL_DEBUG(log, ...) SATCHEL_LOG(log, SATCHEL_LOG_DEBUG, __VA_ARGS__)
#define SATCHEL_INFO(log, ...) SATCHEL_LOG(log, SATCHEL_LOG_INFO, __VA_ARGS__)
#define SATCHEL_NOTICE(log, ...) SATCHEL_LOG(log, SATCHEL_LOG_NOTICE, __VA_ARGS__)
#define SATCHEL_WARNING(log, ...) SATCHEL_LOG(log, SATCHEL_LOG_WARNING, __VA_ARGS__)
#define SATCHEL_ERROR(log, ...) SATCHEL_LOG(log, SATCHEL_LOG_ERROR, __VA_ARGS__)
#define SATCHEL_ALERT(log, ...) SATCHEL_LOG(log, SATCHEL_LOG_ALERT, __VA_ARGS__)
#define SATCHEL_FATAL(log, ...) SATCHEL_LOG(log, SATCHEL_LOG_FATAL, __VA_ARGS__)

/* A record with fields: SATCHEL_EVENT(log, SATCHEL_LOG_INFO, "played", satchel_field_int("seconds", 3)). C99 and later. */
#ifndef __cplusplus
#define SATCHEL_EVENT(log, severity, text, ...)                                                                                \
  do {                                                                                                                         \
    if ((severity) >= SATCHEL_LOG_COMPILE_LEVEL && satchel_log_enabled(log, severity)) {                                       \
      satchel_log_site satchel_log_here = SATCHEL_LOG_HERE;                                                                    \
      const satchel_log_field satchel_log_fields[] = {__VA_ARGS__};                                                            \
      (void)satchel_log_write(log, severity, &satchel_log_here, satchel_text(text), satchel_log_fields,                        \
                              sizeof satchel_log_fields / sizeof satchel_log_fields[0]);                                       \
    }                                                                                                                          \
  } while (0)
#endif

#ifdef __cplusplus
}
#endif

#endif
