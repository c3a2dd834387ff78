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
  PyObject *mapping;    /* collections.abc.Mapping */
  PyObject *url;        /* satchel.URL */
  PyObject *make_info;  /* satchel._values.key_info */
  PyObject *health;     /* satchel.Health */
  PyObject *missing;    /* "__missing__", interned: methods of other names are looked for in every base */
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

/* What an error is about. The settings and the key may be NULL. */
typedef struct subject {
  module_state *state;
  const satchel_settings *settings;
  const char *key;
} subject;

/* MARK: errors.c. Each sets an exception that names the domain and path of the settings, and the key. */

/* For `code`, with what satchel_last_error() knows. */
void raise_code(subject about, int code);
/* For what is found out here. */
void raise_text(subject about, int code, const char *text);

/* MARK: store.c, transaction.c */

typedef struct store_object {
  PyObject_HEAD module_state *state;
  PyObject *module; /* keeps `state` alive */
  satchel_settings *settings;
  int64_t patience; /* nanoseconds that a write waits for others, in slices of SLICE_NS */
} store_object;

static inline subject about(const store_object *store, const char *key) {
  return (subject){store->state, store->settings, key};
}

/* Waits are cut into slices, so that Ctrl-C is heard. */
#define SLICE_NS INT64_C(200000000)

/* A write: `code` is that of `call`, which is done again while others hold the lock and there is patience left. Where a signal's
   handler raises meanwhile that is the exception, and `code` stays SATCHEL_ETIMEOUT. */
#define WRITING(store, code, call)                                                                                             \
  do {                                                                                                                         \
    int64_t end_of_wait = 0;                                                                                                   \
    do {                                                                                                                       \
      WAITING(code = call);                                                                                                    \
    } while (code == SATCHEL_ETIMEOUT && goes_on_waiting(store, &end_of_wait));                                                \
  } while (0)
bool goes_on_waiting(const store_object *store, int64_t *end);

PyObject *new_transaction(store_object *store);
PyObject *domains_in(module_state *state, const char *directory);

/* MARK: keys.c: what the methods of both have in common */

/* A new reference to what `name` holds in `object`, or NULL: with an exception, or without one where it holds nothing. *about is
   what was looked for. */
typedef PyObject *(*lookup)(PyObject *object, PyObject *name, subject *about);

PyObject *subscript(PyObject *object, PyObject *name, lookup find);
PyObject *get(PyObject *object, PyObject *const *args, Py_ssize_t count, lookup find);
/* The arguments of add. False with an exception set. */
bool take_delta(PyObject *const *args, Py_ssize_t count, long long *delta);
/* The key as UTF-8, lent by `object`, or NULL. */
const char *key_from_object(const store_object *store, PyObject *object);

/* MARK: values.c. Where they fail an exception is set. */

/* A CBOR item as Python's own objects: a new reference, or NULL. */
PyObject *object_from_cbor(subject about, const unsigned char *bytes, size_t size);
PyObject *object_from_value(subject about, const satchel_value *value);
/* A new Satchel value of a Python object, or NULL. None becomes null, which can be nested only. */
satchel_value *value_from_object(subject about, PyObject *object);

/* MARK: codecs.c */

/* What a call that answered `code` has put into `buffer`, which is freed. */
PyObject *text_from_buffer(subject about, int code, satchel_buffer *buffer);

extern PyMethodDef codec_functions[];

#endif
