/*
 * What the crash tests share: checks that count across forks, scratch folders, children with a deadline, seeded random
 * numbers, files as bytes.
 */
#ifndef SUPPORT_H
#define SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <satchel/settings.h>

/* MARK: Checks. The counters lie in memory shared with forked children, so a check counts wherever it is made. */

void checks_begin(const char *suite);
/* Removes the scratch folder, prints "N passed, N failed, N skipped" as the last line and gives the exit status. */
int checks_finish(void);
long checks_failed(void);
bool check_that(bool holds, const char *file, int line, const char *format, ...) __attribute__((format(printf, 4, 5)));

#define CHECK(condition, ...) check_that((condition), __FILE__, __LINE__, __VA_ARGS__)
/* The code of a call; the message names both codes. Evaluates to true when they agree. */
#define CHECK_CODE(expected, call, what) check_code((expected), (call), __FILE__, __LINE__, (what))
bool check_code(int expected, int actual, const char *file, int line, const char *what);
/*
 * A round: one kill, one file with a flipped bit, one race. All that is checked in it, by whichever process, passes as one,
 * so that the count says how much was tried and not how often it was looked at; each check that fails counts by itself.
 */
void round_begin(void);
void round_end(void);
/* The end of one round and the beginning of the next, with nothing in between that counts by itself. */
void round_next(void);
/* For what cannot be tried on this machine: says so, and counts as neither. */
void skipped(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* For calls whose code may be anything, as in a process that is about to be killed. */
static inline void ignore(int code) { (void)code; }

/* MARK: Time and chance */

int64_t now_ns(void);
void sleep_ms(int milliseconds);

typedef struct {
  uint64_t state;
} chance;

chance chance_of(uint64_t seed);
uint64_t chance_next(chance *chance);
uint64_t chance_below(chance *chance, uint64_t limit);

/* MARK: Children */

typedef void child_body(void *context);

/* Forks and runs `body`; the child dies with its parent and ends with 0, or 1 where `body` made a check fail. */
pid_t child_start(child_body *body, void *context);
/* Waits at most `seconds`, then kills it. The wait status, or -1 where it had to be killed. */
int child_end(pid_t child, int seconds);
/* The same, and checks that it ended by itself with 0. */
void child_end_well(pid_t child, int seconds, const char *what);
/* Both in one, as a round. */
void child_round(child_body *body, void *context, int seconds, const char *what);
bool child_ended(pid_t child, int *status);
/* SIGKILL, and waits until it is gone. */
void child_kill(pid_t child);
/* Starts `body` as an unprivileged user (65534) and checks that it ends well. */
void child_as_nobody(child_body *body, void *context, const char *what);

/* Zeroed memory that a child shares. */
void *shared_memory(size_t size);

/* MARK: Memory */

/* Of this process: how much more it may have, or 0 for what it may have at most. */
void limit_memory(size_t more);

/* MARK: Files */

/* The scratch folder of this run, on the file system of $TMPDIR or /tmp; and a new folder in it. */
const char *scratch(void);
const char *scratch_folder(const char *name);

typedef struct {
  unsigned char *data;
  size_t size;
} image;

image image_load(const char *path);
image image_copy(image from);
/* Under a new inode, so that nobody's map of the old file is touched. */
void image_store(image from, size_t size, const char *path);
void image_free(image *image);
bool image_same(image left, image right);
/* How many directory entries contain `part`. */
int entries_with(const char *directory, const char *part);
void remove_all(const char *directory);

/* MARK: Settings */

/* True where SATCHEL_TEST_PORTABLE is set: every domain that a test makes is portable (docs/formats.md, 3). */
bool portable_mode(void);
/* Opens with `flags`; a failure is a failed check and NULL. */
satchel_settings *open_domain(const char *directory, const char *domain, uint32_t flags);
int open_with(satchel_settings **out, const char *directory, const char *domain, uint32_t flags, int64_t lock_timeout_ns);
satchel_settings_health health_of(satchel_settings *settings);
/* Checks that what portable_mode() says is what the domain is. */
void mode_is_as_told(satchel_settings *settings);
/* The integer under `key`, or `fallback` where there is none. */
int64_t integer_of(satchel_settings *settings, const char *key, int64_t fallback);

#endif
