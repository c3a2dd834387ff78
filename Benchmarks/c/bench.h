/* What the drivers share: a clock, the median, two subjects taking turns, and one line of results. */
#ifndef BENCH_H
#define BENCH_H

#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <satchel/settings.h>

#define KEYS 1000
#define MUST(x)                                                                                                                \
  do {                                                                                                                         \
    int must_ = (x);                                                                                                           \
    if (must_) fprintf(stderr, "%s:%d: %s gave %d\n", __FILE__, __LINE__, #x, must_), exit(1);                                 \
  } while (0)

static char keys[KEYS][32];

static inline void make_keys(void) {
  for (int i = 0; i < KEYS; i++) snprintf(keys[i], sizeof keys[i], "section.key.%d", i);
}

static inline double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static inline int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static inline double median(double *samples, int count) {
  qsort(samples, (size_t)count, sizeof *samples, compare_doubles);
  return samples[count / 2];
}

/* A subject: does `count` operations in a row. The clock is read around each such batch, so its own cost vanishes. */
typedef struct subject {
  void (*run)(long count);
  long batch;    /* operations a sample */
  int samples;   /* samples a round */
  double result; /* nanoseconds an operation, median of all samples */
} subject;

/* The two take turns, round after round, so that whatever else the machine does meets both. */
static inline void take_turns(subject *ours, subject *peer, int rounds) {
  subject *both[2] = {ours, peer};
  double *samples[2];
  for (int s = 0; s < 2; s++) {
    samples[s] = malloc(sizeof(double) * (size_t)(both[s]->samples * rounds));
    both[s]->run(both[s]->batch); /* warm */
  }
  for (int round = 0; round < rounds; round++)
    for (int s = 0; s < 2; s++)
      for (int i = 0; i < both[s]->samples; i++) {
        double start = now_ns();
        both[s]->run(both[s]->batch);
        samples[s][round * both[s]->samples + i] = (now_ns() - start) / (double)both[s]->batch;
      }
  for (int s = 0; s < 2; s++) both[s]->result = median(samples[s], both[s]->samples * rounds), free(samples[s]);
}

/* One line of results: the ratio is how many times better ours is. */
static inline void emit(const char *name, double value, const char *unit, const char *peer, double peer_value, double ratio) {
  printf("%s\t%.4g\t%s\t%s\t%.4g\t%.2f\n", name, value, unit, peer, peer_value, ratio);
}

static inline void emit_times(const char *name, const char *peer, const subject *ours, const subject *theirs) {
  emit(name, ours->result, "ns", peer, theirs->result, theirs->result / ours->result);
}

static inline satchel_settings *open_domain(const char *folder, const char *name, uint32_t durability) {
  satchel_settings_options options = SATCHEL_SETTINGS_OPTIONS_INIT;
  satchel_settings *settings;
  options.directory = folder;
  options.durability = durability;
  MUST(satchel_settings_open(&settings, name, &options));
  return settings;
}

#endif
