/* seeds FOLDER: makes the seeds of the corpus with the library itself, each cut to what is committed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "image.h"
#include "satchel.h"

static const char *folder;

static satchel_settings *open_seed(const char *name, uint32_t flags) {
  satchel_settings_options options = SATCHEL_SETTINGS_OPTIONS_INIT;
  options.directory = folder;
  options.program = "seeds";
  options.flags = flags;
  satchel_settings *settings;
  if (satchel_settings_open(&settings, name, &options) != 0) fprintf(stderr, "%s\n", satchel_last_error()->message), exit(1);
  return settings;
}

static void fill(satchel_settings *settings) {
  static const char json[] = "{\"bool\":true,\"int\":-7,\"double\":0.5,\"text\":\"Grüße\",\"list\":[1,[2,\"three\"],{}],"
                             "\"tree\":{\"a\":{\"b\":[null,false]}}}";
  if (satchel_settings_import_json(settings, satchel_text(json)) != 0) exit(1);
  satchel_settings_set_int64(settings, "window.width", 800);
  satchel_settings_set_data(settings, "blob", satchel_blob("\0\1\2\3\4\5\6\7\377", 9));
  satchel_settings_set_date(settings, "date", (satchel_date){1700000000, 5, 0});
  satchel_settings_set_url(settings, "url", satchel_text("https://example.org/"));
  satchel_settings_set_string(settings, "gone", satchel_text("soon"));
  satchel_settings_remove(settings, "gone");
  satchel_settings_add(NULL, settings, "window.width", 1);
}

/* Cuts the closed file to its records and leaves it as FOLDER/NAME, with the control byte set. */
static void finish(satchel_settings *settings, const char *name, uint8_t control, size_t damage) {
  char from[512], to[512];
  static uint8_t file[1 << 16];
  satchel_settings_close(settings);
  snprintf(from, sizeof from, "%s/%s.satchel", folder, name);
  snprintf(to, sizeof to, "%s/%s", folder, name);
  FILE *in = fopen(from, "r");
  size_t size = in == NULL ? 0 : fread(file, 1, sizeof file, in);
  if (size < PAGE_BYTES) perror(from), exit(1);
  fclose(in);
  unlink(from);
  size_t length = commit_length(get64(file + AT_COMMITTED));
  file[AT_CONTROL] = control;
  put64(file + AT_BOOT, 3);
  if (damage > 0) file[PAGE_BYTES + damage] ^= 1;
  FILE *out = fopen(to, "w");
  if (out == NULL || fwrite(file, 1, length, out) != length || fclose(out) != 0) perror(to), exit(1);
}

int main(int count, char **arguments) {
  if (count != 2) return 2;
  folder = arguments[1];
  satchel_settings *settings = open_seed("empty", 0);
  finish(settings, "empty", 2, 0);
  settings = open_seed("log", 0);
  fill(settings);
  finish(settings, "log", 2, 0);
  settings = open_seed("after-reboot", 0);
  fill(settings);
  finish(settings, "after-reboot", 8, 0);
  settings = open_seed("damaged", 0);
  fill(settings);
  finish(settings, "damaged", 2 | 8, 20);
  settings = open_seed("compacted", 0);
  fill(settings);
  if (satchel_settings_compact(settings) != 0) return 1;
  fill(settings);
  finish(settings, "compacted", 2 | 16, 0);
  settings = open_seed("read-only", 0);
  fill(settings);
  finish(settings, "read-only", 1, 0);
  settings = open_seed("portable", SATCHEL_SETTINGS_PORTABLE);
  fill(settings);
  finish(settings, "portable", 0, 0);
  return 0;
}
