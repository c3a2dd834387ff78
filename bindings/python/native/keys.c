/* Keys, and what the methods of satchel._native.Store and Transaction have in common. */
#include <string.h>

#include "native.h"

const char *key_from_object(const store_object *store, PyObject *object) {
  if (!PyUnicode_Check(object)) {
    raise_text(about(store, NULL), SATCHEL_ETYPE, "a key must be a str");
    return NULL;
  }
  Py_ssize_t size = 0;
  const char *key = PyUnicode_AsUTF8AndSize(object, &size);
  if (key == NULL || strlen(key) == (size_t)size) return key;
  raise_text(about(store, NULL), SATCHEL_EINVAL, "a key is 1 to 1024 bytes of UTF-8 without NUL");
  return NULL;
}

PyObject *subscript(PyObject *object, PyObject *name, lookup find) {
  subject about;
  PyObject *found = find(object, name, &about);
  if (found == NULL && !PyErr_Occurred()) raise_code(about, SATCHEL_ENOTFOUND);
  return found;
}

PyObject *get(PyObject *object, PyObject *const *args, Py_ssize_t count, lookup find) {
  subject about;
  if (!has_arguments("get", count, 1, 2)) return NULL;
  PyObject *found = find(object, args[0], &about);
  if (found != NULL || PyErr_Occurred()) return found;
  return Py_NewRef(count > 1 ? args[1] : Py_None);
}

bool take_delta(PyObject *const *args, Py_ssize_t count, long long *delta) {
  if (!has_arguments("add", count, 1, 2)) return false;
  *delta = count > 1 ? PyLong_AsLongLong(args[1]) : 1;
  return *delta != -1 || !PyErr_Occurred();
}
