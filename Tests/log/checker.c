#include "checker.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support.h"

/* For each record: how often it was seen without a mark, and whether with the mark of a repeat. */
enum { COUNT = 0x7f, REPEATED = 0x80, SHOWN_FAULTS = 6 };

typedef struct {
  findings found;
  const ledger *book;
  uint8_t (*seen)[RECORDS];
  uint16_t *last; /* by stream, in the present file */
  int64_t newest; /* of the present file's unmarked lines */
  int shown;
} check;

typedef struct {
  const char *name;
  bool is_direct, may_be_partial;
} place;

static void show(check *c, const char *what, const char *name, const char *text, size_t size) {
  if (c->shown++ >= SHOWN_FAULTS) return;
  printf("  %s in %s: %.*s\n", what, name, (int)(size < 200 ? size : 200), text);
}

typedef struct {
  char *text;
  size_t size;
} mapped;

/* One byte more than the file has, so that an empty one can be mapped too. */
static mapped map_file(int folder, const char *name) {
  mapped map = {NULL, 0};
  int file = openat(folder, name, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0) return map;
  if (fstat(file, &status) == 0) {
    map.size = (size_t)status.st_size;
    map.text = mmap(NULL, map.size + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    if (map.text == MAP_FAILED) map.text = NULL;
  }
  close(file);
  return map;
}

static void note_order(check *c, const place *place, const log_line *line, unsigned stream, unsigned record) {
  if (record <= c->last[stream]) {
    c->found.misordered++;
    show(c, "out of order", place->name, line->message, line->message_size);
  }
  c->last[stream] = (uint16_t)record;
  if (place->is_direct || line->mark != MARK_NORMAL) return;
  if (line->time < c->newest) {
    c->found.backwards++;
    show(c, "back in time", place->name, line->message, line->message_size);
  }
  c->newest = line->time;
}

static void note_record(check *c, const place *place, const log_line *line, unsigned stream, unsigned record) {
  uint8_t *seen = &c->seen[stream][record];
  if (line->mark == MARK_REPEATED) {
    c->found.repeated++;
    *seen |= REPEATED;
  } else if ((*seen & COUNT) < COUNT && (++*seen & COUNT) > 1) {
    c->found.doubled++;
    show(c, "doubled", place->name, line->message, line->message_size);
  }
  note_order(c, place, line, stream, record);
}

static void note_line(check *c, const place *place, const log_line *line) {
  unsigned stream = 0, record = 0;
  c->found.lines++;
  c->found.late += line->mark == MARK_LATE;
  c->found.direct += place->is_direct;
  if (strncmp(line->kind, "loss", 4) == 0) c->found.told += (uint64_t)line_number(line, "lost", 0);
  if (line->kind[0] != '\0' || c->book == NULL) return;
  if (message_read(line->message, line->message_size, &stream, &record) && stream < STREAMS && record < RECORDS) {
    note_record(c, place, line, stream, record);
  } else {
    c->found.torn++;
    show(c, "no message of ours", place->name, line->message, line->message_size);
  }
}

static void note_fault(check *c, const place *place, bool is_at_end, const char *text, size_t size) {
  if (place->is_direct || (is_at_end && place->may_be_partial)) {
    c->found.fragments++;
    return;
  }
  c->found.torn++;
  show(c, "torn", place->name, text, size);
}

static void check_file(check *c, int folder, const place *place) {
  mapped map = map_file(folder, place->name);
  if (map.text == NULL) return;
  char *end = map.text + map.size;
  memset(c->last, 0, STREAMS * sizeof *c->last);
  c->newest = INT64_MIN;
  for (char *at = map.text; at < end;) {
    log_line line;
    bool valid = false;
    size_t size = line_take(&line, &valid, at, end);
    if (size == 0) {
      note_fault(c, place, true, at, (size_t)(end - at));
      break;
    }
    if (valid) note_line(c, place, &line);
    else note_fault(c, place, at + size == end, at, size - 1);
    at += size;
  }
  munmap(map.text, map.size + 1);
}

static void note_losses(check *c) {
  unsigned streams = c->book->next < STREAMS ? c->book->next : STREAMS;
  for (unsigned s = 0; s < streams; s++) {
    for (unsigned n = 1; n <= c->book->streams[s].tried && n < RECORDS; n++) {
      uint8_t seen = c->seen[s][n];
      if (seen == (REPEATED | 1)) c->found.doubled_marked++;
      if (seen != 0 || n > c->book->streams[s].taken) continue;
      c->found.lost++;
      if (c->shown++ < SHOWN_FAULTS)
        printf("  lost: s=%u n=%u of %u, process %u\n", s, n, c->book->streams[s].taken, c->book->streams[s].pid);
    }
  }
}

findings check_folder(const char *folder, const ledger *book, may_be_partial *is_partial) {
  check c = {.book = book};
  c.seen = calloc(STREAMS, sizeof *c.seen);
  c.last = calloc(STREAMS, sizeof *c.last);
  DIR *entries = opendir(folder);
  if (entries == NULL || c.seen == NULL || c.last == NULL) abort();
  for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
    if (!is_log_name(entry->d_name)) continue;
    bool partial = is_partial != NULL && is_partial(entry->d_name);
    check_file(&c, dirfd(entries), &(place){entry->d_name, is_direct_name(entry->d_name), partial});
  }
  closedir(entries);
  if (book != NULL) note_losses(&c);
  free(c.seen);
  free(c.last);
  return c.found;
}

void check_findings(const findings *found, const char *what) {
  CHECK(found->lost == 0, "%s: %lu records lost", what, (unsigned long)found->lost);
  CHECK(found->doubled == 0, "%s: %lu records doubled", what, (unsigned long)found->doubled);
  CHECK(found->torn == 0, "%s: %lu lines torn", what, (unsigned long)found->torn);
  CHECK(found->misordered == 0, "%s: %lu records of a thread out of order", what, (unsigned long)found->misordered);
  CHECK(found->backwards == 0, "%s: %lu lines older than those before them, and not marked", what,
        (unsigned long)found->backwards);
}

void print_findings(const findings *found) {
  printf("  %lu lines: %lu late, %lu direct, %lu repeats (%lu there twice), %lu fragments, %lu losses told\n",
         (unsigned long)found->lines, (unsigned long)found->late, (unsigned long)found->direct, (unsigned long)found->repeated,
         (unsigned long)found->doubled_marked, (unsigned long)found->fragments, (unsigned long)found->told);
}

static void each_line_of(int folder, const char *name, line_body *body, void *context) {
  mapped map = map_file(folder, name);
  if (map.text == NULL) return;
  log_line line;
  bool valid = false;
  size_t size = 0;
  for (char *at = map.text, *end = at + map.size; at < end && (size = line_take(&line, &valid, at, end)) > 0; at += size)
    if (valid) body(name, &line, context);
  munmap(map.text, map.size + 1);
}

void each_line(const char *folder, line_body *body, void *context) {
  DIR *entries = opendir(folder);
  if (entries == NULL) return;
  for (struct dirent *entry; (entry = readdir(entries)) != NULL;)
    if (is_log_name(entry->d_name)) each_line_of(dirfd(entries), entry->d_name, body, context);
  closedir(entries);
}

typedef struct {
  const char *message;
  size_t size;
  int times, repeats;
} wanted;

static void count_wanted(const char *name, const log_line *line, void *context) {
  wanted *wanted = context;
  (void)name;
  if (line->message_size != wanted->size || memcmp(line->message, wanted->message, wanted->size) != 0) return;
  wanted->times++;
  wanted->repeats += line->mark == MARK_REPEATED;
}

int times_in_files(const char *folder, const char *message, int *repeats) {
  wanted wanted = {message, strlen(message), 0, 0};
  each_line(folder, count_wanted, &wanted);
  if (repeats != NULL) *repeats = wanted.repeats;
  return wanted.times;
}
