/* The control file of a log, as far as tests look into it (docs/formats.md has the bytes). */
#ifndef CONTROL_H
#define CONTROL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct control control;

/* NULL where there is none yet. */
const control *control_open(const char *folder, const char *app);
void control_close(const control *control);
/* A batch is announced and not yet committed. */
bool control_is_writing(const control *control);
/* Nothing is in the memory of the log that is not in its files. */
bool control_is_drained(const control *control);
/* The process that took over last; it may have gone. */
pid_t control_leader(const control *control);

/* Whether nobody holds the leadership of a log. */
bool leadership_is_free(const char *folder, const char *app);

typedef enum {
  COMMITS,
  LINES,
  TAKE_OVERS,
  COMPLETED,
  ABANDONED,
  FOREIGN,
  FENCED,
  LATE,
  REPEATS,
  DIRECT,
  DROPPED,
  DAMAGED,
  REOPENED,
  WAITS_FOR_DISK,
  LEADER
} counter;
uint64_t control_count(const control *control, counter counter);
void control_print(const control *control);

#endif
