/* Every function of dict.h, called as no one should: an error code each time, never a crash, and nothing changed. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <satchel/dict.h>

#include "support.h"

#define REFUSED_AS(expected, call) CHECK_CODE((expected), (call), #call)
#define REFUSED(call) REFUSED_AS(SATCHEL_EINVAL, call)

static const satchel_dict_value number = {SATCHEL_DICT_INT64, 0, {.int64 = 5}};

static int go_on(satchel_bytes key, const satchel_dict_value *value, void *context) {
  (void)key, (void)value, (void)context;
  return 0;
}

static void destroy(void *pointer, void *context) {
  (void)pointer;
  ++*(int *)context;
}

static void without_dict(satchel_bytes key) {
  satchel_dict *dict = (satchel_dict *)&number;
  satchel_dict_cursor *cursor = (satchel_dict_cursor *)&number;
  satchel_dict_value value;
  satchel_dict_item item;
  satchel_dict_position position = SATCHEL_DICT_POSITION_INIT;
  satchel_bytes bytes;
  int64_t integer;
  double real;
  bool flag;
  void *pointer;
  size_t size;
  char room[4];
  int count = 0;
  satchel_dict_free(NULL);
  satchel_dict_cursor_close(NULL);
  satchel_dict_item_free(NULL);
  REFUSED(satchel_dict_clone(&dict, NULL));
  CHECK(dict == NULL, "clone leaves something behind");
  REFUSED(satchel_dict_clear(NULL));
  REFUSED(satchel_dict_count(&size, NULL));
  REFUSED(satchel_dict_reserve(NULL, 1));
  REFUSED(satchel_dict_compact(NULL));
  REFUSED(satchel_dict_equal(NULL, NULL));
  REFUSED(satchel_dict_equal_unordered(NULL, NULL));
  REFUSED(satchel_dict_set(NULL, key, &number));
  REFUSED(satchel_dict_set_bytes(NULL, key, key));
  REFUSED(satchel_dict_set_int64(NULL, key, 1));
  REFUSED(satchel_dict_set_double(NULL, key, 1));
  REFUSED(satchel_dict_set_bool(NULL, key, true));
  REFUSED(satchel_dict_set_pointer(NULL, key, &count, destroy, &count));
  REFUSED(satchel_dict_set_dict(NULL, key, NULL));
  REFUSED(satchel_dict_get(&value, NULL, key));
  REFUSED(satchel_dict_get_bytes(&bytes, NULL, key));
  REFUSED(satchel_dict_get_int64(&integer, NULL, key));
  REFUSED(satchel_dict_get_double(&real, NULL, key));
  REFUSED(satchel_dict_get_bool(&flag, NULL, key));
  REFUSED(satchel_dict_get_pointer(&pointer, NULL, key));
  REFUSED(satchel_dict_get_dict(&dict, NULL, key));
  REFUSED(satchel_dict_copy_bytes(room, sizeof room, &size, NULL, key));
  REFUSED(satchel_dict_contains(NULL, key));
  REFUSED(satchel_dict_remove(NULL, key));
  REFUSED(satchel_dict_take(&item, NULL, key));
  satchel_dict_item_free(&item);
  REFUSED(satchel_dict_pop_first(&item, NULL));
  satchel_dict_item_free(&item);
  REFUSED(satchel_dict_pop_last(&item, NULL));
  satchel_dict_item_free(&item);
  REFUSED(satchel_dict_swap_remove(NULL, key));
  REFUSED(satchel_dict_at(&bytes, &value, NULL, 0));
  REFUSED(satchel_dict_index_of(&size, NULL, key));
  REFUSED(satchel_dict_insert_at(NULL, 0, key, &number));
  REFUSED(satchel_dict_remove_at(NULL, 0));
  REFUSED(satchel_dict_move_to_end(NULL, key));
  REFUSED(satchel_dict_move_to_front(NULL, key));
  REFUSED(satchel_dict_cursor_open(&cursor, NULL));
  CHECK(cursor == NULL, "cursor_open leaves something behind");
  REFUSED(satchel_dict_cursor_next(&bytes, &value, NULL));
  REFUSED(satchel_dict_cursor_prev(&bytes, &value, NULL));
  REFUSED(satchel_dict_cursor_remove(NULL));
  REFUSED(satchel_dict_next(&bytes, &value, NULL, &position));
  REFUSED(satchel_dict_foreach(NULL, go_on, NULL));
  CHECK(count == 0, "what was not taken over was destroyed");
}

static void without_results(satchel_dict *dict, satchel_bytes key) {
  satchel_dict_value value = number;
  REFUSED(satchel_dict_new(NULL, NULL));
  REFUSED(satchel_dict_clone(NULL, dict));
  REFUSED(satchel_dict_count(NULL, dict));
  REFUSED(satchel_dict_equal(dict, NULL));
  REFUSED(satchel_dict_equal_unordered(NULL, dict));
  REFUSED(satchel_dict_set(dict, key, NULL));
  REFUSED(satchel_dict_get_bytes(NULL, dict, key));
  REFUSED(satchel_dict_get_int64(NULL, dict, key));
  REFUSED(satchel_dict_get_double(NULL, dict, key));
  REFUSED(satchel_dict_get_bool(NULL, dict, key));
  REFUSED(satchel_dict_get_pointer(NULL, dict, key));
  REFUSED(satchel_dict_get_dict(NULL, dict, key));
  REFUSED(satchel_dict_copy_bytes(NULL, 4, NULL, dict, key));
  REFUSED(satchel_dict_take(NULL, dict, key));
  REFUSED(satchel_dict_pop_first(NULL, dict));
  REFUSED(satchel_dict_pop_last(NULL, dict));
  REFUSED(satchel_dict_index_of(NULL, dict, key));
  REFUSED(satchel_dict_insert_at(dict, 0, satchel_text("new"), NULL));
  REFUSED(satchel_dict_cursor_open(NULL, dict));
  REFUSED(satchel_dict_next(NULL, NULL, dict, NULL));
  REFUSED(satchel_dict_foreach(dict, NULL, NULL));
  static const uint32_t types[] = {SATCHEL_DICT_NONE, 7, 8, 15, 16, UINT32_MAX, (uint32_t)INT32_MIN};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    value.type = types[i];
    REFUSED(satchel_dict_set(dict, key, &value));
    REFUSED(satchel_dict_insert_at(dict, 0, satchel_text("new"), &value));
  }
  CHECK_CODE(SATCHEL_OK, satchel_dict_get(NULL, dict, key), "get without a result");
}

static void bad_keys(satchel_dict *dict, satchel_bytes key, int code) {
  satchel_dict *nested = NULL;
  satchel_dict_value value;
  satchel_dict_item item;
  satchel_bytes bytes;
  int64_t integer;
  double real;
  bool flag;
  void *pointer;
  size_t size;
  int count = 0;
  REFUSED_AS(code, satchel_dict_set(dict, key, &number));
  REFUSED_AS(code, satchel_dict_set_bytes(dict, key, satchel_text("a")));
  REFUSED_AS(code, satchel_dict_set_int64(dict, key, 1));
  REFUSED_AS(code, satchel_dict_set_double(dict, key, 1));
  REFUSED_AS(code, satchel_dict_set_bool(dict, key, true));
  REFUSED_AS(code, satchel_dict_set_pointer(dict, key, &count, destroy, &count));
  CHECK_CODE(SATCHEL_OK, satchel_dict_new(&nested, NULL), "new");
  REFUSED_AS(code, satchel_dict_set_dict(dict, key, nested));
  satchel_dict_free(nested);
  REFUSED_AS(code, satchel_dict_get(&value, dict, key));
  REFUSED_AS(code, satchel_dict_get_bytes(&bytes, dict, key));
  REFUSED_AS(code, satchel_dict_get_int64(&integer, dict, key));
  REFUSED_AS(code, satchel_dict_get_double(&real, dict, key));
  REFUSED_AS(code, satchel_dict_get_bool(&flag, dict, key));
  REFUSED_AS(code, satchel_dict_get_pointer(&pointer, dict, key));
  REFUSED_AS(code, satchel_dict_get_dict(&nested, dict, key));
  REFUSED_AS(code, satchel_dict_copy_bytes(NULL, 0, NULL, dict, key));
  REFUSED_AS(code, satchel_dict_contains(dict, key));
  REFUSED_AS(code, satchel_dict_remove(dict, key));
  REFUSED_AS(code, satchel_dict_take(&item, dict, key));
  REFUSED_AS(code, satchel_dict_swap_remove(dict, key));
  REFUSED_AS(code, satchel_dict_index_of(&size, dict, key));
  REFUSED_AS(code, satchel_dict_insert_at(dict, 0, key, &number));
  REFUSED_AS(code, satchel_dict_move_to_end(dict, key));
  REFUSED_AS(code, satchel_dict_move_to_front(dict, key));
  CHECK(count == 0, "what was not taken over was destroyed");
}

static void bad_numbers(satchel_dict *dict) {
  static const size_t absurd[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 2 + 1, (size_t)INT32_MAX, 3};
  satchel_bytes key = satchel_text("new");
  for (size_t i = 0; i < sizeof absurd / sizeof *absurd; i++) {
    REFUSED_AS(SATCHEL_ERANGE, satchel_dict_at(NULL, NULL, dict, absurd[i]));
    REFUSED_AS(SATCHEL_ERANGE, satchel_dict_remove_at(dict, absurd[i]));
    REFUSED_AS(SATCHEL_ERANGE, satchel_dict_insert_at(dict, absurd[i] + (absurd[i] == 3), key, &number));
    if (absurd[i] > 3) REFUSED_AS(SATCHEL_ERANGE, satchel_dict_reserve(dict, absurd[i]));
    satchel_dict_options options = SATCHEL_DICT_OPTIONS_INIT;
    satchel_dict *other = NULL;
    options.capacity = absurd[i] + (absurd[i] == 3 ? INT32_MAX : 0);
    REFUSED_AS(SATCHEL_ERANGE, satchel_dict_new(&other, &options));
    options.capacity = 0;
    options.struct_size = absurd[i];
    REFUSED_AS(SATCHEL_EVERSION, satchel_dict_new(&other, &options));
    REFUSED_AS(SATCHEL_ERANGE, satchel_dict_set_bytes(dict, key, satchel_blob("a", absurd[i] < 10 ? SIZE_MAX : absurd[i])));
  }
  REFUSED(satchel_dict_set_bytes(dict, key, satchel_blob(NULL, 4)));
  satchel_dict_position position = {UINT64_MAX, 0}, foreign = {5, 12345};
  satchel_bytes first;
  CHECK(satchel_dict_next(&first, NULL, dict, &position) == 1, "a new position begins at the beginning");
  position.ordinal = UINT64_MAX;
  CHECK(satchel_dict_next(&first, NULL, dict, &position) == 0, "a position beyond the end");
  REFUSED_AS(SATCHEL_ESTALE, satchel_dict_next(&first, NULL, dict, &foreign));
}

static void nesting(satchel_dict *dict) {
  enum { LIMIT = 64 };
  satchel_dict *chain[LIMIT + 1];
  satchel_bytes key = satchel_text("n");
  REFUSED(satchel_dict_set_dict(dict, key, NULL));
  REFUSED(satchel_dict_set_dict(dict, key, dict));
  for (int i = 0; i <= LIMIT; i++) CHECK_CODE(SATCHEL_OK, satchel_dict_new(&chain[i], NULL), "new");
  /* From the middle outwards, so that both what is above and what is below counts. */
  for (int i = LIMIT / 2; i + 1 < LIMIT; i++)
    CHECK_CODE(SATCHEL_OK, satchel_dict_set_dict(chain[i], key, chain[i + 1]), "below");
  for (int i = LIMIT / 2; i > 0; i--) CHECK_CODE(SATCHEL_OK, satchel_dict_set_dict(chain[i - 1], key, chain[i]), "above");
  REFUSED_AS(SATCHEL_ERANGE, satchel_dict_set_dict(chain[LIMIT - 1], key, chain[LIMIT]));
  REFUSED_AS(SATCHEL_ERANGE, satchel_dict_set_dict(chain[LIMIT], key, chain[0]));
  REFUSED(satchel_dict_set_dict(chain[LIMIT - 1], key, chain[0]));
  REFUSED(satchel_dict_set_dict(dict, key, chain[5]));
  satchel_dict_free(chain[5]);
  satchel_dict *copy = NULL, *inside = NULL;
  CHECK_CODE(SATCHEL_OK, satchel_dict_get_dict(&inside, chain[4], key), "a nested one cannot be freed by itself");
  CHECK(inside == chain[5], "nested");
  CHECK_CODE(SATCHEL_OK, satchel_dict_clone(&copy, chain[0]), "clone");
  CHECK(satchel_dict_equal(copy, chain[0]) == 1, "equal");
  satchel_dict_free(copy);
  satchel_dict_free(chain[0]);
  satchel_dict_free(chain[LIMIT]);
}

static void owned_pointers(satchel_dict *dict) {
  int count = 0, other = 0;
  satchel_dict *copy = NULL;
  CHECK_CODE(SATCHEL_OK, satchel_dict_set_pointer(dict, satchel_text("a"), &count, destroy, &count), "set");
  CHECK_CODE(SATCHEL_OK, satchel_dict_set_pointer(dict, satchel_text("b"), &count, destroy, &other), "set");
  REFUSED_AS(SATCHEL_EUNSUPPORTED, satchel_dict_clone(&copy, dict));
  CHECK(copy == NULL && strcmp(satchel_last_error()->key, "a") == 0 && count == 0, "a copy of what is owned");
  CHECK_CODE(SATCHEL_OK, satchel_dict_remove(dict, satchel_text("a")), "remove");
  CHECK_CODE(SATCHEL_OK, satchel_dict_remove(dict, satchel_text("b")), "remove");
  CHECK(count == 1 && other == 1, "destroyed %d and %d", count, other);
}

/* The last error of a call that is refused says what is wrong with it. */
#define SAYS(words, code, call)                                                                                                \
  do {                                                                                                                         \
    REFUSED_AS(code, call);                                                                                                    \
    CHECK(strstr(satchel_last_error()->message, words) != NULL, "%s: %s", #call, satchel_last_error()->message);               \
  } while (0)

static void reasons(satchel_dict *dict, satchel_bytes key) {
  satchel_dict_value value = {77, 0, {.int64 = 0}};
  satchel_dict *nested = NULL;
  SAYS("left", SATCHEL_EINVAL, satchel_dict_equal(NULL, dict));
  SAYS("right", SATCHEL_EINVAL, satchel_dict_equal_unordered(dict, NULL));
  SAYS("type", SATCHEL_EINVAL, satchel_dict_set(dict, key, &value));
  SAYS("value is NULL", SATCHEL_EINVAL, satchel_dict_set_bytes(dict, key, satchel_blob(NULL, 4)));
  SAYS("value is too long", SATCHEL_ERANGE, satchel_dict_set_bytes(dict, key, satchel_blob("v", SIZE_MAX)));
  SAYS("key is too long", SATCHEL_ERANGE, satchel_dict_set_int64(dict, satchel_blob("k", SIZE_MAX), 1));
  SAYS("NULL", SATCHEL_EINVAL, satchel_dict_set_dict(dict, key, NULL));
  SAYS("contain itself", SATCHEL_EINVAL, satchel_dict_set_dict(dict, key, dict));
  SAYS("entries", SATCHEL_ERANGE, satchel_dict_reserve(dict, SIZE_MAX));
  SAYS("entries", SATCHEL_ERANGE, satchel_dict_reserve(dict, (size_t)1 << 31));
  SAYS("already", SATCHEL_EEXISTS, satchel_dict_insert_at(dict, 0, key, &number));
  CHECK(strcmp(satchel_last_error()->key, "key") == 0, "which key is there already");
  CHECK_CODE(SATCHEL_OK, satchel_dict_new(&nested, NULL), "new");
  CHECK_CODE(SATCHEL_OK, satchel_dict_set_dict(dict, satchel_text("nested"), nested), "nest");
  SAYS("nested already", SATCHEL_EINVAL, satchel_dict_set_dict(dict, key, nested));
  CHECK_CODE(SATCHEL_OK, satchel_dict_remove(dict, satchel_text("nested")), "remove");
}

/* What a getter would have filled is left alone, a pointer too; what is the caller's to free is not. */
static void what_failures_leave(satchel_dict *dict, satchel_bytes key) {
  satchel_dict *nested = dict;
  satchel_dict_item item = {key, {SATCHEL_DICT_BYTES, 0, {.bytes = key}}, NULL, NULL};
  void *pointer = dict;
  size_t index = 7;
  REFUSED_AS(SATCHEL_ETYPE, satchel_dict_get_pointer(&pointer, dict, key));
  REFUSED_AS(SATCHEL_ENOTFOUND, satchel_dict_get_pointer(&pointer, dict, satchel_text("none")));
  REFUSED_AS(SATCHEL_ETYPE, satchel_dict_get_dict(&nested, dict, key));
  REFUSED_AS(SATCHEL_ENOTFOUND, satchel_dict_index_of(&index, dict, satchel_text("none")));
  CHECK(pointer == dict && nested == dict && index == 7, "what is filled was touched");
  REFUSED_AS(SATCHEL_ENOTFOUND, satchel_dict_take(&item, dict, satchel_text("none")));
  CHECK(item.key.data == NULL && item.value.type == SATCHEL_DICT_NONE, "an item that there is none of is empty");
  REFUSED(satchel_dict_count(&index, NULL));
  CHECK(index == 0, "the count of nothing");
  index = 7;
  REFUSED_AS(SATCHEL_ENOTFOUND, satchel_dict_copy_bytes(NULL, 0, &index, dict, satchel_text("none")));
  CHECK(index == 0, "%zu bytes of nothing are needed", index);
}

int main(void) {
  checks_begin("hostile");
  satchel_dict *dict = NULL, *before = NULL;
  satchel_bytes key = satchel_text("key");
  without_dict(key);
  CHECK_CODE(SATCHEL_OK, satchel_dict_new(&dict, NULL), "new");
  CHECK_CODE(SATCHEL_OK, satchel_dict_set_int64(dict, key, 1), "set");
  CHECK_CODE(SATCHEL_OK, satchel_dict_set_bytes(dict, satchel_text("bytes"), key), "set");
  CHECK_CODE(SATCHEL_OK, satchel_dict_set_bool(dict, satchel_text("last"), true), "set");
  CHECK_CODE(SATCHEL_OK, satchel_dict_clone(&before, dict), "clone");
  without_results(dict, key);
  bad_keys(dict, satchel_blob(NULL, 5), SATCHEL_EINVAL);
  bad_keys(dict, satchel_blob("k", SIZE_MAX), SATCHEL_ERANGE);
  bad_keys(dict, satchel_blob("k", (size_t)1 << 28), SATCHEL_ERANGE);
  bad_keys(dict, satchel_blob(NULL, ((size_t)1 << 28) - 1), SATCHEL_ERANGE);
  bad_numbers(dict);
  nesting(dict);
  owned_pointers(dict);
  reasons(dict, key);
  what_failures_leave(dict, key);
  CHECK(satchel_dict_equal(dict, before) == 1, "something was changed");
  satchel_dict_free(before);
  satchel_dict_free(dict);
  return checks_finish();
}
