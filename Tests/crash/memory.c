/*
 * Every function that takes or makes something large, with ever more memory to have: it answers OK or ENOMEM, never ends the
 * process, and works as soon as there is memory again.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { BIG = 4 << 20, ITEMS = 20000, KEYS = 10000 };

static const char *folder, *many;
static satchel_settings *settings, *keys;
static satchel_value *text, *data, *url, *list, *dictionary, *shared_list, *shared_dictionary, *one, *text_alone, *controls;
static satchel_buffer list_json, dictionary_json, text_json, data_json, domain_json, list_cbor, dictionary_cbor, text_cbor;
static satchel_buffer dictionary_dotenv, text_dotenv;
static char *letters, *digits, *dots, *escapes, *base64, *nested;

static satchel_bytes all_of(satchel_buffer buffer) { return satchel_blob(buffer.data, buffer.size); }

/* MARK: Calls. The result of each is given back, whatever it was. */

#define VALUE(name, ...)                                                                                                       \
  static int name(void) {                                                                                                      \
    satchel_value *out = NULL;                                                                                                 \
    int code = __VA_ARGS__;                                                                                                    \
    satchel_value_free(out);                                                                                                   \
    return code;                                                                                                               \
  }
#define BUFFER(name, ...)                                                                                                      \
  static int name(void) {                                                                                                      \
    satchel_buffer out = {NULL, 0};                                                                                            \
    int code = __VA_ARGS__;                                                                                                    \
    satchel_buffer_free(&out);                                                                                                 \
    return code;                                                                                                               \
  }
#define PLAIN(name, ...)                                                                                                       \
  static int name(void) { return __VA_ARGS__; }

VALUE(new_string, satchel_value_new_string(&out, satchel_blob(letters, BIG)))
VALUE(new_data, satchel_value_new_data(&out, satchel_blob(letters, BIG)))
VALUE(new_url, satchel_value_new_url(&out, satchel_blob(letters, BIG)))
VALUE(list_from_json, satchel_value_from_json(&out, all_of(list_json)))
VALUE(dictionary_from_json, satchel_value_from_json(&out, all_of(dictionary_json)))
VALUE(text_from_json, satchel_value_from_json(&out, all_of(text_json)))
VALUE(data_from_json, satchel_value_from_json(&out, all_of(data_json)))
VALUE(escapes_from_json, satchel_value_from_json(&out, satchel_blob(escapes, BIG)))
VALUE(nested_from_json, satchel_value_from_json(&out, satchel_blob(nested, 6 * ITEMS)))
VALUE(list_from_cbor, satchel_value_from_cbor(&out, all_of(list_cbor)))
VALUE(dictionary_from_cbor, satchel_value_from_cbor(&out, all_of(dictionary_cbor)))
VALUE(text_from_cbor, satchel_value_from_cbor(&out, all_of(text_cbor)))
VALUE(dictionary_from_dotenv, satchel_value_from_dotenv(&out, all_of(dictionary_dotenv)))
VALUE(text_from_dotenv, satchel_value_from_dotenv(&out, all_of(text_dotenv)))
VALUE(data_from_text, satchel_value_from_text(&out, satchel_blob(base64, BIG), SATCHEL_TYPE_DATA))
VALUE(list_from_text, satchel_value_from_text(&out, all_of(list_json), SATCHEL_TYPE_ARRAY))
VALUE(string_from_text, satchel_value_from_text(&out, satchel_blob(letters, BIG), SATCHEL_TYPE_STRING))
BUFFER(list_to_json, satchel_value_to_json(&out, list))
BUFFER(dictionary_to_json, satchel_value_to_json(&out, dictionary))
BUFFER(text_to_json, satchel_value_to_json(&out, text))
BUFFER(controls_to_json, satchel_value_to_json(&out, controls))
BUFFER(data_to_json, satchel_value_to_json(&out, data))
BUFFER(dictionary_to_dotenv, satchel_value_to_dotenv(&out, dictionary))
BUFFER(text_to_dotenv, satchel_value_to_dotenv(&out, text_alone))
BUFFER(list_to_cbor, satchel_value_to_cbor(&out, list))
BUFFER(dictionary_to_cbor, satchel_value_to_cbor(&out, dictionary))
BUFFER(text_to_cbor, satchel_value_to_cbor(&out, text))
BUFFER(text_to_text, satchel_value_to_text(&out, text))
BUFFER(data_to_text, satchel_value_to_text(&out, data))
BUFFER(list_to_text, satchel_value_to_text(&out, list))
BUFFER(get_string, satchel_settings_get_string(&out, settings, "text"))
BUFFER(get_data, satchel_settings_get_data(&out, settings, "data"))
BUFFER(get_url, satchel_settings_get_url(&out, settings, "text"))
VALUE(get_text_value, satchel_settings_get_value(&out, settings, "text"))
VALUE(get_short_value, satchel_settings_get_value(&out, settings, "short"))
VALUE(get_list_value, satchel_settings_get_value(&out, settings, "list"))
VALUE(get_dictionary_value, satchel_settings_get_value(&out, settings, "dictionary"))
VALUE(get_all, satchel_settings_get_all(&out, keys))
BUFFER(export_json, satchel_settings_export_json(&out, keys))
PLAIN(import_json, satchel_settings_import_json(keys, all_of(domain_json)))
PLAIN(set_string, satchel_settings_set_string(settings, "text", satchel_blob(letters, BIG)))
PLAIN(set_data, satchel_settings_set_data(settings, "data", satchel_blob(letters, BIG)))
PLAIN(set_url, satchel_settings_set_url(settings, "url", satchel_blob(letters, BIG)))
PLAIN(set_list, satchel_settings_set_value(settings, "list", list))
PLAIN(compare_and_set, satchel_settings_compare_and_set(settings, "text", text, text))
PLAIN(compact, satchel_settings_compact(keys))

/* What was lent is dropped first, or there is nothing to allocate: a copy has lent nothing yet. */
static int lend(const satchel_value *value, int (*get)(satchel_bytes *, const satchel_value *)) {
  satchel_value *copy = NULL;
  satchel_bytes bytes;
  int code = satchel_value_copy(&copy, value);
  if (code == SATCHEL_OK) code = get(&bytes, copy);
  satchel_value_free(copy);
  return code;
}
PLAIN(lend_string, lend(text, satchel_value_get_string))
PLAIN(lend_data, lend(data, satchel_value_get_data))
PLAIN(lend_url, lend(url, satchel_value_get_url))

static int lend_all(void) {
  satchel_value *copy = NULL;
  const satchel_value *child;
  satchel_bytes key;
  int code = satchel_value_copy(&copy, dictionary);
  for (size_t i = 0; i < ITEMS && code == SATCHEL_OK; i++) {
    code = satchel_value_at(&child, copy, i);
    if (code == SATCHEL_OK) code = satchel_value_key_at(&key, copy, i);
  }
  satchel_value_free(copy);
  return code;
}

/* A change of a value whose storage another one shares copies all of it. */
static int append_to_shared(void) {
  satchel_value *copy = NULL;
  int code = satchel_value_copy(&copy, shared_list);
  if (code == SATCHEL_OK) code = satchel_value_append(copy, one);
  satchel_value_free(copy);
  return code;
}
static int put_into_shared(void) {
  satchel_value *copy = NULL;
  int code = satchel_value_copy(&copy, shared_dictionary);
  if (code == SATCHEL_OK) code = satchel_value_put(copy, satchel_text("a new key"), one);
  satchel_value_free(copy);
  return code;
}
static int append_many(void) {
  satchel_value *made = NULL;
  int code = satchel_value_new_array(&made);
  for (int i = 0; i < ITEMS && code == SATCHEL_OK; i++) code = satchel_value_append(made, one);
  satchel_value_free(made);
  return code;
}
static int put_many(void) {
  satchel_value *made = NULL;
  char key[64];
  int code = satchel_value_new_dictionary(&made);
  for (int i = 0; i < ITEMS && code == SATCHEL_OK; i++) {
    snprintf(key, sizeof key, "a key that needs some room %d", i);
    code = satchel_value_put(made, satchel_text(key), one);
  }
  satchel_value_free(made);
  return code;
}

static int transaction_of(int count, satchel_bytes value) {
  satchel_transaction *transaction = NULL;
  char key[64];
  int code = satchel_settings_begin(&transaction, settings);
  for (int i = 0; i < count && code == SATCHEL_OK; i++) {
    snprintf(key, sizeof key, "key.%d", i);
    code = satchel_transaction_set_string(transaction, key, value);
  }
  if (code == SATCHEL_OK) return satchel_transaction_commit(NULL, transaction);
  satchel_transaction_rollback(transaction);
  return code;
}
PLAIN(transaction_of_large, transaction_of(3, satchel_blob(letters, BIG)))
PLAIN(transaction_of_many, transaction_of(KEYS, satchel_text("v")))

static int transaction_reads(void) {
  satchel_transaction *transaction = NULL;
  satchel_value *out = NULL;
  int code = satchel_settings_begin(&transaction, settings);
  if (code == SATCHEL_OK) code = satchel_transaction_get_value(&out, transaction, "list");
  satchel_transaction_rollback(transaction);
  satchel_value_free(out);
  return code;
}

static int list_keys(void) {
  satchel_cursor *cursor = NULL;
  int code = satchel_settings_keys(&cursor, keys);
  satchel_cursor_free(cursor);
  return code;
}
static int health(void) {
  satchel_settings_health out = SATCHEL_SETTINGS_HEALTH_INIT;
  return satchel_settings_health_check(&out, keys);
}
static int open_another(void) {
  satchel_settings *another = NULL;
  int code = open_with(&another, folder, "keys", 0, 0);
  satchel_settings_close(another);
  return code;
}

/* What is wrong in itself, and large: the answer is the same with memory, or ENOMEM. */
VALUE(number_from_json, satchel_value_from_json(&out, satchel_blob(digits, BIG)))
VALUE(number_from_text, satchel_value_from_text(&out, satchel_blob(digits, BIG), SATCHEL_TYPE_INT))
VALUE(double_from_text, satchel_value_from_text(&out, satchel_blob(dots, BIG / 8), SATCHEL_TYPE_DOUBLE))
VALUE(bool_from_text, satchel_value_from_text(&out, satchel_blob(letters, BIG), SATCHEL_TYPE_BOOL))
VALUE(date_from_text, satchel_value_from_text(&out, satchel_blob(digits, BIG), SATCHEL_TYPE_DATE))
VALUE(uuid_from_text, satchel_value_from_text(&out, satchel_blob(digits, BIG), SATCHEL_TYPE_UUID))
PLAIN(set_long_key, satchel_settings_set_int64(settings, letters, 1))
PLAIN(remove_long_key, satchel_settings_remove(settings, letters))
PLAIN(accept_long_key, satchel_settings_accept(settings, letters))
VALUE(get_long_key, satchel_settings_get_value(&out, settings, letters))
static int transaction_of_long_key(void) {
  satchel_transaction *transaction = NULL;
  int code = satchel_settings_begin(&transaction, settings);
  if (code == SATCHEL_OK) code = satchel_transaction_set_int64(transaction, letters, 1);
  satchel_transaction_rollback(transaction);
  return code;
}
static int open_long_name(void) {
  satchel_settings *another = NULL;
  return open_with(&another, folder, letters, 0, 0);
}
static int open_long_folder(void) {
  satchel_settings *another = NULL;
  return open_with(&another, letters, "a", 0, 0);
}
static int domains_of_long_folder(void) {
  satchel_cursor *cursor = NULL;
  return satchel_settings_domains(&cursor, letters);
}
static int list_domains(void) {
  satchel_cursor *cursor = NULL;
  int code = satchel_settings_domains(&cursor, many);
  satchel_cursor_free(cursor);
  return code;
}

/* MARK: Preparing */

#define SUBJECT(name) {name, #name}
static const struct {
  int (*run)(void);
  const char *name;
} subjects[] = {
    SUBJECT(new_string),
    SUBJECT(new_data),
    SUBJECT(new_url),
    SUBJECT(list_from_json),
    SUBJECT(nested_from_json),
    SUBJECT(dictionary_from_json),
    SUBJECT(text_from_json),
    SUBJECT(data_from_json),
    SUBJECT(escapes_from_json),
    SUBJECT(list_from_cbor),
    SUBJECT(text_from_cbor),
    SUBJECT(dictionary_from_cbor),
    SUBJECT(dictionary_from_dotenv),
    SUBJECT(text_from_dotenv),
    SUBJECT(data_from_text),
    SUBJECT(list_from_text),
    SUBJECT(string_from_text),
    SUBJECT(list_to_json),
    SUBJECT(text_to_json),
    SUBJECT(controls_to_json),
    SUBJECT(dictionary_to_json),
    SUBJECT(data_to_json),
    SUBJECT(dictionary_to_dotenv),
    SUBJECT(text_to_dotenv),
    SUBJECT(list_to_cbor),
    SUBJECT(dictionary_to_cbor),
    SUBJECT(text_to_cbor),
    SUBJECT(text_to_text),
    SUBJECT(data_to_text),
    SUBJECT(list_to_text),
    SUBJECT(lend_string),
    SUBJECT(lend_data),
    SUBJECT(lend_url),
    SUBJECT(lend_all),
    SUBJECT(append_to_shared),
    SUBJECT(put_into_shared),
    SUBJECT(append_many),
    SUBJECT(put_many),
    SUBJECT(get_string),
    SUBJECT(get_data),
    SUBJECT(get_url),
    SUBJECT(get_text_value),
    SUBJECT(get_list_value),
    SUBJECT(get_dictionary_value),
    SUBJECT(get_all),
    SUBJECT(export_json),
    SUBJECT(import_json),
    SUBJECT(set_string),
    SUBJECT(set_data),
    SUBJECT(set_url),
    SUBJECT(set_list),
    SUBJECT(compare_and_set),
    SUBJECT(compact),
    SUBJECT(transaction_reads),
    SUBJECT(list_keys),
    SUBJECT(transaction_of_large),
    SUBJECT(health),
    SUBJECT(open_another),
    SUBJECT(transaction_of_many),
    SUBJECT(number_from_json),
    SUBJECT(number_from_text),
    SUBJECT(double_from_text),
    SUBJECT(bool_from_text),
    SUBJECT(date_from_text),
    SUBJECT(uuid_from_text),
    SUBJECT(set_long_key),
    SUBJECT(get_long_key),
    SUBJECT(transaction_of_long_key),
    SUBJECT(remove_long_key),
    SUBJECT(accept_long_key),
    SUBJECT(open_long_name),
    SUBJECT(open_long_folder),
    SUBJECT(list_domains),
    SUBJECT(domains_of_long_folder),
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static char *repeated(const char *unit) {
  char *bytes = malloc(BIG + 1);
  for (size_t i = 0; i < BIG; i++) bytes[i] = unit[i % strlen(unit)];
  bytes[BIG] = '\0';
  return bytes;
}

static void make_bytes(void) {
  letters = repeated("a");
  memcpy(letters, "x:", 2); /* an absolute URL as well */
  digits = repeated("1");
  dots = repeated(".");
  base64 = repeated("AAAA");
  escapes = repeated("\\u0001"); /* its length in whole escapes, between quotes */
  memset(escapes, ' ', BIG % 6 + 6);
  escapes[BIG % 6 + 5] = '"';
  memcpy(escapes + BIG - 6, "\"     ", 6);
  nested = malloc(6 * ITEMS);
  for (size_t i = 0; i < ITEMS; i++) memcpy(nested + 6 * i, i == 0 ? "[ [1]," : i < ITEMS - 1 ? "[[1]]," : "[[1]]]", 6);
}

static void make_values(void) {
  char *ones = repeated("\1");
  bool made = satchel_value_new_string(&text, satchel_blob(letters, BIG)) == SATCHEL_OK &&
              satchel_value_new_data(&data, satchel_blob(letters, BIG)) == SATCHEL_OK &&
              satchel_value_new_url(&url, satchel_blob(letters, BIG)) == SATCHEL_OK &&
              satchel_value_new_string(&controls, satchel_blob(ones, BIG)) == SATCHEL_OK &&
              satchel_value_new_string(&one, satchel_text("text of more than fifteen bytes")) == SATCHEL_OK &&
              satchel_value_new_array(&list) == SATCHEL_OK && satchel_value_new_dictionary(&dictionary) == SATCHEL_OK;
  char key[64];
  for (int i = 0; i < ITEMS && made; i++) {
    snprintf(key, sizeof key, "key.%d", i);
    made = satchel_value_append(list, one) == SATCHEL_OK && satchel_value_put(dictionary, satchel_text(key), one) == SATCHEL_OK;
  }
  made = made && satchel_value_new_dictionary(&text_alone) == SATCHEL_OK &&
         satchel_value_put(text_alone, satchel_text("A"), text) == SATCHEL_OK &&
         satchel_value_to_dotenv(&text_dotenv, text_alone) == SATCHEL_OK &&
         satchel_value_to_dotenv(&dictionary_dotenv, dictionary) == SATCHEL_OK;
  made = made && satchel_value_copy(&shared_list, list) == SATCHEL_OK &&
         satchel_value_copy(&shared_dictionary, dictionary) == SATCHEL_OK &&
         satchel_value_to_json(&list_json, list) == SATCHEL_OK &&
         satchel_value_to_json(&dictionary_json, dictionary) == SATCHEL_OK &&
         satchel_value_to_json(&text_json, text) == SATCHEL_OK && satchel_value_to_json(&data_json, data) == SATCHEL_OK &&
         satchel_value_to_cbor(&list_cbor, list) == SATCHEL_OK && satchel_value_to_cbor(&text_cbor, text) == SATCHEL_OK &&
         satchel_value_to_cbor(&dictionary_cbor, dictionary) == SATCHEL_OK;
  CHECK(made, "the values cannot be made: %s", satchel_last_error()->message);
  free(ones);
}

static void make_domains(void) {
  settings = open_domain(folder, "large", 0);
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_value(settings, "text", text), "text");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_value(settings, "data", data), "data");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_value(settings, "list", list), "list");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_value(settings, "dictionary", dictionary), "dictionary");
  CHECK_CODE(SATCHEL_OK, satchel_settings_set_value(settings, "short", one), "short");
  keys = open_domain(folder, "keys", 0);
  satchel_transaction *transaction = NULL;
  CHECK_CODE(SATCHEL_OK, satchel_settings_begin(&transaction, keys), "begin");
  char key[64];
  for (int i = 0; i < KEYS; i++) {
    snprintf(key, sizeof key, "key.%d", i);
    CHECK_CODE(SATCHEL_OK, satchel_transaction_set_value(transaction, key, one), "set");
  }
  CHECK_CODE(SATCHEL_OK, satchel_transaction_commit(NULL, transaction), "commit");
  CHECK_CODE(SATCHEL_OK, satchel_settings_export_json(&domain_json, keys), "export");
  for (int i = 0; i < 100; i++) {
    snprintf(key, sizeof key, "org.example.domain.%d", i);
    satchel_settings_close(open_domain(many, key, 0));
  }
}

/* MARK: Trying */

typedef struct {
  int subject, expected, refused;
  size_t memory;
} attempt;

static void try_one(void *context) {
  attempt *attempt = context;
  const char *name = subjects[attempt->subject].name;
  limit_memory(attempt->memory);
  int code = subjects[attempt->subject].run();
  int told = code < 0 ? satchel_last_error()->code : code;
  limit_memory(0);
  CHECK(code == attempt->expected || code == SATCHEL_ENOMEM, "%s with %zu bytes: %s", name, attempt->memory,
        satchel_error_name(code));
  CHECK(told == code, "%s with %zu bytes: %s, and the last error is another", name, attempt->memory, satchel_error_name(code));
  if (code == SATCHEL_ENOMEM) attempt->refused++;
  CHECK_CODE(attempt->expected, subjects[attempt->subject].run(), name);
}

/* MARK: What needs no memory is not refused */

/* The system has none left, but the heap has: the runtime and the library take theirs from there. */
static void read_with_room_in_the_heap(void *context) {
  (void)context;
  enum { ROOM = 16 << 20, READS = 10000 };
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  char *volatile room = malloc(ROOM), *volatile above = malloc(16);
  free(room);
  limit_memory(64 << 10);
  int refused = 0;
  for (int i = 0; i < READS; i++) refused += get_short_value() != SATCHEL_OK;
  room = malloc(ROOM / 2);
  CHECK(room != NULL, "there is no room in the heap to begin with");
  CHECK(refused == 0, "%d of %d reads are refused, though there is room in the heap", refused, READS);
  free(room);
  free(above);
}

/* Looking at a value shares nothing, so that the next change copies nothing and needs no more than its own room. */
static void change_what_was_looked_at(void *context) {
  (void)context;
  satchel_value *items = NULL, *entries = NULL;
  const satchel_value *child;
  satchel_bytes name;
  size_t number;
  char key[32];
  bool made = satchel_value_new_array(&items) == SATCHEL_OK && satchel_value_new_dictionary(&entries) == SATCHEL_OK;
  for (int i = 0; i < 5 * ITEMS && made; i++) {
    snprintf(key, sizeof key, "key.%d", i);
    made = satchel_value_append(items, one) == SATCHEL_OK && satchel_value_put(entries, satchel_text(key), one) == SATCHEL_OK;
  }
  CHECK(made, "the values cannot be made");
  limit_memory(3 << 20);
  for (int i = 0; i < 100; i++) {
    CHECK_CODE(SATCHEL_OK, satchel_value_count(&number, items), "count");
    CHECK_CODE(SATCHEL_OK, satchel_value_at(&child, items, 7), "at");
    CHECK(satchel_value_type(items) == SATCHEL_TYPE_ARRAY, "the type is another");
    CHECK_CODE(SATCHEL_OK, satchel_value_append(items, one), "append to what was looked at");
    CHECK_CODE(SATCHEL_OK, satchel_value_at(&child, entries, 7), "at");
    CHECK_CODE(SATCHEL_OK, satchel_value_key_at(&name, entries, 7), "key_at");
    CHECK_CODE(SATCHEL_OK, satchel_value_find(&child, entries, satchel_text("key.7")), "find");
    snprintf(key, sizeof key, "another.%d", i);
    CHECK_CODE(SATCHEL_OK, satchel_value_put(entries, satchel_text(key), one), "put into what was looked at");
  }
  limit_memory(0);
  satchel_value_free(items);
  satchel_value_free(entries);
}

static void try_alone(child_body *body, const char *name) {
  round_begin();
  child_end_well(child_start(body, NULL), 60, name);
  round_end();
}

int main(int count, char **arguments) {
  checks_begin("memory");
  /* What is large comes from the system and goes back to it, so that the limit is felt. */
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
  folder = scratch_folder("store");
  many = scratch_folder("many");
  round_begin();
  make_bytes();
  make_values();
  make_domains();
  round_end();
  attempt *attempt = shared_memory(sizeof *attempt);
  for (int i = 0; i < SUBJECTS; i++) {
    if (count > 1 && strcmp(arguments[1], subjects[i].name) != 0) continue;
    /* What the runtime makes at the first use of a type is made here. */
    attempt->subject = i;
    attempt->expected = subjects[i].run();
    attempt->refused = 0;
    round_begin();
    for (size_t size = 512 << 10; size < 256 << 20; size *= 3) {
      attempt->memory = size;
      child_end_well(child_start(try_one, attempt), 60, subjects[i].name);
    }
    /* What is too long for a key is not copied, and so few names are little. */
    bool is_little = strstr(subjects[i].name, "long_key") != NULL || subjects[i].run == list_domains;
    CHECK(attempt->refused > 0 || is_little, "%s is never refused", subjects[i].name);
    round_end();
  }
  if (count == 1) {
    try_alone(read_with_room_in_the_heap, "read_with_room_in_the_heap");
    try_alone(change_what_was_looked_at, "change_what_was_looked_at");
  }
  return checks_finish();
}
