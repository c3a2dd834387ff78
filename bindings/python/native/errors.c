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

static satchel_error error_about(subject about, int code, const char *message) {
  satchel_error error = {code, 0, message, NULL, NULL, about.key};
  if (about.settings != NULL) {
    error.domain = unless_empty(satchel_settings_domain(about.settings));
    error.path = unless_empty(satchel_settings_path(about.settings));
  }
  return error;
}

void raise_code(subject about, int code) {
  if (PyErr_Occurred()) return; /* a signal's handler has raised while others were waited for */
  bool is_absent = code == SATCHEL_ENOTFOUND && about.key != NULL;
  satchel_error error = error_about(about, code, is_absent ? "there is no such key" : satchel_strerror(code));
  const satchel_error *last = satchel_last_error();
  /* It is not set for a key that is not found, and may then still tell of an older failure. */
  bool is_told = code != SATCHEL_ENOTFOUND || about.settings == NULL;
  if (is_told && last->code == code) {
    error.message = last->message;
    error.system_error = last->system_error;
    if (last->domain != NULL) error.domain = last->domain;
    if (last->path != NULL) error.path = last->path;
    if (last->key != NULL) error.key = last->key;
  }
  raise_made(about.state, &error);
}

void raise_text(subject about, int code, const char *text) {
  satchel_error error = error_about(about, code, text);
  raise_made(about.state, &error);
}
