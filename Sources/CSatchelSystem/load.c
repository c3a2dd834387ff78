// Runs as the library is loaded. The C interface, where it is linked in, has something to do then.
#include "CSatchelSystem.h"

extern void scs_library_loaded(void) __attribute__((weak));

__attribute__((constructor)) static void loaded(void) {
  scs_watch_forks();
  if (scs_library_loaded != NULL) scs_library_loaded();
}
