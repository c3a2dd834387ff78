/* A stream of bytes as operations on a dictionary, each tried on the plainest model as well. */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include <stddef.h>
#include <stdint.h>

/* Runs all of it; says what differs and aborts at the first difference. How many operations there were. */
long run_operations(const uint8_t *data, size_t size);

#endif
