/* Result codes become exceptions of satchel._errors, with all that is known of them. */
#include "native.h"

static void raise_made(module_state *state, const satchel_error *error) {
  PyObject *made = PyObject_CallFunction(state->make_error, "iszzzi", (int)error->code, error->message, error->domain,
                                         error->path, error->key, (int)error->system_error);
  if (made == NULL) return;
  PyErr_SetObject((PyObject *)Py_TYPE(made), made);
  Py_DECREF(made);
}

/* A closed handle answers "". */
static const char *unless_empty(const char *text) { return *text != '\0' ? text : NULL; }

static satchel_error about(const satchel_settings *settings, int code, const char *message, const char *key) {
  satchel_error error = {code, 0, message, NULL, NULL, key};
  if (settings != NULL) {
    error.domain = unless_empty(satchel_settings_domain(settings));
    error.path = unless_empty(satchel_settings_path(settings));
  }
  return error;
}

void raise_code(module_state *state, const satchel_settings *settings, int code, const char *key) {
  satchel_error error = about(settings, code, satchel_strerror(code), key);
  const satchel_error *last = satchel_last_error();
  /* It is not set for a key that is not found, and may then still tell of an older failure. */
  bool is_told = code != SATCHEL_ENOTFOUND || settings == NULL;
  if (is_told && last->code == code) {
    error.message = last->message;
    error.system_error = last->system_error;
    if (last->domain != NULL) error.domain = last->domain;
    if (last->path != NULL) error.path = last->path;
    if (last->key != NULL) error.key = last->key;
  }
  raise_made(state, &error);
}

void raise_text(module_state *state, const satchel_settings *settings, int code, const char *text, const char *key) {
  satchel_error error = about(settings, code, text, key);
  raise_made(state, &error);
}
