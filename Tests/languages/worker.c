/* What run.sh has every language do, in C: worker VERB DOMAIN ARGUMENTS... */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <satchel.h>

static satchel_settings *settings;

static int must(int code, const char *what) {
  if (code >= 0) return code;
  fprintf(stderr, "worker: %s: %s: %s\n", what, satchel_error_name(code), satchel_last_error()->message);
  exit(3);
}

static void compare_once(void) {
  for (;;) {
    satchel_value *old = NULL, *next = NULL;
    int64_t number = 0;
    int code = satchel_settings_get_value(&old, settings, "compared");
    if (code != SATCHEL_ENOTFOUND) must(code, "get");
    if (old != NULL) must(satchel_value_get_int64(&number, old), "the number");
    must(satchel_value_new_int64(&next, number + 1), "new");
    code = satchel_settings_compare_and_set(settings, "compared", old, next);
    satchel_value_free(old);
    satchel_value_free(next);
    if (code != SATCHEL_ECONFLICT) {
      must(code, "compare_and_set");
      return;
    }
  }
}

static void pair(int64_t number) {
  satchel_transaction *change = NULL;
  int64_t a = -1, b = -1;
  must(satchel_settings_begin(&change, settings), "begin");
  int first = satchel_transaction_get_int64(&a, change, "pair.a");
  int second = satchel_transaction_get_int64(&b, change, "pair.b");
  if (first != second || a != b) must(SATCHEL_ECORRUPT, "half a transaction");
  must(satchel_transaction_set_int64(change, "pair.a", number), "set");
  must(satchel_transaction_set_int64(change, "pair.b", number), "set");
  must(satchel_transaction_commit(NULL, change), "commit");
}

static void count_for_ever(const char *key) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (int64_t number = 1;; number++) {
    must(satchel_settings_set_int64(settings, key, number), "set");
    printf("%" PRId64 "\n", number);
  }
}

static void value_of_line(const char *verb, const char *key, const char *json) {
  satchel_value *expected = NULL, *value = NULL;
  must(satchel_value_from_json(&expected, satchel_text(json)), json);
  if (strcmp(verb, "write") == 0) must(satchel_settings_set_value(settings, key, expected), key);
  else if (satchel_settings_get_value(&value, settings, key) < 0 || satchel_value_equal(value, expected) != 1)
    printf("%s: not %s\n", key, json);
  satchel_value_free(expected);
  satchel_value_free(value);
}

static void each_value(const char *verb, const char *prefix) {
  FILE *file = fopen(getenv("SATCHEL_VALUES"), "r");
  char *line = NULL, key[256];
  size_t room = 0;
  int number = 0;
  while (file != NULL && getline(&line, &room, file) > 0) {
    if (line[0] == '#') continue;
    snprintf(key, sizeof key, "%s.%d", prefix, ++number);
    value_of_line(verb, key, strchr(line, ' ') + 1);
  }
  free(line);
  if (file != NULL) fclose(file);
}

int main(int count, char **words) {
  if (count != 4) return 2;
  const char *verb = words[1], *argument = words[3];
  must(satchel_settings_open(&settings, words[2], NULL), "open");
  long times = strtol(argument, NULL, 10);
  if (strcmp(verb, "count") == 0) count_for_ever(argument);
  if (strcmp(verb, "write") == 0 || strcmp(verb, "check") == 0) each_value(verb, argument);
  for (long i = 0; i < times; i++) {
    if (strcmp(verb, "add") == 0) must(satchel_settings_add(NULL, settings, "sum", 1), "add");
    if (strcmp(verb, "compare") == 0) compare_once();
    if (strcmp(verb, "pair") == 0) pair(i);
  }
  satchel_settings_close(settings);
  return 0;
}
