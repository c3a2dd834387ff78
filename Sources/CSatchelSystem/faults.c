// Builds for tests only: the process kills itself as it passes a named point, or does there what a test asks for.
#include "CSatchelSystem.h"

#ifdef SATCHEL_FAULTS
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static char armed[64];
static int skips;
static void (*action)(void);

__attribute__((visibility("default"))) void satchel_fault_call(const char *name, int skip, void (*body)(void)) {
  action = body;
  skips = skip;
  snprintf(armed, sizeof armed, "%s", name == NULL ? "" : name);
}

__attribute__((visibility("default"))) void satchel_fault_at(const char *name, int skip) {
  satchel_fault_call(name, skip, NULL);
}

void scs_fault_point(const char *name) {
  if (armed[0] == '\0' || strcmp(armed, name) != 0 || skips-- > 0) return;
  if (action != NULL) {
    armed[0] = '\0'; // once, and not again in what it does
    action();
    return;
  }
  kill(getpid(), SIGKILL);
  for (;;) pause();
}
#endif
