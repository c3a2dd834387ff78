/* A stream of bytes as operations on what is tested, each tried on the plainest model as well. */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Runs all of it; says what differs and aborts at the first difference. How many operations there were. */
long run_operations(const uint8_t *data, size_t size);

/* A check for each step of millions: says nothing where it holds. */
#define REQUIRE(condition, ...)                                                                                                \
  do {                                                                                                                         \
    if (!(condition)) {                                                                                                        \
      fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition);                                                          \
      fprintf(stderr, __VA_ARGS__);                                                                                            \
      fputc('\n', stderr);                                                                                                     \
      abort();                                                                                                                 \
    }                                                                                                                          \
  } while (0)

#endif
