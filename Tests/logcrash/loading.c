// A host that loads the library finds all signals as they were. The library's path is the argument.
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>

int main(int count, char **arguments) {
  struct sigaction before[65], now;
  int passed = 0, failed = 0;
  for (int number = 1; number < 65; number++) sigaction(number, NULL, &before[number]);
  void *library = count > 1 ? dlopen(arguments[1], RTLD_NOW) : NULL;
  if (library == NULL || dlsym(library, "satchel_log_open") == NULL) {
    printf("loading: %s\nloading: 0 passed, 1 failed\n", dlerror());
    return 1;
  }
  stack_t stack;
  if (sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_DISABLE) != 0) passed++;
  else failed += printf("FAIL the thread has another stack\n") > 0;
  for (int number = 1; number < 65; number++) {
    if (sigaction(number, NULL, &now) != 0) continue;
    if (now.sa_handler == before[number].sa_handler && now.sa_flags == before[number].sa_flags) passed++;
    else failed += printf("FAIL signal %d is not as it was\n", number) > 0;
  }
  printf("loading: %d passed, %d failed\n", passed, failed);
  return failed != 0;
}
