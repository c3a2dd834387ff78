/* satchel get: prints the value of a key, or puts it into a variable. */
#include "builtin.h"

#include <string.h>

/* What --default says, as it is to be printed. False where it is not of the type asked for. */
static bool fallback(text *out, const call *call) {
  const char *given = call->flags[F_DEFAULT];
  if (given == NULL) return true;
  satchel_value *value = NULL;
  int code = value_from(&value, given, strlen(given), call);
  if (code == SATCHEL_OK && has(call, F_JSON)) code = value_show(out, value, true);
  else text_add_string(out, given);
  satchel_value_free(value);
  return code == SATCHEL_OK;
}

/* NO where there is none. */
static int stored(satchel_value **out, const call *call) {
  domain *domain;
  int status = open_domain(&domain, call, false);
  if (status != DONE) return status;
  int code = satchel_settings_get_value(out, settings_of(domain), call->operands[1]);
  if (code == SATCHEL_ENOTFOUND) return NO;
  return code == SATCHEL_OK ? DONE : domain_failure(domain, code);
}

/* A stored value of another type is a wrong use, also where it is the right type but too large for it. */
static int tell_type(const call *call) {
  tell_of_key(call->operands[0], call->operands[1], satchel_last_error()->message);
  tell("--json prints a value of any type");
  return USAGE;
}

static int answer(const call *call, text *shown) {
  if (call->targets[T_VARIABLE] != NULL) return assign_text(call, shown);
  text_add_byte(shown, has(call, F_NULL) ? '\0' : '\n');
  return print(shown);
}

static int show(const call *call, satchel_value **value) {
  text shown = {NULL, 0, 0};
  int code = value_convert(value, call);
  if (code == SATCHEL_OK) code = value_show(&shown, *value, is_json_asked(call));
  int status = code == SATCHEL_OK ? answer(call, &shown) : tell_type(call);
  text_free(&shown);
  return status;
}

static int get_text(const call *call) {
  text otherwise = {NULL, 0, 0};
  satchel_value *value = NULL;
  int status = ELSEWHERE;
  if (fallback(&otherwise, call)) {
    status = stored(&value, call);
    if (status == DONE) status = show(call, &value);
    else if (status == NO && has(call, F_DEFAULT)) status = answer(call, &otherwise);
  }
  satchel_value_free(value);
  text_free(&otherwise);
  return status;
}

/* MARK: Elements */

/* Neither can be held by a variable. */
static const char *refusal(const satchel_bytes *key, const text *value) {
  if (key != NULL && key->size == 0) return "one of its keys is empty, which no associative array can hold";
  if (key != NULL && memchr(key->data, 0, key->size) != NULL) return "one of its keys holds a NUL, which no variable can";
  if (value->size > 0 && memchr(value->data, 0, value->size) != NULL)
    return "an element holds a NUL, which no variable can; --json can print it";
  return NULL;
}

/* The reason why it cannot be done, or NULL. */
static const char *add_element(elements *into, const satchel_value *value, size_t index, bool has_keys) {
  const satchel_value *item = NULL;
  satchel_bytes key = {NULL, 0};
  text name = {NULL, 0, 0}, shown = {NULL, 0, 0};
  int code = satchel_value_at(&item, value, index);
  if (code == SATCHEL_OK && has_keys) code = satchel_value_key_at(&key, value, index);
  if (code == SATCHEL_OK) code = value_show_always(&shown, item);
  const char *reason = code != SATCHEL_OK ? satchel_last_error()->message : refusal(has_keys ? &key : NULL, &shown);
  if (reason != NULL) {
    text_free(&shown);
    return reason;
  }
  if (has_keys) text_add(&name, key.data, key.size);
  text_add(&shown, "", 0);
  elements_add(into, has_keys ? &name : NULL, &shown);
  return NULL;
}

static int get_elements(const call *call) {
  bool is_map = call->targets[T_MAP] != NULL;
  satchel_value *value = NULL;
  elements all = {NULL, 0, 0};
  size_t count = 0;
  int status = stored(&value, call);
  if (status != DONE) return status;
  const char *reason = NULL;
  if (satchel_value_type(value) != (is_map ? SATCHEL_TYPE_DICTIONARY : SATCHEL_TYPE_ARRAY))
    reason = is_map ? "is not a dictionary" : "is not an array";
  else if (satchel_value_count(&count, value) != SATCHEL_OK) reason = satchel_last_error()->message;
  for (size_t i = 0; i < count && reason == NULL; i++) reason = add_element(&all, value, i, is_map);
  if (reason != NULL) tell_of_key(call->operands[0], call->operands[1], reason);
  else if (is_map) assign_map(call->targets[T_MAP], &all);
  else assign_array(call->targets[T_ARRAY], &all, false);
  elements_free(&all);
  satchel_value_free(value);
  return reason != NULL ? USAGE : DONE;
}

int run_get(const call *call) {
  bool of_elements = call->targets[T_ARRAY] != NULL || call->targets[T_MAP] != NULL;
  if (of_elements && (call->targets[T_VARIABLE] != NULL || (call->targets[T_ARRAY] != NULL && call->targets[T_MAP] != NULL)))
    return misuse(call, "-v, -a and -A exclude each other");
  if (of_elements && (has(call, F_DEFAULT) || has(call, F_TYPE) || has(call, F_JSON)))
    return misuse(call, "-a and -A take no --type, --default or --json");
  if (has_target(call) && has(call, F_NULL)) return misuse(call, "-z is for what is printed");
  return of_elements ? get_elements(call) : get_text(call);
}
