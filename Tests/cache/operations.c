/*
 * Operations on a weak cache and on what it has given out. Callbacks run operations themselves, the next ones of the stream,
 * as many as the operation that led to them says: they put, let go, clear and free under each other's feet.
 */
#include <stdbool.h>
#include <string.h>

#include <satchel/cache.h>

#include "../streams/operations.h"
#include "model.h"

enum { DEEPEST = 8, HOLDS = THINGS };

typedef struct trial trial;

typedef struct {
  trial *trial;
  satchel_cache *cache;
  bool freed, released;
} shop;

typedef struct {
  satchel_object *object;
  int id;
} hold;

struct trial {
  const uint8_t *data;
  size_t size;
  long operations;
  uint64_t seed;
  model model;
  shop shops[CACHES];
  int current; /* the last of them, which is not freed */
  hold holds[HOLDS];
  int held;
  int told, destroyed; /* calls */
  int depth, nested;   /* how many operations callbacks may still run */
};

static bool next(trial *t);

/* MARK: Keys */

/* In memory of its own, which ends where it ends: key 0 is empty, the others of many lengths and with NUL in them. */
static satchel_bytes new_key(int key) {
  char text[48];
  size_t size = key == 0 ? 0 : 5 + (size_t)key % 36;
  memset(text, key, sizeof text);
  snprintf(text, 8, "k%d", key);
  char *copy = size == 0 ? NULL : malloc(size);
  if (copy != NULL) memcpy(copy, text, size);
  return satchel_blob(copy, size);
}

static void free_key(satchel_bytes key) { free((void *)key.data); }

static void same_key(satchel_bytes key, int wanted) {
  satchel_bytes all = new_key(wanted);
  REQUIRE(key.size == all.size && (key.size == 0 || !memcmp(key.data, all.data, key.size)), "key %d", wanted);
  free_key(all);
}

static void same_stored_key(satchel_bytes key, int wanted) {
  same_key(key, wanted);
  REQUIRE(((const char *)key.data)[key.size] == '\0', "key %d has no end", wanted);
}

/* MARK: Callbacks */

static void called_back(trial *t) {
  int left = t->nested - 1;
  if (left < 0 || t->depth == DEEPEST) return;
  t->depth++;
  next(t);
  t->depth--;
  t->nested = left;
}

static thing *thing_of(trial *t, const void *pointer) {
  int id = *(const int *)pointer;
  REQUIRE(id >= 0 && id < t->model.count, "a pointer to %d", id);
  return &t->model.things[id];
}

static void evicted(satchel_bytes key, void *pointer, int reason, void *context) {
  shop *shop = context;
  trial *t = shop->trial;
  thing *old = thing_of(t, pointer);
  REQUIRE(!shop->released, "its context has been released");
  REQUIRE(reason == old->reason && !old->is_in && !old->told, "leaves for %d instead of %d", reason, old->reason);
  same_stored_key(key, old->key);
  old->told = true;
  t->told++;
  old->hearing++;
  called_back(t);
  old->hearing--;
  same_stored_key(key, old->key);
  REQUIRE(thing_of(t, pointer) == old && !old->destroyed, "it did not live as long as the call");
}

static void destroy(void *pointer, void *context) {
  shop *shop = context;
  trial *t = shop->trial;
  thing *old = thing_of(t, pointer);
  REQUIRE(!shop->released, "its context has been released");
  REQUIRE(old->holders == 0 && !old->is_in && !old->destroyed, "%d hold it", old->holders);
  REQUIRE(old->told == (old->reason != 0) && old->hearing == 0, "destroyed before it was told of");
  old->destroyed = true;
  t->destroyed++;
  called_back(t);
  free(pointer);
}

static void release_context(void *context) {
  shop *shop = context;
  trial *t = shop->trial;
  REQUIRE(shop->freed && !shop->released, "too early or twice");
  REQUIRE(t->model.shelves[shop - t->shops].living == 0, "something is left to be destroyed with it");
  shop->released = true;
}

/* MARK: What is held */

static int *new_pointer(int id) {
  int *pointer = malloc(sizeof *pointer);
  REQUIRE(pointer != NULL, "memory");
  *pointer = id;
  return pointer;
}

static void is_right(const satchel_object *object, int id, int key) {
  REQUIRE(*(int *)satchel_object_pointer(object) == id, "not thing %d", id);
  same_stored_key(satchel_object_key(object), key);
}

/* The library has counted us in, and the model too. */
static void taken(trial *t, satchel_object *object, int id) {
  REQUIRE(object != NULL, "nothing was given out");
  is_right(object, id, t->model.things[id].key);
  t->holds[t->held++] = (hold){object, id};
}

static void let_go(trial *t, int index) {
  hold old = t->holds[index];
  t->holds[index] = t->holds[--t->held];
  model_release(&t->model, old.id);
  satchel_object_release(old.object);
}

static void let_go_of_key(trial *t, int key) {
  for (int index = t->held - 1; index >= 0; index--)
    if (index < t->held && t->model.things[t->holds[index].id].key == key) let_go(t, index);
}

static void let_go_of_many(trial *t, int number) {
  while (number-- > 0 && t->held > 0) let_go(t, t->held - 1);
}

static void retain(trial *t, int index) {
  hold one = t->holds[index];
  is_right(one.object, one.id, t->model.things[one.id].key);
  model_hold(&t->model, one.id);
  REQUIRE(satchel_object_retain(one.object) == one.object, "retain");
  t->holds[t->held++] = one;
}

/* MARK: Entries */

static satchel_cache *cache_of(trial *t) { return t->shops[t->current].cache; }

static void put(trial *t, int key) {
  satchel_object *object;
  satchel_bytes name = new_key(key);
  int id = model_new(&t->model, t->current, key);
  model_enter(&t->model, id);
  model_hold(&t->model, id);
  REQUIRE(satchel_cache_put(&object, cache_of(t), name, new_pointer(id)) == 0, "put");
  free_key(name);
  taken(t, object, id);
}

static void get(trial *t, int key) {
  satchel_object *object;
  satchel_bytes name = new_key(key);
  int id = model_entry(&t->model, t->current, key);
  int code = satchel_cache_get(&object, cache_of(t), name);
  free_key(name);
  REQUIRE(code == (id < 0 ? SATCHEL_ENOTFOUND : 0) && (object == NULL) == (id < 0), "get gives %d for %d", code, id);
  if (id < 0) return;
  model_hold(&t->model, id);
  taken(t, object, id);
}

static void removed(trial *t, int key, bool by_putting) {
  satchel_object *object = NULL;
  satchel_bytes name = new_key(key);
  int id = model_entry(&t->model, t->current, key), wanted = id < 0 && !by_putting ? SATCHEL_ENOTFOUND : 0;
  if (id >= 0) model_leave(&t->model, id, SATCHEL_CACHE_REMOVED);
  int code = by_putting ? satchel_cache_put(&object, cache_of(t), name, NULL) : satchel_cache_remove(cache_of(t), name);
  free_key(name);
  REQUIRE(code == wanted && object == NULL, "remove gives %d", code);
}

static void clear(trial *t) {
  model_clear(&t->model, t->current);
  REQUIRE(satchel_cache_clear(cache_of(t)) == 0, "clear");
}

static void count(trial *t) {
  size_t count;
  int code = satchel_cache_count(&count, cache_of(t)), wanted = t->model.shelves[t->current].count;
  REQUIRE(code == 0 && count == (size_t)wanted, "%zu entries of %d", count, wanted);
}

/* MARK: Making */

typedef struct {
  trial *trial;
  int cache, key;
  int kind; /* how it goes */
  bool called;
  int code, id; /* what is to come of it */
} making;

/* What a failing factory may leave there: nobody's business. */
static int never = -1;

static int failing(making *by, void **pointer) {
  static const int codes[] = {-1000, -1999, 1, SATCHEL_ENOTFOUND, SATCHEL_EINVAL};
  if (by->kind / 4 % 2 == 1) *pointer = &never;
  return by->code = codes[by->kind / 8 % 5];
}

static int make(void **pointer, satchel_bytes key, void *context) {
  making *by = context;
  trial *t = by->trial;
  REQUIRE(!by->called, "made twice");
  by->called = true;
  same_key(key, by->key);
  called_back(t);
  if (by->kind % 4 == 0) return failing(by, pointer);
  if (by->kind % 32 == 1) return by->code = SATCHEL_EINVAL, 0;
  int id = model_new(&t->model, by->cache, by->key);
  *pointer = new_pointer(id);
  by->id = model_entry(&t->model, by->cache, by->key);
  if (by->id >= 0) model_discard(&t->model, id);
  else model_enter(&t->model, by->id = id);
  model_hold(&t->model, by->id);
  return 0;
}

static void get_or_create(trial *t, int key, int kind) {
  satchel_object *object;
  satchel_bytes name = new_key(key);
  int id = model_entry(&t->model, t->current, key);
  making by = {.trial = t, .cache = t->current, .key = key, .kind = kind, .id = id};
  if (id >= 0) model_hold(&t->model, id);
  int code = satchel_cache_get_or_create(&object, cache_of(t), name, make, &by);
  free_key(name);
  REQUIRE(by.called == (id < 0), "made what is there, or not what is not");
  REQUIRE(code == by.code && (object == NULL) == (code != 0), "get_or_create gives %d instead of %d", code, by.code);
  if (code == 0) taken(t, object, by.id);
}

/* MARK: Caches */

static void open_shop(trial *t, int number) {
  shop *shop = &t->shops[number];
  satchel_cache_options options = SATCHEL_CACHE_OPTIONS_INIT;
  options.seed = t->seed;
  options.destroy = destroy;
  options.evicted = evicted;
  options.release = release_context;
  options.context = shop;
  shop->trial = t;
  model_open(&t->model, number);
  REQUIRE(satchel_cache_new(&shop->cache, &options) == 0, "new");
}

/* Calls that are on their way in it, further up, end as if it were there. */
static void close_shop(trial *t, int number) {
  satchel_cache *cache = t->shops[number].cache;
  size_t count;
  t->shops[number].freed = true;
  model_clear(&t->model, number);
  satchel_cache_free(cache);
  satchel_cache_free(cache);
  REQUIRE(satchel_cache_count(&count, cache) == SATCHEL_EINVAL, "a freed cache answers");
}

static void move_on(trial *t) {
  if (t->current + 1 == CACHES) return;
  int old = t->current++;
  open_shop(t, t->current);
  close_shop(t, old);
}

/* MARK: Operations */

static void operation(trial *t, int code, int key, int extra) {
  switch (code % 32) {
  case 0:
  case 1:
  case 2:
  case 3:
  case 4:
    put(t, key);
    break;
  case 5:
  case 6:
  case 7:
  case 8:
    get(t, key);
    break;
  case 9:
  case 10:
  case 11:
  case 12:
    get_or_create(t, key, extra);
    break;
  case 13:
  case 14:
  case 15:
  case 16:
  case 17:
    if (t->held > 0) let_go(t, extra % t->held);
    break;
  case 18:
  case 19:
  case 20:
  case 21:
    let_go_of_key(t, key);
    break;
  case 22:
  case 23:
    if (t->held > 0) retain(t, extra % t->held);
    break;
  case 24:
  case 25:
    removed(t, key, false);
    break;
  case 26:
    removed(t, key, true);
    break;
  case 27:
    if (extra < 24) clear(t);
    break;
  case 28:
    if (extra < 24) move_on(t);
    break;
  case 29:
    for (int i = 0; i < extra % 32; i++) put(t, (key + i) % KEYS);
    break;
  case 30:
    let_go_of_many(t, extra % 32);
    break;
  default:
    count(t);
    break;
  }
}

static bool has_room(const trial *t) { return t->model.count < THINGS - 64 * DEEPEST && t->held < HOLDS - 64 * DEEPEST; }

static bool next(trial *t) {
  if (t->size < 3 || !has_room(t)) return false;
  const uint8_t *bytes = t->data;
  t->data += 3;
  t->size -= 3;
  t->operations++;
  t->nested = bytes[0] / 32;
  operation(t, bytes[0], bytes[1] % KEYS, bytes[2]);
  return true;
}

/* MARK: Trials */

/* With no call on its way, all that was to be heard has been. */
static void settled(trial *t) {
  REQUIRE(t->told == t->model.left, "%d of %d told of", t->told, t->model.left);
  REQUIRE(t->destroyed == t->model.gone, "%d of %d destroyed", t->destroyed, t->model.gone);
}

static void all(trial *t) {
  count(t);
  for (int id = 0; id < t->model.count; id++) {
    const thing *one = &t->model.things[id];
    REQUIRE(one->destroyed == (one->holders == 0) && one->told == (one->reason != 0), "thing %d", id);
  }
  for (int number = 0; number <= t->current; number++) {
    const shop *shop = &t->shops[number];
    REQUIRE(shop->released == (shop->freed && t->model.shelves[number].living == 0), "the context of cache %d", number);
  }
}

static void end(trial *t, bool cache_first) {
  t->size = t->nested = 0;
  all(t);
  if (cache_first) close_shop(t, t->current);
  let_go_of_many(t, t->held);
  if (!cache_first) {
    all(t);
    close_shop(t, t->current);
  }
  settled(t);
  REQUIRE(t->destroyed == t->model.count, "%d of %d are gone", t->destroyed, t->model.count);
  for (int number = 0; number <= t->current; number++) REQUIRE(t->shops[number].released, "a context is left");
}

long run_operations(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  trial *t = calloc(1, sizeof *t);
  REQUIRE(t != NULL, "memory");
  t->data = data + 1;
  t->size = size - 1;
  /* A library with checks takes a small seed for the bits of a hash: most keys collide then. */
  t->seed = 1 + data[0] / 2 % 8 * 5;
  open_shop(t, 0);
  for (long after = 64; next(t);) {
    settled(t);
    if (t->operations < after) continue;
    all(t);
    after = t->operations + 64;
  }
  end(t, data[0] % 2);
  long count = t->operations;
  free(t);
  return count;
}
