/*
 * Every function of the headers, used as they say, in strict C99. What each promises is looked at once; what goes wrong is
 * hostile.c's business.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

static const char *folder;

static bool holds(satchel_bytes bytes, const char *text) {
  return bytes.size == strlen(text) && memcmp(bytes.data, text, bytes.size) == 0;
}

/* A buffer's text, which ends with a NUL that `size` does not count; frees it. */
static bool held(satchel_buffer *buffer, const char *text) {
  bool same = buffer->data != NULL && buffer->size == strlen(text) && strcmp(buffer->data, text) == 0;
  satchel_buffer_free(buffer);
  return same && buffer->data == NULL && buffer->size == 0;
}

/* MARK: base.h */

static void base(void) {
  static const int codes[] = {SATCHEL_OK,        SATCHEL_ENOTFOUND, SATCHEL_EEXISTS,      SATCHEL_ETYPE,   SATCHEL_EINVAL,
                              SATCHEL_ERANGE,    SATCHEL_EIO,       SATCHEL_ECORRUPT,     SATCHEL_ELOCKED, SATCHEL_EDENIED,
                              SATCHEL_EREADONLY, SATCHEL_ECONFLICT, SATCHEL_EGONE,        SATCHEL_EFULL,   SATCHEL_ETIMEOUT,
                              SATCHEL_EVERSION,  SATCHEL_ENOMEM,    SATCHEL_EUNSUPPORTED, SATCHEL_EPARSE,  SATCHEL_EBUSY};
  size_t count = sizeof codes / sizeof *codes, i, j;
  CHECK(satchel_last_error()->code == 0, "a last error before the first failure: %d", satchel_last_error()->code);
  CHECK(satchel_version_number() == SATCHEL_VERSION_NUMBER, "version %d, the headers say %d", satchel_version_number(),
        SATCHEL_VERSION_NUMBER);
  char version[32];
  snprintf(version, sizeof version, "%d.%d.%d", SATCHEL_VERSION_MAJOR, SATCHEL_VERSION_MINOR, SATCHEL_VERSION_PATCH);
  CHECK(strcmp(satchel_version(), version) == 0, "version %s, the headers say %s", satchel_version(), version);
  CHECK(strcmp(satchel_error_name(SATCHEL_ENOTFOUND), "SATCHEL_ENOTFOUND") == 0, "%s", satchel_error_name(SATCHEL_ENOTFOUND));
  CHECK(strcmp(satchel_error_name(-999), "SATCHEL_E?") == 0, "%s", satchel_error_name(-999));
  for (i = 0; i < count; i++) {
    CHECK(satchel_strerror(codes[i])[0] != '\0', "no text for %d", codes[i]);
    CHECK(strncmp(satchel_error_name(codes[i]), "SATCHEL_", 8) == 0, "%d is %s", codes[i], satchel_error_name(codes[i]));
    for (j = 0; j < i; j++)
      CHECK(strcmp(satchel_error_name(codes[i]), satchel_error_name(codes[j])) != 0, "two codes are %s",
            satchel_error_name(codes[i]));
  }
  satchel_buffer empty = {NULL, 0};
  satchel_buffer_free(&empty);
  satchel_buffer_free(NULL);
  CHECK(satchel_text("abc").size == 3 && satchel_text(NULL).size == 0 && satchel_blob("abc", 2).size == 2, "ranges");
}

/* MARK: value.h */

static void scalars(void) {
  satchel_value *value = NULL, *copy = NULL;
  bool flag = false;
  int64_t number = 0;
  uint64_t big = 0;
  double real = 0;
  satchel_bytes bytes;
  satchel_date date = {-1, 999999999, 0}, when;
  satchel_uuid uuid = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}}, id;

  CHECK_CODE(SATCHEL_OK, satchel_value_new_null(&value), "null");
  CHECK(satchel_value_type(value) == SATCHEL_TYPE_NULL, "the type of null");
  satchel_value_free(value);
  CHECK_CODE(SATCHEL_OK, satchel_value_new_bool(&value, true), "bool");
  CHECK(satchel_value_type(value) == SATCHEL_TYPE_BOOL && satchel_value_get_bool(&flag, value) == SATCHEL_OK && flag, "bool");
  CHECK_CODE(SATCHEL_ETYPE, satchel_value_get_int64(&number, value), "a bool as an integer");
  satchel_value_free(value);
  CHECK_CODE(SATCHEL_OK, satchel_value_new_int64(&value, INT64_MIN), "int64");
  CHECK(satchel_value_get_int64(&number, value) == SATCHEL_OK && number == INT64_MIN, "int64");
  CHECK_CODE(SATCHEL_ERANGE, satchel_value_get_uint64(&big, value), "a negative number without a sign");
  CHECK(satchel_value_get_double(&real, value) == SATCHEL_OK && real == -9223372036854775808.0, "an integer as a double");
  CHECK_CODE(SATCHEL_OK, satchel_value_copy(&copy, value), "copy");
  CHECK(satchel_value_equal(copy, value) == 1, "a copy differs");
  satchel_value_free(copy);
  satchel_value_free(value);
  CHECK_CODE(SATCHEL_OK, satchel_value_new_uint64(&value, UINT64_MAX), "uint64");
  CHECK(satchel_value_type(value) == SATCHEL_TYPE_UINT, "the type of a large number");
  CHECK(satchel_value_get_uint64(&big, value) == SATCHEL_OK && big == UINT64_MAX, "uint64");
  satchel_value_free(value);
  CHECK_CODE(SATCHEL_OK, satchel_value_new_uint64(&value, 5), "uint64");
  CHECK(satchel_value_type(value) == SATCHEL_TYPE_INT, "the type of a small number");
  satchel_value_free(value);
  CHECK_CODE(SATCHEL_OK, satchel_value_new_double(&value, -0.0), "double");
  CHECK(satchel_value_get_double(&real, value) == SATCHEL_OK && real == 0 && signbit(real), "-0.0");
  CHECK_CODE(SATCHEL_ETYPE, satchel_value_get_int64(&number, value), "-0.0 as an integer");
  satchel_value_free(value);
  CHECK_CODE(SATCHEL_OK, satchel_value_new_double(&value, NAN), "NaN");
  CHECK(satchel_value_equal(value, value) == 1, "NaN differs from NaN");
  satchel_value_free(value);
  CHECK_CODE(SATCHEL_OK, satchel_value_new_string(&value, satchel_blob("a\0b", 3)), "string");
  CHECK(satchel_value_get_string(&bytes, value) == SATCHEL_OK && bytes.size == 3 && memcmp(bytes.data, "a\0b", 3) == 0,
        "string");
  satchel_value_free(value);
  CHECK_CODE(SATCHEL_OK, satchel_value_new_data(&value, satchel_blob("\xff\0\xfe", 3)), "data");
  CHECK(satchel_value_get_data(&bytes, value) == SATCHEL_OK && bytes.size == 3 && memcmp(bytes.data, "\xff\0\xfe", 3) == 0,
        "data");
  satchel_value_free(value);
  CHECK_CODE(SATCHEL_OK, satchel_value_new_date(&value, date), "date");
  CHECK(satchel_value_get_date(&when, value) == SATCHEL_OK && when.seconds == -1 && when.nanoseconds == 999999999, "date");
  satchel_value_free(value);
  CHECK_CODE(SATCHEL_OK, satchel_value_new_url(&value, satchel_text("https://example.org/")), "url");
  CHECK(satchel_value_get_url(&bytes, value) == SATCHEL_OK && holds(bytes, "https://example.org/"), "url");
  CHECK(satchel_value_get_string(&bytes, value) == SATCHEL_OK && holds(bytes, "https://example.org/"), "a url as a string");
  satchel_value_free(value);
  CHECK_CODE(SATCHEL_OK, satchel_value_new_uuid(&value, uuid), "uuid");
  CHECK(satchel_value_get_uuid(&id, value) == SATCHEL_OK && memcmp(&id, &uuid, sizeof id) == 0, "uuid");
  satchel_value_free(value);
  satchel_value_free(NULL);
}

static void collections(void) {
  satchel_value *array = NULL, *dictionary = NULL, *item = NULL, *back = NULL;
  const satchel_value *lent = NULL;
  satchel_bytes key;
  satchel_buffer text = {NULL, 0};
  size_t count = 0;
  int64_t number = 0;
  CHECK_CODE(SATCHEL_OK, satchel_value_new_array(&array), "array");
  CHECK_CODE(SATCHEL_OK, satchel_value_new_dictionary(&dictionary), "dictionary");
  CHECK_CODE(SATCHEL_OK, satchel_value_new_int64(&item, 7), "item");
  CHECK_CODE(SATCHEL_OK, satchel_value_append(array, item), "append");
  CHECK_CODE(SATCHEL_OK, satchel_value_append(array, array), "append an array to itself");
  CHECK(satchel_value_count(&count, array) == SATCHEL_OK && count == 2, "%zu items", count);
  CHECK(satchel_value_at(&lent, array, 0) == SATCHEL_OK && satchel_value_get_int64(&number, lent) == SATCHEL_OK && number == 7,
        "at");
  CHECK_CODE(SATCHEL_ERANGE, satchel_value_at(&lent, array, 2), "beyond the end");
  CHECK_CODE(SATCHEL_OK, satchel_value_put(dictionary, satchel_text("z"), item), "put");
  CHECK_CODE(SATCHEL_OK, satchel_value_put(dictionary, satchel_text("a"), array), "put");
  CHECK_CODE(SATCHEL_OK, satchel_value_put(dictionary, satchel_text("z"), array), "put again");
  CHECK(satchel_value_count(&count, dictionary) == SATCHEL_OK && count == 2, "%zu entries", count);
  CHECK(satchel_value_key_at(&key, dictionary, 0) == SATCHEL_OK && holds(key, "z"), "an existing key keeps its place");
  CHECK(satchel_value_key_at(&key, dictionary, 1) == SATCHEL_OK && holds(key, "a"), "key_at");
  CHECK(satchel_value_find(&lent, dictionary, satchel_text("a")) == SATCHEL_OK && satchel_value_equal(lent, array) == 1,
        "find");
  CHECK_CODE(SATCHEL_ENOTFOUND, satchel_value_find(&lent, dictionary, satchel_text("b")), "find what is not there");
  CHECK_CODE(SATCHEL_OK, satchel_value_to_json(&text, dictionary), "to_json");
  CHECK_CODE(SATCHEL_OK, satchel_value_from_json(&back, satchel_blob(text.data, text.size)), "from_json");
  CHECK(satchel_value_equal(back, dictionary) == 1, "JSON and back differs: %s", (const char *)text.data);
  satchel_value_free(back);
  satchel_buffer_free(&text);
  CHECK_CODE(SATCHEL_OK, satchel_value_to_cbor(&text, dictionary), "to_cbor");
  CHECK_CODE(SATCHEL_OK, satchel_value_from_cbor(&back, satchel_blob(text.data, text.size)), "from_cbor");
  CHECK(satchel_value_equal(back, dictionary) == 1, "CBOR and back differs");
  satchel_value_free(back);
  satchel_buffer_free(&text);
  CHECK_CODE(SATCHEL_OK, satchel_value_from_text(&back, satchel_text("0123"), SATCHEL_TYPE_INT), "from_text");
  CHECK(satchel_value_get_int64(&number, back) == SATCHEL_OK && number == 123, "0123 is %ld", (long)number);
  satchel_value_free(back);
  CHECK_CODE(SATCHEL_OK, satchel_value_to_text(&text, dictionary), "to_text");
  CHECK(strcmp(text.data, "{\"z\":[7,[7]],\"a\":[7,[7]]}") == 0, "the text of a dictionary is %s", (const char *)text.data);
  satchel_buffer_free(&text);
  CHECK_CODE(SATCHEL_ETYPE, satchel_value_to_dotenv(&text, dictionary), "arrays in a dotenv file");
  CHECK(satchel_last_error()->key != NULL && strcmp(satchel_last_error()->key, "z") == 0, "the key is not named");
  CHECK_CODE(SATCHEL_EPARSE, satchel_value_from_json(&back, satchel_text("{\"a\": 1,\n}")), "bad JSON");
  CHECK(strstr(satchel_last_error()->message, "2") != NULL, "no line in: %s", satchel_last_error()->message);
  satchel_value_free(item);
  satchel_value_free(array);
  satchel_value_free(dictionary);
}

static void conversions(void) {
  satchel_value *number = NULL, *same = NULL, *pairs = NULL;
  satchel_buffer text = {NULL, 0};
  int64_t whole = 0;
  CHECK_CODE(SATCHEL_OK, satchel_value_new_double(&number, 3.0), "double");
  CHECK_CODE(SATCHEL_OK, satchel_value_convert(&same, number, SATCHEL_TYPE_INT), "convert");
  CHECK(satchel_value_type(same) == SATCHEL_TYPE_INT && satchel_value_get_int64(&whole, same) == SATCHEL_OK && whole == 3,
        "3.0 converts to %ld", (long)whole);
  CHECK_CODE(SATCHEL_ETYPE, satchel_value_convert(&pairs, number, SATCHEL_TYPE_STRING), "a double to a string");
  CHECK_CODE(SATCHEL_ETYPE, satchel_value_convert(&pairs, number, SATCHEL_TYPE_ARRAY), "a double to an array");
  CHECK_CODE(SATCHEL_EINVAL, satchel_value_convert(&pairs, number, 12), "no type");
  CHECK(pairs == NULL, "a failed convert left something");
  satchel_value_free(same);
  satchel_value_free(number);
  CHECK_CODE(SATCHEL_OK, satchel_value_from_dotenv(&pairs, satchel_text("A=1\nB=x y\nA='2'\n")), "from_dotenv");
  CHECK_CODE(SATCHEL_OK, satchel_value_to_dotenv(&text, pairs), "to_dotenv");
  CHECK(strcmp(text.data, "A=2\nB='x y'\n") == 0, "dotenv and back is %s", (const char *)text.data);
  satchel_buffer_free(&text);
  satchel_value_free(pairs);
  CHECK_CODE(SATCHEL_EPARSE, satchel_value_from_dotenv(&pairs, satchel_text("A=1\nB='")), "bad dotenv");
  CHECK(strstr(satchel_last_error()->message, "line 2") != NULL, "no line in: %s", satchel_last_error()->message);
}

/* What a failure leaves in an out-parameter, and what a value lends. */
static void lending(void) {
  satchel_value *value = NULL, *item = NULL;
  const satchel_value *lent = (const satchel_value *)&value;
  satchel_bytes bytes = {"kept", 4}, again;
  int64_t number = 7;
  size_t count = 7;
  CHECK_CODE(SATCHEL_OK, satchel_value_from_json(&value, satchel_text("{\"\": [1, [2]], \"b\": \"https://a.example/\"}")),
             "JSON");
  CHECK(satchel_value_get_int64(&number, value) == SATCHEL_ETYPE && number == 7, "a failed get_int64 changed its result");
  CHECK(satchel_value_get_string(&bytes, value) == SATCHEL_ETYPE && holds(bytes, "kept"), "a failed get_string did");
  CHECK(satchel_value_at(&lent, value, 2) == SATCHEL_ERANGE && lent == NULL, "a failed at left something");
  CHECK(satchel_value_find(&lent, value, satchel_text("c")) == SATCHEL_ENOTFOUND && lent == NULL,
        "a failed find left something");
  CHECK(satchel_value_key_at(&bytes, value, 2) == SATCHEL_ERANGE && bytes.data == NULL && bytes.size == 0,
        "a failed key_at did");
  CHECK(satchel_value_count(&count, NULL) == SATCHEL_EINVAL && count == 0, "a failed count left something");
  CHECK(satchel_value_from_json(&item, satchel_text("[")) == SATCHEL_EPARSE && item == NULL,
        "a failed from_json left something");
  CHECK(satchel_value_type(NULL) == SATCHEL_EINVAL && satchel_value_equal(value, NULL) == SATCHEL_EINVAL, "NULL has no type");

  CHECK(satchel_value_key_at(&bytes, value, 1) == SATCHEL_OK && ((const char *)bytes.data)[bytes.size] == '\0', "a key's NUL");
  CHECK(satchel_value_key_at(&again, value, 1) == SATCHEL_OK && again.data == bytes.data, "lent twice, at two places");
  CHECK(satchel_value_find(&lent, value, satchel_text("b")) == SATCHEL_OK &&
            satchel_value_get_url(&bytes, lent) == SATCHEL_OK && holds(bytes, "https://a.example/") &&
            ((const char *)bytes.data)[bytes.size] == '\0',
        "text that is an absolute URL as a url");
  /* A part of itself goes in as a copy. */
  CHECK_CODE(SATCHEL_OK, satchel_value_at(&lent, value, 0), "at");
  CHECK_CODE(SATCHEL_OK, satchel_value_put(value, satchel_text("c"), lent), "put a part of itself");
  CHECK_CODE(SATCHEL_OK, satchel_value_copy(&item, value), "copy");
  CHECK_CODE(SATCHEL_OK, satchel_value_put(value, satchel_text("b"), item), "put over");
  CHECK(satchel_value_count(&count, item) == SATCHEL_OK && count == 3 && satchel_value_equal(item, value) == 0,
        "a copy changed with its original");
  satchel_value_free(item);
  satchel_value_free(value);

  CHECK_CODE(SATCHEL_EINVAL, satchel_value_new_url(&value, satchel_text("a b")), "a URL with a space");
  CHECK_CODE(SATCHEL_EINVAL, satchel_value_new_url(&value, satchel_text("")), "an empty URL");
  CHECK_CODE(SATCHEL_EINVAL, satchel_value_new_url(&value, satchel_text("a\x7f")), "a URL with a control character");
  CHECK_CODE(SATCHEL_ETYPE, satchel_value_from_text(&value, satchel_text("zz"), SATCHEL_TYPE_INT), "no number");
  CHECK(strstr(satchel_last_error()->message, "zz") != NULL, "the text is not named: %s", satchel_last_error()->message);
  CHECK_CODE(SATCHEL_ERANGE, satchel_value_from_text(&value, satchel_text("99999999999999999999"), SATCHEL_TYPE_INT), "large");
  CHECK_CODE(SATCHEL_EINVAL, satchel_value_from_text(&value, satchel_text("1"), 99), "no type");
  CHECK_CODE(SATCHEL_EPARSE, satchel_value_from_cbor(&value, satchel_blob("\xff", 1)), "bad CBOR");
  CHECK(strstr(satchel_last_error()->message, "byte 0") != NULL, "no place in: %s", satchel_last_error()->message);
  satchel_date far = {INT64_MAX, 999999999, 0};
  satchel_buffer text = {&far, 5};
  CHECK_CODE(SATCHEL_OK, satchel_value_new_date(&value, far), "a date beyond every calendar");
  CHECK_CODE(SATCHEL_OK, satchel_value_to_json(&text, value), "as JSON");
  CHECK_CODE(SATCHEL_OK, satchel_value_from_json(&item, satchel_blob(text.data, text.size)), "and back");
  CHECK(satchel_value_equal(item, value) == 1, "a date beyond every calendar is another one");
  satchel_buffer_free(&text);
  text.size = 5;
  CHECK(satchel_value_to_text(&text, value) == SATCHEL_ERANGE && text.data == NULL && text.size == 0,
        "a date beyond every calendar has a text");
  satchel_value_free(item);
  satchel_value_free(value);
  text.size = 5;
  CHECK(satchel_value_to_json(&text, NULL) == SATCHEL_EINVAL && text.data == NULL && text.size == 0, "a failed to_json");
}

/* MARK: settings.h */

static void single_keys(satchel_settings *settings) {
  bool flag = false;
  int64_t number = 0;
  uint64_t big = 0, revision = 0, later = 0;
  double real = 0;
  satchel_buffer buffer = {NULL, 0};
  satchel_date date = {1790000000, 5, 0}, when;
  satchel_uuid uuid = {{0xab}}, id;
  satchel_value *value = NULL;
  char room[16];
  size_t needed = 0;
  satchel_settings_info info = SATCHEL_SETTINGS_INFO_INIT;

  CHECK_CODE(SATCHEL_ENOTFOUND, satchel_settings_get_bool(&flag, settings, "bool"), "an absent key");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_bool(settings, "bool", true), "set_bool");
  CHECK(satchel_settings_get_bool(&flag, settings, "bool") == SATCHEL_OK && flag, "get_bool");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "int", -5), "set_int64");
  CHECK(satchel_settings_get_int64(&number, settings, "int") == SATCHEL_OK && number == -5, "get_int64");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_uint64(settings, "uint", UINT64_MAX), "set_uint64");
  CHECK(satchel_settings_get_uint64(&big, settings, "uint") == SATCHEL_OK && big == UINT64_MAX, "get_uint64");
  CHECK_CODE(SATCHEL_ERANGE, satchel_settings_get_int64(&number, settings, "uint"), "a number that does not fit");
  CHECK(number == -5, "a failed get changed its result");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_double(settings, "double", 0.1), "set_double");
  CHECK(satchel_settings_get_double(&real, settings, "double") == SATCHEL_OK && real == 0.1, "get_double");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_string(settings, "string", satchel_text("caf\xc3\xa9")), "set_string");
  CHECK_CODE(SATCHEL_OK, satchel_settings_get_string(&buffer, settings, "string"), "get_string");
  CHECK(held(&buffer, "caf\xc3\xa9"), "get_string");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_data(settings, "data", satchel_blob("\0\xff", 2)), "set_data");
  CHECK_CODE(SATCHEL_OK, satchel_settings_get_data(&buffer, settings, "data"), "get_data");
  CHECK(buffer.size == 2 && memcmp(buffer.data, "\0\xff\0", 3) == 0, "get_data");
  satchel_buffer_free(&buffer);
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_date(settings, "date", date), "set_date");
  CHECK(satchel_settings_get_date(&when, settings, "date") == SATCHEL_OK && when.seconds == date.seconds &&
            when.nanoseconds == 5,
        "get_date");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_url(settings, "url", satchel_text("mailto:a@example.org")), "set_url");
  CHECK_CODE(SATCHEL_OK, satchel_settings_get_url(&buffer, settings, "url"), "get_url");
  CHECK(held(&buffer, "mailto:a@example.org"), "get_url");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_uuid(settings, "uuid", uuid), "set_uuid");
  CHECK(satchel_settings_get_uuid(&id, settings, "uuid") == SATCHEL_OK && memcmp(&id, &uuid, sizeof id) == 0, "get_uuid");
  CHECK_CODE(SATCHEL_OK, satchel_value_from_json(&value, satchel_text("[1, {\"a\": null}]")), "value");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_value(settings, "value", value), "set_value");
  satchel_value *back = NULL;
  CHECK_CODE(SATCHEL_OK, satchel_settings_get_value(&back, settings, "value"), "get_value");
  CHECK(satchel_value_equal(value, back) == 1, "get_value");
  satchel_value_free(back);
  satchel_value_free(value);

  CHECK_CODE(SATCHEL_ERANGE, satchel_settings_copy_bytes(NULL, 0, &needed, settings, "string"), "copy_bytes without room");
  CHECK(needed == 5, "needed %zu", needed);
  memset(room, 'x', sizeof room);
  CHECK_CODE(SATCHEL_OK, satchel_settings_copy_bytes(room, sizeof room, &needed, settings, "string"), "copy_bytes");
  CHECK(needed == 5 && memcmp(room, "caf\xc3\xa9x", 6) == 0, "copy_bytes");
  CHECK_CODE(SATCHEL_ERANGE, satchel_settings_copy_cbor(NULL, 0, &needed, settings, "string"), "copy_cbor without room");
  CHECK(needed == 6, "copy_cbor needs %zu bytes", needed);
  CHECK_CODE(SATCHEL_OK, satchel_settings_copy_cbor(room, sizeof room, &needed, settings, "string"), "copy_cbor");
  CHECK(needed == 6 && memcmp(room,
                              "\x65"
                              "caf\xc3\xa9",
                              6) == 0,
        "copy_cbor");
  CHECK(satchel_settings_contains(settings, "string") == 1 && satchel_settings_contains(settings, "nothing") == 0, "contains");

  CHECK_CODE(SATCHEL_OK, satchel_settings_revision(&revision, settings), "revision");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "int", 6), "set");
  CHECK_CODE(SATCHEL_OK, satchel_settings_get_info(&info, settings, "int"), "get_info");
  CHECK(info.revision == revision + 1 && info.type == SATCHEL_TYPE_INT && info.size == 1 && info.time.seconds > 1700000000 &&
            strcmp(info.program, "conformance test") == 0,
        "info: revision %lu, type %d, size %u, program %s", (unsigned long)info.revision, info.type, info.size, info.program);
  CHECK_CODE(SATCHEL_OK, satchel_settings_wait(&later, settings, revision, 0), "wait for what has been");
  CHECK(later == revision + 1, "wait gives revision %lu", (unsigned long)later);
  CHECK_CODE(SATCHEL_ETIMEOUT, satchel_settings_wait(&later, settings, later, 1000000), "wait for nothing");

  CHECK_CODE(SATCHEL_OK, satchel_settings_remove(settings, "bool"), "remove");
  CHECK_CODE(SATCHEL_ENOTFOUND, satchel_settings_remove(settings, "bool"), "remove again");
  CHECK(satchel_settings_contains(settings, "bool") == 0, "removed");
  CHECK_CODE(SATCHEL_OK, satchel_settings_add(&number, settings, "count", 5), "add to nothing");
  CHECK_CODE(SATCHEL_OK, satchel_settings_add(&number, settings, "count", -7), "add");
  CHECK(number == -2, "the sum is %ld", (long)number);
  CHECK_CODE(SATCHEL_ETYPE, satchel_settings_add(NULL, settings, "string", 1), "add to a string");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "count", INT64_MAX), "set");
  CHECK_CODE(SATCHEL_ERANGE, satchel_settings_add(NULL, settings, "count", 1), "add beyond 64 bits");
  CHECK(integer_of(settings, "count", 0) == INT64_MAX, "a failed add changed something");
}

static void conditions(satchel_settings *settings) {
  satchel_value *one = NULL, *two = NULL;
  satchel_settings_info info = SATCHEL_SETTINGS_INFO_INIT;
  CHECK_CODE(SATCHEL_OK, satchel_value_new_int64(&one, 1), "value");
  CHECK_CODE(SATCHEL_OK, satchel_value_new_int64(&two, 2), "value");
  CHECK_CODE(SATCHEL_ECONFLICT, satchel_settings_compare_and_set(settings, "cas", one, two), "absent, not 1");
  CHECK_CODE(SATCHEL_OK, satchel_settings_compare_and_set(settings, "cas", NULL, one), "absent");
  CHECK_CODE(SATCHEL_ECONFLICT, satchel_settings_compare_and_set(settings, "cas", NULL, two), "not absent");
  CHECK_CODE(SATCHEL_OK, satchel_settings_compare_and_set(settings, "cas", one, two), "1");
  CHECK(integer_of(settings, "cas", 0) == 2, "compare and set");
  CHECK_CODE(SATCHEL_OK, satchel_settings_get_info(&info, settings, "cas"), "info");
  CHECK_CODE(SATCHEL_ECONFLICT, satchel_settings_compare_revision_and_set(settings, "cas", info.revision - 1, one), "older");
  CHECK_CODE(SATCHEL_OK, satchel_settings_compare_revision_and_set(settings, "cas", info.revision, one), "that revision");
  CHECK_CODE(SATCHEL_OK, satchel_settings_compare_and_set(settings, "cas", one, NULL), "to nothing");
  CHECK(satchel_settings_contains(settings, "cas") == 0, "compare and remove");
  CHECK_CODE(SATCHEL_OK, satchel_settings_compare_revision_and_set(settings, "cas", 0, two), "absent by revision 0");
  satchel_value_free(one);
  satchel_value_free(two);
}

static void transactions(satchel_settings *settings) {
  satchel_transaction *transaction = NULL;
  satchel_value *value = NULL;
  int64_t number = 0;
  uint64_t before = 0, revision = 0;
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "t.a", 1), "set");
  CHECK_CODE(SATCHEL_OK, satchel_settings_revision(&before, settings), "revision");
  CHECK_CODE(SATCHEL_OK, satchel_settings_begin(&transaction, settings), "begin");
  CHECK_CODE(SATCHEL_OK, satchel_transaction_get_value(&value, transaction, "t.a"), "get_value");
  CHECK_CODE(SATCHEL_OK, satchel_transaction_set_value(transaction, "t.b", value), "set_value");
  CHECK_CODE(SATCHEL_OK, satchel_transaction_set_int64(transaction, "t.a", 10), "set_int64");
  CHECK_CODE(SATCHEL_OK, satchel_transaction_set_string(transaction, "t.c", satchel_text("c")), "set_string");
  CHECK_CODE(SATCHEL_OK, satchel_transaction_add(&number, transaction, "t.a", 5), "add");
  CHECK(number == 15, "the sum is %ld", (long)number);
  CHECK_CODE(SATCHEL_OK, satchel_transaction_get_int64(&number, transaction, "t.b"), "get_int64");
  CHECK(number == 1, "get_int64 gives %ld", (long)number);
  CHECK_CODE(SATCHEL_OK, satchel_transaction_remove(transaction, "t.b"), "remove");
  CHECK_CODE(SATCHEL_ENOTFOUND, satchel_transaction_remove(transaction, "t.b"), "remove again");
  CHECK(integer_of(settings, "t.a", 0) == 1, "seen before it is committed");
  CHECK_CODE(SATCHEL_OK, satchel_transaction_commit(&revision, transaction), "commit");
  CHECK(revision == before + 1, "revision %lu after %lu", (unsigned long)revision, (unsigned long)before);
  CHECK(integer_of(settings, "t.a", 0) == 15 && satchel_settings_contains(settings, "t.b") == 0 &&
            satchel_settings_contains(settings, "t.c") == 1,
        "after the commit");
  satchel_value_free(value);
  CHECK_CODE(SATCHEL_OK, satchel_settings_begin(&transaction, settings), "begin");
  CHECK_CODE(SATCHEL_OK, satchel_transaction_set_int64(transaction, "t.a", 99), "set");
  satchel_transaction_rollback(transaction);
  satchel_transaction_rollback(NULL);
  CHECK(integer_of(settings, "t.a", 0) == 15, "rolled back");
  CHECK_CODE(SATCHEL_OK, satchel_settings_begin(&transaction, settings), "begin");
  CHECK_CODE(SATCHEL_OK, satchel_transaction_commit(&before, transaction), "an empty commit");
  CHECK(before == revision, "an empty commit made revision %lu", (unsigned long)before);
}

static void the_whole(satchel_settings *settings) {
  satchel_cursor *cursor = NULL;
  satchel_bytes key;
  satchel_buffer json = {NULL, 0}, again = {NULL, 0};
  satchel_settings_health health = SATCHEL_SETTINGS_HEALTH_INIT;
  uint64_t listed = 0;
  CHECK_CODE(SATCHEL_OK, satchel_settings_keys(&cursor, settings), "keys");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "later", 1), "set");
  int code;
  while ((code = satchel_cursor_next(&key, cursor)) == 1) {
    if (listed == 0) CHECK(holds(key, "int"), "the first key is %s", (const char *)key.data);
    CHECK(!holds(key, "later"), "a later change disturbs a cursor");
    CHECK(((const char *)key.data)[key.size] == '\0', "a key without its NUL");
    listed++;
  }
  CHECK(code == 0, "a cursor ends with %d", code);
  satchel_cursor_free(cursor);
  satchel_cursor_free(NULL);
  CHECK_CODE(SATCHEL_OK, satchel_settings_health_check(&health, settings), "health");
  CHECK(health.keys == listed + 1 && health.damaged_records == 0 && health.corrupt_keys == 0 && health.generation == 1 &&
            health.file_bytes >= health.log_bytes && health.disk_bytes > 0 && health.portable == 0 && health.degraded == 0,
        "health: %lu keys, generation %lu", (unsigned long)health.keys, (unsigned long)health.generation);
  CHECK_CODE(SATCHEL_OK, satchel_settings_export_json(&json, settings), "export");
  satchel_value *all = NULL;
  CHECK_CODE(SATCHEL_OK, satchel_settings_get_all(&all, settings), "get_all");
  CHECK_CODE(SATCHEL_OK, satchel_value_to_json(&again, all), "as JSON");
  CHECK(json.size == again.size && strcmp(json.data, again.data) == 0, "all of it is %s", (const char *)again.data);
  satchel_value_free(all);
  satchel_buffer_free(&again);
  satchel_settings *other = open_domain(folder, "other", 0);
  CHECK_CODE(SATCHEL_OK, satchel_settings_import_json(other, satchel_blob(json.data, json.size)), "import");
  CHECK_CODE(SATCHEL_OK, satchel_settings_export_json(&again, other), "export");
  CHECK(json.size == again.size && strcmp(json.data, again.data) == 0, "export, import, export: %s and %s",
        (const char *)json.data, (const char *)again.data);
  satchel_settings_close(other);
  satchel_buffer_free(&json);
  satchel_buffer_free(&again);
  CHECK_CODE(SATCHEL_OK, satchel_settings_sync(settings), "sync");
  CHECK_CODE(SATCHEL_OK, satchel_settings_compact(settings), "compact");
  CHECK_CODE(SATCHEL_OK, satchel_settings_health_check(&health, settings), "health");
  CHECK(health.generation == 2 && health.keys == listed + 1, "after a compaction: generation %lu",
        (unsigned long)health.generation);
  CHECK_CODE(SATCHEL_ENOTFOUND, satchel_settings_accept(settings, "int"), "accept what is not damaged");
  CHECK_CODE(SATCHEL_OK, satchel_settings_remove(settings, "later"), "remove");
}

/* What the header says of failures: codes, and what is left in the out-parameters. */
static void failures(satchel_settings *settings) {
  char longest[1026], name[257];
  int64_t number = 7;
  uint64_t revision = 7;
  bool flag = true;
  satchel_date date = {7, 7, 7};
  satchel_uuid uuid = {{7}};
  satchel_buffer buffer = {&number, 7};
  satchel_value *value = NULL;
  satchel_settings *other = NULL;
  satchel_settings_info info = SATCHEL_SETTINGS_INFO_INIT;
  satchel_settings_health health = SATCHEL_SETTINGS_HEALTH_INIT;
  satchel_settings_options options = SATCHEL_SETTINGS_OPTIONS_INIT;
  size_t needed = 7;

  memset(longest, 'k', 1025);
  longest[1025] = '\0';
  CHECK_CODE(SATCHEL_ERANGE, satchel_settings_set_int64(settings, longest, 1), "a key of 1,025 bytes");
  CHECK_CODE(SATCHEL_ERANGE, satchel_settings_get_int64(&number, settings, longest), "reading one");
  CHECK_CODE(SATCHEL_ERANGE, satchel_settings_contains(settings, longest), "asking for one");
  longest[1024] = '\0';
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, longest, 1), "a key of 1,024 bytes");
  CHECK_CODE(SATCHEL_OK, satchel_settings_remove(settings, longest), "removing it");
  CHECK_CODE(SATCHEL_EINVAL, satchel_settings_set_int64(settings, "", 1), "an empty key");
  CHECK_CODE(SATCHEL_EINVAL, satchel_settings_set_int64(settings, "\xff", 1), "a key that is not UTF-8");

  CHECK(satchel_settings_get_bool(&flag, settings, "none") == SATCHEL_ENOTFOUND && flag, "a failed get_bool");
  CHECK(satchel_settings_get_date(&date, settings, "none") == SATCHEL_ENOTFOUND && date.seconds == 7, "a failed get_date");
  CHECK(satchel_settings_get_uuid(&uuid, settings, "none") == SATCHEL_ENOTFOUND && uuid.bytes[0] == 7, "a failed get_uuid");
  CHECK(satchel_settings_get_string(&buffer, settings, "none") == SATCHEL_ENOTFOUND && buffer.data == NULL && buffer.size == 0,
        "a failed get_string");
  CHECK(satchel_settings_copy_bytes(NULL, 0, &needed, settings, "none") == SATCHEL_ENOTFOUND && needed == 0, "a failed copy");
  CHECK(satchel_settings_get_info(&info, settings, "none") == SATCHEL_ENOTFOUND && info.revision == 0, "a failed get_info");
  info.struct_size = health.struct_size = options.struct_size = 8;
  info.revision = health.keys = 7;
  CHECK(satchel_settings_get_info(&info, settings, "int") == SATCHEL_EINVAL && info.revision == 7, "info of another size");
  CHECK(satchel_settings_health_check(&health, settings) == SATCHEL_EINVAL && health.keys == 7, "health of another size");
  health.struct_size = offsetof(satchel_settings_health, disk_bytes);
  health.disk_bytes = 7;
  CHECK(satchel_settings_health_check(&health, settings) == SATCHEL_OK && health.keys != 7 && health.disk_bytes == 7,
        "health of an older program");
  CHECK(satchel_settings_open(&other, "sizes", &options) == SATCHEL_EVERSION && other == NULL, "options of another size");
  CHECK(satchel_settings_revision(&revision, NULL) == SATCHEL_EINVAL && revision == 0, "the revision of nothing");
  revision = 7;
  CHECK(satchel_settings_wait(&revision, NULL, 0, 0) == SATCHEL_EINVAL && revision == 0, "waiting for nothing");
  CHECK(satchel_settings_add(&number, settings, "string", 1) == SATCHEL_ETYPE && number == 0, "a failed add");
  CHECK_CODE(SATCHEL_OK, satchel_value_new_null(&value), "null");
  CHECK_CODE(SATCHEL_ETYPE, satchel_settings_set_value(settings, "null", value), "a null under a key");
  satchel_value_free(value);
  CHECK_CODE(SATCHEL_ETYPE, satchel_settings_import_json(settings, satchel_text("{\"new\": 1, \"null\": null}")),
             "and in JSON");
  CHECK(satchel_settings_contains(settings, "new") == 0, "half an import");
  CHECK_CODE(SATCHEL_EPARSE, satchel_settings_import_json(settings, satchel_text("{")), "half a text");

  memset(name, 'd', sizeof name - 1);
  name[256] = '\0';
  options.struct_size = sizeof options;
  options.directory = folder;
  CHECK_CODE(SATCHEL_ERANGE, satchel_settings_open(&other, name, &options), "a domain name of 256 bytes");
  name[248] = '\0';
  CHECK_CODE(SATCHEL_ERANGE, satchel_settings_open(&other, name, &options), "a domain name of 248 bytes");
  CHECK_CODE(SATCHEL_EINVAL, satchel_settings_open(&other, "global", &options), "a reserved name");

  CHECK_CODE(SATCHEL_OK, satchel_settings_revision(&revision, settings), "revision");
  CHECK_CODE(SATCHEL_OK, satchel_settings_compare_and_set(settings, "none", NULL, NULL), "nothing to nothing");
  uint64_t before = revision;
  CHECK(satchel_settings_revision(&revision, settings) == SATCHEL_OK && revision == before, "nothing to nothing is a revision");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_string(settings, "link", satchel_text("https://a.example/")), "set_string");
  CHECK_CODE(SATCHEL_OK, satchel_settings_get_url(&buffer, settings, "link"), "text that is an absolute URL as a url");
  CHECK(held(&buffer, "https://a.example/"), "get_url");
  CHECK_CODE(SATCHEL_ETYPE, satchel_settings_get_url(&buffer, settings, "string"), "other text as a url");
  CHECK_CODE(SATCHEL_OK, satchel_settings_get_string(&buffer, settings, "url"), "a url as text");
  CHECK(held(&buffer, "mailto:a@example.org"), "get_string");
  CHECK_CODE(SATCHEL_OK, satchel_settings_remove(settings, "link"), "remove");
}

#define SAYS(part)                                                                                                             \
  CHECK(strstr(satchel_last_error()->message, part) != NULL, "%s is not in: %s", part, satchel_last_error()->message)

/* The sentence says which types, which number, which limit; an absent key says nothing. */
static void reasons(satchel_settings *settings) {
  enum { LARGE = 17 << 20 };
  char *large = malloc(LARGE), small[1], longest[1101];
  bool flag;
  int64_t number;
  uint64_t natural;
  size_t needed;
  satchel_date date;
  satchel_uuid uuid;
  satchel_buffer buffer;
  satchel_value *value = NULL;
  satchel_transaction *transaction = NULL;
  satchel_settings *second = NULL;
  memset(large, 'x', LARGE);
  memset(longest, 'k', 1100);
  longest[1100] = '\0';
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_double(settings, "half", 3.5), "set");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_string(settings, "text", satchel_text("seven")), "set");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_uint64(settings, "most", UINT64_MAX), "set");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "sum", INT64_MAX), "set");
  CHECK_CODE(SATCHEL_ETYPE, satchel_settings_get_int64(&number, settings, "half"), "int64");
  SAYS("3.5 cannot be read as an int");
  CHECK_CODE(SATCHEL_ETYPE, satchel_settings_get_int64(&number, settings, "text"), "int64");
  SAYS("is a string, not an int");
  CHECK_CODE(SATCHEL_ERANGE, satchel_settings_get_int64(&number, settings, "most"), "int64");
  SAYS("18446744073709551615 does not fit an int");
  CHECK_CODE(SATCHEL_ETYPE, satchel_settings_get_uint64(&natural, settings, "text"), "uint64");
  SAYS("is a string, not a uint");
  CHECK_CODE(SATCHEL_ETYPE, satchel_settings_get_bool(&flag, settings, "half"), "bool");
  SAYS("is a double, not a bool");
  CHECK_CODE(SATCHEL_ETYPE, satchel_settings_get_date(&date, settings, "half"), "date");
  SAYS("is a double, not a date");
  CHECK_CODE(SATCHEL_ETYPE, satchel_settings_get_uuid(&uuid, settings, "half"), "uuid");
  SAYS("is a double, not a uuid");
  CHECK_CODE(SATCHEL_ETYPE, satchel_settings_get_string(&buffer, settings, "half"), "string");
  SAYS("is a double, not a string");
  CHECK_CODE(SATCHEL_ETYPE, satchel_settings_get_data(&buffer, settings, "text"), "data");
  SAYS("is a string, not a data");
  CHECK_CODE(SATCHEL_ETYPE, satchel_settings_copy_bytes(small, 1, &needed, settings, "half"), "copy");
  SAYS("is a double, and neither text nor data");
  CHECK_CODE(SATCHEL_ERANGE, satchel_settings_copy_bytes(small, 1, &needed, settings, "text"), "copy");
  SAYS("larger than the buffer");
  CHECK_CODE(SATCHEL_ETYPE, satchel_settings_add(&number, settings, "half", 1), "add");
  SAYS("is a double, not an int");
  CHECK_CODE(SATCHEL_ERANGE, satchel_settings_add(&number, settings, "sum", 1), "add");
  SAYS("9223372036854775807 plus 1 does not fit an int");
  CHECK_CODE(SATCHEL_ERANGE, satchel_settings_add(&number, settings, "most", -1), "add");
  SAYS("18446744073709551615 does not fit an int");
  CHECK_CODE(SATCHEL_ERANGE, satchel_settings_set_string(settings, "text", satchel_blob(large, LARGE)), "a large string");
  SAYS("a value has up to 16 MiB");
  CHECK_CODE(SATCHEL_ERANGE, satchel_settings_set_data(settings, "text", satchel_blob(large, LARGE)), "large data");
  SAYS("a value has up to 16 MiB");
  CHECK_CODE(SATCHEL_OK, satchel_value_new_data(&value, satchel_blob(large, LARGE)), "a large value");
  CHECK_CODE(SATCHEL_ERANGE, satchel_settings_compare_and_set(settings, "none", NULL, value), "a large value");
  SAYS("a value has up to 16 MiB");
  CHECK_CODE(SATCHEL_ERANGE, satchel_settings_set_int64(settings, longest, 1), "a long key");
  SAYS("a key has up to 1024 bytes, and this one has more");
  CHECK_CODE(SATCHEL_ERANGE, satchel_settings_get_int64(&number, settings, longest), "a long key");
  SAYS("a key has up to 1024 bytes, and this one has more");
  CHECK_CODE(SATCHEL_OK, satchel_settings_begin(&transaction, settings), "begin");
  CHECK_CODE(SATCHEL_ETYPE, satchel_transaction_add(&number, transaction, "half", 1), "add in a transaction");
  SAYS("is a double, not an int");
  CHECK_CODE(SATCHEL_ERANGE, satchel_transaction_add(&number, transaction, "sum", 1), "add in a transaction");
  SAYS("9223372036854775807 plus 1 does not fit an int");
  CHECK_CODE(SATCHEL_ERANGE, satchel_transaction_set_value(transaction, "text", value), "a large value in a transaction");
  SAYS("a value has up to 16 MiB");
  CHECK_CODE(SATCHEL_ERANGE, satchel_transaction_set_int64(transaction, longest, 1), "a long key in a transaction");
  SAYS("a key has up to 1024 bytes, and this one has more");
  satchel_settings_options options = SATCHEL_SETTINGS_OPTIONS_INIT;
  options.directory = folder;
  options.lock_timeout_ns = -1;
  CHECK_CODE(SATCHEL_OK, satchel_settings_open(&second, satchel_settings_domain(settings), &options), "open");
  CHECK_CODE(SATCHEL_ETIMEOUT, satchel_settings_set_int64(second, "text", 1), "a set while the lock is held");
  SAYS("this process has it now");
  CHECK_CODE(SATCHEL_ETIMEOUT, satchel_settings_compact(second), "a compaction while the lock is held");
  SAYS("cannot compact: others held the lock");
  satchel_settings_close(second);
  satchel_transaction_rollback(transaction);
  CHECK_CODE(SATCHEL_ENOTFOUND, satchel_settings_get_int64(&number, settings, "none"), "an absent key");
  SAYS("cannot compact");
  satchel_value_free(value);
  free(large);
}

/* What is too much for a transaction is refused, and the rest of it goes on; a key set again counts once. */
static void transaction_limit(satchel_settings *settings) {
  enum { LARGE = 15 << 20 };
  satchel_transaction *transaction = NULL;
  char *large = calloc(LARGE, 1), key[8];
  satchel_bytes text = {large, LARGE};
  int i;
  memset(large, 'x', LARGE);
  CHECK_CODE(SATCHEL_OK, satchel_settings_begin(&transaction, settings), "begin");
  for (i = 0; i < 10; i++) CHECK_CODE(SATCHEL_OK, satchel_transaction_set_string(transaction, "again", text), "set again");
  for (i = 0; i < 3; i++) {
    snprintf(key, sizeof key, "big.%d", i);
    CHECK_CODE(SATCHEL_OK, satchel_transaction_set_string(transaction, key, text), key);
  }
  CHECK_CODE(SATCHEL_ERANGE, satchel_transaction_set_string(transaction, "more", text), "beyond 64 MiB");
  CHECK(strstr(satchel_last_error()->message, "64 MiB") != NULL, "no limit in: %s", satchel_last_error()->message);
  CHECK_CODE(SATCHEL_OK, satchel_transaction_set_int64(transaction, "small", 1), "something small after it");
  CHECK_CODE(SATCHEL_OK, satchel_transaction_commit(NULL, transaction), "commit");
  CHECK(integer_of(settings, "small", 0) == 1 && satchel_settings_contains(settings, "big.2") == 1 &&
            satchel_settings_contains(settings, "more") == 0,
        "after the commit");
  free(large);
}

/* Created for use from several machines: the same, with file locks instead of shared memory. */
static void portable(void) {
  satchel_settings *settings = open_domain(folder, "portable", SATCHEL_SETTINGS_PORTABLE);
  satchel_settings *second = open_domain(folder, "portable", 0);
  int64_t number = 0;
  for (int i = 0; i < 100; i++) {
    CHECK_CODE(SATCHEL_OK, satchel_settings_add(&number, settings, "count", 1), "add");
    CHECK_CODE(SATCHEL_OK, satchel_settings_add(&number, second, "count", 1), "add");
  }
  CHECK(number == 200 && integer_of(settings, "count", 0) == 200, "portable: the count is %ld", (long)number);
  CHECK_CODE(SATCHEL_OK, satchel_settings_compact(second), "compact");
  CHECK(integer_of(settings, "count", 0) == 200, "portable: after a compaction");
  CHECK(health_of(settings).portable == 1, "portable is not said");
  transactions(settings);
  satchel_settings_close(settings);
  satchel_settings_close(second);
}

/* Structs of a program that was built with a newer header: what this library does not know of them is 0, or refused. */
static void newer_structs(satchel_settings *settings) {
  struct {
    satchel_settings_options known;
    uint64_t later;
  } options = {SATCHEL_SETTINGS_OPTIONS_INIT, 0};
  struct {
    satchel_settings_info known;
    uint64_t later;
  } info = {SATCHEL_SETTINGS_INFO_INIT, 7};
  struct {
    satchel_settings_health known;
    uint64_t later;
  } health = {SATCHEL_SETTINGS_HEALTH_INIT, 7};
  satchel_settings *other = NULL;
  options.known.directory = folder;
  options.known.struct_size = sizeof options;
  CHECK_CODE(SATCHEL_OK, satchel_settings_open(&other, "newer", &options.known), "newer options");
  CHECK(strncmp(satchel_settings_path(other), folder, strlen(folder)) == 0, "newer options: %s", satchel_settings_path(other));
  satchel_settings_close(other);
  options.later = 1;
  CHECK(satchel_settings_open(&other, "newer", &options.known) == SATCHEL_EVERSION && other == NULL, "an option of the future");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "sized", 1), "set");
  info.known.struct_size = sizeof info;
  CHECK_CODE(SATCHEL_OK, satchel_settings_get_info(&info.known, settings, "sized"), "newer info");
  CHECK(info.known.revision > 0 && info.known.struct_size == sizeof info && info.later == 7, "newer info");
  health.known.struct_size = sizeof health;
  CHECK_CODE(SATCHEL_OK, satchel_settings_health_check(&health.known, settings), "newer health");
  CHECK(health.known.keys > 0 && health.known.struct_size == sizeof health && health.later == 7, "newer health");
}

int main(void) {
  checks_begin("conformance");
  folder = scratch_folder("store");
  base();
  scalars();
  collections();
  conversions();
  lending();
  satchel_settings_options options = SATCHEL_SETTINGS_OPTIONS_INIT;
  options.directory = folder;
  options.program = "conformance test";
  options.durability = SATCHEL_DURABILITY_PROCESS;
  satchel_settings *settings = NULL;
  CHECK_CODE(SATCHEL_OK, satchel_settings_open(&settings, "org.example.conformance", &options), "open");
  CHECK(strcmp(satchel_settings_domain(settings), "org.example.conformance") == 0, "%s", satchel_settings_domain(settings));
  CHECK(strstr(satchel_settings_path(settings), "/org.example.conformance.satchel") != NULL, "%s",
        satchel_settings_path(settings));
  single_keys(settings);
  conditions(settings);
  transactions(settings);
  failures(settings);
  reasons(settings);
  newer_structs(settings);
  the_whole(settings);
  satchel_settings_close(settings);
  satchel_settings_close(NULL);
  options.durability = SATCHEL_DURABILITY_DISK;
  CHECK_CODE(SATCHEL_OK, satchel_settings_open(&settings, "disk", &options), "open for the disk");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_int64(settings, "a", 1), "set");
  transactions(settings);
  satchel_settings_close(settings);
  portable();
  settings = open_domain(folder, "limit", 0);
  transaction_limit(settings);
  satchel_settings_close(settings);
  return checks_finish();
}
