/*
 * The weak cache beside what a program has without it: GLib's hash table and a counted object, under one mutex. Usage: cache FOLDER
 */
#include <glib.h>

#include <satchel/cache.h>

#include "bench.h"

enum { COUNT = 100000, HOT = 8, ROUNDS = 41 };
enum { PUT, GET, GET_RANDOM, RELEASE, PHASES };
static const char *const phases[] = {"put", "get", "get_random", "release"};

static char (*names)[32];
static long *order; /* a shuffle, so that nothing is asked for in the order in which it lies in memory */
static intptr_t sum;

/* MARK: Ours */

static satchel_cache *cache;
static satchel_object *objects[COUNT];

static satchel_bytes name_of(long i) { return satchel_blob(names[i], strlen(names[i])); }

static void cache_put(void) {
  for (long i = 0; i < COUNT; i++) MUST(satchel_cache_put(&objects[i], cache, name_of(i), (void *)(i + 1)));
}

static void cache_look(long i) {
  satchel_object *object;
  MUST(satchel_cache_get(&object, cache, name_of(i)));
  sum += (intptr_t)satchel_object_pointer(object);
  satchel_object_release(object);
}

static void cache_get(void) {
  for (long i = 0; i < COUNT; i++) cache_look(i % HOT);
}

static void cache_get_random(void) {
  for (long i = 0; i < COUNT; i++) cache_look(order[i]);
}

static void cache_release(void) {
  for (long i = 0; i < COUNT; i++) satchel_object_release(objects[order[i]]);
}

/* MARK: The peer */

typedef struct {
  int holders; /* under the mutex */
  char *key;
  void *pointer;
} counted;

static GHashTable *table;
static GMutex mutex;
static counted *things[COUNT];

static void g_put(void) {
  for (long i = 0; i < COUNT; i++) {
    counted *thing = g_new(counted, 1);
    thing->holders = 1;
    thing->key = g_strdup(names[i]);
    thing->pointer = (void *)(i + 1);
    g_mutex_lock(&mutex);
    g_hash_table_insert(table, thing->key, thing);
    g_mutex_unlock(&mutex);
    things[i] = thing;
  }
}

static void g_let_go(counted *thing) {
  g_mutex_lock(&mutex);
  gboolean is_last = --thing->holders == 0;
  if (is_last) g_hash_table_remove(table, thing->key);
  g_mutex_unlock(&mutex);
  if (!is_last) return;
  g_free(thing->key);
  g_free(thing);
}

static void g_look(long i) {
  g_mutex_lock(&mutex);
  counted *thing = g_hash_table_lookup(table, names[i]);
  if (thing != NULL) thing->holders++;
  g_mutex_unlock(&mutex);
  MUST(thing == NULL);
  sum += (intptr_t)thing->pointer;
  g_let_go(thing);
}

static void g_get(void) {
  for (long i = 0; i < COUNT; i++) g_look(i % HOT);
}

static void g_get_random(void) {
  for (long i = 0; i < COUNT; i++) g_look(order[i]);
}

static void g_release(void) {
  for (long i = 0; i < COUNT; i++) g_let_go(things[order[i]]);
}

/* MARK: Measuring */

static void (*const work[2][PHASES])(void) = {
    {cache_put, cache_get, cache_get_random, cache_release},
    {g_put, g_get, g_get_random, g_release},
};

static void make_names(void) {
  names = malloc(sizeof *names * COUNT);
  order = malloc(sizeof *order * COUNT);
  srandom(1);
  for (long i = 0; i < COUNT; i++) {
    snprintf(names[i], sizeof *names, "section.key.%ld", i);
    long j = random() % (i + 1);
    order[i] = order[j];
    order[j] = i;
  }
}

int main(void) {
  static double results[2][PHASES][ROUNDS];
  make_names();
  MUST(satchel_cache_new(&cache, NULL));
  table = g_hash_table_new(g_str_hash, g_str_equal);
  for (int round = 0; round < ROUNDS; round++)
    for (int who = 0; who < 2; who++)
      for (int phase = 0; phase < PHASES; phase++) {
        double start = now_ns();
        work[who][phase]();
        results[who][phase][round] = (now_ns() - start) / COUNT;
      }
  for (int phase = 0; phase < PHASES; phase++) {
    char name[32];
    double ours = median(results[0][phase], ROUNDS), theirs = median(results[1][phase], ROUNDS);
    snprintf(name, sizeof name, "cache.c.%s", phases[phase]);
    emit(name, ours, "ns", "glib+mutex", theirs, theirs / ours);
  }
  satchel_cache_free(cache);
  return sum == 0;
}
