// The number by which the Swift runtime's locks know the calling thread. The runtime asks the kernel once and remembers it;
// the thread that goes on in a forked child has another one. A lock it takes by the old one would look like the parent's, and
// whoever waits for it would wait for ever. 0 makes the runtime ask again.
#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CSatchelSystem.h"

#ifdef SATCHEL_STATIC_RUNTIME
// A runtime without this variable does not link, and this is to be looked at again then.
extern __thread uint32_t remembered __asm__("_ZZN5swift14threading_impl5linux13ulock_get_tidEvE3tid");

static void forget(void) { remembered = 0; }

void scs_watch_forks(void) { pthread_atfork(NULL, NULL, forget); }

#else
// In the shared runtime it has no name that others could use, but its place is in the few bytes of thread-local memory that
// libswiftCore.so has, beside pointers. None of these is as small as a thread's number, so a word that equals it is it. Where
// there is none, the runtime has not asked yet, or is another one, and nothing is done.
static __thread uint32_t *remembered;

static uint32_t *find(char *block, size_t size, uint32_t number) {
  for (size_t at = 0; at + sizeof number <= size; at += sizeof(uint64_t)) {
    uint64_t word = 0;
    memcpy(&word, block + at, size - at < sizeof word ? size - at : sizeof word);
    if (word == number) return (uint32_t *)(void *)(block + at);
  }
  return NULL;
}

static int look_into(struct dl_phdr_info *module, size_t size, void *context) {
  (void)size;
  const char *name = module->dlpi_name == NULL ? NULL : strrchr(module->dlpi_name, '/');
  if (name == NULL || strcmp(name, "/libswiftCore.so") != 0) return 0;
  if (module->dlpi_tls_data == NULL) return 1;
  for (int i = 0; i < module->dlpi_phnum; i++)
    if (module->dlpi_phdr[i].p_type == PT_TLS)
      remembered = find(module->dlpi_tls_data, module->dlpi_phdr[i].p_memsz, *(uint32_t *)context);
  return 1;
}

// Before the fork, since the dynamic linker's lock may be held in the child by a thread that is not there.
static void look(void) {
  uint32_t number = (uint32_t)syscall(SYS_gettid);
  remembered = NULL;
  dl_iterate_phdr(look_into, &number);
}

static void forget(void) {
  if (remembered != NULL) *remembered = 0;
}

void scs_watch_forks(void) { pthread_atfork(look, NULL, forget); }
#endif
