// Builds for tests only: the process kills itself as it passes a named point.
#include "CSatchelSystem.h"

#ifdef SATCHEL_FAULTS
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static char armed[64];
static int skips;

__attribute__((visibility("default"))) void satchel_fault_at(const char *name, int skip) {
  skips = skip;
  snprintf(armed, sizeof armed, "%s", name == NULL ? "" : name);
}

void scs_fault_point(const char *name) {
  if (armed[0] == '\0' || strcmp(armed, name) != 0 || skips-- > 0) return;
  kill(getpid(), SIGKILL);
  for (;;) pause();
}
#endif
