/* satchel._native.Store: one open domain. satchel.Settings makes a mapping of it. */
#include "native.h"

#include <stdlib.h>
#include <time.h>

#define SELF(object) ((store_object *)(object))
#define SMALL 256 /* bytes of CBOR that need no allocation */

static PyObject *raised(store_object *self, int code, const char *key) {
  raise_code(about(self, key), code);
  return NULL;
}

/* MARK: Waiting */

static const int64_t default_patience = INT64_C(5000000000);

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* The first slice has passed when it is asked for the first time. */
bool goes_on_waiting(const store_object *self, int64_t *end) {
  if (PyErr_CheckSignals() < 0) return false;
  if (*end == 0) *end = now() + self->patience - SLICE_NS;
  return now() < *end;
}

/* MARK: Life */

static PyObject *store_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  static char *names[] = {"domain", "flags", "durability", "lock_timeout_ns", "directory", "program", NULL};
  const char *domain = NULL;
  unsigned int flags = 0, durability = 0;
  long long timeout = 0;
  satchel_settings_options options = SATCHEL_SETTINGS_OPTIONS_INIT;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "s|IILzz:Store", names, &domain, &flags, &durability, &timeout,
                                   &options.directory, &options.program))
    return NULL;
  PyObject *module = NULL;
  module_state *state = state_of_type(type, &module);
  if (state == NULL) return NULL;
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  store_object *self = SELF(allocate(type, 0));
  if (self == NULL) return NULL;
  self->state = state;
  self->module = Py_NewRef(module);
  options.flags = flags;
  options.durability = durability;
  self->patience = timeout == 0 ? default_patience : timeout < 0 ? 0 : timeout;
  options.lock_timeout_ns = self->patience == 0 ? -1 : self->patience < SLICE_NS ? self->patience : SLICE_NS;
  int code;
  WAITING(code = satchel_settings_open(&self->settings, domain, &options));
  if (code == 0) return (PyObject *)self;
  raise_code((subject){state, NULL, NULL}, code);
  Py_DECREF(self);
  return NULL;
}

static int store_traverse(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(SELF(object)->module);
  return 0;
}

static void store_dealloc(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  satchel_settings_close(SELF(object)->settings);
  Py_CLEAR(SELF(object)->module);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(object);
  Py_DECREF(type);
}

static PyObject *store_close(PyObject *object, PyObject *unused) {
  (void)unused;
  WAITING(satchel_settings_close(SELF(object)->settings));
  Py_RETURN_NONE;
}

/* MARK: Reading */

/* Larger than the small buffer; it may grow again meanwhile. */
static int copy_large(store_object *self, const char *key, unsigned char **bytes, size_t *size) {
  int code = SATCHEL_ERANGE;
  size_t room = 0;
  *bytes = NULL;
  while (code == SATCHEL_ERANGE && *size > room) {
    free(*bytes);
    room = *size;
    *bytes = malloc(room);
    if (*bytes == NULL) return SATCHEL_ENOMEM;
    code = satchel_settings_copy_cbor(*bytes, room, size, self->settings, key);
  }
  return code;
}

static PyObject *find(PyObject *object, PyObject *name, subject *looked_for) {
  store_object *self = SELF(object);
  unsigned char small[SMALL], *large = NULL;
  size_t size = 0;
  const char *key = key_from_object(self, name);
  if (key == NULL) return NULL;
  *looked_for = about(self, key);
  int code = satchel_settings_copy_cbor(small, sizeof small, &size, self->settings, key);
  if (code == SATCHEL_ERANGE && size > sizeof small) code = copy_large(self, key, &large, &size);
  PyObject *found = NULL;
  if (code == 0) found = object_from_cbor(*looked_for, large != NULL ? large : small, size);
  else if (code != SATCHEL_ENOTFOUND) raise_code(*looked_for, code);
  free(large);
  return found;
}

static PyObject *store_subscript(PyObject *object, PyObject *name) { return subscript(object, name, find); }
static PyObject *store_get(PyObject *object, PyObject *const *args, Py_ssize_t count) { return get(object, args, count, find); }

/* By way of no object of Python's, which not every value has. */
static PyObject *store_get_json(PyObject *object, PyObject *name) {
  store_object *self = SELF(object);
  satchel_value *value = NULL;
  satchel_buffer json = {NULL, 0};
  const char *key = key_from_object(self, name);
  if (key == NULL) return NULL;
  int code = satchel_settings_get_value(&value, self->settings, key);
  if (code == 0) code = satchel_value_to_json(&json, value);
  satchel_value_free(value);
  return text_from_buffer(about(self, key), code, &json);
}

static int store_contains(PyObject *object, PyObject *name) {
  const char *key = key_from_object(SELF(object), name);
  if (key == NULL) return -1;
  int result = satchel_settings_contains(SELF(object)->settings, key);
  if (result < 0) raised(SELF(object), result, key);
  return result < 0 ? -1 : result;
}

static PyObject *list_from_cursor(satchel_cursor *cursor) {
  PyObject *list = PyList_New(0);
  satchel_bytes name;
  while (list != NULL && satchel_cursor_next(&name, cursor) == 1) {
    PyObject *text = PyUnicode_DecodeUTF8(name.data, (Py_ssize_t)name.size, NULL);
    if (text == NULL || PyList_Append(list, text) < 0) Py_CLEAR(list);
    Py_XDECREF(text);
  }
  satchel_cursor_free(cursor);
  return list;
}

PyObject *domains_in(module_state *state, const char *directory) {
  satchel_cursor *cursor = NULL;
  int code = satchel_settings_domains(&cursor, directory);
  if (code == 0) return list_from_cursor(cursor);
  raise_code((subject){state, NULL, NULL}, code);
  return NULL;
}

static PyObject *store_names(PyObject *object, PyObject *unused) {
  (void)unused;
  satchel_cursor *cursor = NULL;
  int code = satchel_settings_keys(&cursor, SELF(object)->settings);
  return code < 0 ? raised(SELF(object), code, NULL) : list_from_cursor(cursor);
}

static PyObject *make_date(module_state *state, satchel_date date) {
  return PyObject_CallFunction(state->make_date, "LK", (long long)date.seconds, (unsigned long long)date.nanoseconds);
}

static PyObject *store_info(PyObject *object, PyObject *name) {
  const char *key = key_from_object(SELF(object), name);
  satchel_settings_info info = SATCHEL_SETTINGS_INFO_INIT;
  if (key == NULL) return NULL;
  int code = satchel_settings_get_info(&info, SELF(object)->settings, key);
  if (code < 0) return raised(SELF(object), code, key);
  PyObject *time = make_date(SELF(object)->state, info.time);
  if (time == NULL) return NULL;
  return PyObject_CallFunction(SELF(object)->state->make_info, "KNIIiIs", (unsigned long long)info.revision, time, info.uid,
                               info.pid, (int)info.type, info.size, info.program);
}

/* MARK: Writing */

/* The scalars, without a detour. 1: none of these. */
static int set_scalar(store_object *self, const char *key, PyObject *value) {
  satchel_settings *settings = self->settings;
  int code = 1;
  if (PyBool_Check(value)) {
    WRITING(self, code, satchel_settings_set_bool(settings, key, value == Py_True));
  } else if (PyLong_CheckExact(value)) {
    int overflow = 0;
    long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow != 0) return 1;
    WRITING(self, code, satchel_settings_set_int64(settings, key, number));
  } else if (PyFloat_CheckExact(value)) {
    double number = PyFloat_AsDouble(value);
    WRITING(self, code, satchel_settings_set_double(settings, key, number));
  } else if (PyUnicode_CheckExact(value)) {
    Py_ssize_t size = 0;
    const char *text = PyUnicode_AsUTF8AndSize(value, &size);
    if (text == NULL) return SATCHEL_EINVAL;
    WRITING(self, code, satchel_settings_set_string(settings, key, satchel_blob(text, (size_t)size)));
  }
  return code;
}

static int set_object(store_object *self, const char *key, PyObject *object) {
  int code = set_scalar(self, key, object);
  if (code == 1) {
    satchel_value *value = value_from_object(about(self, key), object);
    if (value == NULL) return -1;
    WRITING(self, code, satchel_settings_set_value(self->settings, key, value));
    satchel_value_free(value);
  }
  if (code == 0) return 0;
  if (!PyErr_Occurred()) raised(self, code, key);
  return -1;
}

static int store_assign(PyObject *object, PyObject *name, PyObject *value) {
  store_object *self = SELF(object);
  const char *key = key_from_object(self, name);
  int code;
  if (key == NULL) return -1;
  if (value != NULL) return set_object(self, key, value);
  WRITING(self, code, satchel_settings_remove(self->settings, key));
  if (code < 0) raised(self, code, key);
  return code < 0 ? -1 : 0;
}

static PyObject *store_add(PyObject *object, PyObject *const *args, Py_ssize_t count) {
  store_object *self = SELF(object);
  long long delta = 1;
  int64_t sum = 0;
  int code;
  if (!take_delta(args, count, &delta)) return NULL;
  const char *key = key_from_object(self, args[0]);
  if (key == NULL) return NULL;
  WRITING(self, code, satchel_settings_add(&sum, self->settings, key, delta));
  return code < 0 ? raised(self, code, key) : PyLong_FromLongLong(sum);
}

/* None stands for "absent". False with an exception set where there is no value of it. */
static bool optional_value(store_object *self, const char *key, PyObject *object, satchel_value **value) {
  *value = object != Py_None ? value_from_object(about(self, key), object) : NULL;
  return *value != NULL || object == Py_None;
}

static PyObject *conditional(store_object *self, int code, const char *key) {
  if (code == 0 || code == SATCHEL_ECONFLICT) return PyBool_FromLong(code == 0);
  return raised(self, code, key);
}

static PyObject *store_compare_and_set(PyObject *object, PyObject *args) {
  store_object *self = SELF(object);
  PyObject *name, *expected, *desired;
  satchel_value *old = NULL, *new = NULL;
  if (!PyArg_ParseTuple(args, "OOO:compare_and_set", &name, &expected, &desired)) return NULL;
  const char *key = key_from_object(self, name);
  PyObject *result = NULL;
  if (key != NULL && optional_value(self, key, expected, &old) && optional_value(self, key, desired, &new)) {
    int code;
    WRITING(self, code, satchel_settings_compare_and_set(self->settings, key, old, new));
    result = conditional(self, code, key);
  }
  satchel_value_free(old);
  satchel_value_free(new);
  return result;
}

static PyObject *store_compare_revision_and_set(PyObject *object, PyObject *args) {
  store_object *self = SELF(object);
  PyObject *name, *desired;
  unsigned long long revision = 0;
  satchel_value *new = NULL;
  if (!PyArg_ParseTuple(args, "OKO:compare_revision_and_set", &name, &revision, &desired)) return NULL;
  const char *key = key_from_object(self, name);
  if (key == NULL || !optional_value(self, key, desired, &new)) return NULL;
  int code;
  WRITING(self, code, satchel_settings_compare_revision_and_set(self->settings, key, revision, new));
  satchel_value_free(new);
  return conditional(self, code, key);
}

static PyObject *store_begin(PyObject *object, PyObject *unused) {
  (void)unused;
  return new_transaction(SELF(object));
}

/* MARK: The whole */

static PyObject *store_wait(PyObject *object, PyObject *args) {
  store_object *self = SELF(object);
  unsigned long long since = 0;
  long long timeout = -1;
  uint64_t revision = 0;
  int code;
  if (!PyArg_ParseTuple(args, "K|L:wait", &since, &timeout)) return NULL;
  do { /* in slices, so that Ctrl-C is heard */
    long long part = timeout < 0 || timeout > SLICE_NS ? SLICE_NS : timeout;
    WAITING(code = satchel_settings_wait(&revision, self->settings, since, part));
    if (PyErr_CheckSignals() < 0) return NULL;
    if (timeout >= 0) timeout -= part;
  } while (code == SATCHEL_ETIMEOUT && timeout != 0);
  return code < 0 ? raised(self, code, NULL) : PyLong_FromUnsignedLongLong(revision);
}

static PyObject *nothing_or_raise(store_object *self, int code, const char *key) {
  if (code < 0) return raised(self, code, key);
  Py_RETURN_NONE;
}

static PyObject *store_sync(PyObject *object, PyObject *unused) {
  (void)unused;
  int code;
  WAITING(code = satchel_settings_sync(SELF(object)->settings));
  return nothing_or_raise(SELF(object), code, NULL);
}

static PyObject *store_compact(PyObject *object, PyObject *unused) {
  (void)unused;
  int code;
  WRITING(SELF(object), code, satchel_settings_compact(SELF(object)->settings));
  return nothing_or_raise(SELF(object), code, NULL);
}

static PyObject *store_accept(PyObject *object, PyObject *args) {
  PyObject *name = Py_None;
  const char *key = NULL;
  int code;
  if (!PyArg_ParseTuple(args, "|O:accept", &name)) return NULL;
  if (name != Py_None && (key = key_from_object(SELF(object), name)) == NULL) return NULL;
  WRITING(SELF(object), code, satchel_settings_accept(SELF(object)->settings, key));
  if (code != SATCHEL_ENOTFOUND) return nothing_or_raise(SELF(object), code, key);
  raise_text(about(SELF(object), key), code, "is not damaged");
  return NULL;
}

static PyObject *store_health(PyObject *object, PyObject *unused) {
  (void)unused;
  store_object *self = SELF(object);
  satchel_settings_health health = SATCHEL_SETTINGS_HEALTH_INIT;
  int code;
  WAITING(code = satchel_settings_health_check(&health, self->settings));
  if (code < 0) return raised(self, code, NULL);
  return PyObject_CallFunction(
      self->state->health, "KKKKKKKNNK", (unsigned long long)health.keys, (unsigned long long)health.damaged_records,
      (unsigned long long)health.corrupt_keys, (unsigned long long)health.dropped_bytes, (unsigned long long)health.file_bytes,
      (unsigned long long)health.log_bytes, (unsigned long long)health.generation, PyBool_FromLong((long)health.degraded),
      PyBool_FromLong((long)health.portable), (unsigned long long)health.disk_bytes);
}

static PyObject *store_import_json(PyObject *object, PyObject *args) {
  const char *text = NULL;
  Py_ssize_t size = 0;
  int code;
  if (!PyArg_ParseTuple(args, "s#:import_json", &text, &size)) return NULL;
  WRITING(SELF(object), code, satchel_settings_import_json(SELF(object)->settings, satchel_blob(text, (size_t)size)));
  return nothing_or_raise(SELF(object), code, NULL);
}

static PyObject *store_export_json(PyObject *object, PyObject *unused) {
  (void)unused;
  satchel_buffer json = {NULL, 0};
  int code = satchel_settings_export_json(&json, SELF(object)->settings);
  return text_from_buffer(about(SELF(object), NULL), code, &json);
}

static PyObject *store_revision(PyObject *object, void *unused) {
  (void)unused;
  uint64_t revision = 0;
  int code = satchel_settings_revision(&revision, SELF(object)->settings);
  return code < 0 ? raised(SELF(object), code, NULL) : PyLong_FromUnsignedLongLong(revision);
}

static PyObject *store_domain(PyObject *object, void *unused) {
  (void)unused;
  return PyUnicode_FromString(satchel_settings_domain(SELF(object)->settings));
}

static PyObject *store_path(PyObject *object, void *unused) {
  (void)unused;
  return PyUnicode_DecodeFSDefault(satchel_settings_path(SELF(object)->settings));
}

/* MARK: The type */

PyDoc_STRVAR(store_doc, "An open domain, in the plainest form; Settings makes a mapping of it.");
PyDoc_STRVAR(get_doc, "get($self, key, default=None, /)\n--\n\nWhat key holds, or default where it has no value. O(1).");
PyDoc_STRVAR(
    get_json_doc,
    "get_json($self, key, /)\n--\n\nWhat key holds as JSON (docs/values.md, section 5), also what no Python object can "
    "be, such as a date beyond the year 9999. KeyError where absent.");
PyDoc_STRVAR(info_doc,
             "info($self, key, /)\n--\n\nWho wrote what key holds, when and in which revision. KeyError where absent.");
PyDoc_STRVAR(add_doc, "add($self, key, delta=1, /)\n--\n\n"
                      "Adds to an integer, exactly, whoever else adds, and returns the sum. An absent key counts as 0.");
PyDoc_STRVAR(compare_doc, "compare_and_set($self, key, expected, desired, /)\n--\n\n"
                          "Sets key to desired if it holds expected, in one step; None stands for absent. True if it did.\n\n"
                          "Equal means the same type too: 1 is not True, nor 1.0, and a dict has an order.");
PyDoc_STRVAR(compare_revision_doc,
             "compare_revision_and_set($self, key, revision, desired, /)\n--\n\n"
             "Sets key to desired (None removes it) if revision set it last (0: if it is absent). True if "
             "it did.");
PyDoc_STRVAR(sync_doc, "sync($self, /)\n--\n\nReturns when everything written so far is on disk.");
PyDoc_STRVAR(compact_doc,
             "compact($self, /)\n--\n\nRewrites the file without what is no longer needed; happens by itself too.");
PyDoc_STRVAR(health_doc, "health($self, /)\n--\n\nScans the whole file and says how it is.");
PyDoc_STRVAR(accept_doc, "accept($self, key=None, /)\n--\n\n"
                         "Settles for the newest undamaged value of a damaged key (None: of all of them).");
PyDoc_STRVAR(import_doc, "import_json($self, json, /)\n--\n\n"
                         "Sets every key of a JSON object, all or none; other keys stay (docs/values.md, section 5).");
PyDoc_STRVAR(export_doc, "export_json($self, /)\n--\n\nAll keys and values as one JSON object, in insertion order.");
PyDoc_STRVAR(close_doc, "close($self, /)\n--\n\nCloses; more than once is fine. Waits for other threads that are inside.");
PyDoc_STRVAR(revision_doc, "The number of the newest revision; one write or transaction is one.");
PyDoc_STRVAR(domain_doc, "The domain's name; empty once it is closed.");
PyDoc_STRVAR(path_doc, "The file it lives in; empty once it is closed.");

static PyMethodDef methods[] = {
    {"get", FAST(store_get), METH_FASTCALL, get_doc},
    {"get_json", store_get_json, METH_O, get_json_doc},
    {"_names", store_names, METH_NOARGS, NULL},
    {"info", store_info, METH_O, info_doc},
    {"add", FAST(store_add), METH_FASTCALL, add_doc},
    {"compare_and_set", store_compare_and_set, METH_VARARGS, compare_doc},
    {"compare_revision_and_set", store_compare_revision_and_set, METH_VARARGS, compare_revision_doc},
    {"_begin", store_begin, METH_NOARGS, NULL},
    {"_wait", store_wait, METH_VARARGS, NULL},
    {"sync", store_sync, METH_NOARGS, sync_doc},
    {"compact", store_compact, METH_NOARGS, compact_doc},
    {"health", store_health, METH_NOARGS, health_doc},
    {"accept", store_accept, METH_VARARGS, accept_doc},
    {"import_json", store_import_json, METH_VARARGS, import_doc},
    {"export_json", store_export_json, METH_NOARGS, export_doc},
    {"close", store_close, METH_NOARGS, close_doc},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef properties[] = {
    {"revision", store_revision, NULL, revision_doc, NULL},
    {"domain", store_domain, NULL, domain_doc, NULL},
    {"path", store_path, NULL, path_doc, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)store_doc},     {Py_tp_new, store_new},
    {Py_tp_dealloc, store_dealloc},     {Py_tp_traverse, store_traverse},
    {Py_tp_methods, methods},           {Py_tp_getset, properties},
    {Py_mp_subscript, store_subscript}, {Py_mp_ass_subscript, store_assign},
    {Py_sq_contains, store_contains},   {0, NULL},
};

PyType_Spec store_spec = {"satchel._native.Store", sizeof(store_object), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
