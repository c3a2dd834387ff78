/* What libFuzzer calls: its bytes as operations, beside the model. */
#include "operations.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  run_operations(data, size);
  return 0;
}
