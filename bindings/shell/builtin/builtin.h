/*
 * The bash builtin `satchel`: what its files share. It answers what the command `satchel` answers, word by word, in the
 * shell's own process; what it does not do itself, and every wrong command line, it hands to the command.
 */
#ifndef SATCHEL_BUILTIN_H
#define SATCHEL_BUILTIN_H

/* bash's own come first, this one before all. */
#include <config.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <builtins.h>
#include <shell.h>

#include <satchel.h>

/* Exit codes, as `satchel help exit-codes` has them. */
enum { DONE = 0, NO = 1, USAGE = 2, FAILED = 3, DENIED = 4, CORRUPT = 7, CONFLICT = 8, LIMIT = 9 };
/* What a verb answers where the command has to do it instead. Nothing has been done or read yet then. */
enum { ELSEWHERE = -1 };

/* MARK: text.c: bytes that grow, and what is said on both outputs */

typedef struct text {
  char *data; /* NUL-terminated, unless nothing was ever added */
  size_t size, room;
} text;

void text_add(text *text, const void *data, size_t size);
void text_add_string(text *text, const char *string);
void text_add_byte(text *text, char byte);
void text_add_buffer(text *text, satchel_buffer *buffer); /* and frees it */
void text_free(text *text);

/* Adds bytes in the form that printf %b undoes; in a key `=` as well, so that the first one of a line ends it. */
void text_add_escaped(text *text, const char *data, size_t size, bool is_key);
bool is_utf8(const char *string);

/* Writes all of it to standard output. An exit code. */
int print(const text *text);
/* One line on standard error, behind `satchel: `, with its control characters escaped. */
void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same of a key, of which no more is shown than fits a line. */
void tell_of_key(const char *domain, const char *key, const char *reason);
/* Tells of the library's last failure and of a way out. Its exit code. */
int tell_failure(int code);
int exit_code_of(int code);

/* MARK: words.c: the command line */

enum flag {
  F_TYPE,
  F_DEFAULT,
  F_JSON,
  F_NULL,
  F_IF_EQUALS,
  F_IF_ABSENT,
  F_IF_REVISION,
  F_DURABLE,
  F_STDIN,
  F_KEYS,
  F_PREFIX,
  F_FORMAT,
  F_DIRECTORY,
  F_PROGRAM,
  F_TIMEOUT,
  FLAG_COUNT
};
/* Into a variable, an indexed array, an associative array. */
enum target { T_VARIABLE, T_ARRAY, T_MAP, TARGET_COUNT };

typedef struct call {
  const struct verb *verb;
  WORD_LIST *words; /* the verb and what follows it */
  const char *operands[3];
  int operand_count;
  const char *flags[FLAG_COUNT];     /* the last value given, "" for a flag without, NULL where it was not given */
  const char *targets[TARGET_COUNT]; /* names of variables, or NULL */
  const WORD_LIST *target_words[TARGET_COUNT];
  int64_t timeout; /* nanoseconds */
} call;

struct verb {
  const char *name;
  int (*run)(const call *call);
  int least, most;         /* operands */
  unsigned flags, targets; /* bits */
  const char *operands;
};

/* DONE, ELSEWHERE, or USAGE, which has been told. */
int parse(call *call, const struct verb *verb, WORD_LIST *words);
static inline bool has(const call *call, enum flag flag) { return call->flags[flag] != NULL; }
bool has_target(const call *call);
/* A wrong use of what only the builtin has. USAGE. */
int misuse(const call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* MARK: values.c: between text and values */

/* Text as the type of --type, a string without. A code of the library. */
int value_from(satchel_value **out, const char *text, size_t size, const call *call);
/* NULL replaces *value by the same value as the type asked for, where nothing is lost. A code of the library. */
int value_convert(satchel_value **value, const call *call);
/* What `satchel get` or `satchel list` shows of it; a code of the library. */
int value_show(text *out, const satchel_value *value, bool as_json);
int value_show_always(text *out, const satchel_value *value);
bool is_json_asked(const call *call);

/* MARK: domains.c: open domains, kept from call to call */

typedef struct domain domain;

/* DONE, NO where it does not exist and is not to be made, or an exit code whose reason has been told. */
int open_domain(domain **out, const call *call, bool create);
/* The same, where its absence has to be told. */
int open_existing_domain(domain **out, const call *call);
satchel_settings *settings_of(const domain *domain);
/* Tells of a failure and forgets the domain if it may not be fit for use any more. An exit code. */
int domain_failure(domain *domain, int code);
void close_domains(void);

/* A write is done in short waits, between which signals are looked at: do code = write(); while (wait_on(&patience, code)). */
typedef struct patience {
  int64_t end; /* CLOCK_MONOTONIC, nanoseconds */
} patience;
patience patience_of(const call *call);
bool wait_on(const patience *patience, int code);
/* Ctrl-C, or a signal that ends the shell. */
bool is_interrupted(void);

/* MARK: variables.c: the shell's variables */

/* DONE where every target can take what comes, else USAGE, told. Before anything else is done. */
int check_targets(const call *call);
/* Into the variable of -v. */
int assign_text(const call *call, const text *text);

/* Elements in order, with keys for an associative array. */
typedef struct item {
  char *key, *value;
} item;
typedef struct elements {
  item *all;
  size_t count, room;
} elements;
/* Takes both over; `key` may be NULL. */
void elements_add(elements *elements, text *key, text *value);
void elements_free(elements *elements);
void assign_array(const char *name, const elements *elements, bool of_keys);
void assign_map(const char *name, const elements *elements);

/* MARK: command.c */

/* Runs the command with the words of `call`, but for the targets. Its exit code. */
int run_command(const call *call);
/* The author's name in the history. */
const char *program_name(void);

/* MARK: One file each */

int run_get(const call *call);
int run_set(const call *call);
int run_unset(const call *call);
int run_add(const call *call);
int run_list(const call *call);
int run_domains(const call *call);
int run_export(const call *call);

#endif
