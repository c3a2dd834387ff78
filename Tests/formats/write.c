/*
 * Fills a domain with odd keys and values, alone and in transactions, removes some and compacts now and then.
 *
 * Usage: write FOLDER DOMAIN SEED STEPS COMPACTIONS
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { KEYS = 60, LONGEST_KEY = 1024 };

static const char *const odd_keys[] = {
    "a",
    "A",
    "a.b",
    "a/b",
    "a b",
    " ",
    "\t",
    "\n",
    "\x01",
    "\x7f",
    "caf\xc3\xa9",
    "cafe\xcc\x81",
    "\xf0\x9f\x92\xa9",
    "=",
    "\"",
    "\\",
    "'",
    "$data",
    "#",
    "-",
    "--",
    "0",
    "NULL",
    "\xef\xbb\xbf",
    "\xe2\x80\xae",
    "1234567",
    "12345678",
    "123456789",
    "MyDefaults.lastTrack",
    "\xef\xbf\xbf",
};

static void make_key(char out[LONGEST_KEY + 1], chance *dice) {
  size_t number = chance_below(dice, KEYS);
  if (number < sizeof odd_keys / sizeof *odd_keys) {
    strcpy(out, odd_keys[number]);
  } else if (number == KEYS - 1) {
    memset(out, 'x', LONGEST_KEY);
    out[LONGEST_KEY] = '\0';
  } else {
    /* Lengths around the eight bytes that the hash takes at a time. */
    snprintf(out, LONGEST_KEY, "key.%0*zu", (int)(number % 17 + 1), number);
  }
}

static satchel_value *make_value(chance *dice, int depth) {
  static const int64_t integers[] = {0,   1,     -1,    23,     24,        -24,       -25,      255,
                                     256, 65535, 65536, -65537, INT32_MAX, INT64_MAX, INT64_MIN};
  static const double doubles[] = {0.0, -0.0, 0.1, 1e300, 5e-324, -1.5, 3.0, 1e21, 1.0 / 3};
  static const char *const texts[] = {
      "", "text", "caf\xc3\xa9", "a\"b\\c\n\x01\x7f", "\xf0\x9f\x92\xa9", "\xe2\x80\xa8", "</script>"};
  satchel_value *value = NULL, *item = NULL;
  unsigned char bytes[700];
  satchel_uuid uuid;
  int code = SATCHEL_OK;
  switch (chance_below(dice, depth < 4 ? 13 : 10)) {
  case 0:
    code = satchel_value_new_bool(&value, chance_below(dice, 2) != 0);
    break;
  case 1:
    code = satchel_value_new_int64(&value, integers[chance_below(dice, sizeof integers / sizeof *integers)]);
    break;
  case 2:
    code = satchel_value_new_int64(&value, (int64_t)(chance_next(dice) >> chance_below(dice, 64)));
    break;
  case 3:
    code = satchel_value_new_uint64(&value, UINT64_MAX - chance_below(dice, 1000));
    break;
  case 4:
    code = satchel_value_new_double(&value, doubles[chance_below(dice, sizeof doubles / sizeof *doubles)]);
    break;
  case 5:
    code = satchel_value_new_string(&value, satchel_text(texts[chance_below(dice, sizeof texts / sizeof *texts)]));
    break;
  case 6: {
    size_t size = chance_below(dice, sizeof bytes);
    for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)chance_next(dice);
    code = satchel_value_new_data(&value, satchel_blob(bytes, size));
    break;
  }
  case 7: {
    satchel_date date = {(int64_t)chance_below(dice, 4000000000) - 2000000000, (uint32_t)chance_below(dice, 1000000000), 0};
    if (chance_below(dice, 3) == 0) date.nanoseconds = 0;
    if (chance_below(dice, 8) == 0) date.seconds = chance_below(dice, 2) == 0 ? INT64_MIN : INT64_MAX;
    code = satchel_value_new_date(&value, date);
    break;
  }
  case 8:
    code = satchel_value_new_url(&value, satchel_text("https://example.org/\xc3\xa4?q=%20#f"));
    break;
  case 9:
    for (size_t i = 0; i < sizeof uuid.bytes; i++) uuid.bytes[i] = (uint8_t)chance_next(dice);
    code = satchel_value_new_uuid(&value, uuid);
    break;
  case 10:
    code = satchel_value_new_array(&value);
    for (uint64_t i = chance_below(dice, 5); i > 0 && code == SATCHEL_OK; i--) {
      item = make_value(dice, depth + 1);
      code = satchel_value_append(value, item);
      satchel_value_free(item);
    }
    break;
  default:
    code = satchel_value_new_dictionary(&value);
    for (uint64_t i = chance_below(dice, 5); i > 0 && code == SATCHEL_OK; i--) {
      char key[32];
      snprintf(key, sizeof key, chance_below(dice, 4) == 0 ? "$%lu" : "k%lu", (unsigned long)chance_below(dice, 100));
      item = make_value(dice, depth + 1);
      code = satchel_value_put(value, satchel_text(key), item);
      satchel_value_free(item);
    }
  }
  CHECK_CODE(SATCHEL_OK, code, "making a value");
  return value;
}

static void transaction(satchel_settings *settings, chance *dice) {
  satchel_transaction *transaction = NULL;
  CHECK_CODE(SATCHEL_OK, satchel_settings_begin(&transaction, settings), "begin");
  for (uint64_t i = chance_below(dice, 6); i > 0; i--) {
    char key[LONGEST_KEY + 1];
    make_key(key, dice);
    if (chance_below(dice, 4) == 0) {
      int code = satchel_transaction_remove(transaction, key);
      CHECK(code == SATCHEL_OK || code == SATCHEL_ENOTFOUND, "remove: %s", satchel_error_name(code));
      continue;
    }
    satchel_value *value = make_value(dice, 0);
    CHECK_CODE(SATCHEL_OK, satchel_transaction_set_value(transaction, key, value), "set");
    satchel_value_free(value);
  }
  if (chance_below(dice, 5) == 0) satchel_transaction_rollback(transaction);
  else CHECK_CODE(SATCHEL_OK, satchel_transaction_commit(NULL, transaction), "commit");
}

static void step(satchel_settings *settings, chance *dice) {
  char key[LONGEST_KEY + 1];
  make_key(key, dice);
  uint64_t lot = chance_below(dice, 10);
  if (lot == 0) {
    transaction(settings, dice);
  } else if (lot < 3) {
    int code = satchel_settings_remove(settings, key);
    CHECK(code == SATCHEL_OK || code == SATCHEL_ENOTFOUND, "remove: %s", satchel_error_name(code));
  } else if (lot == 3) {
    CHECK_CODE(SATCHEL_OK, satchel_settings_add(NULL, settings, "counter", (int64_t)chance_below(dice, 1000)), "add");
  } else {
    satchel_value *value = make_value(dice, 0);
    CHECK_CODE(SATCHEL_OK, satchel_settings_set_value(settings, key, value), "set");
    satchel_value_free(value);
  }
}

int main(int count, char **arguments) {
  if (count != 6) return 2;
  checks_begin("write");
  chance dice = chance_of(strtoull(arguments[3], NULL, 10));
  long steps = atol(arguments[4]), compactions = atol(arguments[5]);
  static const char *const programs[] = {NULL, "-", "pro gramm\xc3\xa9",
                                         "a program whose name is longer than the sixty-three bytes there are for it"};
  satchel_settings_options options = SATCHEL_SETTINGS_OPTIONS_INIT;
  options.directory = arguments[1];
  options.program = programs[chance_below(&dice, 4)];
  satchel_settings *settings = NULL;
  CHECK_CODE(SATCHEL_OK, satchel_settings_open(&settings, arguments[2], &options), "open");
  for (long i = 0; i < steps; i++) {
    step(settings, &dice);
    if (compactions > 0 && i % (steps / (compactions + 1) + 1) == steps / (compactions + 1))
      CHECK_CODE(SATCHEL_OK, satchel_settings_compact(settings), "compact");
  }
  satchel_settings_close(settings);
  return checks_finish();
}
