/*
 * A disk that is full for a while: the program goes on, what it cannot keep is refused and counted, the log tells the exact count,
 * and all is well again by itself once there is room.
 *
 * full SECONDS
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "checker.h"
#include "ledger.h"
#include "logs.h"
#include "support.h"

#define APP "full"

enum { THREADS = 4, ROUNDS_AFTER = 20 };

static char folder[4096], filler[4200];
static ledger *book;
static satchel_log *program_log;
static atomic_bool is_full, was_full;

/* Refused ones are not tried again: the message of the next record takes their place. */
static void write_one(stream *stream, unsigned number, char *text) {
  unsigned record = stream->taken + 1;
  size_t size = message_of(text, number, record);
  int severity = record % 50 == 0 ? SATCHEL_LOG_ALERT : SATCHEL_LOG_INFO;
  stream->tried = record;
  int code = satchel_log_write(program_log, severity, NULL, (satchel_bytes){text, size}, NULL, 0);
  if (code == SATCHEL_OK || code == SATCHEL_LOG_QUEUED) {
    if (code == SATCHEL_LOG_QUEUED) book->queued++;
    stream->taken = record;
    return;
  }
  if (code == SATCHEL_EFULL) book->refused++;
  else book->unexpected++;
}

/* As much as goes while the disk is full, so that every ring fills up; little else. */
static void *write_on(void *argument) {
  char *text = malloc(LONGEST_MESSAGE);
  unsigned number = (unsigned)ledger_stream(book);
  stream *stream = &book->streams[number];
  while (!was_full && stream->taken + ROUNDS_AFTER < RECORDS - 1) {
    unsigned before = stream->taken;
    write_one(stream, number, text);
    usleep(is_full ? (stream->taken == before ? 5000 : 50) : 2000);
  }
  while (!was_full) sleep_ms(1);
  for (int i = 0; i < ROUNDS_AFTER; i++) {
    write_one(stream, number, text);
    sleep_ms(5);
  }
  free(text);
  return argument;
}

static void fill(void) {
  static const char zeros[65536];
  int file = open(filler, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  for (size_t size = sizeof zeros; file >= 0 && size > 0; size /= 16)
    while (write(file, zeros, size) > 0);
  if (file >= 0) close(file);
}

/* The first record of a stream of its own. */
static void post_on_full_disk(void *context) {
  char text[LONGEST_MESSAGE];
  unsigned number = (unsigned)ledger_stream(book);
  (void)context;
  text[message_of(text, number, 1)] = '\0';
  book->streams[number].tried = 1;
  int code = post_text(folder, APP, text);
  book->streams[number].taken = code >= 0;
  CHECK(code == SATCHEL_OK || code == SATCHEL_LOG_QUEUED || code == SATCHEL_EFULL, "a post on a full disk gives %s",
        satchel_error_name(code));
}

static void live(void *context) {
  int seconds = *(int *)context;
  pthread_t threads[THREADS];
  program_log = open_log(folder, APP, 0);
  if (program_log == NULL) return;
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, write_on, NULL) != 0) abort();
  sleep_ms(100);
  is_full = true;
  fill();
  child_end_well(child_start(post_on_full_disk, NULL), 30, "a post on a full disk");
  for (int i = 0; i < seconds * 10; i++) {
    sleep_ms(100);
    fill(); /* what somebody has freed meanwhile */
  }
  unlink(filler);
  is_full = false;
  was_full = true;
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  CHECK_CODE(SATCHEL_OK, satchel_log_flush(program_log, 20000), "flushing once there is room");
}

static bool small_disk(void) {
  snprintf(folder, sizeof folder, "%s", scratch_folder("disk"));
  snprintf(filler, sizeof filler, "%s/filler", folder);
  if (unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
      mount("satchel-test", folder, "tmpfs", 0, "size=32m") == 0)
    return true;
  skipped("no small disk: %s", strerror(errno));
  return false;
}

int main(int count, char **words) {
  int seconds = count > 1 ? atoi(words[1]) : 4;
  char path[4200];
  checks_begin("full");
  if (!small_disk()) return checks_finish();
  snprintf(path, sizeof path, "%s/book", scratch());
  book = ledger_open(path, true);
  child_end_well(child_start(live, &seconds), 60 + seconds, "a program on a full disk");
  drain_log(folder, APP);
  findings found = check_folder(folder, book, NULL);
  check_findings(&found, "a full disk");
  CHECK(book->unexpected == 0, "%u unexpected answers", book->unexpected);
  CHECK(book->refused > 0, "no record was refused: the disk was never full");
  CHECK(found.told == book->refused, "%u records were refused, and %lu are told of", book->refused, (unsigned long)found.told);
  printf("  %d s: %u refused, %u queued\n", seconds, book->refused, book->queued);
  print_findings(&found);
  return checks_finish();
}
