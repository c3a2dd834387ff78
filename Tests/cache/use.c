/*
 * A weak cache as the header says, in one thread: what is found and for how long, who is destroyed and when, what callbacks
 * hear and may do, and long random use against a model.
 *
 * Usage: use [STEPS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <satchel/cache.h>

#include "../crash/support.h"

enum { KEYS = 300 };

/* What the callbacks of one cache have heard. */
typedef struct tally {
  int destroyed, expired, replaced, removed, released;
  char last_key[64];
  int last_number;
  satchel_cache *cache; /* for callbacks that call back in */
} tally;

static void destroy(void *pointer, void *context) {
  ((tally *)context)->destroyed++;
  free(pointer);
}

static void evicted(satchel_bytes key, void *pointer, int reason, void *context) {
  tally *heard = context;
  heard->expired += reason == SATCHEL_CACHE_EXPIRED;
  heard->replaced += reason == SATCHEL_CACHE_REPLACED;
  heard->removed += reason == SATCHEL_CACHE_REMOVED;
  CHECK(((const char *)key.data)[key.size] == '\0', "a key without its NUL");
  snprintf(heard->last_key, sizeof heard->last_key, "%s", (const char *)key.data);
  heard->last_number = *(int *)pointer;
}

static void released(void *context) { ((tally *)context)->released++; }

static satchel_cache *cache_of(tally *heard) {
  satchel_cache_options options = SATCHEL_CACHE_OPTIONS_INIT;
  options.destroy = destroy;
  options.evicted = evicted;
  options.context = heard;
  options.release = released;
  CHECK_CODE(SATCHEL_OK, satchel_cache_new(&heard->cache, &options), "new");
  return heard->cache;
}

static int *number(int value) {
  int *pointer = malloc(sizeof *pointer);
  *pointer = value;
  return pointer;
}

static satchel_object *put(satchel_cache *cache, const char *key, int value) {
  satchel_object *object = NULL;
  CHECK_CODE(SATCHEL_OK, satchel_cache_put(&object, cache, satchel_text(key), number(value)), key);
  return object;
}

/* What the key leads to, or -1. */
static int look(satchel_cache *cache, const char *key) {
  satchel_object *object = NULL;
  int code = satchel_cache_get(&object, cache, satchel_text(key));
  CHECK(code == SATCHEL_OK || (code == SATCHEL_ENOTFOUND && object == NULL), "get gives %d", code);
  int value = object != NULL ? *(int *)satchel_object_pointer(object) : -1;
  satchel_object_release(object);
  return value;
}

static size_t count_of(satchel_cache *cache) {
  size_t count = 99;
  CHECK_CODE(SATCHEL_OK, satchel_cache_count(&count, cache), "count");
  return count;
}

/* MARK: Life */

static void lives_as_long_as_it_is_held(void) {
  tally heard = {0};
  satchel_cache *cache = cache_of(&heard);
  satchel_object *first = put(cache, "a", 1), *second = NULL;
  CHECK(look(cache, "a") == 1 && count_of(cache) == 1, "a held object is not found");
  CHECK_CODE(SATCHEL_OK, satchel_cache_get(&second, cache, satchel_text("a")), "get");
  CHECK(second == first && satchel_object_retain(first) == first, "one key, two objects");
  satchel_object_release(first);
  satchel_object_release(first);
  CHECK(look(cache, "a") == 1 && heard.destroyed == 0, "it went before its last holder");
  CHECK(strcmp(satchel_object_key(second).data, "a") == 0 && satchel_object_key(second).size == 1, "its key");
  satchel_object_release(second);
  CHECK(look(cache, "a") == -1 && count_of(cache) == 0, "it is found after its end");
  CHECK(heard.destroyed == 1 && heard.expired == 1 && heard.last_number == 1, "its end was not told once");
  satchel_cache_free(cache);
  CHECK(heard.released == 1, "the context is released %d times", heard.released);
}

static void replaced_and_removed(void) {
  tally heard = {0};
  satchel_cache *cache = cache_of(&heard);
  satchel_object *first = put(cache, "a", 1), *second = put(cache, "a", 2), *none = first;
  CHECK(heard.replaced == 1 && heard.last_number == 1 && look(cache, "a") == 2, "replacing");
  satchel_object_release(first);
  CHECK(heard.destroyed == 1 && heard.expired == 0 && look(cache, "a") == 2, "the replaced one took its heir along");
  CHECK_CODE(SATCHEL_OK, satchel_cache_remove(cache, satchel_text("a")), "remove");
  CHECK_CODE(SATCHEL_ENOTFOUND, satchel_cache_remove(cache, satchel_text("a")), "remove again");
  CHECK(heard.removed == 1 && look(cache, "a") == -1 && count_of(cache) == 0, "removing");
  CHECK(*(int *)satchel_object_pointer(second) == 2, "a removed object does not live on");
  first = put(cache, "a", 3);
  CHECK_CODE(SATCHEL_OK, satchel_cache_put(&none, cache, satchel_text("a"), NULL), "put NULL");
  CHECK(none == NULL && heard.removed == 2 && look(cache, "a") == -1, "putting NULL removes");
  CHECK_CODE(SATCHEL_OK, satchel_cache_put(NULL, cache, satchel_text("a"), NULL), "put NULL where nothing is");
  satchel_object_release(first);
  satchel_object_release(second);
  CHECK(heard.destroyed == 3 && heard.expired == 0, "%d destroyed", heard.destroyed);
  satchel_cache_free(cache);
}

static void any_bytes_are_a_key(void) {
  tally heard = {0};
  satchel_cache *cache = cache_of(&heard);
  static const char bytes[] = "a\0b\xff";
  satchel_object *objects[5];
  for (size_t size = 0; size < 5; size++)
    CHECK_CODE(SATCHEL_OK, satchel_cache_put(&objects[size], cache, satchel_blob(bytes, size), number((int)size)), "put");
  CHECK(count_of(cache) == 5 && look(cache, "") == 0 && look(cache, "a") == 1, "keys that differ in length alone");
  for (size_t size = 0; size < 5; size++) {
    satchel_bytes key = satchel_object_key(objects[size]);
    CHECK(key.size == size && memcmp(key.data, bytes, size) == 0, "the key of %zu bytes", size);
    satchel_object_release(objects[size]);
  }
  satchel_cache_free(cache);
}

static void outlives_its_cache(void) {
  tally heard = {0};
  satchel_cache *cache = cache_of(&heard);
  satchel_object *objects[100];
  char name[16];
  for (int i = 0; i < 100; i++) {
    snprintf(name, sizeof name, "%d", i);
    objects[i] = put(cache, name, i);
  }
  satchel_cache_free(cache);
  satchel_object *object = objects[0];
  CHECK_CODE(SATCHEL_EINVAL, satchel_cache_get(&object, cache, satchel_text("1")), "a freed cache");
  CHECK(object == NULL && heard.removed == 100 && heard.destroyed == 0 && heard.released == 0, "free destroyed something");
  for (int i = 0; i < 100; i++) {
    CHECK(*(int *)satchel_object_pointer(objects[i]) == i && atoi(satchel_object_key(objects[i]).data) == i, "object %d", i);
    satchel_object_release(objects[i]);
  }
  CHECK(heard.destroyed == 100 && heard.expired == 0 && heard.released == 1, "after the last object");
}

/* MARK: Making */

typedef struct maker {
  tally *heard;
  int calls, code;
  bool puts_itself, makes_nothing;
  satchel_object *put;
} maker;

static int make(void **pointer, satchel_bytes key, void *context) {
  maker *self = context;
  self->calls++;
  if (self->puts_itself) self->put = put(self->heard->cache, key.data, 50);
  if (!self->makes_nothing) *pointer = number(7);
  if (self->code != 0) free(*pointer), *pointer = NULL;
  return self->code;
}

static satchel_object *made(maker *by, int expected, const char *key) {
  satchel_object *object = NULL;
  CHECK_CODE(expected, satchel_cache_get_or_create(&object, by->heard->cache, satchel_text(key), make, by), key);
  CHECK((object != NULL) == (expected == SATCHEL_OK), "out-parameter of get_or_create");
  return object;
}

static void makes_what_is_not_there(void) {
  tally heard = {0};
  satchel_cache *cache = cache_of(&heard);
  maker by = {.heard = &heard};
  satchel_object *object = made(&by, SATCHEL_OK, "a"), *again = made(&by, SATCHEL_OK, "a");
  CHECK(object == again && by.calls == 1 && look(cache, "a") == 7, "made %d times", by.calls);
  satchel_object_release(object);
  satchel_object_release(again);
  by.code = -1234;
  made(&by, -1234, "a");
  by.code = 5;
  made(&by, 5, "a");
  by.code = 0;
  by.makes_nothing = true;
  made(&by, SATCHEL_EINVAL, "a");
  by.makes_nothing = false;
  CHECK(count_of(cache) == 0 && heard.destroyed == 1, "a failure left something");
  /* The factory puts something under the very key: that was first. */
  by.puts_itself = true;
  object = made(&by, SATCHEL_OK, "b");
  CHECK(object == by.put && heard.destroyed == 2 && heard.last_number == 7 && look(cache, "b") == 50, "the first one stays");
  satchel_object_release(object);
  satchel_object_release(by.put);
  CHECK(heard.destroyed == 3 && heard.expired == 2, "%d destroyed, %d expired", heard.destroyed, heard.expired);
  satchel_cache_free(cache);
}

/* MARK: Callbacks that call back in */

static void busy_evicted(satchel_bytes key, void *pointer, int reason, void *context) {
  tally *heard = context;
  satchel_object *object = NULL;
  (void)pointer, (void)reason;
  if (++heard->expired % 2 == 0) return;
  CHECK(satchel_cache_get(&object, heard->cache, key) != SATCHEL_OK || reason == SATCHEL_CACHE_REPLACED, "it is still found");
  satchel_object_release(object);
  CHECK_CODE(SATCHEL_OK, satchel_cache_put(&object, heard->cache, key, number(-2)), "put in evicted");
  satchel_object_release(object);
  CHECK_CODE(SATCHEL_OK, satchel_cache_clear(heard->cache), "clear in evicted");
}

static void busy_destroy(void *pointer, void *context) {
  tally *heard = context;
  satchel_object *object = NULL;
  heard->destroyed++;
  if (*(int *)pointer >= 0) {
    CHECK_CODE(SATCHEL_OK, satchel_cache_put(&object, heard->cache, satchel_text("other"), number(-1)), "put in destroy");
    satchel_object_release(object);
    count_of(heard->cache);
  }
  free(pointer);
}

static void callbacks_call_back_in(void) {
  tally heard = {0};
  satchel_cache_options options = SATCHEL_CACHE_OPTIONS_INIT;
  options.destroy = busy_destroy;
  options.evicted = busy_evicted;
  options.context = &heard;
  CHECK_CODE(SATCHEL_OK, satchel_cache_new(&heard.cache, &options), "new");
  int before = 0;
  for (int i = 0; i < 200; i++) {
    satchel_object *object = put(heard.cache, "a", i), *other = put(heard.cache, "a", i);
    satchel_object_release(object);
    satchel_object_release(other);
    CHECK(heard.destroyed >= before + 2, "an object was not destroyed");
    before = heard.destroyed;
  }
  CHECK(count_of(heard.cache) == 0, "%zu entries are left", count_of(heard.cache));
  satchel_cache_free(heard.cache);
}

/* What callbacks do that are told of the others' end, and what they have seen. */
typedef struct ending {
  satchel_cache *cache;
  satchel_object *objects[100];
  bool frees, puts;
  int removed, destroyed, released;
  satchel_object *last;
} ending;

static void ending_destroy(void *pointer, void *context) {
  ((ending *)context)->destroyed++;
  free(pointer);
}

static void ending_evicted(satchel_bytes key, void *pointer, int reason, void *context) {
  ending *self = context;
  (void)key, (void)pointer;
  CHECK(reason == SATCHEL_CACHE_REMOVED || self->removed == 100, "left for %d", reason);
  if (self->removed++ != 0) return;
  CHECK(count_of(self->cache) == 0, "%zu are still there when the first is told of", count_of(self->cache));
  for (int i = 0; i < 100; i++) satchel_object_release(self->objects[i]);
  if (self->puts) CHECK_CODE(SATCHEL_OK, satchel_cache_put(&self->last, self->cache, satchel_text("5"), number(-1)), "put");
  if (self->frees) satchel_cache_free(self->cache);
}

static void ending_release(void *context) { ((ending *)context)->released++; }

static void fill(ending *self) {
  satchel_cache_options options = SATCHEL_CACHE_OPTIONS_INIT;
  char name[16];
  options.destroy = ending_destroy;
  options.evicted = ending_evicted;
  options.release = ending_release;
  options.context = self;
  CHECK_CODE(SATCHEL_OK, satchel_cache_new(&self->cache, &options), "new");
  for (int i = 0; i < 100; i++) {
    snprintf(name, sizeof name, "%d", i);
    self->objects[i] = put(self->cache, name, i);
  }
}

/* Whoever is told of the first one finds all of them gone, and what it puts in stays. */
static void clearing_is_complete_when_it_is_told(void) {
  ending self = {.puts = true};
  fill(&self);
  CHECK_CODE(SATCHEL_OK, satchel_cache_clear(self.cache), "clear");
  CHECK(self.removed == 100 && self.destroyed == 100, "%d removed, %d destroyed", self.removed, self.destroyed);
  CHECK(look(self.cache, "5") == -1 && satchel_object_pointer(self.last) != NULL, "what was put in meanwhile");
  CHECK(count_of(self.cache) == 1, "%zu entries after a put", count_of(self.cache));
  satchel_object_release(self.last);
  satchel_cache_free(self.cache);
  CHECK(self.released == 1, "released %d times", self.released);
}

/* The cache that is being cleared, from within. */
static void freed_while_it_is_cleared(void) {
  ending self = {.frees = true};
  fill(&self);
  CHECK_CODE(SATCHEL_OK, satchel_cache_clear(self.cache), "clear");
  CHECK(self.removed == 100 && self.destroyed == 100 && self.released == 1, "%d removed, %d destroyed, %d released",
        self.removed, self.destroyed, self.released);
}

static int make_and_free(void **pointer, satchel_bytes key, void *context) {
  (void)key;
  satchel_cache_free(((tally *)context)->cache);
  *pointer = number(7);
  return 0;
}

/* What the factory makes is its caller's, like all that outlives its cache. */
static void freed_while_it_makes(void) {
  tally heard = {0};
  satchel_object *object = NULL;
  satchel_cache *cache = cache_of(&heard);
  CHECK_CODE(SATCHEL_OK, satchel_cache_get_or_create(&object, cache, satchel_text("a"), make_and_free, &heard), "make");
  CHECK(object != NULL && *(int *)satchel_object_pointer(object) == 7 && heard.released == 0, "what was made");
  satchel_object_release(object);
  CHECK(heard.destroyed == 1 && heard.released == 1, "%d destroyed, %d released", heard.destroyed, heard.released);
}

/* MARK: A model */

typedef struct model {
  satchel_object *held[KEYS]; /* what the key leads to, held once; or NULL */
  satchel_object *lost[KEYS]; /* held, but replaced or removed */
} model;

static int value_of(satchel_object *object) { return object != NULL ? *(int *)satchel_object_pointer(object) : -1; }

/* One more way to lose it: it is no longer found, and held still. */
static void lose(model *m, int key) {
  satchel_object_release(m->lost[key]);
  m->lost[key] = m->held[key];
  m->held[key] = NULL;
}

static void step(model *m, satchel_cache *cache, chance *dice, int round) {
  int key = (int)chance_below(dice, KEYS);
  char name[48];
  /* Short and long, many alike in their beginnings. */
  snprintf(name, sizeof name, "%s%d", key % 3 != 0 ? "" : "a rather long beginning of a key.", key);
  switch (chance_below(dice, 8)) {
  case 0:
  case 1:
  case 2:
    lose(m, key);
    m->held[key] = put(cache, name, round);
    break;
  case 3:
  case 4:
    satchel_object_release(m->held[key]);
    m->held[key] = NULL;
    break;
  case 5:
    CHECK_CODE(m->held[key] != NULL ? SATCHEL_OK : SATCHEL_ENOTFOUND, satchel_cache_remove(cache, satchel_text(name)), name);
    if (m->held[key] != NULL) lose(m, key);
    break;
  default:
    if (look(cache, name) != value_of(m->held[key])) CHECK(false, "step %d: %s leads elsewhere", round, name);
  }
}

static void agrees_with_a_model(int steps) {
  for (uint64_t seed = 1; seed <= 4; seed++) {
    tally heard = {0};
    satchel_cache_options options = SATCHEL_CACHE_OPTIONS_INIT;
    /* None for which a library with checks makes keys collide: it looks at all after each change. */
    options.seed = 100 + seed;
    options.destroy = destroy;
    options.context = &heard;
    model *m = calloc(1, sizeof *m);
    chance dice = chance_of(seed);
    CHECK_CODE(SATCHEL_OK, satchel_cache_new(&heard.cache, &options), "new");
    for (int round = 0; round < steps / 4; round++) {
      step(m, heard.cache, &dice, round);
      if (round % 1000 != 0) continue;
      size_t held = 0;
      for (int key = 0; key < KEYS; key++) held += m->held[key] != NULL;
      if (count_of(heard.cache) != held) CHECK(false, "step %d: %zu entries, %zu held", round, count_of(heard.cache), held);
    }
    for (int key = 0; key < KEYS; key++) satchel_object_release(m->held[key]), satchel_object_release(m->lost[key]);
    CHECK(count_of(heard.cache) == 0, "something is left");
    satchel_cache_free(heard.cache);
    free(m);
  }
}

int main(int count, char **arguments) {
  checks_begin("use");
  lives_as_long_as_it_is_held();
  replaced_and_removed();
  any_bytes_are_a_key();
  outlives_its_cache();
  makes_what_is_not_there();
  callbacks_call_back_in();
  clearing_is_complete_when_it_is_told();
  freed_while_it_is_cleared();
  freed_while_it_makes();
  agrees_with_a_model(count > 1 ? atoi(arguments[1]) : 400000);
  return checks_finish();
}
