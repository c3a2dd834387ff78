/* The programs that are killed: threads that log, children that they fork, and one record from a program that ends. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ledger.h"
#include "lines.h"
#include "logs.h"
#include "support.h"
#include "world.h"

enum { THREADS = 2, ALERT_EVERY = 200, TAIL = 16 << 20 };

static ledger *book;
static satchel_log *program_log;
static const char *folder_of_log;

satchel_log_options world_options(const char *folder, unsigned ways) {
  satchel_log_options options = log_options(folder, 0);
  options.maximum_size = ways & SIZES ? 200000 : -1;
  return options;
}

/* MARK: One record */

static bool tail_has(int folder, const char *name, const char *text, size_t size) {
  int file = openat(folder, name, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0) return false;
  bool found = false;
  if (fstat(file, &status) == 0 && status.st_size > 0) {
    off_t from = status.st_size > TAIL ? (status.st_size - TAIL) & ~(off_t)4095 : 0;
    size_t count = (size_t)(status.st_size - from);
    char *bytes = malloc(count);
    ssize_t got = bytes == NULL ? -1 : pread(file, bytes, count, from);
    found = got > 0 && memmem(bytes, (size_t)got, text, size) != NULL;
    free(bytes);
  }
  close(file);
  return found;
}

/* More than once, since a file may be renamed while the folder is read. */
static bool is_in_a_file(const char *text, size_t size) {
  for (int turn = 0; turn < 5; turn++) {
    DIR *entries = opendir(folder_of_log);
    if (entries == NULL) return false;
    bool found = false;
    for (struct dirent *entry; !found && (entry = readdir(entries)) != NULL;)
      found = is_log_name(entry->d_name) && tail_has(dirfd(entries), entry->d_name, text, size);
    closedir(entries);
    if (found) return true;
    usleep(300);
  }
  return false;
}

/* What the log answered: true where the record is taken, false where it is to be tried again. */
static bool note_answer(stream *stream, unsigned record, int code) {
  if (code == SATCHEL_OK || code == SATCHEL_LOG_QUEUED) {
    if (code == SATCHEL_LOG_QUEUED) book->queued++;
    stream->taken = record;
    return true;
  }
  if (code == SATCHEL_EFULL) {
    book->refused++;
  } else {
    book->unexpected++;
    book->code = code;
  }
  usleep(2000);
  return false;
}

static void write_record(unsigned number, unsigned record, chance *chance, char *text) {
  stream *stream = &book->streams[number];
  size_t size = message_of(text, number, record);
  bool alert = chance_below(chance, ALERT_EVERY) == 0;
  satchel_log_field field = satchel_field_int("record", record);
  size_t fields = record % 8 == 0;
  stream->tried = record;
  int code = SATCHEL_EFULL;
  while (!book->stop) {
    code = satchel_log_write(program_log, alert ? SATCHEL_LOG_ALERT : SATCHEL_LOG_INFO, NULL, (satchel_bytes){text, size},
                             &field, fields);
    if (note_answer(stream, record, code)) break;
  }
  if (!alert || code != SATCHEL_OK) return;
  book->alerts++;
  bool is_one_line = memchr(text, '\n', size) == NULL && size < 10000;
  if (is_one_line && chance_below(chance, 4) == 0 && !is_in_a_file(text, size)) book->missing++;
}

/* MARK: A stream of them */

typedef enum { STEADY, BURSTS, FULL_SPEED, STYLES } style;

static void write_stream(uint64_t seed) {
  static __thread char text[LONGEST_MESSAGE];
  chance chance = chance_of(seed);
  int number = ledger_stream(book);
  if (number < 0) {
    sleep_ms(20);
    return;
  }
  book->streams[number].pid = (unsigned)getpid();
  style manner = (style)chance_below(&chance, STYLES);
  unsigned records = 20 + (unsigned)chance_below(&chance, manner == STEADY ? 300 : 1500);
  for (unsigned record = 1; record <= records && !book->stop; record++) {
    write_record((unsigned)number, record, &chance, text);
    if (manner == STEADY) usleep((useconds_t)chance_below(&chance, 2000));
    if (manner == BURSTS && record % 50 == 0) usleep((useconds_t)chance_below(&chance, 20000));
  }
}

static void *write_thread(void *argument) {
  write_stream(*(uint64_t *)argument);
  return NULL;
}

/* MARK: Children that live on when their parent, or the leader, has died */

static void child(uint64_t seed) {
  chance chance = chance_of(seed ^ (uint64_t)getpid());
  if (chance_below(&chance, 3) == 0) sleep_ms(200);
  if (chance_below(&chance, 4) != 0) {
    write_stream(chance_next(&chance));
    write_stream(chance_next(&chance));
  }
  if (chance_below(&chance, 3) == 0) ignore(satchel_log_flush(program_log, 500));
  if (chance_below(&chance, 3) == 0) sleep_ms(500);
  if (chance_below(&chance, 2) == 0) exit(0);
  _exit(0);
}

/* MARK: The program */

static void stop_here(void) { kill(getpid(), SIGSTOP); }

static void arm(chance *chance) {
  static const char *const points[] = {"log-announced", "log-writing", "log-written", "log-committed"};
  if (satchel_fault_call == NULL || chance_below(chance, 3) == 0) return;
  satchel_fault_call(points[chance_below(chance, 4)], (int)chance_below(chance, 6),
                     chance_below(chance, 3) == 0 ? stop_here : NULL);
}

static bool open_world(unsigned ways) {
  satchel_log_options options = world_options(folder_of_log, ways);
  while (!book->stop) {
    int code = satchel_log_open(&program_log, WORLD_APP, &options);
    if (code == SATCHEL_OK) return true;
    if (code != SATCHEL_EFULL) {
      book->unexpected++;
      book->code = code;
    }
    sleep_ms(10);
  }
  return false;
}

static void run_threads(chance *chance, unsigned ways) {
  pthread_t threads[THREADS];
  uint64_t seeds[THREADS];
  int count = 1 + (int)chance_below(chance, THREADS);
  for (int i = 0; i < count; i++) {
    seeds[i] = chance_next(chance);
    if (pthread_create(&threads[i], NULL, write_thread, &seeds[i]) != 0) abort();
  }
  if ((ways & FORKS) && chance_below(chance, 3) == 0) {
    uint64_t seed = chance_next(chance);
    book->forks++;
    if (fork() == 0) child(seed);
  }
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
  while (waitpid(-1, NULL, WNOHANG) > 0);
}

int run_worker(const char *path, const char *folder, uint64_t seed, unsigned ways) {
  chance chance = chance_of(seed);
  folder_of_log = folder;
  book = ledger_open(path, false);
  if (book == NULL) return 2;
  if (!open_world(ways)) return 0;
  if (ways & POINTS) arm(&chance);
  do run_threads(&chance, ways);
  while (!book->stop && chance_below(&chance, 10) != 0);
  switch (chance_below(&chance, 3)) {
  case 0:
    _exit(0);
  case 1:
    ignore(satchel_log_flush(program_log, 500));
    _exit(0);
  default:
    return 0;
  }
}

int run_post(const char *path, const char *folder, unsigned number, unsigned ways) {
  static char text[LONGEST_MESSAGE];
  satchel_log_options options = world_options(folder, ways);
  book = ledger_open(path, false);
  if (book == NULL) return 2;
  stream *stream = &book->streams[number];
  size_t size = message_of(text, number, 1);
  stream->pid = (unsigned)getpid();
  stream->tried = 1;
  book->posts++;
  int code = satchel_log_post(WORLD_APP, &options, NULL, SATCHEL_LOG_INFO, (satchel_bytes){text, size}, NULL, 0);
  note_answer(stream, 1, code);
  return 0;
}
