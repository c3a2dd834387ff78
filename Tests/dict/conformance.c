/*
 * dict.h used as it says, in strict C99. What each promises is looked at once; long series are the business of operations.c.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <satchel/dict.h>

#include "support.h"

#define OK(call) CHECK_CODE(SATCHEL_OK, call, #call)

static satchel_dict *fresh(void) {
  satchel_dict *dict = NULL;
  OK(satchel_dict_new(&dict, NULL));
  return dict;
}

static void set(satchel_dict *dict, const char *key, int64_t number) {
  OK(satchel_dict_set_int64(dict, satchel_text(key), number));
}

/* The keys in their order, one letter each. */
static const char *keys(const satchel_dict *dict) {
  static char text[256];
  satchel_dict_position position = SATCHEL_DICT_POSITION_INIT;
  satchel_bytes key;
  size_t length = 0;
  while (length < sizeof text - 1 && satchel_dict_next(&key, NULL, dict, &position) == 1)
    text[length++] = *(const char *)key.data;
  text[length] = '\0';
  return text;
}

#define ORDER(expected, dict) CHECK(strcmp(keys(dict), (expected)) == 0, "the order is %s, not %s", keys(dict), (expected))

static satchel_dict *letters(const char *text) {
  satchel_dict *dict = fresh();
  for (size_t i = 0; text[i] != '\0'; i++) OK(satchel_dict_set_int64(dict, satchel_blob(text + i, 1), text[i]));
  return dict;
}

static size_t count_of(const satchel_dict *dict) {
  size_t count = 99;
  OK(satchel_dict_count(&count, dict));
  return count;
}

/* MARK: Values */

static void types(void) {
  satchel_dict *dict = fresh(), *nested = fresh(), *same = NULL;
  satchel_bytes bytes;
  int64_t number = 7;
  double real = 0;
  bool flag = false;
  void *pointer = NULL;
  satchel_dict_value value;
  OK(satchel_dict_set_bytes(dict, satchel_text("bytes"), satchel_blob("a\0b", 3)));
  OK(satchel_dict_set_int64(dict, satchel_text("int64"), INT64_MIN));
  OK(satchel_dict_set_double(dict, satchel_text("double"), -0.0));
  OK(satchel_dict_set_bool(dict, satchel_text("bool"), true));
  OK(satchel_dict_set_pointer(dict, satchel_text("pointer"), &number, NULL, NULL));
  OK(satchel_dict_set_dict(dict, satchel_text("dict"), nested));
  OK(satchel_dict_get_bytes(&bytes, dict, satchel_text("bytes")));
  CHECK(bytes.size == 3 && memcmp(bytes.data, "a\0b", 4) == 0, "bytes, and the NUL behind them");
  OK(satchel_dict_get_int64(&number, dict, satchel_text("int64")));
  CHECK(number == INT64_MIN, "int64");
  OK(satchel_dict_get_double(&real, dict, satchel_text("double")));
  CHECK(real == 0 && signbit(real), "-0.0");
  OK(satchel_dict_get_bool(&flag, dict, satchel_text("bool")));
  CHECK(flag, "bool");
  OK(satchel_dict_get_pointer(&pointer, dict, satchel_text("pointer")));
  CHECK(pointer == &number, "pointer");
  OK(satchel_dict_get_dict(&same, dict, satchel_text("dict")));
  CHECK(same == nested, "dict");
  number = 5;
  CHECK_CODE(SATCHEL_ETYPE, satchel_dict_get_int64(&number, dict, satchel_text("double")), "a double as int64");
  CHECK(number == 5 && strcmp(satchel_last_error()->key, "double") == 0, "what a failed get leaves");
  CHECK_CODE(SATCHEL_ENOTFOUND, satchel_dict_get_int64(&number, dict, satchel_text("none")), "no such key");
  CHECK(number == 5 && satchel_last_error()->code == SATCHEL_ETYPE, "not found is no event");
  OK(satchel_dict_get(&value, dict, satchel_text("bool")));
  CHECK(value.type == SATCHEL_DICT_BOOL && value.as.boolean, "any type");
  value.type = SATCHEL_DICT_DOUBLE;
  value.as.real = 2.5;
  OK(satchel_dict_set(dict, satchel_text("bool"), &value));
  OK(satchel_dict_get_double(&real, dict, satchel_text("bool")));
  CHECK(real == 2.5 && count_of(dict) == 6, "another type under the same key");
  satchel_dict_free(dict);
}

static void bytes(void) {
  satchel_dict *dict = fresh();
  satchel_bytes held;
  char room[4] = "xyz";
  size_t needed = 0;
  OK(satchel_dict_set_bytes(dict, satchel_text(""), satchel_text("abc")));
  CHECK_CODE(SATCHEL_ERANGE, satchel_dict_copy_bytes(room, 2, &needed, dict, satchel_text("")), "too small");
  CHECK(needed == 3 && memcmp(room, "xyz", 3) == 0, "nothing is copied");
  OK(satchel_dict_copy_bytes(room, 3, NULL, dict, satchel_text("")));
  CHECK(memcmp(room, "abc", 3) == 0, "copied");
  CHECK_CODE(SATCHEL_ERANGE, satchel_dict_copy_bytes(NULL, 0, &needed, dict, satchel_blob(NULL, 0)), "how many");
  /* What is lent lives as long as its entry is as it is, and may be what goes in. */
  OK(satchel_dict_get_bytes(&held, dict, satchel_text("")));
  for (int i = 0; i < 1000; i++) {
    char name[16];
    snprintf(name, sizeof name, "%d", i);
    set(dict, name, i);
    OK(satchel_dict_move_to_front(dict, satchel_text(name)));
  }
  CHECK(memcmp(held.data, "abc", 4) == 0, "lent bytes have moved");
  OK(satchel_dict_set_bytes(dict, held, held));
  OK(satchel_dict_set_bytes(dict, satchel_text(""), held));
  OK(satchel_dict_get_bytes(&held, dict, satchel_text("")));
  CHECK(memcmp(held.data, "abc", 4) == 0, "its own bytes");
  satchel_dict_free(dict);
}

/* MARK: Order */

static void order(void) {
  satchel_dict *dict = letters("abcde");
  satchel_bytes key;
  satchel_dict_value value = {SATCHEL_DICT_INT64, 0, {{NULL, 0}}};
  size_t index = 99;
  set(dict, "b", 1);
  ORDER("abcde", dict);
  OK(satchel_dict_remove(dict, satchel_text("b")));
  set(dict, "b", 2);
  ORDER("acdeb", dict);
  OK(satchel_dict_move_to_end(dict, satchel_text("a")));
  OK(satchel_dict_move_to_front(dict, satchel_text("e")));
  ORDER("ecdba", dict);
  OK(satchel_dict_index_of(&index, dict, satchel_text("b")));
  CHECK(index == 3, "b is at %zu", index);
  OK(satchel_dict_at(&key, &value, dict, 3));
  CHECK(*(const char *)key.data == 'b' && value.type == SATCHEL_DICT_INT64 && value.as.int64 == 2, "entry 3");
  CHECK_CODE(SATCHEL_ERANGE, satchel_dict_at(&key, &value, dict, 5), "beyond the end");
  OK(satchel_dict_insert_at(dict, 0, satchel_text("f"), &value));
  OK(satchel_dict_insert_at(dict, 3, satchel_text("g"), &value));
  OK(satchel_dict_insert_at(dict, 7, satchel_text("h"), &value));
  ORDER("fecgdbah", dict);
  CHECK_CODE(SATCHEL_EEXISTS, satchel_dict_insert_at(dict, 0, satchel_text("a"), &value), "there already");
  CHECK_CODE(SATCHEL_ERANGE, satchel_dict_insert_at(dict, 9, satchel_text("i"), &value), "beyond the end");
  OK(satchel_dict_remove_at(dict, 3));
  ORDER("fecdbah", dict);
  OK(satchel_dict_swap_remove(dict, satchel_text("e")));
  ORDER("fhcdba", dict);
  OK(satchel_dict_swap_remove(dict, satchel_text("a")));
  ORDER("fhcdb", dict);
  CHECK_CODE(SATCHEL_ENOTFOUND, satchel_dict_remove(dict, satchel_text("a")), "gone");
  CHECK_CODE(SATCHEL_ENOTFOUND, satchel_dict_move_to_end(dict, satchel_text("a")), "gone");
  OK(satchel_dict_clear(dict));
  ORDER("", dict);
  set(dict, "z", 1);
  set(dict, "y", 1);
  ORDER("zy", dict);
  satchel_dict_free(dict);
}

/* A queue, a stack and a cache of the last used: far more entries come and go than there ever are. */
static void churn(void) {
  satchel_dict *dict = fresh();
  satchel_dict_item item;
  char name[32];
  round_begin();
  for (int i = 0; i < 100000; i++) {
    snprintf(name, sizeof name, "key %d", i);
    set(dict, name, i);
    if (i < 100) continue;
    if (i % 3 == 0) {
      CHECK(satchel_dict_pop_last(&item, dict) == 0 && item.value.as.int64 == i, "the last one");
    } else {
      CHECK(satchel_dict_pop_first(&item, dict) == 0 && item.value.as.int64 < i, "the first one");
      satchel_dict_item_free(&item);
      snprintf(name, sizeof name, "key %d", i + 1);
      set(dict, name, i + 1);
      OK(satchel_dict_move_to_front(dict, satchel_text(name)));
      OK(satchel_dict_move_to_end(dict, satchel_text(name)));
      CHECK(satchel_dict_pop_last(&item, dict) == 0 && item.value.as.int64 == i + 1, "moved to the end");
    }
    satchel_dict_item_free(&item);
  }
  size_t count = count_of(dict), left = 0;
  while (satchel_dict_pop_first(&item, dict) == 0) left++, satchel_dict_item_free(&item);
  CHECK(left == count && count > 0, "%zu of %zu", left, count);
  round_end();
  satchel_dict_free(dict);
}

static void copies(void) {
  satchel_dict *dict = letters("abc"), *other = letters("acb"), *nested = letters("x"), *copy = NULL, *inside = NULL;
  CHECK(satchel_dict_equal(dict, other) == 0 && satchel_dict_equal_unordered(dict, other) == 1, "order counts in one of them");
  OK(satchel_dict_set_double(dict, satchel_text("n"), (double)NAN));
  OK(satchel_dict_set_dict(dict, satchel_text("d"), nested));
  OK(satchel_dict_clone(&copy, dict));
  CHECK(satchel_dict_equal(dict, copy) == 1, "a copy is the same");
  OK(satchel_dict_get_dict(&inside, copy, satchel_text("d")));
  CHECK(inside != nested, "the nested one is copied");
  set(inside, "y", 1);
  CHECK(count_of(nested) == 1 && satchel_dict_equal_unordered(dict, copy) == 0, "two dictionaries");
  satchel_dict_free(copy);
  satchel_dict_free(other);
  satchel_dict_free(dict);
}

/* MARK: Ownership */

static int destroyed[4];

static void count_destroyed(void *pointer, void *context) {
  destroyed[*(int *)context]++;
  CHECK(pointer == NULL || pointer == context, "the pointer and its context");
}

static void ownership(void) {
  static int numbers[4] = {0, 1, 2, 3};
  satchel_dict *dict = fresh(), *nested = fresh();
  satchel_dict_item item;
  for (int i = 0; i < 4; i++) {
    char name[2] = {(char)('a' + i), '\0'};
    OK(satchel_dict_set_pointer(dict, satchel_text(name), &numbers[i], count_destroyed, &numbers[i]));
  }
  set(dict, "a", 1);
  CHECK(destroyed[0] == 1, "replaced");
  OK(satchel_dict_remove(dict, satchel_text("b")));
  CHECK(destroyed[1] == 1, "removed");
  OK(satchel_dict_take(&item, dict, satchel_text("c")));
  CHECK(destroyed[2] == 0 && item.value.as.pointer == &numbers[2] && item.context == &numbers[2], "taken");
  satchel_dict_item_free(&item);
  CHECK(destroyed[2] == 1 && item.value.type == SATCHEL_DICT_NONE, "freed");
  satchel_dict_item_free(&item);
  CHECK(destroyed[2] == 1, "freed once");
  OK(satchel_dict_set_pointer(dict, satchel_text("c"), &numbers[2], count_destroyed, &numbers[2]));
  OK(satchel_dict_take(&item, dict, satchel_text("c")));
  item.value.type = SATCHEL_DICT_NONE;
  satchel_dict_item_free(&item);
  CHECK(destroyed[2] == 1, "kept by whoever took it");
  OK(satchel_dict_set_pointer(nested, satchel_text("e"), NULL, count_destroyed, &numbers[0]));
  OK(satchel_dict_set_dict(dict, satchel_text("n"), nested));
  OK(satchel_dict_take(&item, dict, satchel_text("n")));
  OK(satchel_dict_set_dict(dict, satchel_text("m"), item.value.as.dict));
  item.value.type = SATCHEL_DICT_NONE;
  satchel_dict_item_free(&item);
  CHECK(destroyed[0] == 1, "the nested one only moved");
  satchel_dict_free(dict);
  CHECK(destroyed[0] == 2 && destroyed[3] == 1, "freed with it");
}

/* MARK: Calling back */

typedef struct {
  satchel_dict *dict;
  int calls;
} back;

/* Does to the dictionary what it can while it lets go of an entry. */
static void meddle(void *pointer, void *context) {
  back *b = context;
  (void)pointer;
  if (b->calls++ >= 200) return;
  char name[32];
  snprintf(name, sizeof name, "back %d", b->calls);
  set(b->dict, name, b->calls);
  if (b->calls % 2) CHECK(satchel_dict_set_pointer(b->dict, satchel_text("pointer"), b, meddle, b) == 0, "set");
  if (b->calls % 5 == 0) CHECK(satchel_dict_clear(b->dict) == 0, "clear");
  if (b->calls % 3 == 0) CHECK(satchel_dict_compact(b->dict) == 0, "compact");
}

static void put_in_vain(void *pointer, void *context) {
  satchel_dict *dict = context;
  satchel_dict_cursor *cursor = NULL;
  (void)pointer;
  destroyed[3]++;
  CHECK(count_of(dict) == 0, "a dictionary that is being freed is empty");
  CHECK_CODE(SATCHEL_EINVAL, satchel_dict_set_int64(dict, satchel_text("late"), 1), "put into what is being freed");
  CHECK_CODE(SATCHEL_EINVAL, satchel_dict_reserve(dict, 100), "room in what is being freed");
  CHECK_CODE(SATCHEL_EINVAL, satchel_dict_compact(dict), "compact what is being freed");
  CHECK(satchel_dict_cursor_open(&cursor, dict) == SATCHEL_EINVAL && cursor == NULL, "walk through what is being freed");
  satchel_dict_free(dict);
}

static void free_all(void *pointer, void *context) {
  (void)pointer;
  satchel_dict_free(context);
}

static void calling_back(void) {
  back b = {fresh(), 0};
  for (int i = 0; i < 300; i++) {
    OK(satchel_dict_set_pointer(b.dict, satchel_text("pointer"), NULL, meddle, &b));
    if (i % 4 == 0) ignore(satchel_dict_remove(b.dict, satchel_text("pointer")));
    if (i % 7 == 0) OK(satchel_dict_clear(b.dict));
  }
  CHECK(b.calls > 200, "%d calls", b.calls);
  b.calls = 1000;
  satchel_dict_free(b.dict);
  destroyed[3] = 0;
  satchel_dict *dict = fresh();
  for (int i = 0; i < 20; i++) {
    char name[16];
    snprintf(name, sizeof name, "%d", i);
    OK(satchel_dict_set_pointer(dict, satchel_text(name), NULL, put_in_vain, dict));
  }
  satchel_dict_free(dict);
  CHECK(destroyed[3] == 20, "%d destroyed", destroyed[3]);
  /* The last thing of a removal may be the end of the dictionary. */
  for (int way = 0; way < 4; way++) {
    dict = letters("xyz");
    OK(satchel_dict_set_pointer(dict, satchel_text("end"), NULL, free_all, dict));
    if (way == 0) OK(satchel_dict_remove(dict, satchel_text("end")));
    if (way == 1) set(dict, "end", 1);
    if (way == 2) OK(satchel_dict_clear(dict));
    if (way == 3) OK(satchel_dict_swap_remove(dict, satchel_text("end")));
  }
}

/* MARK: Walking */

static int visit(satchel_bytes key, const satchel_dict_value *value, void *context) {
  back *b = context;
  char letter = *(const char *)key.data;
  CHECK(value->type == SATCHEL_DICT_INT64, "the value");
  b->calls = b->calls * 10 + (letter - 'a');
  if (letter == 'b') OK(satchel_dict_remove(b->dict, satchel_text("b"))); /* the present one */
  if (letter == 'b') OK(satchel_dict_remove(b->dict, satchel_text("c"))); /* one that was to come */
  if (letter == 'd') set(b->dict, "f", 1);                                /* one more */
  return letter == 'f' ? 42 : 0;
}

static int free_it(satchel_bytes key, const satchel_dict_value *value, void *context) {
  (void)key, (void)value;
  satchel_dict_free(context);
  return 0;
}

static void walking(void) {
  back b = {letters("abcde"), 0};
  CHECK(satchel_dict_foreach(b.dict, visit, &b) == 42, "what the visitor gave");
  CHECK(b.calls == 1345, "visited %d", b.calls); /* a b d e f */
  satchel_dict_free(b.dict);
  satchel_dict *dict = letters("ab");
  CHECK_CODE(SATCHEL_EINVAL, satchel_dict_foreach(dict, free_it, dict), "freed in its own walk");
  dict = letters("abc");
  satchel_dict_cursor *cursor = NULL;
  satchel_bytes key;
  OK(satchel_dict_cursor_open(&cursor, dict));
  CHECK_CODE(SATCHEL_ENOTFOUND, satchel_dict_cursor_remove(cursor), "nowhere yet");
  CHECK(satchel_dict_cursor_prev(&key, NULL, cursor) == 1 && *(const char *)key.data == 'c', "backwards");
  CHECK(satchel_dict_cursor_prev(&key, NULL, cursor) == 1 && *(const char *)key.data == 'b', "backwards");
  OK(satchel_dict_cursor_remove(cursor));
  CHECK_CODE(SATCHEL_ENOTFOUND, satchel_dict_cursor_remove(cursor), "removed already");
  CHECK(satchel_dict_cursor_next(&key, NULL, cursor) == 1 && *(const char *)key.data == 'c', "on from the gap");
  OK(satchel_dict_move_to_end(dict, satchel_text("a")));
  CHECK(satchel_dict_cursor_next(&key, NULL, cursor) == 1 && *(const char *)key.data == 'a', "moved behind");
  CHECK(satchel_dict_cursor_next(NULL, NULL, cursor) == 0 && satchel_dict_cursor_next(NULL, NULL, cursor) == 0, "the end");
  set(dict, "d", 1);
  CHECK(satchel_dict_cursor_next(&key, NULL, cursor) == 1 && *(const char *)key.data == 'd', "appended");
  satchel_dict_free(dict);
  CHECK_CODE(SATCHEL_EINVAL, satchel_dict_cursor_next(NULL, NULL, cursor), "freed");
  CHECK_CODE(SATCHEL_EINVAL, satchel_dict_cursor_remove(cursor), "freed");
  satchel_dict_cursor_close(cursor);
}

static void positions(void) {
  satchel_dict *dict = letters("abcdefghijklmnopqrstuvwxyz"), *other = letters("ab");
  satchel_dict_position position = SATCHEL_DICT_POSITION_INIT, start;
  satchel_bytes key;
  int seen = 0;
  while (satchel_dict_next(&key, NULL, dict, &position) == 1) {
    OK(satchel_dict_remove(dict, key));
    seen++;
  }
  CHECK(seen == 26 && count_of(dict) == 0, "removing what was met last ended at %d", seen);
  CHECK(satchel_dict_next(&key, NULL, dict, &position) == 0, "the end");
  set(dict, "new", 1);
  CHECK_CODE(SATCHEL_ESTALE, satchel_dict_next(&key, NULL, dict, &position), "a place that was given away anew");
  start = (satchel_dict_position)SATCHEL_DICT_POSITION_INIT;
  position = start;
  CHECK(satchel_dict_next(&key, NULL, other, &position) == 1, "the other one");
  CHECK_CODE(SATCHEL_ESTALE, satchel_dict_next(&key, NULL, dict, &position), "of another dictionary");
  satchel_dict_free(dict);
  satchel_dict_free(other);
}

static void options(void) {
  satchel_dict_options given = SATCHEL_DICT_OPTIONS_INIT;
  struct {
    satchel_dict_options known;
    uint64_t later;
  } newer = {SATCHEL_DICT_OPTIONS_INIT, 0};
  satchel_dict *dict = NULL;
  given.seed = 7;
  given.capacity = 1000;
  OK(satchel_dict_new(&dict, &given));
  for (int i = 0; i < 1000; i++) OK(satchel_dict_set_int64(dict, satchel_blob(&i, sizeof i), i));
  CHECK(count_of(dict) == 1000, "a seed of its own");
  OK(satchel_dict_compact(dict));
  OK(satchel_dict_reserve(dict, 5000));
  CHECK(satchel_dict_contains(dict, satchel_blob("\0\0\0", 4)) == 1, "still there");
  satchel_dict_free(dict);
  newer.known.struct_size = sizeof newer;
  OK(satchel_dict_new(&dict, &newer.known));
  satchel_dict_free(dict);
  newer.later = 1;
  CHECK(satchel_dict_new(&dict, &newer.known) == SATCHEL_EVERSION && dict == NULL, "an option of the future");
}

int main(void) {
  checks_begin("conformance");
  types();
  bytes();
  order();
  churn();
  copies();
  ownership();
  calling_back();
  walking();
  positions();
  options();
  return checks_finish();
}
