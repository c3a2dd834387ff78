/* replay FILE...: runs the target on each of them, in a process of its own, without a fuzzer. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LARGEST = 1 << 20, SECONDS = 20 };

static void run(const char *path) {
  static uint8_t data[LARGEST];
  FILE *file = fopen(path, "r");
  size_t size = file == NULL ? 0 : fread(data, 1, sizeof data, file);
  if (file == NULL || ferror(file)) perror(path), exit(1);
  fclose(file);
  alarm(SECONDS);
  LLVMFuzzerInitialize(NULL, NULL);
  exit(LLVMFuzzerTestOneInput(data, size));
}

int main(int count, char **arguments) {
  int failed = 0;
  for (int i = 1; i < count; i++) {
    int status = 1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) run(arguments[i]);
    if (child > 0 && waitpid(child, &status, 0) == child && status == 0) continue;
    printf("FAIL %s: ended with %x\n", arguments[i], (unsigned)status);
    failed++;
  }
  printf("%d passed, %d failed\n", count - 1 - failed, failed);
  return failed == 0 ? 0 : 1;
}
