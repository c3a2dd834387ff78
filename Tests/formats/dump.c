/*
 * What the library says a domain holds, one JSON object a line, for a comparison with reader.py.
 *
 * Usage: dump FOLDER DOMAIN read|write|compact. Keys on stdin, one a line in hexadecimal, are asked for by name as well. Opens for
 * reading only, for writing, which recovers the file where that is needed, or compacts it first.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <satchel/settings.h>

static void print_hex(const void *data, size_t size) {
  const unsigned char *bytes = data;
  for (size_t i = 0; i < size; i++) printf("%02x", bytes[i]);
}

static int64_t nanoseconds(satchel_date date) { return date.seconds * INT64_C(1000000000) + date.nanoseconds; }

static void print_key(satchel_settings *settings, const char *key) {
  satchel_value *value = NULL;
  satchel_settings_info info = SATCHEL_SETTINGS_INFO_INIT;
  satchel_buffer cbor = {NULL, 0}, json = {NULL, 0};
  printf("{\"key\": \"");
  print_hex(key, strlen(key));
  int code = satchel_settings_get_value(&value, settings, key);
  if (code == SATCHEL_OK) code = satchel_settings_get_info(&info, settings, key);
  if (code == SATCHEL_OK) code = satchel_value_to_cbor(&cbor, value);
  if (code == SATCHEL_OK) code = satchel_value_to_json(&json, value);
  if (code != SATCHEL_OK) {
    printf("\", \"error\": \"%s\"}\n", satchel_error_name(code) + strlen("SATCHEL_E"));
  } else {
    printf("\", \"cbor\": \"");
    print_hex(cbor.data, cbor.size);
    printf("\", \"size\": %" PRIu32 ", \"revision\": %" PRIu64 ", \"time\": %" PRId64 ", \"pid\": %" PRIu32
           ", \"uid\": %" PRIu32,
           info.size, info.revision, nanoseconds(info.time), info.pid, info.uid);
    printf(", \"program\": \"");
    print_hex(info.program, strlen(info.program));
    printf("\", \"value\": %s}\n", (const char *)json.data);
  }
  satchel_buffer_free(&cbor);
  satchel_buffer_free(&json);
  satchel_value_free(value);
}

static void print_asked(satchel_settings *settings) {
  static char line[4096], key[2048];
  while (fgets(line, sizeof line, stdin) != NULL) {
    size_t size = 0;
    unsigned byte;
    while (size + 1 < sizeof key && sscanf(line + 2 * size, "%2x", &byte) == 1) key[size++] = (char)byte;
    key[size] = '\0';
    if (size > 0) print_key(settings, key);
  }
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  satchel_settings_options options = SATCHEL_SETTINGS_OPTIONS_INIT;
  options.directory = arguments[1];
  options.flags = strcmp(arguments[3], "read") == 0 ? SATCHEL_SETTINGS_READ_ONLY : SATCHEL_SETTINGS_NO_CREATE;
  satchel_settings *settings = NULL;
  int code = satchel_settings_open(&settings, arguments[2], &options);
  if (code != SATCHEL_OK) {
    printf("{\"refused\": \"%s\"}\n", satchel_error_name(code) + strlen("SATCHEL_E"));
    return 0;
  }
  if (strcmp(arguments[3], "compact") == 0 && satchel_settings_compact(settings) != SATCHEL_OK) return 1;
  uint64_t revision = 0;
  satchel_settings_health health = SATCHEL_SETTINGS_HEALTH_INIT;
  satchel_cursor *cursor = NULL;
  satchel_bytes key;
  if (satchel_settings_revision(&revision, settings) != SATCHEL_OK || satchel_settings_keys(&cursor, settings) != SATCHEL_OK ||
      satchel_settings_health_check(&health, settings) != SATCHEL_OK)
    return 1;
  while (satchel_cursor_next(&key, cursor) == 1) print_key(settings, key.data);
  satchel_cursor_free(cursor);
  printf("{\"asked\": true}\n");
  print_asked(settings);
  printf("{\"revision\": %" PRIu64 ", \"generation\": %" PRIu64 ", \"keys\": %" PRIu64 ", \"damaged\": %" PRIu64
         ", \"degraded\": %" PRIu32 ", \"dropped\": %" PRIu64 "}\n",
         revision, health.generation, health.keys, health.damaged_records, health.degraded, health.dropped_bytes);
  satchel_settings_close(settings);
  return 0;
}
