/*
 * Threads on one weak cache: objects that are made, found and let go at the same time; makers of the same key; replacing; a
 * cache that is freed under its objects; and children forked in the midst of it all.
 *
 * Usage: races [TIMES]
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <satchel/cache.h>

#include "../crash/support.h"

enum { THREADS = 4, KEYS = 24 };

static int times;
static satchel_cache *cache;
static atomic_long made, destroyed, wrong;
static atomic_bool stop;

/* A pointer that knows its key, and is told apart from freed memory. */
typedef struct thing {
  int key;
  unsigned alive;
} thing;
#define ALIVE 0x600DF00Du

static thing *thing_of(int key) {
  thing *new = malloc(sizeof *new);
  new->key = key;
  new->alive = ALIVE;
  made++;
  return new;
}

static void destroy(void *pointer, void *context) {
  thing *old = pointer;
  (void)context;
  if (old->alive != ALIVE) wrong++;
  old->alive = 0;
  destroyed++;
  free(old);
}

static void new_cache(void) {
  satchel_cache_options options = SATCHEL_CACHE_OPTIONS_INIT;
  options.destroy = destroy;
  made = destroyed = wrong = 0;
  stop = false;
  CHECK_CODE(SATCHEL_OK, satchel_cache_new(&cache, &options), "new");
}

static satchel_bytes name_of(int key, char room[16]) { return satchel_blob(room, (size_t)snprintf(room, 16, "key %d", key)); }

static void is_right(satchel_object *object, int key) {
  const thing *found = satchel_object_pointer(object);
  if (found->alive != ALIVE || found->key != key) wrong++;
}

static int make(void **pointer, satchel_bytes key, void *context) {
  (void)key;
  *pointer = thing_of((int)(intptr_t)context);
  return 0;
}

static void run(int count, void *(*body)(void *)) {
  pthread_t threads[THREADS];
  for (intptr_t i = 0; i < count; i++) CHECK(pthread_create(&threads[i], NULL, body, (void *)i) == 0, "no thread");
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
}

static void all_is_gone(const char *what) {
  size_t count = 1;
  CHECK_CODE(SATCHEL_OK, satchel_cache_count(&count, cache), "count");
  CHECK(count == 0, "%s: %zu entries are left", what, count);
  CHECK(wrong == 0, "%s: %ld objects were not what they should be", what, (long)wrong);
  satchel_cache_free(cache);
  CHECK(made == destroyed, "%s: %ld made, %ld destroyed", what, (long)made, (long)destroyed);
}

/* MARK: Made, found and let go */

static void use_once(chance *dice) {
  char room[16];
  int key = (int)chance_below(dice, KEYS);
  satchel_bytes name = name_of(key, room);
  satchel_object *object = NULL;
  switch (chance_below(dice, 5)) {
  case 0:
    if (satchel_cache_put(&object, cache, name, thing_of(key)) != SATCHEL_OK) wrong++;
    break;
  case 1:
    if (satchel_cache_get_or_create(&object, cache, name, make, (void *)(intptr_t)key) != SATCHEL_OK) wrong++;
    break;
  case 2:
    if (chance_below(dice, 16) == 0) ignore(satchel_cache_remove(cache, name));
    if (chance_below(dice, 500) == 0) ignore(satchel_cache_clear(cache));
    break;
  default:
    ignore(satchel_cache_get(&object, cache, name));
  }
  if (object == NULL) return;
  is_right(object, key);
  satchel_object_release(satchel_object_retain(object));
  satchel_object_release(object);
}

static void *use_often(void *thread) {
  chance dice = chance_of((uint64_t)(intptr_t)thread + 1);
  for (int i = 0; i < times; i++) use_once(&dice);
  return NULL;
}

static void create_and_drop(void *context) {
  (void)context;
  new_cache();
  run(THREADS, use_often);
  all_is_gone("create and drop");
}

/* MARK: Makers of one key */

static pthread_barrier_t all_here;
static satchel_object *results[THREADS];

static void *make_at_once(void *thread) {
  pthread_barrier_wait(&all_here);
  int i = (int)(intptr_t)thread;
  if (satchel_cache_get_or_create(&results[i], cache, satchel_text("one"), make, NULL) != SATCHEL_OK) wrong++;
  return NULL;
}

static void makers_agree(void *context) {
  (void)context;
  for (int i = 0; i < times / 400; i++) {
    new_cache();
    pthread_barrier_init(&all_here, NULL, THREADS);
    run(THREADS, make_at_once);
    for (int t = 1; t < THREADS; t++)
      if (results[t] != results[0]) wrong++;
    for (int t = 0; t < THREADS; t++) satchel_object_release(results[t]);
    all_is_gone("makers of one key");
  }
}

/* MARK: Replacing */

static void *replace(void *thread) {
  satchel_object *object = NULL, *next = NULL;
  if (thread == NULL) {
    ignore(satchel_cache_put(&object, cache, satchel_text("one"), thing_of(0)));
    for (int i = 0; i < times; i++) {
      if (satchel_cache_put(&next, cache, satchel_text("one"), thing_of(0)) != SATCHEL_OK) wrong++;
      satchel_object_release(object);
      object = next;
    }
    stop = true;
    satchel_object_release(object);
    return NULL;
  }
  bool seen = false;
  while (!stop) {
    int code = satchel_cache_get(&object, cache, satchel_text("one"));
    /* It may be gone once the writer has stopped. */
    if (code != SATCHEL_OK && seen && !stop) wrong++;
    seen |= code == SATCHEL_OK;
    if (object != NULL) is_right(object, 0);
    satchel_object_release(object);
  }
  return NULL;
}

static void replacing_leaves_no_gap(void *context) {
  (void)context;
  new_cache();
  run(3, replace);
  all_is_gone("replacing");
}

/* MARK: Freeing the cache under its objects */

static satchel_object *objects[THREADS][KEYS];

static void *let_go(void *thread) {
  int i = (int)(intptr_t)thread;
  pthread_barrier_wait(&all_here);
  if (i == 0) satchel_cache_free(cache);
  for (int key = 0; key < KEYS; key++) satchel_object_release(objects[i][key]);
  return NULL;
}

static void freeing_under_objects(void *context) {
  (void)context;
  for (int i = 0; i < times / 400; i++) {
    char room[16];
    new_cache();
    pthread_barrier_init(&all_here, NULL, THREADS);
    for (int t = 0; t < THREADS; t++)
      for (int key = 0; key < KEYS; key++) {
        objects[t][key] = NULL;
        ignore(satchel_cache_get_or_create(&objects[t][key], cache, name_of(key, room), make, NULL));
      }
    run(THREADS, let_go);
    CHECK(made == destroyed && wrong == 0, "freed: %ld made, %ld destroyed", (long)made, (long)destroyed);
  }
}

/* MARK: fork */

#ifndef NO_FORKS
static void *use_until_stopped(void *thread) {
  chance dice = chance_of((uint64_t)(intptr_t)thread + 1);
  while (!stop) use_once(&dice);
  return NULL;
}

/* In a child, whose cache may have been caught in the midst of anything: all of it works, and counts right. */
static void in_the_child(void *context) {
  satchel_object *own[3 * KEYS];
  char room[16];
  size_t before = 0, with = 0, after = 0;
  (void)context;
  CHECK_CODE(SATCHEL_OK, satchel_cache_count(&before, cache), "count");
  for (int key = 0; key < 3 * KEYS; key++) {
    own[key] = NULL;
    ignore(satchel_cache_get_or_create(&own[key], cache, name_of(key, room), make, (void *)(intptr_t)key));
    if (own[key] != NULL) is_right(own[key], key);
  }
  CHECK_CODE(SATCHEL_OK, satchel_cache_count(&with, cache), "count");
  CHECK(with == 3 * KEYS, "%zu entries in the child", with);
  for (int key = 0; key < 3 * KEYS; key++) satchel_object_release(own[key]);
  CHECK_CODE(SATCHEL_OK, satchel_cache_count(&after, cache), "count");
  CHECK(after <= before, "%zu entries before, %zu after", before, after);
  for (int key = 0; key < KEYS; key++) ignore(satchel_cache_remove(cache, name_of(key, room)));
  CHECK_CODE(SATCHEL_OK, satchel_cache_count(&after, cache), "count");
  CHECK(after == 0, "%zu entries cannot be removed", after);
  CHECK(wrong == 0, "%ld objects were not what they should be", (long)wrong);
}

static void forking(void *context) {
  pthread_t threads[2];
  (void)context;
  new_cache();
  for (intptr_t i = 0; i < 2; i++) CHECK(pthread_create(&threads[i], NULL, use_until_stopped, (void *)i) == 0, "no thread");
  for (int i = 0; i < times / 40; i++) child_end_well(child_start(in_the_child, NULL), 30, "a child of busy threads");
  stop = true;
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  all_is_gone("forking");
}
#endif

int main(int count, char **arguments) {
  checks_begin("races");
  times = count > 1 ? atoi(arguments[1]) : 40000;
  child_round(create_and_drop, NULL, 300, "create and drop");
  child_round(makers_agree, NULL, 300, "makers of one key");
  child_round(replacing_leaves_no_gap, NULL, 300, "replacing");
  child_round(freeing_under_objects, NULL, 300, "freeing under objects");
#ifdef NO_FORKS
  skipped("children of busy threads: the thread sanitizer has none");
#else
  child_round(forking, NULL, 600, "children of busy threads");
#endif
  return checks_finish();
}
