/*
 * Every allocation of a cache refused once: ENOMEM, nothing changed, and all that was taken over destroyed. The library's malloc
 * is this program's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <satchel/cache.h>

#include "../crash/support.h"

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t);

/* How many allocations go well before one is refused; -1: all of them. */
static long until = -1;

static bool refused(void) { return until >= 0 && until-- == 0; }

void *malloc(size_t size) { return refused() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return refused() ? NULL : __libc_calloc(count, size); }

enum { PUT, REPLACE, MAKE, WAYS };

static int destroyed, pointers[3];

static void destroy(void *pointer, void *context) {
  (void)pointer, (void)context;
  destroyed++;
}

static int make(void **pointer, satchel_bytes key, void *context) {
  (void)key, (void)context;
  *pointer = &pointers[2];
  return 0;
}

static int attempt(int way, satchel_cache *cache, satchel_object **object) {
  if (way == MAKE) return satchel_cache_get_or_create(object, cache, satchel_text("new"), make, NULL);
  return satchel_cache_put(object, cache, satchel_text(way == PUT ? "new" : "old"), &pointers[1]);
}

/* In a cache where "old" is held, with the n-th allocation refused. True when there were fewer. */
static bool refuse(int way, long n) {
  satchel_cache_options options = SATCHEL_CACHE_OPTIONS_INIT;
  satchel_cache *cache = NULL;
  satchel_object *old = NULL, *object = NULL;
  size_t before = 0, after = 0;
  options.destroy = destroy;
  CHECK_CODE(SATCHEL_OK, satchel_cache_new(&cache, &options), "new");
  CHECK_CODE(SATCHEL_OK, satchel_cache_put(&old, cache, satchel_text("old"), &pointers[0]), "put");
  CHECK_CODE(SATCHEL_OK, satchel_cache_count(&before, cache), "count");
  destroyed = 0;
  until = n;
  int code = attempt(way, cache, &object);
  bool fewer = until >= 0;
  until = -1;
  CHECK_CODE(fewer ? SATCHEL_OK : SATCHEL_ENOMEM, code, "a refusal");
  CHECK((object != NULL) == (code == SATCHEL_OK), "way %d, refusal %ld: the object", way, n);
  /* What a maker made is the library's from then on; what is put stays the caller's. */
  CHECK(destroyed == (code < 0 && way == MAKE), "way %d, refusal %ld: %d destroyed", way, n, destroyed);
  CHECK_CODE(SATCHEL_OK, satchel_cache_count(&after, cache), "count");
  CHECK(after == before + (code == SATCHEL_OK && way != REPLACE), "way %d, refusal %ld: %zu entries", way, n, after);
  satchel_object_release(object);
  satchel_object_release(old);
  CHECK(destroyed == 1 + (code == SATCHEL_OK || way == MAKE), "way %d, refusal %ld: %d destroyed", way, n, destroyed);
  satchel_cache_free(cache);
  return fewer;
}

int main(void) {
  checks_begin("memory");
  /* The thread's last error has its memory from now on. */
  CHECK_CODE(SATCHEL_EINVAL, satchel_cache_clear(NULL), "clear");
  for (int way = 0; way < WAYS; way++) {
    round_begin();
    for (long n = 0; !refuse(way, n); n++) {
    }
    round_end();
  }
  return checks_finish();
}
