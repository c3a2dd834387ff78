// Thread-local room for the last error: allocated, since a library that is loaded late has little static TLS.
#include <pthread.h>
#include <stdlib.h>

#include "CSatchelSystem.h"

enum { HEADER_ROOM = 64 };

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void make_key(void) { pthread_key_create(&key, free); }

static char *room(void) {
  pthread_once(&once, make_key);
  char *p = pthread_getspecific(key);
  if (p == NULL) {
    p = calloc(1, HEADER_ROOM + sizeof(scs_error_texts));
    pthread_setspecific(key, p);
  }
  return p;
}

scs_error_texts *scs_thread_error_texts(void) {
  char *p = room();
  return p == NULL ? NULL : (scs_error_texts *)(p + HEADER_ROOM);
}

void *scs_thread_error(size_t size) { return size <= HEADER_ROOM ? room() : NULL; }
