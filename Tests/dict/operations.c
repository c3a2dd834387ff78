#include <math.h>
#include <string.h>

#include <satchel/dict.h>

#include "../streams/operations.h"
#include "model.h"

/* The last cursor of the model is the walk without a cursor. */
enum { REGISTERED = CURSORS - 1 };

typedef struct {
  satchel_dict *dict;
  model model;
  satchel_dict_cursor *cursors[REGISTERED];
  satchel_dict_position position;
  int destroyed[TOKENS], expected[TOKENS];
  int tokens;
} trial;

/* MARK: Keys and values */

/* Key 0 is empty, the others of many lengths and with NUL in them. */
static satchel_bytes key_bytes(int key) {
  static char texts[KEYS][48];
  char *text = texts[key];
  memset(text, key, 40);
  snprintf(text, 8, "k%d", key);
  return satchel_blob(key == 0 ? NULL : text, key == 0 ? 0 : 4 + (size_t)key % 36);
}

static void destroyed(void *pointer, void *context) { (*(trial **)context)->destroyed[(intptr_t)pointer - 1]++; }

/* Two contexts, so that some pointers are destroyed as most are and some are not. */
static trial *contexts[2];

static content new_token(trial *t, uint32_t type) {
  REQUIRE(t->tokens < TOKENS, "too many");
  return (content){type, t->tokens++};
}

static void *token_pointer(int64_t token) { return (void *)(intptr_t)(token + 1); }

static satchel_dict *nested_dict(int64_t token) {
  satchel_dict *nested;
  REQUIRE(satchel_dict_new(&nested, NULL) == 0, "nested");
  REQUIRE(satchel_dict_set_pointer(nested, satchel_text("token"), token_pointer(token), destroyed, &contexts[0]) == 0,
          "nested");
  return nested;
}

static satchel_bytes some_bytes(int64_t size) {
  static char all[256];
  for (int i = 0; i < 256; i++) all[i] = (char)(i * 7);
  return satchel_blob(all, (size_t)size);
}

/* What is in the dictionary is what the model has. */
static void same_value(const satchel_dict_value *value, content held) {
  switch (held.type) {
  case SATCHEL_DICT_INT64:
    REQUIRE(value->type == held.type && value->as.int64 == held.number, "int64");
    break;
  case SATCHEL_DICT_DOUBLE:
    REQUIRE(value->type == held.type && value->as.real == (double)held.number / 3, "double");
    break;
  case SATCHEL_DICT_BOOL:
    REQUIRE(value->type == held.type && value->as.boolean == (held.number & 1), "bool");
    break;
  case SATCHEL_DICT_POINTER:
    REQUIRE(value->type == held.type && value->as.pointer == token_pointer(held.number), "pointer");
    break;
  case SATCHEL_DICT_BYTES:
    REQUIRE(value->type == held.type && value->as.bytes.size == (size_t)held.number, "bytes");
    REQUIRE(!memcmp(value->as.bytes.data, some_bytes(held.number).data, (size_t)held.number), "bytes");
    REQUIRE(((const char *)value->as.bytes.data)[held.number] == '\0', "bytes have no end");
    break;
  case SATCHEL_DICT_DICT: {
    void *token;
    REQUIRE(value->type == held.type && satchel_dict_get_pointer(&token, value->as.dict, satchel_text("token")) == 0, "dict");
    REQUIRE(token == token_pointer(held.number), "dict");
    break;
  }
  default:
    REQUIRE(false, "type %u", held.type);
  }
}

static void same_entry(trial *t, int key, satchel_bytes bytes, const satchel_dict_value *value) {
  satchel_bytes wanted = key_bytes(key);
  REQUIRE(bytes.size == wanted.size && !memcmp(bytes.data, wanted.size ? wanted.data : "", wanted.size), "key %d", key);
  REQUIRE(((const char *)bytes.data)[bytes.size] == '\0', "key %d has no end", key);
  same_value(value, t->model.held[key]);
}

/* The model lets go of what a key holds. */
static void let_go(trial *t, int key) {
  content held = t->model.held[key];
  if (held.type == SATCHEL_DICT_DICT || held.type == SATCHEL_DICT_POINTER) t->expected[held.number]++;
}

/* MARK: Operations */

static int put(trial *t, int key, content held, int kind) {
  satchel_bytes name = key_bytes(key);
  switch (held.type) {
  case SATCHEL_DICT_INT64:
    return satchel_dict_set_int64(t->dict, name, held.number);
  case SATCHEL_DICT_DOUBLE:
    return satchel_dict_set_double(t->dict, name, (double)held.number / 3);
  case SATCHEL_DICT_BOOL:
    return satchel_dict_set_bool(t->dict, name, held.number & 1);
  case SATCHEL_DICT_BYTES:
    return satchel_dict_set_bytes(t->dict, name, some_bytes(held.number));
  case SATCHEL_DICT_POINTER:
    return satchel_dict_set_pointer(t->dict, name, token_pointer(held.number), destroyed, &contexts[kind & 1]);
  default:
    return satchel_dict_set_dict(t->dict, name, nested_dict(held.number));
  }
}

static void set(trial *t, int key, int number, int kind) {
  static const uint32_t types[] = {SATCHEL_DICT_INT64,   SATCHEL_DICT_DOUBLE,  SATCHEL_DICT_BOOL, SATCHEL_DICT_BYTES,
                                   SATCHEL_DICT_POINTER, SATCHEL_DICT_POINTER, SATCHEL_DICT_DICT};
  uint32_t type = types[kind % 7];
  content held = {type, number};
  if (type == SATCHEL_DICT_POINTER || type == SATCHEL_DICT_DICT) held = new_token(t, type);
  REQUIRE(put(t, key, held, kind) == 0, "set");
  if (model_find(&t->model, key) >= 0) let_go(t, key), t->model.held[key] = held;
  else model_append(&t->model, key, held);
}

static void removed(trial *t, int key, int kind) {
  satchel_bytes name = key_bytes(key);
  satchel_dict_item item;
  bool there = model_find(&t->model, key) >= 0;
  int wanted = there ? 0 : SATCHEL_ENOTFOUND;
  if (kind == 0) REQUIRE(satchel_dict_remove(t->dict, name) == wanted, "remove");
  else if (kind == 1) REQUIRE(satchel_dict_swap_remove(t->dict, name) == wanted, "swap_remove");
  else {
    REQUIRE(satchel_dict_take(&item, t->dict, name) == wanted, "take");
    if (there) same_entry(t, key, item.key, &item.value);
    satchel_dict_item_free(&item);
  }
  if (!there) return;
  let_go(t, key);
  if (kind == 1) model_swap_remove(&t->model, key);
  else model_remove(&t->model, key);
}

static void popped(trial *t, bool last) {
  satchel_dict_item item;
  int code = last ? satchel_dict_pop_last(&item, t->dict) : satchel_dict_pop_first(&item, t->dict);
  REQUIRE(code == (t->model.count ? 0 : SATCHEL_ENOTFOUND), "pop gives %d", code);
  if (code == 0) {
    int key = model_key(&t->model, last ? t->model.count - 1 : 0);
    same_entry(t, key, item.key, &item.value);
    let_go(t, key);
    model_remove(&t->model, key);
  }
  satchel_dict_item_free(&item);
}

static void at(trial *t, size_t index) {
  satchel_bytes key;
  satchel_dict_value value;
  int code = satchel_dict_at(&key, &value, t->dict, index);
  REQUIRE(code == (index < (size_t)t->model.count ? 0 : SATCHEL_ERANGE), "at %zu gives %d", index, code);
  if (code == 0) same_entry(t, model_key(&t->model, (int)index), key, &value);
}

static void index_of(trial *t, int key) {
  size_t index;
  int place = model_index(&t->model, key);
  int code = satchel_dict_index_of(&index, t->dict, key_bytes(key));
  REQUIRE(code == (place < 0 ? SATCHEL_ENOTFOUND : 0), "index_of gives %d", code);
  REQUIRE(code < 0 || index == (size_t)place, "index_of gives %zu for %d", index, place);
}

static void insert(trial *t, int key, size_t index) {
  satchel_dict_value value = {SATCHEL_DICT_INT64, 0, {.int64 = (int64_t)index}};
  int code = satchel_dict_insert_at(t->dict, index, key_bytes(key), &value);
  int wanted = index > (size_t)t->model.count ? SATCHEL_ERANGE : model_find(&t->model, key) >= 0 ? SATCHEL_EEXISTS : 0;
  REQUIRE(code == wanted, "insert_at %zu gives %d for %d", index, code, wanted);
  if (code == 0) model_insert(&t->model, (int)index, key, (content){SATCHEL_DICT_INT64, (int64_t)index});
}

static void remove_at(trial *t, size_t index) {
  int code = satchel_dict_remove_at(t->dict, index);
  REQUIRE(code == (index < (size_t)t->model.count ? 0 : SATCHEL_ERANGE), "remove_at %zu gives %d", index, code);
  if (code < 0) return;
  int key = model_key(&t->model, (int)index);
  let_go(t, key);
  model_remove(&t->model, key);
}

static void move(trial *t, int key, bool to_end) {
  int code = to_end ? satchel_dict_move_to_end(t->dict, key_bytes(key)) : satchel_dict_move_to_front(t->dict, key_bytes(key));
  REQUIRE(code == (model_find(&t->model, key) >= 0 ? 0 : SATCHEL_ENOTFOUND), "move gives %d", code);
  if (code == 0) model_move(&t->model, key, to_end);
}

static void step(trial *t, int cursor, bool forward) {
  satchel_bytes key;
  satchel_dict_value value;
  int code = forward ? satchel_dict_cursor_next(&key, &value, t->cursors[cursor])
                     : satchel_dict_cursor_prev(&key, &value, t->cursors[cursor]);
  int wanted = forward ? model_next(&t->model, cursor) : model_previous(&t->model, cursor);
  REQUIRE(code == (wanted >= 0), "cursor %d gives %d for key %d", cursor, code, wanted);
  if (code == 1) same_entry(t, wanted, key, &value);
}

/* May say that it is lost; must not leave anything out or give anything twice without saying so. */
static void step_position(trial *t) {
  satchel_bytes key;
  satchel_dict_value value;
  int code = satchel_dict_next(&key, &value, t->dict, &t->position);
  if (code == SATCHEL_ESTALE) {
    t->position = (satchel_dict_position)SATCHEL_DICT_POSITION_INIT;
    model_rewind(&t->model, REGISTERED);
    return;
  }
  int wanted = model_next(&t->model, REGISTERED);
  REQUIRE(code == (wanted >= 0), "next gives %d for key %d", code, wanted);
  if (code == 1) same_entry(t, wanted, key, &value);
}

static void remove_present(trial *t, int cursor) {
  int key = model_present(&t->model, cursor);
  int code = satchel_dict_cursor_remove(t->cursors[cursor]);
  REQUIRE(code == (key >= 0 ? 0 : SATCHEL_ENOTFOUND), "cursor_remove gives %d at key %d", code, key);
  if (key < 0) return;
  let_go(t, key);
  model_remove(&t->model, key);
}

static void reopen(trial *t, int cursor) {
  satchel_dict_cursor_close(t->cursors[cursor]);
  REQUIRE(satchel_dict_cursor_open(&t->cursors[cursor], t->dict) == 0, "open");
  model_rewind(&t->model, cursor);
}

static void clear(trial *t) {
  for (int index = 0; index < t->model.count; index++) let_go(t, model_key(&t->model, index));
  REQUIRE(satchel_dict_clear(t->dict) == 0, "clear");
  model_clear(&t->model);
}

static void room(trial *t, int amount) {
  REQUIRE((amount & 1 ? satchel_dict_compact(t->dict) : satchel_dict_reserve(t->dict, (size_t)amount)) == 0, "room");
}

static void clone(trial *t) {
  satchel_dict *copy;
  int wanted = 0;
  for (int index = 0; index < t->model.count; index++) {
    uint32_t type = t->model.held[model_key(&t->model, index)].type;
    if (type == SATCHEL_DICT_POINTER || type == SATCHEL_DICT_DICT) wanted = SATCHEL_EUNSUPPORTED;
  }
  REQUIRE(satchel_dict_clone(&copy, t->dict) == wanted, "clone");
  if (wanted < 0) return;
  REQUIRE(satchel_dict_equal(copy, t->dict) == 1 && satchel_dict_equal_unordered(copy, t->dict) == 1, "a copy differs");
  if (t->model.count > 1) {
    REQUIRE(satchel_dict_move_to_end(copy, key_bytes(model_key(&t->model, 0))) == 0, "move");
    REQUIRE(satchel_dict_equal(copy, t->dict) == 0 && satchel_dict_equal_unordered(t->dict, copy) == 1, "order");
  }
  satchel_dict_free(copy);
}

typedef struct {
  trial *trial;
  int index, stop;
} visit;

static int visited(satchel_bytes key, const satchel_dict_value *value, void *context) {
  visit *v = context;
  same_entry(v->trial, model_key(&v->trial->model, v->index), key, value);
  return v->index++ == v->stop ? -1500 : 0;
}

static void foreach (trial *t, int stop) {
  visit v = {t, 0, stop};
  REQUIRE(satchel_dict_foreach(t->dict, visited, &v) == (stop < t->model.count ? -1500 : 0), "foreach");
  REQUIRE(v.index == (stop < t->model.count ? stop + 1 : t->model.count), "foreach ended at %d", v.index);
}

static void get(trial *t, int key) {
  satchel_dict_value value;
  bool there = model_find(&t->model, key) >= 0;
  REQUIRE(satchel_dict_get(&value, t->dict, key_bytes(key)) == (there ? 0 : SATCHEL_ENOTFOUND), "get");
  REQUIRE(satchel_dict_contains(t->dict, key_bytes(key)) == there, "contains");
  if (there) same_value(&value, t->model.held[key]);
}

static void all(trial *t) {
  size_t count;
  REQUIRE(satchel_dict_count(&count, t->dict) == 0 && count == (size_t)t->model.count, "count");
  foreach (t, KEYS);
  for (int token = 0; token < t->tokens; token++) REQUIRE(t->destroyed[token] == t->expected[token], "token %d", token);
}

static void operation(trial *t, int code, int key, int extra) {
  size_t index = (size_t)extra % ((size_t)t->model.count + 2);
  switch (code % 32) {
  case 0:
  case 1:
  case 2:
  case 3:
  case 4:
    set(t, key, extra, code % 32 < 3 ? extra : 0);
    break;
  case 5:
  case 6:
    removed(t, key, 0);
    break;
  case 7:
    removed(t, key, 1);
    break;
  case 8:
    removed(t, key, 2);
    break;
  case 9:
    popped(t, false);
    break;
  case 10:
    popped(t, true);
    break;
  case 11:
    at(t, index);
    break;
  case 12:
    index_of(t, key);
    break;
  case 13:
    insert(t, key, index);
    break;
  case 14:
    remove_at(t, index);
    break;
  case 15:
  case 16:
    move(t, key, true);
    break;
  case 17:
    move(t, key, false);
    break;
  case 18:
  case 19:
    step(t, extra % REGISTERED, true);
    break;
  case 20:
    step(t, extra % REGISTERED, false);
    break;
  case 21:
    remove_present(t, extra % REGISTERED);
    break;
  case 22:
    reopen(t, extra % REGISTERED);
    break;
  case 23:
  case 24:
    step_position(t);
    break;
  case 25:
    room(t, extra);
    break;
  case 26:
    if (extra < 8) clear(t);
    break;
  case 27:
    if (extra < 64) clone(t);
    break;
  case 28:
    foreach (t, extra);
    break;
  case 29:
    get(t, key);
    break;
  case 30:
    for (int i = 0; i < extra % 32; i++) set(t, (key + i) % KEYS, i, 0);
    break;
  default:
    for (int i = 0; i < extra % 16; i++) removed(t, (key + i) % KEYS, 0);
    break;
  }
}

/* MARK: Trials */

static trial *begin(uint64_t seed) {
  trial *t = calloc(1, sizeof *t);
  satchel_dict_options options = SATCHEL_DICT_OPTIONS_INIT;
  REQUIRE(t != NULL, "memory");
  options.seed = seed;
  contexts[0] = contexts[1] = t;
  REQUIRE(satchel_dict_new(&t->dict, &options) == 0, "new");
  for (int cursor = 0; cursor < REGISTERED; cursor++) reopen(t, cursor);
  return t;
}

static void end(trial *t) {
  all(t);
  for (int index = 0; index < t->model.count; index++) let_go(t, model_key(&t->model, index));
  satchel_dict_free(t->dict);
  for (int token = 0; token < t->tokens; token++) REQUIRE(t->destroyed[token] == t->expected[token], "token %d", token);
  for (int cursor = 0; cursor < REGISTERED; cursor++) {
    REQUIRE(satchel_dict_cursor_next(NULL, NULL, t->cursors[cursor]) == SATCHEL_EINVAL, "a cursor of nothing");
    satchel_dict_cursor_close(t->cursors[cursor]);
  }
  free(t);
}

long run_operations(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  /* A library with checks takes a small seed for the bits of a tag: most keys collide then. */
  trial *t = begin(data[0] % 8);
  long count = 0;
  for (size_t i = 1; i + 2 < size && t->tokens < TOKENS - 64; i += 3) {
    operation(t, data[i], data[i + 1] % KEYS, data[i + 2]);
    if (++count % 64 == 0) all(t);
  }
  end(t);
  return count;
}
