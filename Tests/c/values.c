/*
 * Awkward values there and back: set by one function of the C interface, read by another, after closing and compacting, and
 * through the command.
 *
 * Usage: values [COMMAND]. Without the command only the library is tried.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

/* Each as JSON (docs/values.md, section 5): the value under a key, and the type that it must have. */
static const struct {
  const char *json;
  int type;
} values[] = {
    {"true", SATCHEL_TYPE_BOOL},
    {"false", SATCHEL_TYPE_BOOL},
    {"0", SATCHEL_TYPE_INT},
    {"1", SATCHEL_TYPE_INT},
    {"-1", SATCHEL_TYPE_INT},
    {"23", SATCHEL_TYPE_INT},
    {"24", SATCHEL_TYPE_INT},
    {"-24", SATCHEL_TYPE_INT},
    {"-25", SATCHEL_TYPE_INT},
    {"255", SATCHEL_TYPE_INT},
    {"256", SATCHEL_TYPE_INT},
    {"-256", SATCHEL_TYPE_INT},
    {"-257", SATCHEL_TYPE_INT},
    {"65535", SATCHEL_TYPE_INT},
    {"65536", SATCHEL_TYPE_INT},
    {"2147483647", SATCHEL_TYPE_INT},
    {"2147483648", SATCHEL_TYPE_INT},
    {"-2147483648", SATCHEL_TYPE_INT},
    {"4294967295", SATCHEL_TYPE_INT},
    {"4294967296", SATCHEL_TYPE_INT},
    {"9007199254740991", SATCHEL_TYPE_INT},
    {"9007199254740993", SATCHEL_TYPE_INT},
    {"9223372036854775807", SATCHEL_TYPE_INT},
    {"-9223372036854775808", SATCHEL_TYPE_INT},
    {"9223372036854775808", SATCHEL_TYPE_UINT},
    {"18446744073709551615", SATCHEL_TYPE_UINT},
    {"0.0", SATCHEL_TYPE_DOUBLE},
    {"-0.0", SATCHEL_TYPE_DOUBLE},
    {"1.0", SATCHEL_TYPE_DOUBLE},
    {"3.0", SATCHEL_TYPE_DOUBLE},
    {"0.1", SATCHEL_TYPE_DOUBLE},
    {"-0.1", SATCHEL_TYPE_DOUBLE},
    {"0.30000000000000004", SATCHEL_TYPE_DOUBLE},
    {"5e-324", SATCHEL_TYPE_DOUBLE},
    {"2.2250738585072014e-308", SATCHEL_TYPE_DOUBLE},
    {"1.7976931348623157e+308", SATCHEL_TYPE_DOUBLE},
    {"1e+21", SATCHEL_TYPE_DOUBLE},
    {"1e+300", SATCHEL_TYPE_DOUBLE},
    {"{\"$double\":\"nan\"}", SATCHEL_TYPE_DOUBLE},
    {"{\"$double\":\"inf\"}", SATCHEL_TYPE_DOUBLE},
    {"{\"$double\":\"-inf\"}", SATCHEL_TYPE_DOUBLE},
    {"\"\"", SATCHEL_TYPE_STRING},
    {"\" \"", SATCHEL_TYPE_STRING},
    {"\"a\"", SATCHEL_TYPE_STRING},
    {"\"true\"", SATCHEL_TYPE_STRING},
    {"\"null\"", SATCHEL_TYPE_STRING},
    {"\"0123\"", SATCHEL_TYPE_STRING},
    {"\"-1\"", SATCHEL_TYPE_STRING},
    {"\"3.0\"", SATCHEL_TYPE_STRING},
    {"\"--help\"", SATCHEL_TYPE_STRING},
    {"\"-\"", SATCHEL_TYPE_STRING},
    {"\"a\\u0000b\"", SATCHEL_TYPE_STRING},
    {"\"\\u0000\"", SATCHEL_TYPE_STRING},
    {"\"\\t\\n\\r\\u0001\\u001f\\u007f\"", SATCHEL_TYPE_STRING},
    {"\"line\\n\"", SATCHEL_TYPE_STRING},
    {"\"\\n\\n\"", SATCHEL_TYPE_STRING},
    {"\"\\\"\\\\/'$`\"", SATCHEL_TYPE_STRING},
    {"\"caf\xc3\xa9\"", SATCHEL_TYPE_STRING},
    {"\"cafe\xcc\x81\"", SATCHEL_TYPE_STRING},
    {"\"\xf0\x9f\x92\xa9\"", SATCHEL_TYPE_STRING},
    {"\"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x94\xac\"", SATCHEL_TYPE_STRING},
    {"\"\xef\xbb\xbf\"", SATCHEL_TYPE_STRING},
    {"\"\xe2\x80\xa8\xe2\x80\xa9\"", SATCHEL_TYPE_STRING},
    {"\"\xef\xbf\xbf\"", SATCHEL_TYPE_STRING},
    {"\"\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d\"", SATCHEL_TYPE_STRING},
    {"{\"$data\":\"\"}", SATCHEL_TYPE_DATA},
    {"{\"$data\":\"AA==\"}", SATCHEL_TYPE_DATA},
    {"{\"$data\":\"AAA=\"}", SATCHEL_TYPE_DATA},
    {"{\"$data\":\"//79/A==\"}", SATCHEL_TYPE_DATA},
    {"{\"$date\":\"1970-01-01T00:00:00Z\"}", SATCHEL_TYPE_DATE},
    {"{\"$date\":\"1969-12-31T23:59:59.999999999Z\"}", SATCHEL_TYPE_DATE},
    {"{\"$date\":\"2026-01-31T22:59:59.5Z\"}", SATCHEL_TYPE_DATE},
    {"{\"$date\":\"0001-01-01T00:00:00Z\"}", SATCHEL_TYPE_DATE},
    {"{\"$date\":\"9999-12-31T23:59:59.000000001Z\"}", SATCHEL_TYPE_DATE},
    {"{\"$date\":\"2000-02-29T12:00:00Z\"}", SATCHEL_TYPE_DATE},
    {"{\"$date\":{\"seconds\":253402300800,\"nanoseconds\":0}}", SATCHEL_TYPE_DATE},
    {"{\"$date\":{\"seconds\":-9223372036854775808,\"nanoseconds\":999999999}}", SATCHEL_TYPE_DATE},
    {"{\"$date\":{\"seconds\":9223372036854775807,\"nanoseconds\":999999999}}", SATCHEL_TYPE_DATE},
    {"{\"$url\":\"https://example.org/\"}", SATCHEL_TYPE_URL},
    {"{\"$url\":\"../relative?q=%20#f\"}", SATCHEL_TYPE_URL},
    {"{\"$url\":\"mailto:a@b\"}", SATCHEL_TYPE_URL},
    {"{\"$url\":\"file:///caf\xc3\xa9\"}", SATCHEL_TYPE_URL},
    {"{\"$uuid\":\"01234567-89ab-cdef-fedc-ba9876543210\"}", SATCHEL_TYPE_UUID},
    {"{\"$uuid\":\"00000000-0000-0000-0000-000000000000\"}", SATCHEL_TYPE_UUID},
    {"[]", SATCHEL_TYPE_ARRAY},
    {"[[]]", SATCHEL_TYPE_ARRAY},
    {"[{}]", SATCHEL_TYPE_ARRAY},
    {"[null]", SATCHEL_TYPE_ARRAY},
    {"[null,null]", SATCHEL_TYPE_ARRAY},
    {"[1,1.0,\"1\",true,null]", SATCHEL_TYPE_ARRAY},
    {"[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25]", SATCHEL_TYPE_ARRAY},
    {"{}", SATCHEL_TYPE_DICTIONARY},
    {"{\"\":\"\"}", SATCHEL_TYPE_DICTIONARY},
    {"{\"b\":1,\"a\":2}", SATCHEL_TYPE_DICTIONARY},
    {"{\"a\":{\"a\":{\"a\":null}}}", SATCHEL_TYPE_DICTIONARY},
    {"{\"a.b\":1,\"a\":{\"b\":2}}", SATCHEL_TYPE_DICTIONARY},
    {"{\"caf\xc3\xa9\":1,\"cafe\xcc\x81\":2}", SATCHEL_TYPE_DICTIONARY},
    {"{\"$object\":{\"$data\":1}}", SATCHEL_TYPE_DICTIONARY},
    {"{\"$object\":{\"$object\":1}}", SATCHEL_TYPE_DICTIONARY},
    {"{\"$data\":1,\"$date\":2}", SATCHEL_TYPE_DICTIONARY},
    {"{\"a\":[{\"$data\":\"/w==\"},{\"$url\":\"a:b\"}]}", SATCHEL_TYPE_DICTIONARY},
};
enum { VALUES = sizeof values / sizeof *values };

static const char *folder, *command;

static void key_of(char out[32], int number) { snprintf(out, 32, "value.%d", number); }

static satchel_value *made(int number) {
  satchel_value *value = NULL;
  CHECK_CODE(SATCHEL_OK, satchel_value_from_json(&value, satchel_text(values[number].json)), values[number].json);
  return value;
}

/* MARK: Through the library */

/* What the setter of its own type writes, where there is one. */
static int set_typed(satchel_settings *settings, const char *key, const satchel_value *value) {
  bool flag;
  int64_t number;
  uint64_t big;
  double real;
  satchel_bytes bytes;
  satchel_date date;
  satchel_uuid uuid;
  int code = SATCHEL_OK;
  switch (satchel_value_type(value)) {
  case SATCHEL_TYPE_BOOL:
    code = satchel_value_get_bool(&flag, value);
    return code != SATCHEL_OK ? code : satchel_settings_set_bool(settings, key, flag);
  case SATCHEL_TYPE_INT:
    code = satchel_value_get_int64(&number, value);
    return code != SATCHEL_OK ? code : satchel_settings_set_int64(settings, key, number);
  case SATCHEL_TYPE_UINT:
    code = satchel_value_get_uint64(&big, value);
    return code != SATCHEL_OK ? code : satchel_settings_set_uint64(settings, key, big);
  case SATCHEL_TYPE_DOUBLE:
    code = satchel_value_get_double(&real, value);
    return code != SATCHEL_OK ? code : satchel_settings_set_double(settings, key, real);
  case SATCHEL_TYPE_STRING:
    code = satchel_value_get_string(&bytes, value);
    return code != SATCHEL_OK ? code : satchel_settings_set_string(settings, key, bytes);
  case SATCHEL_TYPE_DATA:
    code = satchel_value_get_data(&bytes, value);
    return code != SATCHEL_OK ? code : satchel_settings_set_data(settings, key, bytes);
  case SATCHEL_TYPE_DATE:
    code = satchel_value_get_date(&date, value);
    return code != SATCHEL_OK ? code : satchel_settings_set_date(settings, key, date);
  case SATCHEL_TYPE_URL:
    code = satchel_value_get_url(&bytes, value);
    return code != SATCHEL_OK ? code : satchel_settings_set_url(settings, key, bytes);
  case SATCHEL_TYPE_UUID:
    code = satchel_value_get_uuid(&uuid, value);
    return code != SATCHEL_OK ? code : satchel_settings_set_uuid(settings, key, uuid);
  default:
    return satchel_settings_set_value(settings, key, value);
  }
}

static bool same_bytes(satchel_buffer *buffer, satchel_bytes bytes) {
  bool same = buffer->size == bytes.size && memcmp(buffer->data, bytes.data == NULL ? "" : bytes.data, bytes.size) == 0 &&
              ((const char *)buffer->data)[buffer->size] == '\0';
  satchel_buffer_free(buffer);
  return same;
}

/* What the getter of its own type reads. */
static bool read_typed(satchel_settings *settings, const char *key, const satchel_value *value) {
  bool flag = false, flag2 = true;
  int64_t number = 0, number2 = 1;
  uint64_t big = 0, big2 = 1;
  double real = 0, real2 = 1;
  satchel_bytes bytes = {NULL, 0};
  satchel_buffer buffer = {NULL, 0};
  satchel_date date, date2;
  satchel_uuid uuid, uuid2;
  switch (satchel_value_type(value)) {
  case SATCHEL_TYPE_BOOL:
    return satchel_value_get_bool(&flag, value) == 0 && satchel_settings_get_bool(&flag2, settings, key) == 0 && flag == flag2;
  case SATCHEL_TYPE_INT:
    return satchel_value_get_int64(&number, value) == 0 && satchel_settings_get_int64(&number2, settings, key) == 0 &&
           number == number2;
  case SATCHEL_TYPE_UINT:
    return satchel_value_get_uint64(&big, value) == 0 && satchel_settings_get_uint64(&big2, settings, key) == 0 && big == big2;
  case SATCHEL_TYPE_DOUBLE:
    return satchel_value_get_double(&real, value) == 0 && satchel_settings_get_double(&real2, settings, key) == 0 &&
           memcmp(&real, &real2, sizeof real) == 0;
  case SATCHEL_TYPE_STRING:
    return satchel_value_get_string(&bytes, value) == 0 && satchel_settings_get_string(&buffer, settings, key) == 0 &&
           same_bytes(&buffer, bytes);
  case SATCHEL_TYPE_DATA:
    return satchel_value_get_data(&bytes, value) == 0 && satchel_settings_get_data(&buffer, settings, key) == 0 &&
           same_bytes(&buffer, bytes);
  case SATCHEL_TYPE_DATE:
    return satchel_value_get_date(&date, value) == 0 && satchel_settings_get_date(&date2, settings, key) == 0 &&
           date.seconds == date2.seconds && date.nanoseconds == date2.nanoseconds;
  case SATCHEL_TYPE_URL:
    return satchel_value_get_url(&bytes, value) == 0 && satchel_settings_get_url(&buffer, settings, key) == 0 &&
           same_bytes(&buffer, bytes);
  case SATCHEL_TYPE_UUID:
    return satchel_value_get_uuid(&uuid, value) == 0 && satchel_settings_get_uuid(&uuid2, settings, key) == 0 &&
           memcmp(&uuid, &uuid2, sizeof uuid) == 0;
  default:
    return true;
  }
}

static void read_all(satchel_settings *settings, const char *when) {
  for (int i = 0; i < VALUES; i++) {
    char key[32];
    key_of(key, i);
    satchel_value *value = made(i), *stored = NULL;
    satchel_settings_info info = SATCHEL_SETTINGS_INFO_INIT;
    CHECK_CODE(SATCHEL_OK, satchel_settings_get_value(&stored, settings, key), values[i].json);
    CHECK(satchel_value_equal(value, stored) == 1, "%s: %s is another value", when, values[i].json);
    CHECK(read_typed(settings, key, value), "%s: %s reads otherwise by its own type", when, values[i].json);
    CHECK(satchel_settings_get_info(&info, settings, key) == SATCHEL_OK && info.type == values[i].type, "%s: %s has type %d",
          when, values[i].json, info.type);
    satchel_value_free(value);
    satchel_value_free(stored);
  }
}

static void codecs(void) {
  for (int i = 0; i < VALUES; i++) {
    satchel_value *value = made(i), *back = NULL;
    satchel_buffer text = {NULL, 0};
    CHECK(satchel_value_type(value) == values[i].type, "%s has type %d", values[i].json, satchel_value_type(value));
    CHECK_CODE(SATCHEL_OK, satchel_value_to_cbor(&text, value), values[i].json);
    CHECK_CODE(SATCHEL_OK, satchel_value_from_cbor(&back, satchel_blob(text.data, text.size)), values[i].json);
    CHECK(satchel_value_equal(value, back) == 1, "%s comes back from CBOR as something else", values[i].json);
    satchel_value_free(back);
    satchel_buffer_free(&text);
    CHECK_CODE(SATCHEL_OK, satchel_value_to_json(&text, value), values[i].json);
    CHECK_CODE(SATCHEL_OK, satchel_value_from_json(&back, satchel_blob(text.data, text.size)), values[i].json);
    CHECK(satchel_value_equal(value, back) == 1, "%s comes back from JSON as something else", values[i].json);
    satchel_value_free(back);
    satchel_buffer_free(&text);
    /* No two rows are the same value. */
    for (int j = 0; j < i; j++) {
      satchel_value *other = made(j);
      CHECK(satchel_value_equal(value, other) == 0, "%s equals %s", values[i].json, values[j].json);
      satchel_value_free(other);
    }
    satchel_value_free(value);
  }
}

static void library(void) {
  satchel_settings *settings = open_domain(folder, "values", 0);
  for (int i = 0; i < VALUES; i++) {
    char key[32];
    key_of(key, i);
    satchel_value *value = made(i);
    CHECK_CODE(SATCHEL_OK, set_typed(settings, key, value), values[i].json);
    satchel_value_free(value);
  }
  read_all(settings, "at once");
  satchel_settings_close(settings);
  settings = open_domain(folder, "values", SATCHEL_SETTINGS_READ_ONLY);
  read_all(settings, "opened again");
  satchel_settings_close(settings);
  settings = open_domain(folder, "values", 0);
  CHECK_CODE(SATCHEL_OK, satchel_settings_compact(settings), "compact");
  read_all(settings, "compacted");
  satchel_buffer json = {NULL, 0};
  CHECK_CODE(SATCHEL_OK, satchel_settings_export_json(&json, settings), "export");
  satchel_settings_close(settings);
  settings = open_domain(folder, "imported", 0);
  CHECK_CODE(SATCHEL_OK, satchel_settings_import_json(settings, satchel_blob(json.data, json.size)), "import");
  read_all(settings, "exported and imported");
  satchel_settings_close(settings);
  satchel_buffer_free(&json);
}

/* MARK: Through the command */

/* Runs it with `arguments` (ended by NULL), `input` on its stdin; its exit status, and its stdout. */
static int run(image *output, image input, const char *const arguments[]) {
  char in[8192], out[8192];
  snprintf(in, sizeof in, "%s/stdin", folder);
  snprintf(out, sizeof out, "%s/stdout", folder);
  image_store(input, input.size, in);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    if (freopen(in, "r", stdin) == NULL || freopen(out, "w", stdout) == NULL) _exit(120);
    execv(command, (char *const *)(uintptr_t)arguments);
    _exit(121);
  }
  int status = child_end(child, 20);
  *output = image_load(out);
  return status != -1 && WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

static const image nothing = {(unsigned char *)"", 0};

/* A domain that the command and the library share: HOME is the scratch folder. */
static satchel_settings *open_shared(const char *domain) {
  satchel_settings *settings = NULL;
  CHECK_CODE(SATCHEL_OK, satchel_settings_open(&settings, domain, NULL), domain);
  return settings;
}

static void set_as_json(void) {
  satchel_settings *settings = open_shared("command");
  for (int i = 0; i < VALUES; i++) {
    char key[32];
    key_of(key, i);
    image output;
    const char *set[] = {command, "set", "--type", "json", "command", key, values[i].json, NULL};
    int status = run(&output, nothing, set);
    CHECK(status == 0, "satchel set --type json %s ends with %d", values[i].json, status);
    CHECK(output.size == 0, "satchel set prints something");
    image_free(&output);
    satchel_value *value = made(i), *back = NULL;
    const char *get[] = {command, "get", "--json", "command", key, NULL};
    status = run(&output, nothing, get);
    CHECK(status == 0, "satchel get --json of %s ends with %d", values[i].json, status);
    CHECK_CODE(SATCHEL_OK, satchel_value_from_json(&back, satchel_blob(output.data, output.size)), values[i].json);
    CHECK(satchel_value_equal(value, back) == 1, "satchel get --json of %s prints %.*s", values[i].json, (int)output.size,
          (const char *)output.data);
    image_free(&output);
    satchel_value_free(value);
    satchel_value_free(back);
  }
  read_all(settings, "set by the command");
  satchel_settings_close(settings);
}

/* Strings as they stand: what is set without a type comes back byte by byte, and a line feed behind it. */
static void strings_as_they_stand(void) {
  for (int i = 0; i < VALUES; i++) {
    satchel_value *value = made(i);
    satchel_bytes text;
    if (values[i].type != SATCHEL_TYPE_STRING || satchel_value_get_string(&text, value) != SATCHEL_OK ||
        memchr(text.data == NULL ? "" : text.data, 0, text.size) != NULL) {
      satchel_value_free(value);
      continue;
    }
    char *plain = calloc(1, text.size + 1);
    memcpy(plain, text.data == NULL ? "" : text.data, text.size);
    image output;
    const char *set[] = {command, "set", "strings", "key", "--", plain, NULL};
    int status = run(&output, nothing, set);
    CHECK(status == 0, "satchel set %s ends with %d", values[i].json, status);
    image_free(&output);
    const char *get[] = {command, "get", "strings", "key", NULL};
    status = run(&output, nothing, get);
    CHECK(status == 0 && output.size == text.size + 1 && memcmp(output.data, plain, text.size) == 0 &&
              output.data[text.size] == '\n',
          "satchel get of %s prints %zu bytes", values[i].json, output.size);
    image_free(&output);
    free(plain);
    satchel_value_free(value);
  }
}

static void typed(void) {
  static const struct {
    const char *type, *text, *json;
    int status;
  } rows[] = {
      {"int", "0123", "123", 0},
      {"int", "0x10", "16", 0},
      {"int", "-9223372036854775808", "-9223372036854775808", 0},
      {"int", "3.0", NULL, 2},
      {"int", "", NULL, 2},
      {"int", " 1", NULL, 2},
      {"int", "9223372036854775808", NULL, 2},
      {"uint", "18446744073709551615", "18446744073709551615", 0},
      {"bool", "YES", "true", 0},
      {"bool", "off", "false", 0},
      {"bool", "maybe", NULL, 2},
      {"double", "3", "3.0", 0},
      {"double", "-inf", "{\"$double\":\"-inf\"}", 0},
      {"double", "1e400", NULL, 2},
      {"string", "", "\"\"", 0},
      {"data", "AP8=", "{\"$data\":\"AP8=\"}", 0},
      {"data", "AP8", NULL, 2},
      {"date", "2026-01-31T23:59:59.5+01:00", "{\"$date\":\"2026-01-31T22:59:59.5Z\"}", 0},
      {"date", "2026-02-30T00:00:00Z", NULL, 2},
      {"url", "https://example.org/", "{\"$url\":\"https://example.org/\"}", 0},
      {"url", "relative", NULL, 2},
      {"uuid", "01234567-89AB-CDEF-FEDC-BA9876543210", "{\"$uuid\":\"01234567-89ab-cdef-fedc-ba9876543210\"}", 0},
      {"uuid", "0123", NULL, 2},
      {"json", "{\"a\":[1,null]}", "{\"a\":[1,null]}", 0},
      {"json", "{", NULL, 2},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    image output;
    const char *set[] = {command, "set", "--type", rows[i].type, "typed", "key", "--", rows[i].text, NULL};
    int status = run(&output, nothing, set);
    CHECK(status == rows[i].status, "satchel set --type %s '%s' ends with %d, not %d", rows[i].type, rows[i].text, status,
          rows[i].status);
    image_free(&output);
    if (rows[i].json == NULL) continue;
    const char *get[] = {command, "get", "--json", "typed", "key", NULL};
    satchel_value *expected = NULL, *value = NULL;
    status = run(&output, nothing, get);
    CHECK_CODE(SATCHEL_OK, satchel_value_from_json(&expected, satchel_text(rows[i].json)), rows[i].json);
    CHECK(status == 0 && satchel_value_from_json(&value, satchel_blob(output.data, output.size)) == SATCHEL_OK &&
              satchel_value_equal(value, expected) == 1,
          "satchel set --type %s '%s' stores %.*s", rows[i].type, rows[i].text, (int)output.size, (const char *)output.data);
    image_free(&output);
    satchel_value_free(value);
    satchel_value_free(expected);
  }
}

static void export_import(void) {
  image json, output;
  const char *export[] = {command, "export", "command", NULL};
  int status = run(&json, nothing, export);
  CHECK(status == 0, "satchel export ends with %d", status);
  const char *import[] = {command, "import", "imported", "--format", "json", NULL};
  status = run(&output, json, import);
  CHECK(status == 0, "satchel import ends with %d", status);
  image_free(&output);
  image_free(&json);
  satchel_settings *settings = open_shared("imported");
  read_all(settings, "exported and imported by the command");
  satchel_settings_close(settings);
}

static void absent(void) {
  image output;
  const char *get[] = {command, "get", "command", "no such key", NULL};
  int status = run(&output, nothing, get);
  CHECK(status == 1 && output.size == 0, "satchel get of an absent key ends with %d", status);
  image_free(&output);
  const char *fallback[] = {command, "get", "command", "no such key", "--default", "instead", NULL};
  status = run(&output, nothing, fallback);
  CHECK(status == 0 && output.size == 8 && memcmp(output.data, "instead\n", 8) == 0, "satchel get --default ends with %d",
        status);
  image_free(&output);
}

int main(int count, char **arguments) {
  checks_begin("values");
  folder = scratch_folder("store");
  CHECK(VALUES >= 80, "only %d values", VALUES);
  codecs();
  library();
  if (count > 1) {
    command = arguments[1];
    setenv("HOME", scratch_folder("home"), 1);
    unsetenv("XDG_CONFIG_HOME");
    set_as_json();
    strings_as_they_stand();
    typed();
    export_import();
    absent();
  }
  return checks_finish();
}
