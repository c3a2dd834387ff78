/* What the driver of the kills and its workers have in common. */
#ifndef WORLD_H
#define WORLD_H

#include <satchel/log.h>
#include <stdint.h>

/* What happens beside kills. */
enum {
  STOPS = 1,    /* processes are stopped and go on later, the leader too */
  RENAMES = 2,  /* the file is renamed away */
  CUTS = 4,     /* it is copied and cut, while the world stands still */
  SIZES = 8,    /* files end at a small size */
  FULL = 16,    /* the disk is full for a while */
  ALL = 32,     /* everybody is killed at once */
  POSTS = 64,   /* programs that write one record and end */
  FORKS = 128,  /* workers fork, and the children live on */
  POINTS = 256, /* workers kill or stop themselves at named points; needs the library with fault points */
};

#define WORLD_APP "torture"

satchel_log_options world_options(const char *folder, unsigned ways);

/* The programs that exec begins; each gives its exit status. */
int run_worker(const char *book, const char *folder, uint64_t seed, unsigned ways);
int run_post(const char *book, const char *folder, unsigned stream, unsigned ways);

/* Only the library with fault points has it. */
extern void satchel_fault_call(const char *name, int skip, void (*body)(void)) __attribute__((weak));

#endif
