// Thread-local room for the last error: allocated, since a library that is loaded late has little static TLS.
#include <pthread.h>
#include <stdlib.h>

#include "CSatchelSystem.h"

enum { HEADER_ROOM = 64 };

static __thread char *mine __attribute__((tls_model("initial-exec")));
static pthread_key_t key;
static bool has_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void leave(void *p) {
  mine = NULL;
  free(p);
}

// A program that has taken all the keys: what its threads have here stays when they end.
static void make_key(void) { has_key = pthread_key_create(&key, leave) == 0; }

static char *room(void) {
  if (mine != NULL) return mine;
  pthread_once(&once, make_key);
  mine = calloc(1, HEADER_ROOM + sizeof(scs_error_texts));
  if (mine != NULL && has_key) pthread_setspecific(key, mine);
  return mine;
}

scs_error_texts *scs_thread_error_texts(void) {
  char *p = room();
  return p == NULL ? NULL : (scs_error_texts *)(p + HEADER_ROOM);
}

void *scs_thread_error(size_t size) { return size <= HEADER_ROOM ? room() : NULL; }
