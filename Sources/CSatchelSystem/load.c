// Runs as the library is loaded. The C interface, where it is linked in, has something to do then.
#include <pthread.h>

#include "CSatchelSystem.h"

extern void scs_library_loaded(void) __attribute__((weak));

#ifdef SATCHEL_STATIC_RUNTIME
// Where the Swift runtime remembers the calling thread's number for its locks. The thread that goes on in a forked child has
// another one; a lock it takes by the old one would look like the parent's, and whoever waits for it would wait for ever.
// 0 makes the runtime ask again. A runtime without this variable does not link, and this is to be looked at again then.
extern __thread uint32_t runtime_thread_number __asm__("_ZZN5swift14threading_impl5linux13ulock_get_tidEvE3tid");

static void forget_thread_number(void) { runtime_thread_number = 0; }
#endif

__attribute__((constructor)) static void loaded(void) {
#ifdef SATCHEL_STATIC_RUNTIME
  pthread_atfork(NULL, NULL, forget_thread_number);
#endif
  if (scs_library_loaded != NULL) scs_library_loaded();
}
