/*
 * Every exported function, called as no one should: NULL for each pointer, ranges without bytes and of absurd sizes, bad
 * UTF-8, wrong struct sizes, closed handles, things freed as often as the headers allow. An error code each time, never a
 * crash, and nothing changed. run.sh checks that every line of abi/symbols.txt is mentioned here.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <satchel/cache.h>

#include "support.h"

static const char *folder;

/* Text that is not UTF-8: a lone continuation, overlong forms, a surrogate, beyond U+10FFFF, cut short. */
static const char *const bad_texts[] = {"\x80",     "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                        "\xe2\x82", "\xff",     "a\xf0\x9f\x92"};
enum { BAD_TEXTS = sizeof bad_texts / sizeof *bad_texts };

static const satchel_date bad_dates[] = {{0, 1000000000, 0}, {0, UINT32_MAX, 0}};

#define REFUSED_AS(expected, call) CHECK_CODE((expected), (call), #call)
#define REFUSED(call) REFUSED_AS(SATCHEL_EINVAL, call)
#define IS_ERROR(call)                                                                                                         \
  do {                                                                                                                         \
    int code_ = (call);                                                                                                        \
    CHECK(code_ < 0 && satchel_error_name(code_)[9] != '?', "%s gives %d", #call, code_);                                      \
  } while (0)

/* An out-parameter after a failure: NULL or 0, as the convention says. */
#define REFUSED_EMPTY_AS(expected, out, call)                                                                                  \
  do {                                                                                                                         \
    out = (void *)&folder;                                                                                                     \
    REFUSED_AS(expected, call);                                                                                                \
    CHECK(out == NULL, "%s leaves something behind", #call);                                                                   \
  } while (0)
#define REFUSED_EMPTY(out, call) REFUSED_EMPTY_AS(SATCHEL_EINVAL, out, call)

static satchel_bytes missing(size_t size) { return satchel_blob(NULL, size); }

/* MARK: base.h */

static void base(void) {
  static const int codes[] = {INT_MIN, -2000, -1500, -21, 1, 100, INT_MAX};
  for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
    CHECK(satchel_strerror(codes[i]) != NULL && satchel_strerror(codes[i])[0] != '\0', "no text for %d", codes[i]);
    CHECK(satchel_error_name(codes[i]) != NULL, "no name for %d", codes[i]);
  }
  CHECK(satchel_last_error() != NULL && satchel_last_error()->message != NULL, "no last error");
  CHECK(satchel_version() != NULL && satchel_version_number() > 0, "no version");
  satchel_buffer_free(NULL);
  satchel_buffer buffer = {NULL, 5};
  satchel_buffer_free(&buffer);
  satchel_value *value = NULL;
  CHECK_CODE(SATCHEL_OK, satchel_value_new_bool(&value, true), "value");
  CHECK_CODE(SATCHEL_OK, satchel_value_to_json(&buffer, value), "json");
  for (int i = 0; i < 3; i++) satchel_buffer_free(&buffer);
  CHECK(buffer.data == NULL && buffer.size == 0, "a freed buffer is not empty");
  satchel_value_free(value);
  satchel_value_free(NULL);
  satchel_cursor_free(NULL);
  satchel_transaction_rollback(NULL);
  satchel_settings_close(NULL);
}

/* MARK: value.h */

static void making(void) {
  satchel_value *value = NULL;
  satchel_date date = {0, 0, 0};
  satchel_uuid uuid = {{0}};
  REFUSED(satchel_value_new_null(NULL));
  REFUSED(satchel_value_new_bool(NULL, true));
  REFUSED(satchel_value_new_int64(NULL, 1));
  REFUSED(satchel_value_new_uint64(NULL, 1));
  REFUSED(satchel_value_new_double(NULL, 1));
  REFUSED(satchel_value_new_string(NULL, satchel_text("a")));
  REFUSED(satchel_value_new_data(NULL, satchel_text("a")));
  REFUSED(satchel_value_new_date(NULL, date));
  REFUSED(satchel_value_new_url(NULL, satchel_text("a:b")));
  REFUSED(satchel_value_new_uuid(NULL, uuid));
  REFUSED(satchel_value_new_array(NULL));
  REFUSED(satchel_value_new_dictionary(NULL));
  REFUSED_EMPTY(value, satchel_value_new_string(&value, missing(5)));
  REFUSED_EMPTY(value, satchel_value_new_data(&value, missing(5)));
  REFUSED_EMPTY(value, satchel_value_new_url(&value, missing(5)));
  for (int i = 0; i < BAD_TEXTS; i++) {
    REFUSED_EMPTY(value, satchel_value_new_string(&value, satchel_text(bad_texts[i])));
    REFUSED_EMPTY(value, satchel_value_new_url(&value, satchel_text(bad_texts[i])));
  }
  REFUSED_EMPTY(value, satchel_value_new_url(&value, satchel_text("")));
  REFUSED_EMPTY(value, satchel_value_new_url(&value, satchel_text("a b")));
  REFUSED_EMPTY(value, satchel_value_new_url(&value, satchel_text("a:\n")));
  for (size_t i = 0; i < sizeof bad_dates / sizeof *bad_dates; i++)
    REFUSED_EMPTY(value, satchel_value_new_date(&value, bad_dates[i]));
  /* The empty range is fine for text and data. */
  CHECK_CODE(SATCHEL_OK, satchel_value_new_string(&value, missing(0)), "the empty string");
  satchel_value_free(value);
  CHECK_CODE(SATCHEL_OK, satchel_value_new_data(&value, missing(0)), "empty data");
  satchel_value_free(value);
}

static void reading(satchel_value *value) {
  bool flag;
  int64_t number;
  uint64_t big;
  double real;
  size_t count;
  satchel_bytes bytes;
  satchel_date date;
  satchel_uuid uuid;
  satchel_buffer buffer;
  satchel_value *copy = NULL;
  const satchel_value *lent = NULL;
  REFUSED(satchel_value_convert(NULL, value, SATCHEL_TYPE_INT));
  REFUSED_EMPTY(copy, satchel_value_convert(&copy, NULL, SATCHEL_TYPE_INT));
  REFUSED(satchel_value_copy(NULL, value));
  REFUSED_EMPTY(copy, satchel_value_copy(&copy, NULL));
  REFUSED(satchel_value_type(NULL));
  REFUSED(satchel_value_equal(NULL, value));
  REFUSED(satchel_value_equal(value, NULL));
  REFUSED(satchel_value_get_bool(NULL, value));
  REFUSED(satchel_value_get_bool(&flag, NULL));
  REFUSED(satchel_value_get_int64(NULL, value));
  REFUSED(satchel_value_get_int64(&number, NULL));
  REFUSED(satchel_value_get_uint64(NULL, value));
  REFUSED(satchel_value_get_uint64(&big, NULL));
  REFUSED(satchel_value_get_double(NULL, value));
  REFUSED(satchel_value_get_double(&real, NULL));
  REFUSED(satchel_value_get_string(NULL, value));
  REFUSED(satchel_value_get_string(&bytes, NULL));
  REFUSED(satchel_value_get_data(NULL, value));
  REFUSED(satchel_value_get_data(&bytes, NULL));
  REFUSED(satchel_value_get_date(NULL, value));
  REFUSED(satchel_value_get_date(&date, NULL));
  REFUSED(satchel_value_get_url(NULL, value));
  REFUSED(satchel_value_get_url(&bytes, NULL));
  REFUSED(satchel_value_get_uuid(NULL, value));
  REFUSED(satchel_value_get_uuid(&uuid, NULL));
  REFUSED(satchel_value_count(NULL, value));
  REFUSED(satchel_value_count(&count, NULL));
  REFUSED(satchel_value_at(NULL, value, 0));
  REFUSED_EMPTY(lent, satchel_value_at(&lent, NULL, 0));
  REFUSED(satchel_value_key_at(NULL, value, 0));
  REFUSED(satchel_value_key_at(&bytes, NULL, 0));
  REFUSED(satchel_value_find(NULL, value, satchel_text("a")));
  REFUSED_EMPTY(lent, satchel_value_find(&lent, NULL, satchel_text("a")));
  REFUSED(satchel_value_to_json(NULL, value));
  REFUSED(satchel_value_to_json(&buffer, NULL));
  REFUSED(satchel_value_to_dotenv(NULL, value));
  REFUSED(satchel_value_to_dotenv(&buffer, NULL));
  REFUSED(satchel_value_to_text(NULL, value));
  REFUSED(satchel_value_to_text(&buffer, NULL));
  REFUSED(satchel_value_to_cbor(NULL, value));
  REFUSED(satchel_value_to_cbor(&buffer, NULL));
}

static void collections(satchel_value *number) {
  satchel_value *array = NULL, *dictionary = NULL, *deep = NULL;
  const satchel_value *lent = NULL;
  satchel_bytes bytes;
  size_t count = 7;
  CHECK_CODE(SATCHEL_OK, satchel_value_new_array(&array), "array");
  CHECK_CODE(SATCHEL_OK, satchel_value_new_dictionary(&dictionary), "dictionary");
  REFUSED(satchel_value_append(NULL, number));
  REFUSED(satchel_value_append(array, NULL));
  CHECK_CODE(SATCHEL_ETYPE, satchel_value_append(number, number), "append to a number");
  CHECK_CODE(SATCHEL_ETYPE, satchel_value_append(dictionary, number), "append to a dictionary");
  REFUSED(satchel_value_put(NULL, satchel_text("a"), number));
  REFUSED(satchel_value_put(dictionary, satchel_text("a"), NULL));
  REFUSED(satchel_value_put(dictionary, missing(3), number));
  for (int i = 0; i < BAD_TEXTS; i++) REFUSED(satchel_value_put(dictionary, satchel_text(bad_texts[i]), number));
  CHECK_CODE(SATCHEL_ETYPE, satchel_value_put(array, satchel_text("a"), number), "put into an array");
  CHECK_CODE(SATCHEL_ETYPE, satchel_value_count(&count, number), "count of a number");
  CHECK_CODE(SATCHEL_ERANGE, satchel_value_at(&lent, array, 0), "at of an empty array");
  CHECK_CODE(SATCHEL_ERANGE, satchel_value_at(&lent, array, SIZE_MAX), "at beyond everything");
  CHECK_CODE(SATCHEL_ETYPE, satchel_value_at(&lent, number, 0), "at of a number");
  CHECK_CODE(SATCHEL_ERANGE, satchel_value_key_at(&bytes, dictionary, SIZE_MAX), "key_at beyond everything");
  CHECK_CODE(SATCHEL_ETYPE, satchel_value_key_at(&bytes, array, 0), "key_at of an array");
  CHECK_CODE(SATCHEL_ETYPE, satchel_value_find(&lent, array, satchel_text("a")), "find in an array");
  IS_ERROR(satchel_value_find(&lent, dictionary, missing(3)));
  CHECK(satchel_value_count(&count, array) == SATCHEL_OK && count == 0, "a refused append has changed the array");
  CHECK(satchel_value_count(&count, dictionary) == SATCHEL_OK && count == 0, "a refused put has changed the dictionary");
  /* 64 deep is allowed, 65 is not; building it from the inside, since a copy is appended. */
  CHECK_CODE(SATCHEL_OK, satchel_value_new_array(&deep), "array");
  int depth = 1;
  for (int code = SATCHEL_OK; code == SATCHEL_OK && depth < 100;) {
    satchel_value *outer = NULL;
    CHECK_CODE(SATCHEL_OK, satchel_value_new_array(&outer), "array");
    code = satchel_value_append(outer, deep);
    if (code == SATCHEL_OK) {
      depth++;
      satchel_value_free(deep);
      deep = outer;
    } else {
      CHECK_CODE(SATCHEL_ERANGE, code, "nesting too deep");
      satchel_value_free(outer);
    }
  }
  CHECK(depth == 64, "arrays %d deep", depth);
  satchel_value_free(deep);
  satchel_value_free(array);
  satchel_value_free(dictionary);
}

static void parsing(void) {
  static const char *const bad_json[] = {"",
                                         " ",
                                         "{",
                                         "[1,]",
                                         "{\"a\":1,}",
                                         "nul",
                                         "01",
                                         "1.",
                                         ".5",
                                         "+1",
                                         "\"\x01\"",
                                         "\"\\ud800\"",
                                         "[1] 2",
                                         "{\"a\":1,\"a\":2}",
                                         "{\"$data\":\"%\"}",
                                         "{\"$unknown\":1}",
                                         "NaN",
                                         "'a'",
                                         "\"\xff\"",
                                         "1e400",
                                         "18446744073709551616"};
  static const struct {
    const char *bytes;
    size_t size;
  } bad_cbor[] = {{"", 0},
                  {"\x18\x01", 2},
                  {"\x1c", 1},
                  {"\x9f\xff", 2},
                  {"\xff", 1},
                  {"\x62\xff\xff", 3},
                  {"\x5b\xff\xff\xff\xff\xff\xff\xff\xff", 9},
                  {"\x9b\xff\xff\xff\xff\xff\xff\xff\xff", 9},
                  {"\xbb\x7f\xff\xff\xff\xff\xff\xff\xff", 9},
                  {"\xf9\x3c\x00", 3},
                  {"\xf6\xf6", 2},
                  {"\xa1\x01\x02", 3},
                  {"\xd9\x03\xe9\xa1\x01\xf6", 6},
                  {"\x3b\xff\xff\xff\xff\xff\xff\xff\xff", 9},
                  {"\xd8\x25\x41\x00", 4},
                  {"\xd8\x20\x60", 3}};
  satchel_value *value = NULL;
  REFUSED(satchel_value_from_json(NULL, satchel_text("1")));
  IS_ERROR(satchel_value_from_json(&value, missing(4)));
  IS_ERROR(satchel_value_from_json(&value, missing(0)));
  for (size_t i = 0; i < sizeof bad_json / sizeof *bad_json; i++) {
    value = (void *)&folder;
    int code = satchel_value_from_json(&value, satchel_text(bad_json[i]));
    CHECK(code < 0 && value == NULL, "JSON %s gives %d", bad_json[i], code);
  }
  REFUSED(satchel_value_from_cbor(NULL, satchel_text("\x01")));
  IS_ERROR(satchel_value_from_cbor(&value, missing(4)));
  for (size_t i = 0; i < sizeof bad_cbor / sizeof *bad_cbor; i++) {
    value = (void *)&folder;
    int code = satchel_value_from_cbor(&value, satchel_blob(bad_cbor[i].bytes, bad_cbor[i].size));
    CHECK(code < 0 && value == NULL, "CBOR %zu gives %d", i, code);
  }
  /* Nesting is bounded before the stack is. */
  enum { DEEP = 100000 };
  char *deep = malloc(DEEP);
  memset(deep, '[', DEEP);
  IS_ERROR(satchel_value_from_json(&value, satchel_blob(deep, DEEP)));
  memset(deep, 0x81, DEEP);
  IS_ERROR(satchel_value_from_cbor(&value, satchel_blob(deep, DEEP)));
  free(deep);
  REFUSED(satchel_value_from_dotenv(NULL, satchel_text("A=1")));
  IS_ERROR(satchel_value_from_dotenv(&value, missing(4)));
  IS_ERROR(satchel_value_from_dotenv(&value, satchel_text("A=\xff")));
  IS_ERROR(satchel_value_from_dotenv(&value, satchel_text("A='1")));
  REFUSED(satchel_value_from_text(NULL, satchel_text("1"), SATCHEL_TYPE_INT));
  IS_ERROR(satchel_value_from_text(&value, missing(4), SATCHEL_TYPE_INT));
  IS_ERROR(satchel_value_from_text(&value, satchel_text("1"), -1));
  IS_ERROR(satchel_value_from_text(&value, satchel_text("1"), 12));
  IS_ERROR(satchel_value_from_text(&value, satchel_text("1"), INT_MAX));
  IS_ERROR(satchel_value_from_text(&value, satchel_text("1"), INT_MIN));
  IS_ERROR(satchel_value_from_text(&value, satchel_text(""), SATCHEL_TYPE_INT));
  IS_ERROR(satchel_value_from_text(&value, satchel_text("\xff"), SATCHEL_TYPE_STRING));
}

/* MARK: settings.h */

static void opening(void) {
  satchel_settings *settings = NULL;
  satchel_settings_options options = SATCHEL_SETTINGS_OPTIONS_INIT;
  options.directory = folder;
  REFUSED(satchel_settings_open(NULL, "a", &options));
  REFUSED_EMPTY(settings, satchel_settings_open(&settings, NULL, &options));
  for (int i = 0; i < BAD_TEXTS; i++) REFUSED_EMPTY(settings, satchel_settings_open(&settings, bad_texts[i], &options));
  static const size_t sizes[] = {0, 1, 4, SIZE_MAX};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    options.struct_size = sizes[i];
    IS_ERROR(satchel_settings_open(&settings, "a", &options)); /* EINVAL, or EVERSION where it may be a newer one */
    CHECK(settings == NULL, "a handle with options of %zu bytes", sizes[i]);
  }
  options.struct_size = sizeof options;
  options.flags = 0x80000000u;
  REFUSED_EMPTY(settings, satchel_settings_open(&settings, "a", &options));
  options.flags = 0;
  options.durability = 99;
  REFUSED_EMPTY(settings, satchel_settings_open(&settings, "a", &options));
  options.durability = 0;
  options.program = "\xff";
  REFUSED_EMPTY(settings, satchel_settings_open(&settings, "a", &options));
  options.program = NULL;
  options.directory = "\xff\xfe/x";
  IS_ERROR(satchel_settings_open(&settings, "a", &options));
  options.directory = "";
  IS_ERROR(satchel_settings_open(&settings, "a", &options));
  static char endless[100001];
  memset(endless, 'a', sizeof endless - 1);
  options.directory = endless;
  IS_ERROR(satchel_settings_open(&settings, "a", &options));
  options.directory = folder;
  IS_ERROR(satchel_settings_open(&settings, endless, &options));
  options.lock_timeout_ns = INT64_MIN;
  options.program = endless;
  int code = satchel_settings_open(&settings, "a", &options);
  CHECK(code == SATCHEL_OK || code == SATCHEL_ERANGE || code == SATCHEL_EINVAL, "an endless program name: %d", code);
  satchel_settings_close(settings);
}

/* Each function with `settings` (NULL, or a closed handle) instead of an open one. */
static void without_handle(satchel_settings *settings) {
  bool flag = true;
  int64_t number = 7;
  uint64_t big = 7;
  double real = 7;
  size_t needed = 7;
  satchel_buffer buffer = {NULL, 0};
  satchel_date date = {0, 0, 0};
  satchel_uuid uuid = {{0}};
  satchel_value *value = NULL;
  satchel_cursor *cursor = NULL;
  satchel_transaction *transaction = NULL;
  satchel_settings_info info = SATCHEL_SETTINGS_INFO_INIT;
  satchel_settings_health health = SATCHEL_SETTINGS_HEALTH_INIT;
  CHECK(satchel_settings_domain(settings)[0] == '\0' && satchel_settings_path(settings)[0] == '\0', "a name without a handle");
  REFUSED(satchel_settings_get_bool(&flag, settings, "a"));
  REFUSED(satchel_settings_get_int64(&number, settings, "a"));
  REFUSED(satchel_settings_get_uint64(&big, settings, "a"));
  REFUSED(satchel_settings_get_double(&real, settings, "a"));
  CHECK(flag && number == 7 && big == 7 && real == 7, "a failed get changed its result");
  REFUSED(satchel_settings_get_string(&buffer, settings, "a"));
  REFUSED(satchel_settings_get_data(&buffer, settings, "a"));
  REFUSED(satchel_settings_get_date(&date, settings, "a"));
  REFUSED(satchel_settings_get_url(&buffer, settings, "a"));
  REFUSED(satchel_settings_get_uuid(&uuid, settings, "a"));
  REFUSED_EMPTY(value, satchel_settings_get_value(&value, settings, "a"));
  REFUSED(satchel_settings_copy_bytes(NULL, 0, &needed, settings, "a"));
  REFUSED(satchel_settings_copy_cbor(NULL, 0, &needed, settings, "a"));
  REFUSED(satchel_settings_contains(settings, "a"));
  REFUSED(satchel_settings_get_info(&info, settings, "a"));
  REFUSED(satchel_settings_set_bool(settings, "a", true));
  REFUSED(satchel_settings_set_int64(settings, "a", 1));
  REFUSED(satchel_settings_set_uint64(settings, "a", 1));
  REFUSED(satchel_settings_set_double(settings, "a", 1));
  REFUSED(satchel_settings_set_string(settings, "a", satchel_text("a")));
  REFUSED(satchel_settings_set_data(settings, "a", satchel_text("a")));
  REFUSED(satchel_settings_set_date(settings, "a", date));
  REFUSED(satchel_settings_set_url(settings, "a", satchel_text("a:b")));
  REFUSED(satchel_settings_set_uuid(settings, "a", uuid));
  REFUSED(satchel_settings_set_value(settings, "a", NULL));
  REFUSED(satchel_settings_remove(settings, "a"));
  REFUSED(satchel_settings_add(&number, settings, "a", 1));
  REFUSED(satchel_settings_compare_and_set(settings, "a", NULL, NULL));
  REFUSED(satchel_settings_compare_revision_and_set(settings, "a", 0, NULL));
  REFUSED(satchel_settings_revision(&big, settings));
  REFUSED(satchel_settings_wait(&big, settings, 0, 0));
  REFUSED(satchel_settings_sync(settings));
  REFUSED(satchel_settings_compact(settings));
  REFUSED(satchel_settings_health_check(&health, settings));
  REFUSED(satchel_settings_accept(settings, NULL));
  REFUSED_EMPTY(cursor, satchel_settings_keys(&cursor, settings));
  REFUSED_EMPTY(transaction, satchel_settings_begin(&transaction, settings));
  REFUSED(satchel_settings_import_json(settings, satchel_text("{}")));
  REFUSED_EMPTY(value, satchel_settings_get_all(&value, settings));
  REFUSED(satchel_settings_export_json(&buffer, settings));
  satchel_settings_close(settings);
  satchel_settings_close(settings);
}

/* Every function that takes a key, with `key`, which none may take. */
static void with_key(satchel_settings *settings, const char *key, int expected) {
  bool flag;
  int64_t number;
  uint64_t big;
  double real;
  size_t needed;
  satchel_buffer buffer;
  satchel_date date = {0, 0, 0};
  satchel_uuid uuid = {{0}};
  satchel_value *value = NULL, *one = NULL;
  satchel_transaction *transaction = NULL;
  satchel_settings_info info = SATCHEL_SETTINGS_INFO_INIT;
  CHECK_CODE(SATCHEL_OK, satchel_value_new_int64(&one, 1), "value");
  REFUSED_AS(expected, satchel_settings_get_bool(&flag, settings, key));
  REFUSED_AS(expected, satchel_settings_get_int64(&number, settings, key));
  REFUSED_AS(expected, satchel_settings_get_uint64(&big, settings, key));
  REFUSED_AS(expected, satchel_settings_get_double(&real, settings, key));
  REFUSED_AS(expected, satchel_settings_get_string(&buffer, settings, key));
  REFUSED_AS(expected, satchel_settings_get_data(&buffer, settings, key));
  REFUSED_AS(expected, satchel_settings_get_date(&date, settings, key));
  REFUSED_AS(expected, satchel_settings_get_url(&buffer, settings, key));
  REFUSED_AS(expected, satchel_settings_get_uuid(&uuid, settings, key));
  REFUSED_AS(expected, satchel_settings_get_value(&value, settings, key));
  REFUSED_AS(expected, satchel_settings_copy_bytes(NULL, 0, &needed, settings, key));
  REFUSED_AS(expected, satchel_settings_copy_cbor(NULL, 0, &needed, settings, key));
  REFUSED_AS(expected, satchel_settings_contains(settings, key));
  REFUSED_AS(expected, satchel_settings_get_info(&info, settings, key));
  REFUSED_AS(expected, satchel_settings_set_bool(settings, key, true));
  REFUSED_AS(expected, satchel_settings_set_int64(settings, key, 1));
  REFUSED_AS(expected, satchel_settings_set_uint64(settings, key, 1));
  REFUSED_AS(expected, satchel_settings_set_double(settings, key, 1));
  REFUSED_AS(expected, satchel_settings_set_string(settings, key, satchel_text("a")));
  REFUSED_AS(expected, satchel_settings_set_data(settings, key, satchel_text("a")));
  REFUSED_AS(expected, satchel_settings_set_date(settings, key, date));
  REFUSED_AS(expected, satchel_settings_set_url(settings, key, satchel_text("a:b")));
  REFUSED_AS(expected, satchel_settings_set_uuid(settings, key, uuid));
  REFUSED_AS(expected, satchel_settings_set_value(settings, key, one));
  REFUSED_AS(expected, satchel_settings_remove(settings, key));
  REFUSED_AS(expected, satchel_settings_add(&number, settings, key, 1));
  REFUSED_AS(expected, satchel_settings_compare_and_set(settings, key, NULL, one));
  REFUSED_AS(expected, satchel_settings_compare_revision_and_set(settings, key, 0, one));
  if (key != NULL) REFUSED_AS(expected, satchel_settings_accept(settings, key));
  CHECK_CODE(SATCHEL_OK, satchel_settings_begin(&transaction, settings), "begin");
  REFUSED_AS(expected, satchel_transaction_get_value(&value, transaction, key));
  REFUSED_AS(expected, satchel_transaction_get_int64(&number, transaction, key));
  REFUSED_AS(expected, satchel_transaction_set_value(transaction, key, one));
  REFUSED_AS(expected, satchel_transaction_set_int64(transaction, key, 1));
  REFUSED_AS(expected, satchel_transaction_set_string(transaction, key, satchel_text("a")));
  REFUSED_AS(expected, satchel_transaction_remove(transaction, key));
  REFUSED_AS(expected, satchel_transaction_add(&number, transaction, key, 1));
  CHECK_CODE(SATCHEL_OK, satchel_transaction_commit(NULL, transaction), "commit");
  satchel_value_free(one);
}

static void without_results(satchel_settings *settings) {
  satchel_settings_info info = SATCHEL_SETTINGS_INFO_INIT;
  satchel_settings_health health = SATCHEL_SETTINGS_HEALTH_INIT;
  satchel_bytes key;
  char room[8];
  uint64_t revision = 0;
  REFUSED(satchel_settings_get_bool(NULL, settings, "a"));
  REFUSED(satchel_settings_get_int64(NULL, settings, "a"));
  REFUSED(satchel_settings_get_uint64(NULL, settings, "a"));
  REFUSED(satchel_settings_get_double(NULL, settings, "a"));
  REFUSED(satchel_settings_get_string(NULL, settings, "a"));
  REFUSED(satchel_settings_get_data(NULL, settings, "a"));
  REFUSED(satchel_settings_get_date(NULL, settings, "a"));
  REFUSED(satchel_settings_get_url(NULL, settings, "a"));
  REFUSED(satchel_settings_get_uuid(NULL, settings, "a"));
  REFUSED(satchel_settings_get_value(NULL, settings, "a"));
  REFUSED(satchel_settings_copy_bytes(room, sizeof room, NULL, settings, "a"));
  REFUSED(satchel_settings_copy_cbor(room, sizeof room, NULL, settings, "a"));
  REFUSED(satchel_settings_get_info(NULL, settings, "a"));
  REFUSED(satchel_settings_revision(NULL, settings));
  REFUSED(satchel_settings_wait(NULL, settings, 0, 0));
  REFUSED(satchel_settings_health_check(NULL, settings));
  REFUSED(satchel_settings_keys(NULL, settings));
  REFUSED(satchel_settings_domains(NULL, NULL));
  REFUSED(satchel_settings_begin(NULL, settings));
  REFUSED(satchel_settings_get_all(NULL, settings));
  REFUSED(satchel_settings_export_json(NULL, settings));
  REFUSED(satchel_cursor_next(NULL, NULL));
  REFUSED(satchel_cursor_next(&key, NULL));
  static const size_t sizes[] = {0, 1, SIZE_MAX};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    info.struct_size = health.struct_size = sizes[i];
    IS_ERROR(satchel_settings_get_info(&info, settings, "present"));
    IS_ERROR(satchel_settings_health_check(&health, settings));
  }
  IS_ERROR(satchel_settings_wait(&revision, settings, UINT64_MAX, 0));
  IS_ERROR(satchel_settings_wait(&revision, settings, UINT64_MAX, 1));
  /* A buffer that is not there, and one that says more than it has, are the caller's word; no room is ours. */
  size_t needed = 0;
  REFUSED(satchel_settings_copy_bytes(NULL, 8, &needed, settings, "text"));
  REFUSED(satchel_settings_copy_cbor(NULL, 8, &needed, settings, "text"));
  satchel_cursor *cursor = NULL;
  CHECK_CODE(SATCHEL_OK, satchel_settings_keys(&cursor, settings), "keys");
  REFUSED(satchel_cursor_next(NULL, cursor));
  for (int i = 0; i < 100; i++)
    if (satchel_cursor_next(&key, cursor) != 1) CHECK_CODE(0, satchel_cursor_next(&key, cursor), "next after the end");
  satchel_cursor_free(cursor);
}

static void bad_values(satchel_settings *settings) {
  satchel_transaction *transaction = NULL;
  satchel_value *null = NULL;
  CHECK_CODE(SATCHEL_OK, satchel_value_new_null(&null), "null");
  REFUSED(satchel_settings_set_value(settings, "a", NULL));
  IS_ERROR(satchel_settings_set_value(settings, "a", null));
  IS_ERROR(satchel_settings_compare_and_set(settings, "a", NULL, null));
  REFUSED(satchel_settings_set_string(settings, "a", missing(3)));
  REFUSED(satchel_settings_set_data(settings, "a", missing(3)));
  REFUSED(satchel_settings_set_url(settings, "a", missing(3)));
  for (int i = 0; i < BAD_TEXTS; i++) {
    REFUSED(satchel_settings_set_string(settings, "a", satchel_text(bad_texts[i])));
    REFUSED(satchel_settings_set_url(settings, "a", satchel_text(bad_texts[i])));
  }
  REFUSED(satchel_settings_set_url(settings, "a", satchel_text("")));
  for (size_t i = 0; i < sizeof bad_dates / sizeof *bad_dates; i++)
    REFUSED(satchel_settings_set_date(settings, "a", bad_dates[i]));
  /* The largest value is 16 MiB as stored; its head takes five bytes. */
  enum { LARGEST = (16 << 20) - 5 };
  char *large = calloc(1, LARGEST + 1);
  CHECK_CODE(SATCHEL_ERANGE, satchel_settings_set_data(settings, "large", satchel_blob(large, LARGEST + 1)), "beyond 16 MiB");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_data(settings, "large", satchel_blob(large, LARGEST)), "16 MiB");
  CHECK_CODE(SATCHEL_OK, satchel_settings_remove(settings, "large"), "remove");
  CHECK_CODE(SATCHEL_OK, satchel_settings_begin(&transaction, settings), "begin");
  REFUSED(satchel_transaction_set_value(transaction, "a", NULL));
  REFUSED(satchel_transaction_set_string(transaction, "a", missing(3)));
  REFUSED(satchel_transaction_set_string(transaction, "a", satchel_text("\xff")));
  REFUSED(satchel_transaction_get_value(NULL, transaction, "a"));
  REFUSED(satchel_transaction_get_int64(NULL, transaction, "a"));
  IS_ERROR(satchel_transaction_set_value(transaction, "a", null));
  int code = SATCHEL_OK, sets = 0;
  /* 64 MiB a transaction: the fifth of these is too much, and what was put in before may still be committed or not. */
  for (; code == SATCHEL_OK && sets < 6; sets++) {
    char key[32];
    satchel_value *value = NULL;
    snprintf(key, sizeof key, "large.%d", sets);
    CHECK_CODE(SATCHEL_OK, satchel_value_new_data(&value, satchel_blob(large, LARGEST - 1000)), "value");
    code = satchel_transaction_set_value(transaction, key, value);
    satchel_value_free(value);
  }
  if (code == SATCHEL_OK) {
    CHECK_CODE(SATCHEL_ERANGE, satchel_transaction_commit(NULL, transaction), "a transaction beyond 64 MiB");
  } else {
    CHECK_CODE(SATCHEL_ERANGE, code, "a transaction beyond 64 MiB");
    CHECK(sets == 5, "refused at value %d", sets);
    satchel_transaction_rollback(transaction);
  }
  CHECK(satchel_settings_contains(settings, "large.0") == 0, "a refused transaction has written");
  free(large);
  satchel_value_free(null);
  static const char *const bad_json[] = {
      "", "[]", "1", "null", "{\"a\": null}", "{\"a\": 1", "{\"\": 1}", "{\"a\\u0000b\": 1}", "{\"a\": 1, \"a\": 2}", "\xff"};
  for (size_t i = 0; i < sizeof bad_json / sizeof *bad_json; i++)
    IS_ERROR(satchel_settings_import_json(settings, satchel_text(bad_json[i])));
  IS_ERROR(satchel_settings_import_json(settings, missing(3)));
  IS_ERROR(satchel_settings_import_json(settings, missing(0)));
  CHECK(satchel_settings_contains(settings, "a") == 0, "a refused write has written");
}

static void without_transaction(void) {
  satchel_value *value = NULL;
  int64_t number = 7;
  uint64_t revision = 7;
  REFUSED_EMPTY(value, satchel_transaction_get_value(&value, NULL, "a"));
  REFUSED(satchel_transaction_get_int64(&number, NULL, "a"));
  CHECK(number == 7, "a failed get changed its result");
  REFUSED(satchel_transaction_set_value(NULL, "a", NULL));
  REFUSED(satchel_transaction_set_int64(NULL, "a", 1));
  REFUSED(satchel_transaction_set_string(NULL, "a", satchel_text("a")));
  REFUSED(satchel_transaction_remove(NULL, "a"));
  REFUSED(satchel_transaction_add(&number, NULL, "a", 1));
  REFUSED(satchel_transaction_commit(&revision, NULL));
}

/* A handle that is closed while a transaction and a cursor of it are still there. */
static void outlived(void) {
  satchel_settings *settings = open_domain(folder, "outlived", 0), *second = NULL;
  satchel_transaction *transaction = NULL;
  satchel_cursor *cursor = NULL;
  satchel_bytes key;
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "a", 1), "set");
  CHECK_CODE(SATCHEL_OK, satchel_settings_keys(&cursor, settings), "keys");
  CHECK_CODE(SATCHEL_OK, satchel_settings_begin(&transaction, settings), "begin");
  CHECK_CODE(SATCHEL_OK, satchel_transaction_set_int64(transaction, "a", 2), "set");
  satchel_settings_close(settings);
  CHECK(satchel_cursor_next(&key, cursor) == 1 && strcmp(key.data, "a") == 0, "a cursor whose handle is closed");
  satchel_cursor_free(cursor);
  int code = satchel_transaction_set_int64(transaction, "b", 2);
  CHECK(code == SATCHEL_EINVAL || code == SATCHEL_OK, "a transaction whose handle is closed: %s", satchel_error_name(code));
  satchel_transaction_rollback(transaction);
  CHECK_CODE(SATCHEL_OK, open_with(&second, folder, "outlived", 0, INT64_C(200000000)), "open");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(second, "a", 3), "the lock is free again");
  CHECK(integer_of(second, "a", 0) == 3, "set");
  satchel_settings_close(second);
}

/* MARK: Absurd sizes, each in a child: what believes them may crash at once */

static void absurd(void *context) {
  static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 70, (size_t)1 << 63, ((size_t)1 << 63) - 1, (size_t)1 << 62};
  int number = (int)(intptr_t)context;
  satchel_bytes bytes = satchel_blob("a", sizes[number % 5]);
  satchel_value *value = NULL, *dictionary = NULL;
  const satchel_value *lent = NULL;
  satchel_transaction *transaction = NULL;
  satchel_settings *settings = open_domain(folder, "absurd", 0);
  CHECK_CODE(SATCHEL_OK, satchel_value_new_dictionary(&dictionary), "dictionary");
  switch (number / 5) {
  case 0:
    IS_ERROR(satchel_value_new_string(&value, bytes));
    break;
  case 1:
    IS_ERROR(satchel_value_new_data(&value, bytes));
    break;
  case 2:
    IS_ERROR(satchel_value_new_url(&value, bytes));
    break;
  case 3:
    IS_ERROR(satchel_value_put(dictionary, bytes, dictionary));
    break;
  case 4:
    IS_ERROR(satchel_value_find(&lent, dictionary, bytes));
    break;
  case 5:
    IS_ERROR(satchel_value_from_json(&value, bytes));
    break;
  case 6:
    IS_ERROR(satchel_value_from_cbor(&value, bytes));
    break;
  case 7:
    IS_ERROR(satchel_value_from_text(&value, bytes, SATCHEL_TYPE_STRING));
    break;
  case 8:
    IS_ERROR(satchel_settings_set_string(settings, "a", bytes));
    break;
  case 9:
    IS_ERROR(satchel_settings_set_data(settings, "a", bytes));
    break;
  case 10:
    IS_ERROR(satchel_settings_set_url(settings, "a", bytes));
    break;
  case 11:
    IS_ERROR(satchel_settings_import_json(settings, bytes));
    break;
  case 12: {
    CHECK_CODE(SATCHEL_OK, satchel_settings_begin(&transaction, settings), "begin");
    IS_ERROR(satchel_transaction_set_string(transaction, "a", bytes));
    satchel_transaction_rollback(transaction);
    break;
  }
  default: {
    satchel_settings_options options = SATCHEL_SETTINGS_OPTIONS_INIT;
    options.lock_timeout_ns = INT64_MAX;
    options.directory = folder;
    satchel_settings *second = NULL;
    CHECK_CODE(SATCHEL_OK, satchel_settings_open(&second, "absurd", &options), "an endless time-out");
    CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(second, "a", 1), "an endless time-out");
    satchel_settings_close(second);
  }
  }
  satchel_value_free(dictionary);
  satchel_settings_close(settings);
}
enum { ABSURDITIES = 14 * 5 };

/* MARK: The whole. Each part in a child, so that a crash takes only itself along. */

static void values_part(void *context) {
  (void)context;
  satchel_value *number = NULL;
  CHECK_CODE(SATCHEL_OK, satchel_value_new_int64(&number, 1), "value");
  base();
  making();
  reading(number);
  collections(number);
  satchel_value_free(number);
}

static void parsing_part(void *context) {
  (void)context;
  parsing();
}

static void opening_part(void *context) {
  (void)context;
  opening();
  without_handle(NULL);
  without_transaction();
}

static satchel_settings *open_present(const char *domain) {
  satchel_settings *settings = open_domain(folder, domain, 0);
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "present", 1), "set");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_string(settings, "text", satchel_text("text")), "set");
  return settings;
}

static void close_unchanged(satchel_settings *settings) {
  CHECK(integer_of(settings, "present", 0) == 1 && health_of(settings).keys == 2, "something was changed");
  satchel_settings_close(settings);
  without_handle(settings);
}

static void keys_part(void *context) {
  (void)context;
  satchel_settings *settings = open_present("keys");
  with_key(settings, NULL, SATCHEL_EINVAL);
  with_key(settings, "", SATCHEL_EINVAL);
  for (int i = 0; i < BAD_TEXTS; i++) with_key(settings, bad_texts[i], SATCHEL_EINVAL);
  static char too_long[1026];
  memset(too_long, 'k', 1025);
  with_key(settings, too_long, SATCHEL_ERANGE);
  close_unchanged(settings);
}

static void results_part(void *context) {
  (void)context;
  satchel_settings *settings = open_present("results");
  without_results(settings);
  close_unchanged(settings);
}

static void bad_values_part(void *context) {
  (void)context;
  satchel_settings *settings = open_present("values");
  bad_values(settings);
  close_unchanged(settings);
}

static void outlived_part(void *context) {
  (void)context;
  outlived();
}

/* What a shell's `exec 3>file`, or a program that closed its standard output, would put something else in the place of. */
static void descriptors_part(void *unused) {
  (void)unused;
  satchel_settings *settings = NULL;
  satchel_settings_options options = SATCHEL_SETTINGS_OPTIONS_INIT;
  options.directory = folder;
  close(STDIN_FILENO);
  for (int round = 0; round < 2; round++) {
    CHECK_CODE(SATCHEL_OK, satchel_settings_open(&settings, "descriptors", &options), "open");
    CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "a", 1), "set");
    CHECK_CODE(SATCHEL_OK, satchel_settings_compact(settings), "compact");
    CHECK(fcntl(STDIN_FILENO, F_GETFD) == -1, "a domain took the place of standard input");
    for (int low = 3; low < 64; low++) {
      char link[64], path[512];
      snprintf(link, sizeof link, "/proc/self/fd/%d", low);
      ssize_t size = readlink(link, path, sizeof path - 1);
      path[size > 0 ? size : 0] = '\0';
      CHECK(strstr(path, ".satchel") == NULL, "descriptor %d is %s", low, path);
    }
    satchel_settings_close(settings);
  }
}

/* A folder named relative to where the program was stays the same one. */
static void relative_part(void *unused) {
  (void)unused;
  satchel_settings *settings = NULL;
  satchel_settings_options options = SATCHEL_SETTINGS_OPTIONS_INIT;
  int64_t number = 0;
  options.directory = "here/relative";
  CHECK(chdir(folder) == 0, "chdir");
  CHECK_CODE(SATCHEL_OK, satchel_settings_open(&settings, "moving", &options), "open");
  CHECK(satchel_settings_path(settings)[0] == '/', "the path is %s", satchel_settings_path(settings));
  CHECK(chdir("here") == 0, "chdir");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "a", 1), "set");
  CHECK_CODE(SATCHEL_OK, satchel_settings_compact(settings), "compact elsewhere");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "a", 2), "set");
  satchel_settings_close(settings);
  options.directory = "relative";
  CHECK_CODE(SATCHEL_OK, satchel_settings_open(&settings, "moving", &options), "open again");
  CHECK(satchel_settings_get_int64(&number, settings, "a") == SATCHEL_OK && number == 2, "a is %ld", (long)number);
  satchel_settings_close(settings);
}

/* MARK: cache.h */

static void options_of_a_cache(void) {
  satchel_cache *cache = NULL;
  satchel_cache_options options = SATCHEL_CACHE_OPTIONS_INIT;
  static const size_t sizes[] = {0, 1, 4, 47, SIZE_MAX};
  REFUSED(satchel_cache_new(NULL, &options));
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    options.struct_size = sizes[i];
    REFUSED_AS(SATCHEL_EVERSION, satchel_cache_new(&cache, &options));
    CHECK(cache == NULL, "a cache with options of %zu bytes", sizes[i]);
  }
  struct {
    satchel_cache_options known;
    uint64_t unknown;
  } newer = {SATCHEL_CACHE_OPTIONS_INIT, 1};
  newer.known.struct_size = sizeof newer;
  REFUSED_AS(SATCHEL_EVERSION, satchel_cache_new(&cache, &newer.known));
  newer.unknown = 0;
  CHECK_CODE(SATCHEL_OK, satchel_cache_new(&cache, &newer.known), "options of a newer program that asks for nothing new");
  satchel_cache_free(cache);
}

static int make_nothing(void **pointer, satchel_bytes key, void *context) {
  (void)pointer, (void)key, (void)context;
  return 0;
}

/* Each function with `cache` (NULL, or one that has been freed) instead of a living one. */
static void without_cache(satchel_cache *cache) {
  satchel_object *object = NULL;
  satchel_bytes key = satchel_text("a");
  size_t count = 7;
  REFUSED_EMPTY(object, satchel_cache_get(&object, cache, key));
  REFUSED_EMPTY(object, satchel_cache_put(&object, cache, key, &count));
  REFUSED_EMPTY(object, satchel_cache_put(&object, cache, key, NULL));
  REFUSED_EMPTY(object, satchel_cache_get_or_create(&object, cache, key, make_nothing, NULL));
  REFUSED(satchel_cache_remove(cache, key));
  REFUSED(satchel_cache_clear(cache));
  REFUSED(satchel_cache_count(&count, cache));
  CHECK(count == 0, "the count of no cache is %zu", count);
  satchel_cache_free(cache);
}

static void bad_key_of_a_cache(satchel_cache *cache, satchel_bytes key, int code) {
  satchel_object *object = NULL;
  int value = 0;
  REFUSED_EMPTY_AS(code, object, satchel_cache_get(&object, cache, key));
  REFUSED_EMPTY_AS(code, object, satchel_cache_put(&object, cache, key, &value));
  REFUSED_EMPTY_AS(code, object, satchel_cache_put(&object, cache, key, NULL));
  REFUSED_EMPTY_AS(code, object, satchel_cache_get_or_create(&object, cache, key, make_nothing, NULL));
  REFUSED_AS(code, satchel_cache_remove(cache, key));
}

static void caches_part(void *unused) {
  (void)unused;
  satchel_cache *cache = NULL;
  satchel_object *object = NULL;
  size_t count = 7;
  options_of_a_cache();
  without_cache(NULL);
  CHECK_CODE(SATCHEL_OK, satchel_cache_new(&cache, NULL), "a cache without options");
  REFUSED(satchel_cache_get(NULL, cache, satchel_text("a")));
  REFUSED(satchel_cache_put(NULL, cache, satchel_text("a"), &count));
  REFUSED(satchel_cache_get_or_create(NULL, cache, satchel_text("a"), make_nothing, NULL));
  REFUSED_EMPTY(object, satchel_cache_get_or_create(&object, cache, satchel_text("a"), NULL, NULL));
  REFUSED_EMPTY(object, satchel_cache_get_or_create(&object, cache, satchel_text("a"), make_nothing, NULL));
  REFUSED(satchel_cache_count(NULL, cache));
  bad_key_of_a_cache(cache, missing(1), SATCHEL_EINVAL);
  bad_key_of_a_cache(cache, missing(SIZE_MAX), SATCHEL_ERANGE);
  bad_key_of_a_cache(cache, satchel_blob("a", SIZE_MAX), SATCHEL_ERANGE);
  bad_key_of_a_cache(cache, satchel_blob("a", ((size_t)1 << 28) + 1), SATCHEL_ERANGE);
  CHECK_CODE(SATCHEL_OK, satchel_cache_count(&count, cache), "count");
  CHECK(count == 0, "what was refused left %zu entries", count);
  satchel_object_release(NULL);
  CHECK(satchel_object_retain(NULL) == NULL && satchel_object_pointer(NULL) == NULL, "something of no object");
  CHECK(satchel_object_key(NULL).data == NULL && satchel_object_key(NULL).size == 0, "a key of no object");
  satchel_cache_free(cache);
  without_cache(cache);
}

int main(void) {
  checks_begin("hostile");
  folder = scratch_folder("store");
  child_end_well(child_start(values_part, NULL), 60, "values");
  child_end_well(child_start(parsing_part, NULL), 60, "parsing");
  child_end_well(child_start(opening_part, NULL), 60, "opening");
  child_end_well(child_start(keys_part, NULL), 60, "keys");
  child_end_well(child_start(results_part, NULL), 60, "results");
  child_end_well(child_start(bad_values_part, NULL), 60, "bad values");
  child_end_well(child_start(descriptors_part, NULL), 60, "descriptors");
  child_end_well(child_start(relative_part, NULL), 60, "a relative folder");
  child_end_well(child_start(outlived_part, NULL), 60, "outlived handles");
  child_end_well(child_start(caches_part, NULL), 60, "caches");
  for (int number = 0; number < ABSURDITIES; number++) {
    char what[32];
    snprintf(what, sizeof what, "absurd size, case %d", number);
    child_end_well(child_start(absurd, (void *)(intptr_t)number), 20, what);
  }
  return checks_finish();
}
