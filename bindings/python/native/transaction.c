/* satchel._native.Transaction: several keys, all or nothing. satchel.Settings.transaction() makes a `with` of it. */
#include "native.h"

typedef struct transaction_object {
  PyObject_HEAD store_object *store;
  satchel_transaction *transaction; /* NULL once it has ended */
  PyObject *revision;               /* after the commit */
} transaction_object;

#define SELF(object) ((transaction_object *)(object))

static PyObject *raised(transaction_object *self, int code, const char *key) {
  raise_code(about(self->store, key), code);
  return NULL;
}

static void raise_ended(transaction_object *self) {
  raise_text(about(self->store, NULL), SATCHEL_EINVAL, "the transaction has ended");
}

/* NULL with an exception set where it has ended, or where `name` is no key. */
static const char *open_key(transaction_object *self, PyObject *name) {
  if (self->transaction != NULL) return key_from_object(self->store, name);
  raise_ended(self);
  return NULL;
}

PyObject *new_transaction(store_object *store) {
  satchel_transaction *transaction = NULL;
  int code;
  WRITING(store, code, satchel_settings_begin(&transaction, store->settings));
  if (code < 0) {
    raise_code(about(store, NULL), code);
    return NULL;
  }
  PyTypeObject *type = (PyTypeObject *)store->state->transaction_type;
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  transaction_object *self = SELF(allocate(type, 0));
  if (self == NULL) {
    satchel_transaction_rollback(transaction);
    return NULL;
  }
  self->store = (store_object *)Py_NewRef((PyObject *)store);
  self->transaction = transaction;
  self->revision = Py_NewRef(Py_None);
  return (PyObject *)self;
}

static int transaction_traverse(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(SELF(object)->store);
  return 0;
}

static void transaction_dealloc(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  satchel_transaction_rollback(SELF(object)->transaction);
  Py_XDECREF(SELF(object)->revision);
  Py_XDECREF((PyObject *)SELF(object)->store);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(object);
  Py_DECREF(type);
}

/* MARK: Keys */

static PyObject *find(PyObject *object, PyObject *name, subject *looked_for) {
  transaction_object *self = SELF(object);
  satchel_value *value = NULL;
  const char *key = open_key(self, name);
  if (key == NULL) return NULL;
  *looked_for = about(self->store, key);
  int code = satchel_transaction_get_value(&value, self->transaction, key);
  if (code < 0 && code != SATCHEL_ENOTFOUND) raise_code(*looked_for, code);
  if (code < 0) return NULL;
  PyObject *found = object_from_value(*looked_for, value);
  satchel_value_free(value);
  return found;
}

static PyObject *transaction_subscript(PyObject *object, PyObject *name) { return subscript(object, name, find); }

static PyObject *transaction_get(PyObject *object, PyObject *const *args, Py_ssize_t count) {
  return get(object, args, count, find);
}

static int transaction_contains(PyObject *object, PyObject *name) {
  subject looked_for;
  PyObject *found = find(object, name, &looked_for);
  if (found == NULL) return PyErr_Occurred() != NULL ? -1 : 0;
  Py_DECREF(found);
  return 1;
}

static int transaction_assign(PyObject *object, PyObject *name, PyObject *item) {
  transaction_object *self = SELF(object);
  const char *key = open_key(self, name);
  int code;
  if (key == NULL) return -1;
  if (item != NULL) {
    satchel_value *value = value_from_object(about(self->store, key), item);
    if (value == NULL) return -1;
    code = satchel_transaction_set_value(self->transaction, key, value);
    satchel_value_free(value);
  } else {
    code = satchel_transaction_remove(self->transaction, key);
  }
  if (code < 0) raised(self, code, key);
  return code < 0 ? -1 : 0;
}

static PyObject *transaction_add(PyObject *object, PyObject *const *args, Py_ssize_t count) {
  transaction_object *self = SELF(object);
  long long delta = 1;
  int64_t sum = 0;
  if (!take_delta(args, count, &delta)) return NULL;
  const char *key = open_key(self, args[0]);
  if (key == NULL) return NULL;
  int code = satchel_transaction_add(&sum, self->transaction, key, delta);
  return code < 0 ? raised(self, code, key) : PyLong_FromLongLong(sum);
}

/* MARK: Ending */

static PyObject *transaction_commit(PyObject *object, PyObject *unused) {
  (void)unused;
  transaction_object *self = SELF(object);
  satchel_transaction *transaction = self->transaction;
  uint64_t revision = 0;
  int code;
  self->transaction = NULL;
  if (transaction == NULL) {
    raise_ended(self);
    return NULL;
  }
  WAITING(code = satchel_transaction_commit(&revision, transaction));
  if (code < 0) return raised(self, code, NULL);
  PyObject *number = PyLong_FromUnsignedLongLong(revision);
  if (number == NULL) return NULL;
  Py_DECREF(self->revision);
  self->revision = Py_NewRef(number);
  return number;
}

static PyObject *transaction_rollback(PyObject *object, PyObject *unused) {
  (void)unused;
  satchel_transaction *transaction = SELF(object)->transaction;
  SELF(object)->transaction = NULL;
  satchel_transaction_rollback(transaction);
  Py_RETURN_NONE;
}

static PyObject *transaction_enter(PyObject *object, PyObject *unused) {
  (void)unused;
  return Py_NewRef(object);
}

static PyObject *transaction_exit(PyObject *object, PyObject *args) {
  PyObject *type = NULL, *value, *traceback;
  if (!PyArg_ParseTuple(args, "OOO:__exit__", &type, &value, &traceback)) return NULL;
  if (SELF(object)->transaction == NULL) Py_RETURN_NONE; /* ended by hand */
  PyObject *result = type == Py_None ? transaction_commit(object, NULL) : transaction_rollback(object, NULL);
  if (result == NULL) return NULL;
  Py_DECREF(result);
  Py_RETURN_NONE;
}

static PyObject *transaction_revision(PyObject *object, void *unused) {
  (void)unused;
  return Py_NewRef(SELF(object)->revision);
}

/* MARK: The type */

PyDoc_STRVAR(get_doc, "get($self, key, default=None, /)\n--\n\nWhat key holds, this transaction's changes included.");
PyDoc_STRVAR(add_doc, "add($self, key, delta=1, /)\n--\n\nAdds to an integer (absent: 0) and returns the sum.");
PyDoc_STRVAR(commit_doc, "commit($self, /)\n--\n\nWrites all of it as one revision, whose number it returns.");
PyDoc_STRVAR(rollback_doc, "rollback($self, /)\n--\n\nForgets all of it.");
PyDoc_STRVAR(revision_doc, "The revision that it became; None before.");
PyDoc_STRVAR(transaction_doc, "Several keys, all or nothing, one revision. Made by Settings.transaction().");

static PyMethodDef methods[] = {
    {"get", FAST(transaction_get), METH_FASTCALL, get_doc},
    {"add", FAST(transaction_add), METH_FASTCALL, add_doc},
    {"commit", transaction_commit, METH_NOARGS, commit_doc},
    {"rollback", transaction_rollback, METH_NOARGS, rollback_doc},
    {"__enter__", transaction_enter, METH_NOARGS, NULL},
    {"__exit__", transaction_exit, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef properties[] = {
    {"revision", transaction_revision, NULL, revision_doc, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)transaction_doc},
    {Py_tp_dealloc, transaction_dealloc},
    {Py_tp_traverse, transaction_traverse},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {Py_mp_subscript, transaction_subscript},
    {Py_mp_ass_subscript, transaction_assign},
    {Py_sq_contains, transaction_contains},
    {0, NULL},
};

PyType_Spec transaction_spec = {"satchel._native.Transaction", sizeof(transaction_object), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
