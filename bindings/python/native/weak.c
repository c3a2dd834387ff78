/*
 * satchel._native.WeakTable: what satchel.WeakCache is made of. A dict of entries, each with a weak reference that calls the
 * entry when its object ends; the entry then takes itself out.
 *
 * The interpreter lock is the lock. It may change hands wherever Python code can run: in the hash and == of keys, when
 * something is let go, and when something is made (the cycle collector may run). So whatever was found before is looked at again
 * after these, and what has to be one step has none of them in it. An entry is taken out by its identity, which runs none.
 */
#include "native.h"

/* In the dict both as key and as value. Its callback, as the dict's key, compares by what the user's key is. */
typedef struct entry_object {
  PyObject_HEAD struct table_object *table; /* borrowed: the one that it is in, or NULL */
  PyObject *key;
  PyObject *reference; /* weak; NULL once the entry is out */
  Py_hash_t hash;
} entry_object;

typedef struct table_object {
  PyObject_HEAD module_state *state;
  PyObject *module;  /* keeps `state` alive */
  PyObject *entries; /* dict */
  size_t changes;    /* how often entries have come or gone: what was not found is not there while it stays the same */
  PyObject *probe;   /* an entry to look others up with, made once; NULL while it is in use */
} table_object;

#define ENTRY(object) ((entry_object *)(object))
#define TABLE(object) ((table_object *)(object))

/* A new reference to the object of an entry, or NULL, without an exception, where it has ended. Runs no Python code. */
static PyObject *living(entry_object *entry) {
  PyObject *object = entry->reference != NULL ? PyWeakref_GetObject(entry->reference) : Py_None;
  return object != Py_None ? Py_NewRef(object) : NULL;
}

/* MARK: Entries */

static PyObject *new_entry(module_state *state) {
  PyTypeObject *type = (PyTypeObject *)state->entry_type;
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  return allocate(type, 0);
}

static int entry_traverse(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(ENTRY(object)->key);
  Py_VISIT(ENTRY(object)->reference);
  return 0;
}

/* The key stays: whoever looks something up meanwhile compares with it. */
static int entry_clear(PyObject *object) {
  Py_CLEAR(ENTRY(object)->reference);
  return 0;
}

static void entry_dealloc(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  entry_clear(object);
  Py_CLEAR(ENTRY(object)->key);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(object);
  Py_DECREF(type);
}

static Py_hash_t entry_hash(PyObject *object) { return ENTRY(object)->hash; }

/* Two that are in the dict have different keys: no need to ask. That is what makes taking one out a single step. */
static PyObject *entry_compare(PyObject *left, PyObject *right, int operation) {
  if (operation != Py_EQ || Py_TYPE(left) != Py_TYPE(right)) Py_RETURN_NOTIMPLEMENTED;
  if (ENTRY(left)->table != NULL && ENTRY(right)->table != NULL) return PyBool_FromLong(left == right);
  return PyObject_RichCompare(ENTRY(left)->key, ENTRY(right)->key, Py_EQ);
}

/* Runs no Python code before it is done. */
static void take_out(entry_object *entry) {
  table_object *table = entry->table;
  PyObject *reference = entry->reference;
  if (table == NULL) return;
  Py_INCREF(entry);
  if (PyDict_DelItem(table->entries, (PyObject *)entry) < 0) PyErr_Clear();
  table->changes++;
  entry->table = NULL;
  entry->reference = NULL;
  Py_XDECREF(reference);
  Py_DECREF(entry);
}

/* By a weak reference whose object has ended, or by somebody who got hold of it. */
static PyObject *entry_call(PyObject *object, PyObject *args, PyObject *keywords) {
  entry_object *entry = ENTRY(object);
  (void)keywords;
  if (PyTuple_Size(args) == 1 && PyTuple_GetItem(args, 0) == entry->reference) {
    PyObject *alive = living(entry);
    if (alive == NULL) take_out(entry);
    Py_XDECREF(alive);
  }
  Py_RETURN_NONE;
}

static PyType_Slot entry_slots[] = {
    {Py_tp_doc, "Takes its key out of a WeakCache when the object ends."},
    {Py_tp_traverse, entry_traverse},
    {Py_tp_clear, entry_clear},
    {Py_tp_dealloc, entry_dealloc},
    {Py_tp_hash, entry_hash},
    {Py_tp_richcompare, entry_compare},
    {Py_tp_call, entry_call},
    {0, NULL},
};

PyType_Spec entry_spec = {
    "satchel._native.Entry",
    sizeof(entry_object),
    0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    entry_slots,
};

/* MARK: Looking up */

/* A new reference to the entry of a key, or NULL: with an exception, or without one where there is none. */
static entry_object *find(table_object *self, PyObject *key) {
  Py_hash_t hash = PyObject_Hash(key);
  if (hash == -1) return NULL;
  PyObject *probe = self->probe;
  self->probe = NULL;
  if (probe == NULL && (probe = new_entry(self->state)) == NULL) return NULL;
  ENTRY(probe)->key = Py_NewRef(key);
  ENTRY(probe)->hash = hash;
  PyObject *found = PyDict_GetItemWithError(self->entries, probe);
  Py_XINCREF(found);
  Py_CLEAR(ENTRY(probe)->key);
  if (self->probe == NULL) self->probe = probe;
  else Py_DECREF(probe);
  return ENTRY(found);
}

/* A new reference to what lives under a key, or NULL: with an exception, or without one where nothing does. */
static PyObject *look(table_object *self, PyObject *key) {
  entry_object *entry = find(self, key);
  if (entry == NULL) return NULL;
  PyObject *object = living(entry);
  Py_DECREF(entry);
  return object;
}

static PyObject *raise_absent(PyObject *key) {
  PyErr_SetObject(PyExc_KeyError, key);
  return NULL;
}

static PyObject *table_subscript(PyObject *object, PyObject *key) {
  PyObject *found = look(TABLE(object), key);
  return found != NULL || PyErr_Occurred() ? found : raise_absent(key);
}

static PyObject *table_get(PyObject *object, PyObject *const *args, Py_ssize_t count) {
  if (!has_arguments("get", count, 1, 2)) return NULL;
  PyObject *found = look(TABLE(object), args[0]);
  if (found != NULL || PyErr_Occurred()) return found;
  return Py_NewRef(count > 1 ? args[1] : Py_None);
}

static int table_contains(PyObject *object, PyObject *key) {
  PyObject *found = look(TABLE(object), key);
  Py_XDECREF(found);
  return found != NULL ? 1 : PyErr_Occurred() ? -1 : 0;
}

static Py_ssize_t table_length(PyObject *object) { return PyDict_Size(TABLE(object)->entries); }

/* The keys of all that lives, in the order of their arrival. */
static PyObject *table_keys(PyObject *object, PyObject *unused) {
  (void)unused;
  PyObject *keys = PyList_New(0), *entries = PyDict_Values(TABLE(object)->entries);
  Py_ssize_t count = entries != NULL ? PyList_Size(entries) : 0;
  for (Py_ssize_t i = 0; keys != NULL && i < count; i++) {
    entry_object *entry = ENTRY(PyList_GetItem(entries, i));
    PyObject *value = living(entry);
    if (value != NULL && PyList_Append(keys, entry->key) < 0) Py_CLEAR(keys);
    Py_XDECREF(value);
  }
  if (entries == NULL) Py_CLEAR(keys);
  Py_XDECREF(entries);
  return keys;
}

/* MARK: Changing */

/* Another object for an entry. 1: done; 0: the entry has gone out meanwhile; -1: an exception. With `kept` what lives there
 * stays, and is stored in *kept. */
static int renew(entry_object *entry, PyObject *value, PyObject **kept) {
  PyObject *reference = PyWeakref_NewRef(value, (PyObject *)entry);
  if (reference == NULL) return -1;
  bool is_in = entry->table != NULL;
  if (is_in && kept != NULL) *kept = living(entry);
  if (is_in && (kept == NULL || *kept == NULL)) {
    PyObject *old = entry->reference;
    entry->reference = reference;
    reference = old;
  }
  Py_XDECREF(reference);
  return is_in;
}

/* The first object of a key that was not there at `changes`. 1, 0 and -1 as above: 0 where it may have come in meanwhile. */
static int enter(table_object *self, PyObject *key, PyObject *value, size_t changes) {
  PyObject *fresh = new_entry(self->state);
  if (fresh == NULL) return -1;
  int result = -1;
  ENTRY(fresh)->key = Py_NewRef(key);
  ENTRY(fresh)->hash = PyObject_Hash(key);
  if (ENTRY(fresh)->hash != -1 && (ENTRY(fresh)->reference = PyWeakref_NewRef(value, fresh)) != NULL)
    result = self->changes == changes;
  if (result == 1) {
    /* From here to the end no key is asked, as both that may be compared are in. */
    ENTRY(fresh)->table = self;
    self->changes++;
    if (PyDict_SetItem(self->entries, fresh, fresh) < 0) result = -1;
  }
  if (result != 1) {
    ENTRY(fresh)->table = NULL;
    entry_clear(fresh);
  }
  Py_DECREF(fresh);
  return result;
}

/* A new reference to what lives under the key from now on: `value`, or with `keep` what lived there before. */
static PyObject *store(table_object *self, PyObject *key, PyObject *value, bool keep) {
  int result = 0;
  PyObject *kept = NULL;
  while (result == 0) {
    size_t changes = self->changes;
    entry_object *entry = find(self, key);
    if (entry == NULL && PyErr_Occurred()) return NULL;
    result = entry != NULL ? renew(entry, value, keep ? &kept : NULL) : enter(self, key, value, changes);
    Py_XDECREF(entry);
  }
  if (result < 0) return NULL;
  return kept != NULL ? kept : Py_NewRef(value);
}

/* A new reference to what lived under the key, which goes; or NULL as `look`. */
static PyObject *take(table_object *self, PyObject *key) {
  entry_object *entry = find(self, key);
  if (entry == NULL) return NULL;
  PyObject *object = living(entry);
  take_out(entry);
  Py_DECREF(entry);
  return object;
}

static int table_assign(PyObject *object, PyObject *key, PyObject *value) {
  PyObject *result;
  if (value != NULL && value != Py_None) {
    result = store(TABLE(object), key, value, false);
  } else {
    result = take(TABLE(object), key);
    if (result == NULL && !PyErr_Occurred()) {
      if (value != NULL) return 0;
      raise_absent(key);
    }
  }
  Py_XDECREF(result);
  return result != NULL ? 0 : -1;
}

static PyObject *table_pop(PyObject *object, PyObject *const *args, Py_ssize_t count) {
  if (!has_arguments("pop", count, 1, 2)) return NULL;
  PyObject *found = take(TABLE(object), args[0]);
  if (found != NULL || PyErr_Occurred()) return found;
  return count > 1 ? Py_NewRef(args[1]) : raise_absent(args[0]);
}

static PyObject *table_setdefault(PyObject *object, PyObject *const *args, Py_ssize_t count) {
  if (!has_arguments("setdefault", count, 2, 2)) return NULL;
  return store(TABLE(object), args[0], args[1], true);
}

static PyObject *table_get_or_create(PyObject *object, PyObject *const *args, Py_ssize_t count) {
  if (!has_arguments("get_or_create", count, 2, 2)) return NULL;
  PyObject *found = look(TABLE(object), args[0]);
  if (found != NULL || PyErr_Occurred()) return found;
  PyObject *made = PyObject_CallNoArgs(args[1]);
  if (made == NULL) return NULL;
  found = store(TABLE(object), args[0], made, true);
  Py_DECREF(made);
  return found;
}

/* Takes everything out in one step. -1 with an exception where there is no memory. */
static int empty(table_object *self) {
  PyObject *entries = PyDict_Values(self->entries);
  Py_ssize_t count = entries != NULL ? PyList_Size(entries) : 0;
  for (Py_ssize_t i = 0; i < count; i++) ENTRY(PyList_GetItem(entries, i))->table = NULL;
  if (entries != NULL) PyDict_Clear(self->entries);
  self->changes++;
  for (Py_ssize_t i = 0; i < count; i++) entry_clear(PyList_GetItem(entries, i));
  Py_XDECREF(entries);
  return entries != NULL ? 0 : -1;
}

static PyObject *table_clear_all(PyObject *object, PyObject *unused) {
  (void)unused;
  if (empty(TABLE(object)) < 0) return NULL;
  Py_RETURN_NONE;
}

/* MARK: Life */

static PyObject *table_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  PyObject *module = NULL;
  (void)args, (void)keywords;
  module_state *state = state_of_type(type, &module);
  if (state == NULL) return NULL;
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  table_object *self = TABLE(allocate(type, 0));
  if (self == NULL) return NULL;
  self->state = state;
  self->module = Py_NewRef(module);
  self->entries = PyDict_New();
  if (self->entries == NULL) Py_CLEAR(self);
  return (PyObject *)self;
}

static int table_traverse(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(TABLE(object)->module);
  Py_VISIT(TABLE(object)->entries);
  Py_VISIT(TABLE(object)->probe);
  return 0;
}

/* An entry may live longer than its table: it must not go on believing that it is in. */
static int table_clear(PyObject *object) {
  PyObject *entry, *value, *entries = TABLE(object)->entries;
  Py_ssize_t position = 0;
  if (entries == NULL) return 0;
  while (PyDict_Next(entries, &position, &entry, &value)) ENTRY(entry)->table = NULL;
  return empty(TABLE(object));
}

static void table_dealloc(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  if (table_clear(object) < 0) PyErr_Clear();
  Py_CLEAR(TABLE(object)->entries);
  Py_CLEAR(TABLE(object)->probe);
  Py_CLEAR(TABLE(object)->module);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(object);
  Py_DECREF(type);
}

PyDoc_STRVAR(get_doc, "get($self, key, default=None, /)\n--\n\nThe object of key, or default where none lives. O(1).");
PyDoc_STRVAR(get_or_create_doc,
             "get_or_create($self, key, make, /)\n--\n\n"
             "The object of key; where none lives, what make() returns, which is then in.\n\n"
             "make may use the cache. Of several threads that make one for the same key, all get that of the first. O(1).");
PyDoc_STRVAR(setdefault_doc, "setdefault($self, key, default, /)\n--\n\n"
                             "The object of key; where none lives, default, which is then in. One step for all threads. O(1).");
PyDoc_STRVAR(pop_doc, "pop($self, key, default=<unrepresentable>, /)\n--\n\n"
                      "Removes key and returns its object; default where none lives, or KeyError without one. O(1).");
PyDoc_STRVAR(clear_doc, "clear($self, /)\n--\n\nRemoves everything, in one step. O(n).");

static PyMethodDef table_methods[] = {
    {"get", FAST(table_get), METH_FASTCALL, get_doc},
    {"get_or_create", FAST(table_get_or_create), METH_FASTCALL, get_or_create_doc},
    {"setdefault", FAST(table_setdefault), METH_FASTCALL, setdefault_doc},
    {"pop", FAST(table_pop), METH_FASTCALL, pop_doc},
    {"clear", table_clear_all, METH_NOARGS, clear_doc},
    {"_keys", table_keys, METH_NOARGS, NULL},
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot table_slots[] = {
    {Py_tp_doc, "What satchel.WeakCache is made of."},
    {Py_tp_new, table_new},
    {Py_tp_traverse, table_traverse},
    {Py_tp_clear, table_clear},
    {Py_tp_dealloc, table_dealloc},
    {Py_tp_methods, table_methods},
    {Py_mp_length, table_length},
    {Py_mp_subscript, table_subscript},
    {Py_mp_ass_subscript, table_assign},
    {Py_sq_contains, table_contains},
    {0, NULL},
};

PyType_Spec weak_table_spec = {
    "satchel._native.WeakTable",
    sizeof(table_object),
    0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    table_slots,
};
