/* satchel list, satchel export and satchel domains: what there is, printed or put into arrays. */
#include "builtin.h"

#include <string.h>

/* All of the domain at one instant. ELSEWHERE where something in it is damaged, which the command tells in detail. */
static int take_all(satchel_value **out, const call *call) {
  domain *domain;
  int status = open_existing_domain(&domain, call);
  if (status != DONE) return status;
  satchel_settings_health health = SATCHEL_SETTINGS_HEALTH_INIT;
  int code = satchel_settings_health_check(&health, settings_of(domain));
  if (code == SATCHEL_OK && (health.corrupt_keys > 0 || health.degraded)) return ELSEWHERE;
  if (code == SATCHEL_OK) code = satchel_settings_get_all(out, settings_of(domain));
  return code == SATCHEL_OK ? DONE : domain_failure(domain, code);
}

static void end(text *out, const call *call) { text_add_byte(out, has(call, F_NULL) ? '\0' : '\n'); }

static int print_json(const satchel_value *value) {
  text out = {NULL, 0, 0};
  int code = value_show(&out, value, true);
  int status = code == SATCHEL_OK ? DONE : tell_failure(code);
  if (status == DONE) {
    text_add_byte(&out, '\n');
    status = print(&out);
  }
  text_free(&out);
  return status;
}

/* MARK: Entries */

typedef int visitor(const call *call, satchel_bytes key, const satchel_value *value, void *context);

/* Calls `body` for each entry whose key begins as asked, until it answers something else than DONE. */
static int each(const call *call, const satchel_value *all, void *context, visitor *body) {
  const char *prefix = has(call, F_PREFIX) ? call->flags[F_PREFIX] : "";
  size_t count = 0, size = strlen(prefix);
  int code = satchel_value_count(&count, all);
  for (size_t i = 0; i < count && code == SATCHEL_OK; i++) {
    satchel_bytes key;
    const satchel_value *value;
    code = satchel_value_key_at(&key, all, i);
    if (code != SATCHEL_OK || key.size < size || memcmp(key.data, prefix, size) != 0) continue;
    code = satchel_value_at(&value, all, i);
    int status = code == SATCHEL_OK ? body(call, key, value, context) : DONE;
    if (status != DONE) return status;
  }
  return code == SATCHEL_OK ? DONE : tell_failure(code);
}

static int tell_entry(const call *call, satchel_bytes key, const char *reason, int status) {
  tell_of_key(call->operands[0], key.data, reason);
  return status;
}

/* The value as a line or a variable shows it. */
static int show_value(text *out, const call *call, satchel_bytes key, const satchel_value *value, bool nul_is_end) {
  int code = value_show_always(out, value);
  if (code != SATCHEL_OK) return tell_entry(call, key, satchel_last_error()->message, exit_code_of(code));
  if (nul_is_end && out->size > 0 && memchr(out->data, 0, out->size) != NULL)
    return tell_entry(call, key, "the value holds a NUL; --json can print it", USAGE);
  return DONE;
}

static int print_entry(const call *call, satchel_bytes key, const satchel_value *value, void *context) {
  text *out = context, shown = {NULL, 0, 0};
  int status = show_value(&shown, call, key, value, has(call, F_NULL));
  if (status == DONE) {
    text_add_escaped(out, key.data, key.size, true);
    text_add_byte(out, '=');
    if (has(call, F_NULL)) text_add(out, shown.data, shown.size);
    else text_add_escaped(out, shown.data, shown.size, false);
    end(out, call);
  }
  text_free(&shown);
  return status;
}

static int print_key(const call *call, satchel_bytes key, const satchel_value *value, void *context) {
  (void)value;
  text *out = context;
  if (has(call, F_NULL)) text_add(out, key.data, key.size);
  else text_add_escaped(out, key.data, key.size, false);
  end(out, call);
  return DONE;
}

static int collect_entry(const call *call, satchel_bytes key, const satchel_value *value, void *context) {
  text name = {NULL, 0, 0}, shown = {NULL, 0, 0};
  int status = call->targets[T_MAP] != NULL ? show_value(&shown, call, key, value, true) : DONE;
  if (status != DONE) {
    text_free(&shown);
    return status;
  }
  text_add(&name, key.data, key.size);
  text_add(&shown, "", 0);
  elements_add(context, &name, &shown);
  return DONE;
}

static int put_entry(const call *call, satchel_bytes key, const satchel_value *value, void *context) {
  (void)call;
  int code = satchel_value_put(context, key, value);
  return code == SATCHEL_OK ? DONE : tell_failure(code);
}

static int append_key(const call *call, satchel_bytes key, const satchel_value *value, void *context) {
  (void)call, (void)value;
  satchel_value *name = NULL;
  int code = satchel_value_new_string(&name, key);
  if (code == SATCHEL_OK) code = satchel_value_append(context, name);
  satchel_value_free(name);
  return code == SATCHEL_OK ? DONE : tell_failure(code);
}

static int list_json(const call *call, const satchel_value *all) {
  satchel_value *chosen = NULL;
  bool of_keys = has(call, F_KEYS);
  int code = of_keys ? satchel_value_new_array(&chosen) : satchel_value_new_dictionary(&chosen);
  int status = code == SATCHEL_OK ? each(call, all, chosen, of_keys ? append_key : put_entry) : tell_failure(code);
  if (status == DONE) status = print_json(chosen);
  satchel_value_free(chosen);
  return status;
}

static int list_into(const call *call, const satchel_value *all) {
  elements elements = {NULL, 0, 0};
  int status = each(call, all, &elements, collect_entry);
  if (status == DONE) {
    if (call->targets[T_ARRAY] != NULL) assign_array(call->targets[T_ARRAY], &elements, true);
    if (call->targets[T_MAP] != NULL) assign_map(call->targets[T_MAP], &elements);
  }
  elements_free(&elements);
  return status;
}

static int list_lines(const call *call, const satchel_value *all) {
  text out = {NULL, 0, 0};
  int status = each(call, all, &out, has(call, F_KEYS) ? print_key : print_entry);
  if (status == DONE) status = print(&out);
  text_free(&out);
  return status;
}

int run_list(const call *call) {
  if (has_target(call) && (has(call, F_JSON) || has(call, F_NULL) || has(call, F_KEYS)))
    return misuse(call, "-a and -A take no --json, --keys or -z");
  satchel_value *all = NULL;
  int status = take_all(&all, call);
  if (status == DONE)
    status = has_target(call) ? list_into(call, all) : has(call, F_JSON) ? list_json(call, all) : list_lines(call, all);
  satchel_value_free(all);
  return status;
}

/* MARK: export */

/* As JSON on one line; the other formats are the command's. */
int run_export(const call *call) {
  if (has(call, F_FORMAT) && strcmp(call->flags[F_FORMAT], "json") != 0) return ELSEWHERE;
  satchel_value *all = NULL;
  text shown = {NULL, 0, 0};
  int status = take_all(&all, call);
  if (status == DONE && call->targets[T_VARIABLE] == NULL) status = print_json(all);
  else if (status == DONE) {
    int code = value_show(&shown, all, true);
    status = code == SATCHEL_OK ? assign_text(call, &shown) : tell_failure(code);
  }
  text_free(&shown);
  satchel_value_free(all);
  return status;
}

/* MARK: domains */

static int names_as_json(satchel_cursor *cursor) {
  satchel_value *names = NULL;
  satchel_bytes name;
  int code = satchel_value_new_array(&names);
  int status = code == SATCHEL_OK ? DONE : tell_failure(code);
  while (status == DONE && satchel_cursor_next(&name, cursor) == 1) status = append_key(NULL, name, NULL, names);
  if (status == DONE) status = print_json(names);
  satchel_value_free(names);
  return status;
}

static void names_into(const char *variable, satchel_cursor *cursor) {
  elements elements = {NULL, 0, 0};
  satchel_bytes bytes;
  while (satchel_cursor_next(&bytes, cursor) == 1) {
    text name = {NULL, 0, 0};
    text_add(&name, bytes.data, bytes.size);
    elements_add(&elements, NULL, &name);
  }
  assign_array(variable, &elements, false);
  elements_free(&elements);
}

static int names_as_lines(const call *call, satchel_cursor *cursor) {
  text out = {NULL, 0, 0};
  satchel_bytes name;
  while (satchel_cursor_next(&name, cursor) == 1) {
    text_add(&out, name.data, name.size);
    end(&out, call);
  }
  int status = print(&out);
  text_free(&out);
  return status;
}

int run_domains(const call *call) {
  if (has_target(call) && (has(call, F_JSON) || has(call, F_NULL))) return misuse(call, "-a takes no --json or -z");
  satchel_cursor *cursor = NULL;
  int status = DONE, code = satchel_settings_domains(&cursor, call->flags[F_DIRECTORY]);
  if (code != SATCHEL_OK) return tell_failure(code);
  if (call->targets[T_ARRAY] != NULL) names_into(call->targets[T_ARRAY], cursor);
  else status = has(call, F_JSON) ? names_as_json(cursor) : names_as_lines(call, cursor);
  satchel_cursor_free(cursor);
  return status;
}
