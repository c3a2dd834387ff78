/* Random streams of operations. Usage: random SEED STREAMS OPERATIONS */
#include "operations.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  checks_begin("random");
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  long streams = argc > 2 ? atol(argv[2]) : 100, operations = argc > 3 ? atol(argv[3]) : 10000, tried = 0;
  size_t size = (size_t)operations * 3 + 1;
  uint8_t *data = malloc(size);
  for (long stream = 0; stream < streams; stream++) {
    chance chance = chance_of(seed + (uint64_t)stream);
    /* Some streams use few keys, so that they meet often; some many, so that the table grows. */
    uint64_t keys = 1 + chance_below(&chance, 256);
    for (size_t i = 0; i < size; i++) data[i] = (uint8_t)chance_below(&chance, i % 3 == 2 ? keys : 256);
    printf("stream %ld of seed %llu\n", stream, (unsigned long long)seed);
    fflush(stdout);
    long count = run_operations(data, size);
    CHECK(count > 0, "stream %ld", stream);
    tried += count;
  }
  free(data);
  printf("%ld operations\n", tried);
  return checks_finish();
}
