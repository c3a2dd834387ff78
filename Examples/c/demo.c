/* Reads a domain that others write too, changes it, and says who wrote what: cc demo.c $(pkg-config --cflags --libs satchel) */
#include <inttypes.h>
#include <satchel.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int code) {
  if (code >= 0) return;
  fprintf(stderr, "demo: %s: %s\n", satchel_error_name(code), satchel_last_error()->message);
  exit(3);
}

/* One line: the key, its value, the revision that set it and the program that did. */
static void show(satchel_settings *settings, const char *key) {
  satchel_value *value = NULL;
  satchel_buffer text = {NULL, 0};
  satchel_settings_info info = SATCHEL_SETTINGS_INFO_INIT;
  int code = satchel_settings_get_value(&value, settings, key);
  if (code == SATCHEL_ENOTFOUND) return;
  check(code);
  check(satchel_value_to_json(&text, value));
  check(satchel_settings_get_info(&info, settings, key));
  printf("  C reads      %-12s %-36s revision %-3" PRIu64 " by %s\n", key, (const char *)text.data, info.revision,
         info.program);
  satchel_buffer_free(&text);
  satchel_value_free(value);
}

int main(int argc, char **argv) {
  satchel_settings *settings = NULL;
  check(satchel_settings_open(&settings, argc > 1 ? argv[1] : "org.example.player", NULL));

  show(settings, "PRETTY_NAME");
  show(settings, "volume");
  show(settings, "lastWriter");

  double volume = 0.5; /* stays where there is no value */
  int code = satchel_settings_get_double(&volume, settings, "volume");
  if (code != SATCHEL_ENOTFOUND) check(code);
  int64_t plays = 0;
  check(satchel_settings_set_double(settings, "volume", volume + 0.25));
  check(satchel_settings_set_string(settings, "lastWriter", satchel_text("a C program")));
  check(satchel_settings_add(&plays, settings, "plays", 1));

  uint64_t revision = 0;
  check(satchel_settings_revision(&revision, settings));
  printf("  C writes     volume %g, lastWriter, plays %" PRId64 "; now at revision %" PRIu64 "\n", volume + 0.25, plays,
         revision);
  satchel_settings_close(settings);
  return 0;
}
