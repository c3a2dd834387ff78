/* What the parts of satchel._native share. Written against the limited API of CPython 3.10: one build serves all later ones. */
#ifndef SATCHEL_NATIVE_H
#define SATCHEL_NATIVE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030a0000
#include <Python.h>

#include <stdbool.h>

#include <satchel.h>

/* What a module, one in each interpreter, holds on to: the Python half of the package. */
typedef struct module_state {
  PyObject *make_error; /* satchel._errors.make */
  PyObject *make_date;  /* satchel._values.date_from_parts */
  PyObject *date_parts; /* satchel._values.date_parts */
  PyObject *datetime;   /* datetime.datetime */
  PyObject *date;       /* datetime.date */
  PyObject *uuid;       /* uuid.UUID */
  PyObject *url;        /* satchel.URL */
  PyObject *key_info;   /* satchel.KeyInfo */
  PyObject *health;     /* satchel.Health */
  PyObject *store_type; /* the types below */
  PyObject *transaction_type;
  PyObject *weak_table_type;
  PyObject *entry_type;
  PyObject *dict_type;
  PyObject *walk_type;
} module_state;

extern PyType_Spec store_spec, transaction_spec, weak_table_spec, entry_spec, dict_spec, walk_spec;

/* The state behind a type of this module or a subclass of one; NULL with an exception set. */
module_state *state_of_type(PyTypeObject *type, PyObject **module);

/* Of a method that takes its arguments by position, without the cost of a tuple. False with an exception set. */
bool has_arguments(const char *name, Py_ssize_t count, Py_ssize_t least, Py_ssize_t most);
#define FAST(function) ((PyCFunction)(void (*)(void))(function))

/* Calls that may wait let other Python threads run. */
#define WAITING(call)                                                                                                          \
  Py_BEGIN_ALLOW_THREADS;                                                                                                      \
  call;                                                                                                                        \
  Py_END_ALLOW_THREADS

/* MARK: errors.c. Each sets an exception that names the domain and path of `settings` and the key; both may be NULL. */

/* For `code`, with what satchel_last_error() knows. */
void raise_code(module_state *state, const satchel_settings *settings, int code, const char *key);
/* For what is found out here. */
void raise_text(module_state *state, const satchel_settings *settings, int code, const char *text, const char *key);

/* MARK: store.c, transaction.c */

typedef struct store_object {
  PyObject_HEAD module_state *state;
  PyObject *module; /* keeps `state` alive */
  satchel_settings *settings;
} store_object;

PyObject *new_transaction(store_object *store);
PyObject *domains_in(module_state *state, const char *directory);

/* MARK: values.c. Where they fail an exception is set that names the store and `key`. */

/* A CBOR item as Python's own objects: a new reference, or NULL. */
PyObject *object_from_cbor(store_object *store, const char *key, const unsigned char *bytes, size_t size);
PyObject *object_from_value(store_object *store, const char *key, const satchel_value *value);
/* A new Satchel value of a Python object, or NULL. None becomes null, which can be nested only. */
satchel_value *value_from_object(store_object *store, const char *key, PyObject *object);
/* The key as UTF-8, lent by `object`, or NULL. */
const char *key_from_object(store_object *store, PyObject *object);

#endif
