/*
 * Awkward values there and back: set by one function of the C interface, read by another, after closing and compacting, and
 * through the command.
 *
 * Usage: values VALUES.TXT [COMMAND]. Without the command only the library is tried.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

/* The lines of Tests/values.txt: the type that each must have, and the value as JSON. */
static struct {
  char *json;
  int type;
} values[256];
static int value_count;

static int type_named(const char *name) {
  static const char *const names[] = {"null", "bool", "int", "uint", "double", "string",
                                      "data", "date", "url", "uuid", "array",  "dictionary"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return (int)i;
  return -1;
}

static void read_values(const char *path) {
  FILE *file = fopen(path, "r");
  char *line = NULL;
  size_t room = 0;
  CHECK(file != NULL, "cannot open %s", path);
  while (file != NULL && value_count < 256 && getline(&line, &room, file) > 0) {
    char *json = strchr(line, ' ');
    if (line[0] == '#' || json == NULL) continue;
    *json++ = '\0';
    json[strcspn(json, "\n")] = '\0';
    values[value_count].type = type_named(line);
    values[value_count++].json = strdup(json);
  }
  free(line);
  if (file != NULL) fclose(file);
  CHECK(value_count >= 80, "%s has only %d values", path, value_count);
}

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
  for (int i = 0; i < value_count; i++) {
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

/* There and back as text. Years beyond 9999 have none, and a relative URL is stored but not taken from text. */
static void as_text(const satchel_value *value, const char *json) {
  satchel_buffer text = {NULL, 0};
  satchel_value *back = NULL;
  if (strstr(json, "\"seconds\"") != NULL) {
    CHECK_CODE(SATCHEL_ERANGE, satchel_value_to_text(&text, value), json);
    return;
  }
  CHECK_CODE(SATCHEL_OK, satchel_value_to_text(&text, value), json);
  int code = satchel_value_from_text(&back, satchel_blob(text.data, text.size), satchel_value_type(value));
  if (code == SATCHEL_OK) CHECK(satchel_value_equal(value, back) == 1, "%s comes back from its text as something else", json);
  else CHECK(strstr(json, "relative") != NULL, "%s does not come back from its text: %s", json, satchel_last_error()->message);
  satchel_value_free(back);
  satchel_buffer_free(&text);
}

static void codecs(void) {
  for (int i = 0; i < value_count; i++) {
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
    as_text(value, values[i].json);
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
  for (int i = 0; i < value_count; i++) {
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
  for (int i = 0; i < value_count; i++) {
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
  for (int i = 0; i < value_count; i++) {
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
  if (count < 2) return 2;
  read_values(arguments[1]);
  codecs();
  library();
  if (count > 2) {
    command = arguments[2];
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
