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
  int32_t recorder;                       /* from here on what is not written is kept for an alert to bring along; 0: none is */
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

/*
 * Dumps: what a value is, in as many lines as that takes. A C program describes its types once:
 *
 *   static const satchel_member point_members[] = {SATCHEL_MEMBER(struct point, x, satchel_type_double),
 *                                                  SATCHEL_MEMBER(struct point, y, satchel_type_double)};
 *   static const satchel_type point_type = SATCHEL_STRUCT(struct point, point_members);
 *   ...
 *   SATCHEL_DUMP(log, SATCHEL_LOG_TRACE, centre, point_type);
 *
 * A pointer is followed only where its type says to what. Memory that cannot be read is no crash, and what leads back to itself is
 * shown once. Members whose names say that they are secret are not shown. docs/dumps.md has the form of all this, and its limits.
 */
#define SATCHEL_KIND_BOOL 1
#define SATCHEL_KIND_CHAR 2 /* one byte of text */
#define SATCHEL_KIND_INT 3  /* of 1, 2, 4 or 8 bytes */
#define SATCHEL_KIND_UINT 4
#define SATCHEL_KIND_FLOAT 5   /* of 4 or 8 bytes */
#define SATCHEL_KIND_TEXT 6    /* a pointer to text that ends with a NUL */
#define SATCHEL_KIND_CHARS 7   /* text in place, that ends with a NUL or with its memory */
#define SATCHEL_KIND_BYTES 8   /* a satchel_bytes, shown as text */
#define SATCHEL_KIND_POINTER 9 /* shown as an address, and what it leads to where `element` says what that is */
#define SATCHEL_KIND_FUNCTION 10
#define SATCHEL_KIND_ARRAY 11  /* of `count` times `element` */
#define SATCHEL_KIND_STRUCT 12 /* of `count` `members` */
#define SATCHEL_KIND_UNION 13  /* shown as bytes */
#define SATCHEL_KIND_ENUM 14   /* an integer, whose values have `count` names, the `enumerators` */
#define SATCHEL_KIND_OPAQUE 15 /* shown as bytes */

typedef struct satchel_type satchel_type;

typedef struct satchel_member {
  const char *SATCHEL_NULLABLE name;
  const satchel_type *SATCHEL_NULLABLE type;
  size_t offset;
} satchel_member;

typedef struct satchel_enumerator {
  const char *SATCHEL_NULLABLE name;
  int64_t value;
} satchel_enumerator;

/* Lives as long as the call that it is given to; so does all it points to. May lead back to itself through pointers. */
struct satchel_type {
  const char *SATCHEL_NULLABLE name; /* NULL: by the kind */
  int32_t kind;                      /* SATCHEL_KIND_... */
  int32_t reserved;
  size_t size; /* of a value in bytes */
  size_t count;
  const satchel_type *SATCHEL_NULLABLE element;
  const satchel_member *SATCHEL_NULLABLE members;
  const satchel_enumerator *SATCHEL_NULLABLE enumerators;
};

#if defined(__GNUC__)
#define SATCHEL_UNUSED __attribute__((unused))
#else
#define SATCHEL_UNUSED
#endif
#define SATCHEL_SCALAR(id, type, kind)                                                                                         \
  SATCHEL_UNUSED static const satchel_type satchel_type_##id = {#type, kind, 0, sizeof(type), 0, NULL, NULL, NULL}
SATCHEL_SCALAR(char, char, SATCHEL_KIND_CHAR);
SATCHEL_SCALAR(schar, signed char, SATCHEL_KIND_INT);
SATCHEL_SCALAR(uchar, unsigned char, SATCHEL_KIND_UINT);
SATCHEL_SCALAR(short, short, SATCHEL_KIND_INT);
SATCHEL_SCALAR(ushort, unsigned short, SATCHEL_KIND_UINT);
SATCHEL_SCALAR(int, int, SATCHEL_KIND_INT);
SATCHEL_SCALAR(uint, unsigned int, SATCHEL_KIND_UINT);
SATCHEL_SCALAR(long, long, SATCHEL_KIND_INT);
SATCHEL_SCALAR(ulong, unsigned long, SATCHEL_KIND_UINT);
SATCHEL_SCALAR(int8, int8_t, SATCHEL_KIND_INT);
SATCHEL_SCALAR(int16, int16_t, SATCHEL_KIND_INT);
SATCHEL_SCALAR(int32, int32_t, SATCHEL_KIND_INT);
SATCHEL_SCALAR(int64, int64_t, SATCHEL_KIND_INT);
SATCHEL_SCALAR(uint8, uint8_t, SATCHEL_KIND_UINT);
SATCHEL_SCALAR(uint16, uint16_t, SATCHEL_KIND_UINT);
SATCHEL_SCALAR(uint32, uint32_t, SATCHEL_KIND_UINT);
SATCHEL_SCALAR(uint64, uint64_t, SATCHEL_KIND_UINT);
SATCHEL_SCALAR(size, size_t, SATCHEL_KIND_UINT);
SATCHEL_SCALAR(float, float, SATCHEL_KIND_FLOAT);
SATCHEL_SCALAR(double, double, SATCHEL_KIND_FLOAT);
SATCHEL_SCALAR(text, const char *, SATCHEL_KIND_TEXT);
SATCHEL_SCALAR(bytes, satchel_bytes, SATCHEL_KIND_BYTES);
SATCHEL_SCALAR(pointer, void *, SATCHEL_KIND_POINTER);
SATCHEL_UNUSED static const satchel_type satchel_type_bool = {"bool", SATCHEL_KIND_BOOL, 0, 1, 0, NULL, NULL, NULL};
SATCHEL_UNUSED static const satchel_type satchel_type_function = {
    "function *", SATCHEL_KIND_FUNCTION, 0, sizeof(void (*)(void)), 0, NULL, NULL, NULL};

/* What initialises a satchel_member and a satchel_type. `members` and `enumerators` are arrays, all others are types. */
#define SATCHEL_MEMBER(structure, member, type) {#member, &(type), offsetof(structure, member)}
#define SATCHEL_STRUCT(structure, members)                                                                                     \
  {#structure, SATCHEL_KIND_STRUCT, 0, sizeof(structure), sizeof(members) / sizeof((members)[0]), NULL, members, NULL}
#define SATCHEL_ARRAY(count, element_type, element)                                                                            \
  {NULL, SATCHEL_KIND_ARRAY, 0, (count) * sizeof(element_type), count, &(element), NULL, NULL}
#define SATCHEL_POINTER(element) {NULL, SATCHEL_KIND_POINTER, 0, sizeof(void *), 0, &(element), NULL, NULL}
#define SATCHEL_CHARS(size) {NULL, SATCHEL_KIND_CHARS, 0, size, 0, NULL, NULL, NULL}
#define SATCHEL_ENUM(enumeration, enumerators)                                                                                 \
  {#enumeration, SATCHEL_KIND_ENUM, 0, sizeof(enumeration), sizeof(enumerators) / sizeof((enumerators)[0]), NULL,              \
   NULL,         enumerators}
#define SATCHEL_UNION(type) {#type, SATCHEL_KIND_UNION, 0, sizeof(type), 0, NULL, NULL, NULL}
#define SATCHEL_OPAQUE(type) {#type, SATCHEL_KIND_OPAQUE, 0, sizeof(type), 0, NULL, NULL, NULL}

/*
 * Writes what `value` is, where `severity` is enabled: a record of its own kind, whose first line is `label` (UTF-8; NULL: none).
 * `value` may be NULL. EINVAL: a type that does not hold together, as one that contains itself. Answers are those of
 * satchel_log_write. O(parts). Not in signal handlers. Since 0.1.
 */
SATCHEL_API int satchel_log_dump(satchel_log *SATCHEL_NULLABLE log, int severity, const satchel_log_site *SATCHEL_NULLABLE site,
                                 const char *SATCHEL_NULLABLE label, const satchel_type *SATCHEL_NULLABLE type,
                                 const void *SATCHEL_NULLABLE value);

/*
 * The same of a value that the caller, as the binding of another language, has described by the rules of docs/dumps.md: `text` is
 * all but the label. Since 0.1.
 */
SATCHEL_API int satchel_log_dump_text(satchel_log *SATCHEL_NULLABLE log, int severity,
                                      const satchel_log_site *SATCHEL_NULLABLE site, const char *SATCHEL_NULLABLE label,
                                      satchel_bytes text);

/* Dumps a variable, or anything else that has an address. Its label is its text. */
#define SATCHEL_DUMP(log, severity, value, type)                                                                               \
  do {                                                                                                                         \
    if ((severity) >= SATCHEL_LOG_COMPILE_LEVEL && satchel_log_enabled(log, severity)) {                                       \
      satchel_log_site satchel_log_here = SATCHEL_LOG_HERE;                                                                    \
      (void)satchel_log_dump(log, severity, &satchel_log_here, #value, &(type), &(value));                                     \
    }                                                                                                                          \
  } while (0)

/*
 * Assertions: one that fails leaves a record of its own kind, severity alert, which is in a file before anything else happens. What
 * then becomes of the program is a matter of the log's policy; without one it goes on.
 *
 * -DSATCHEL_LOG_NO_ASSERT takes SATCHEL_ASSERT and its like out of the program: their conditions are not evaluated, whatever effects
 * they have. NDEBUG alone does not: it comes with every release build of many build systems, and in the field is where one wants to
 * know. SATCHEL_VERIFY is always evaluated, and is 1 or 0.
 */
#define SATCHEL_LOG_ASSERT_LOG 0    /* it goes on */
#define SATCHEL_LOG_ASSERT_ABORT 1  /* it ends, by SIGABRT */
#define SATCHEL_LOG_ASSERT_CALL 2   /* a function is called, and then it goes on */
#define SATCHEL_LOG_ASSERT_IGNORE 3 /* nothing is logged, and no condition evaluated but those of SATCHEL_VERIFY */

/* What was expected, and where. Lent for the call. */
typedef struct satchel_log_failure {
  satchel_bytes message; /* what the log says of it */
  satchel_bytes file;
  satchel_bytes function;
  uint32_t line;
  uint32_t reserved;
} satchel_log_failure;

/* Called on the thread that failed, with nothing locked. It returns: neither longjmp nor an exception may leave it. */
typedef void (*satchel_log_on_failure)(const satchel_log_failure *SATCHEL_NONNULL failure, void *SATCHEL_NULLABLE context);

/*
 * Sets SATCHEL_LOG_ASSERT_... for all categories of a log in this process. `function` is for ASSERT_CALL alone; an assertion that
 * fails inside it is only logged. Since 0.1.
 */
SATCHEL_API int satchel_log_set_assert_policy(satchel_log *SATCHEL_NULLABLE log, int policy,
                                              satchel_log_on_failure SATCHEL_NULLABLE function, void *SATCHEL_NULLABLE context);

/* 1 where conditions are to be evaluated: the policy is not ASSERT_IGNORE. Some nanoseconds. Since 0.1. */
SATCHEL_API int satchel_log_asserts(satchel_log *SATCHEL_NULLABLE log);

/*
 * Says that an assertion has failed. Returns, if at all, when the policy has been seen to; answers are those of satchel_log_write.
 * Since 0.1.
 */
SATCHEL_API int satchel_log_assert_failed(satchel_log *SATCHEL_NULLABLE log, const satchel_log_site *SATCHEL_NULLABLE site,
                                          satchel_bytes message);

/* 1 on the thread that the process began with, else 0. Since 0.1. */
SATCHEL_API int satchel_log_on_main_thread(void);

/* What the macros below call: a failure and where it is. Returns 0. Since 0.1. */
static inline int satchel_log_failed_at(satchel_log *SATCHEL_NULLABLE log, const char *SATCHEL_NONNULL file,
                                        const char *SATCHEL_NONNULL function, int line, satchel_bytes message) {
  satchel_log_site site;
  site.file = file;
  site.function = function;
  site.file_size = (uint32_t)satchel_text(file).size;
  site.function_size = (uint32_t)satchel_text(function).size;
  site.line = (uint32_t)line;
  site.reserved = 0;
  (void)satchel_log_assert_failed(log, &site, message);
  return 0;
}

/* The same with the text of a condition and a message as of printf, both of which are cut where they are very long. Since 0.1. */
static inline int SATCHEL_LOG_PRINTF(6, 7)
    satchel_log_failedf(satchel_log *SATCHEL_NULLABLE log, const char *SATCHEL_NONNULL file,
                        const char *SATCHEL_NONNULL function, int line, const char *SATCHEL_NONNULL what,
                        const char *SATCHEL_NONNULL format, ...) {
  char text[2048];
  va_list arguments;
  int size = snprintf(text, 1024, "%s: ", what), more;
  if (size < 0) return 0;
  if (size > 1023) size = 1023;
  va_start(arguments, format);
  more = vsnprintf(text + size, sizeof text - (size_t)size, format, arguments);
  va_end(arguments);
  if (more > 0) size += more < (int)sizeof text - size ? more : (int)sizeof text - size - 1;
  return satchel_log_failed_at(log, file, function, line, satchel_blob(text, (size_t)size));
}

/* The condition, 1 or 0. Where it is 0 its text and a message as of printf are logged. */
#define SATCHEL_VERIFY(log, condition, ...)                                                                                    \
  ((condition)                                                                                                                 \
       ? 1                                                                                                                     \
       : satchel_log_failedf(log, SATCHEL_LOG_FILE, __func__, __LINE__, "verification failed: " #condition, __VA_ARGS__))

#ifdef SATCHEL_LOG_NO_ASSERT
#define SATCHEL_ASSERT(log, condition, ...) ((void)0)
#define SATCHEL_UNREACHABLE(log, ...) ((void)0)
#define SATCHEL_MUST_BE_OVERRIDDEN(log) ((void)0)
#define SATCHEL_ASSERT_ON_MAIN_THREAD(log) ((void)0)
#define SATCHEL_ASSERT_IN_BACKGROUND(log) ((void)0)
#else
#define SATCHEL_ASSERT(log, condition, ...)                                                                                    \
  ((void)(!satchel_log_asserts(log) || (condition) ||                                                                          \
          satchel_log_failedf(log, SATCHEL_LOG_FILE, __func__, __LINE__, "assertion failed: " #condition, __VA_ARGS__)))
/* Fails always. */
#define SATCHEL_UNREACHABLE(log, ...)                                                                                          \
  ((void)satchel_log_failedf(log, SATCHEL_LOG_FILE, __func__, __LINE__, "reached what cannot be reached", __VA_ARGS__))
/* Fails always: for functions of a table that everybody has to fill in himself. */
#define SATCHEL_MUST_BE_OVERRIDDEN(log)                                                                                        \
  ((void)satchel_log_failedf(log, SATCHEL_LOG_FILE, __func__, __LINE__, "must be overridden", "%s", __func__))
#define SATCHEL_ASSERT_ON_MAIN_THREAD(log)                                                                                     \
  ((void)(!satchel_log_asserts(log) || satchel_log_on_main_thread() ||                                                         \
          satchel_log_failed_at(log, SATCHEL_LOG_FILE, __func__, __LINE__, satchel_text("not on the main thread"))))
#define SATCHEL_ASSERT_IN_BACKGROUND(log)                                                                                      \
  ((void)(!satchel_log_asserts(log) || !satchel_log_on_main_thread() ||                                                        \
          satchel_log_failed_at(log, SATCHEL_LOG_FILE, __func__, __LINE__, satchel_text("on the main thread"))))
#endif

/*
 * From now on a signal that ends the program leaves a fatal record in this log: SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS,
 * SIGTRAP; which one and why, the addresses of the frames (for addr2line: module and offset), and in the flight recorder's records,
 * where one is on, what all threads did before. Then what was there before goes on: the former handler, or the end of the process,
 * with the same status and core as without.
 *
 * It is for the whole process, and the last call's log counts. Signals that the program ignores stay ignored. The calling thread
 * gets an alternate stack, where it has none, so that it can tell of the overflow of its own: call it once in each thread that may
 * have one. A handler that somebody puts above this one has to call it, as this one calls the former. Telling takes milliseconds,
 * and is given up after four seconds at most. Errors: ENOMEM. Since 0.1.
 */
SATCHEL_API int satchel_log_catch_signals(satchel_log *SATCHEL_NULLABLE log, uint32_t flags);
#define SATCHEL_LOG_CATCH_TERMINATION 1u /* SIGTERM too, as an alert */

/* Puts back what was there before, where nobody has put something else there since. Since 0.1. */
SATCHEL_API void satchel_log_release_signals(void);

#ifdef __cplusplus
}
#endif

#endif
