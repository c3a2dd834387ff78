/* Between text and values, as --type says. */
#include "builtin.h"

#include <string.h>

enum { TYPE_JSON = 100 };

/* What stands behind --type; `otherwise` where it was not given. */
static int type_asked(const call *call, int otherwise) {
  static const char *const names[] = {
      [SATCHEL_TYPE_BOOL] = "bool",     [SATCHEL_TYPE_INT] = "int",       [SATCHEL_TYPE_UINT] = "uint",
      [SATCHEL_TYPE_DOUBLE] = "double", [SATCHEL_TYPE_STRING] = "string", [SATCHEL_TYPE_DATA] = "data",
      [SATCHEL_TYPE_DATE] = "date",     [SATCHEL_TYPE_URL] = "url",       [SATCHEL_TYPE_UUID] = "uuid",
  };
  if (!has(call, F_TYPE)) return otherwise;
  for (int type = SATCHEL_TYPE_BOOL; type <= SATCHEL_TYPE_UUID; type++)
    if (strcmp(call->flags[F_TYPE], names[type]) == 0) return type;
  return TYPE_JSON;
}

bool is_json_asked(const call *call) { return has(call, F_JSON) || type_asked(call, 0) == TYPE_JSON; }

int value_from(satchel_value **out, const char *text, size_t size, const call *call) {
  int type = type_asked(call, SATCHEL_TYPE_STRING);
  satchel_bytes bytes = satchel_blob(text, size);
  return type == TYPE_JSON ? satchel_value_from_json(out, bytes) : satchel_value_from_text(out, bytes, type);
}

int value_convert(satchel_value **value, const call *call) {
  int type = type_asked(call, TYPE_JSON);
  if (type == TYPE_JSON) return SATCHEL_OK;
  satchel_value *same = NULL;
  int code = satchel_value_convert(&same, *value, type);
  if (code != SATCHEL_OK) return code;
  satchel_value_free(*value);
  *value = same;
  return SATCHEL_OK;
}

int value_show(text *out, const satchel_value *value, bool as_json) {
  satchel_buffer buffer = {NULL, 0};
  int code = as_json ? satchel_value_to_json(&buffer, value) : satchel_value_to_text(&buffer, value);
  if (code == SATCHEL_OK) text_add_buffer(out, &buffer);
  return code;
}

/* A date too far away for its text is shown as JSON: one value cannot stop a listing. */
int value_show_always(text *out, const satchel_value *value) {
  int code = value_show(out, value, false);
  return code == SATCHEL_ERANGE && satchel_value_type(value) == SATCHEL_TYPE_DATE ? value_show(out, value, true) : code;
}
