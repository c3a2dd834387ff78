/*
 * satchel._native.Dict: an ordered dictionary of Python's objects, each owned by an entry. satchel.OrderedDict makes a mapping of it.
 *
 * Keys become bytes: a str its UTF-8, other types a byte that no UTF-8 has, a letter, and what they are. So keys are equal exactly
 * when they are of the same type and value, but for True and False, which are 1 and 0 as everywhere in Python.
 *
 * An object that an entry lets go of may run any code as it dies, on this dictionary too: the change is complete by then.
 */
#include <stdbool.h>
#include <string.h>

#include "native.h"

typedef struct dict_object {
  PyObject_HEAD module_state *state;
  PyObject *module; /* keeps `state` alive */
  satchel_dict *dict;
} dict_object;

#define SELF(object) ((dict_object *)(object))
#define MARK 0xff /* begins the bytes of keys that are no str */

static PyObject *raised(dict_object *self, int code) {
  raise_code((subject){self->state, NULL, NULL}, code);
  return NULL;
}

static PyObject *raised_key(PyObject *key) {
  PyErr_SetObject(PyExc_KeyError, key);
  return NULL;
}

/* MARK: Keys */

typedef struct key_bytes {
  satchel_bytes bytes;
  PyObject *owner; /* of the bytes, where they are a copy */
  unsigned char room[2 + sizeof(int64_t)];
} key_bytes;

static bool key_of_bytes(key_bytes *key, PyObject *object) {
  char *bytes, *copy;
  Py_ssize_t size;
  if (PyBytes_AsStringAndSize(object, &bytes, &size) < 0) return false;
  key->owner = PyBytes_FromStringAndSize(NULL, size + 2);
  if (key->owner == NULL) return false;
  copy = PyBytes_AsString(key->owner);
  copy[0] = (char)MARK, copy[1] = 'b';
  memcpy(copy + 2, bytes, (size_t)size);
  key->bytes = satchel_blob(copy, (size_t)size + 2);
  return true;
}

static bool key_of_int(key_bytes *key, PyObject *object) {
  int64_t number = PyLong_AsLongLong(object);
  if (number == -1 && PyErr_Occurred()) {
    if (PyErr_ExceptionMatches(PyExc_OverflowError))
      PyErr_SetString(PyExc_OverflowError, "an int as a key has 64 bits at most");
    return false;
  }
  key->room[0] = MARK, key->room[1] = 'i';
  memcpy(key->room + 2, &number, sizeof number);
  key->bytes = satchel_blob(key->room, sizeof key->room);
  return true;
}

/* A str with a lone surrogate has no UTF-8; it has bytes of its own all the same. */
static bool key_of_surrogates(key_bytes *key, PyObject *object) {
  if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return false;
  PyErr_Clear();
  key->owner = PyUnicode_AsEncodedString(object, "utf-8", "surrogatepass");
  if (key->owner == NULL) return false;
  key->bytes = satchel_blob(PyBytes_AsString(key->owner), (size_t)PyBytes_Size(key->owner));
  return true;
}

/* False with an exception set. Done with by key_end. */
static bool key_begin(key_bytes *key, PyObject *object) {
  Py_ssize_t size = 0;
  key->owner = NULL;
  if (PyUnicode_Check(object)) {
    const char *text = PyUnicode_AsUTF8AndSize(object, &size);
    if (text == NULL) return key_of_surrogates(key, object);
    key->bytes = satchel_blob(text, (size_t)size);
    return true;
  }
  if (PyLong_Check(object)) return key_of_int(key, object);
  if (PyBytes_Check(object)) return key_of_bytes(key, object);
  PyErr_Format(PyExc_TypeError, "a key is str, bytes or int, not %R", Py_TYPE(object));
  return false;
}

static void key_end(key_bytes *key) { Py_XDECREF(key->owner); }

static PyObject *key_object(satchel_bytes bytes) {
  const char *text = bytes.data;
  if (bytes.size < 2 || (unsigned char)text[0] != MARK)
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)bytes.size, "surrogatepass");
  if (text[1] == 'b') return PyBytes_FromStringAndSize(text + 2, (Py_ssize_t)bytes.size - 2);
  int64_t number;
  memcpy(&number, text + 2, sizeof number);
  return PyLong_FromLongLong(number);
}

/* MARK: Life */

static void let_go(void *pointer, void *context) {
  (void)context;
  Py_DECREF((PyObject *)pointer);
}

static PyObject *dict_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  (void)args, (void)keywords;
  PyObject *module = NULL;
  module_state *state = state_of_type(type, &module);
  if (state == NULL) return NULL;
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  dict_object *self = SELF(allocate(type, 0));
  if (self == NULL) return NULL;
  self->state = state;
  self->module = Py_NewRef(module);
  int code = satchel_dict_new(&self->dict, NULL);
  if (code < 0) {
    raise_code((subject){state, NULL, NULL}, code);
    Py_CLEAR(self);
  }
  return (PyObject *)self;
}

static int dict_traverse(PyObject *object, visitproc visit, void *arg) {
  satchel_dict_position position = SATCHEL_DICT_POSITION_INIT;
  satchel_dict_value value;
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(SELF(object)->module);
  while (satchel_dict_next(NULL, &value, SELF(object)->dict, &position) == 1) Py_VISIT((PyObject *)value.as.pointer);
  return 0;
}

static int dict_break(PyObject *object) { return satchel_dict_clear(SELF(object)->dict); }

static void dict_dealloc(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  satchel_dict_free(SELF(object)->dict);
  Py_CLEAR(SELF(object)->module);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(object);
  Py_DECREF(type);
}

/* MARK: Mapping */

/* A new reference; NULL without an exception where there is no such key. */
static PyObject *find(dict_object *self, PyObject *name) {
  key_bytes key;
  void *value = NULL;
  if (!key_begin(&key, name)) return NULL;
  int code = satchel_dict_get_pointer(&value, self->dict, key.bytes);
  key_end(&key);
  if (code < 0 && code != SATCHEL_ENOTFOUND) return raised(self, code);
  return Py_XNewRef((PyObject *)value);
}

/* What a subclass puts something else in the place of. It is here, too, since to look for what is not there costs more than all. */
static PyObject *dict_missing(PyObject *object, PyObject *name) {
  (void)object;
  return raised_key(name);
}

static PyObject *dict_subscript(PyObject *object, PyObject *name) {
  PyObject *found = find(SELF(object), name);
  if (found != NULL || PyErr_Occurred()) return found;
  return PyObject_CallMethodObjArgs(object, SELF(object)->state->missing, name, NULL);
}

static int dict_put(dict_object *self, satchel_bytes key, PyObject *value) {
  int code = satchel_dict_set_pointer(self->dict, key, Py_NewRef(value), let_go, NULL);
  if (code == 0) return 0;
  Py_DECREF(value);
  raised(self, code);
  return -1;
}

static int dict_drop(dict_object *self, satchel_bytes key, PyObject *name) {
  int code = satchel_dict_remove(self->dict, key);
  if (code == SATCHEL_ENOTFOUND) raised_key(name);
  else if (code < 0) raised(self, code);
  return code < 0 ? -1 : 0;
}

static int dict_assign(PyObject *object, PyObject *name, PyObject *value) {
  key_bytes key;
  if (!key_begin(&key, name)) return -1;
  int result = value != NULL ? dict_put(SELF(object), key.bytes, value) : dict_drop(SELF(object), key.bytes, name);
  key_end(&key);
  return result;
}

static int dict_contains(PyObject *object, PyObject *name) {
  key_bytes key;
  if (!key_begin(&key, name)) return -1;
  int result = satchel_dict_contains(SELF(object)->dict, key.bytes);
  key_end(&key);
  if (result < 0) raised(SELF(object), result);
  return result < 0 ? -1 : result;
}

static Py_ssize_t dict_length(PyObject *object) {
  size_t count = 0;
  return satchel_dict_count(&count, SELF(object)->dict) == 0 ? (Py_ssize_t)count : -1;
}

static PyObject *dict_get(PyObject *object, PyObject *const *args, Py_ssize_t count) {
  if (!has_arguments("get", count, 1, 2)) return NULL;
  PyObject *found = find(SELF(object), args[0]);
  if (found != NULL || PyErr_Occurred()) return found;
  return Py_NewRef(count > 1 ? args[1] : Py_None);
}

/* Arguments by position or by these names; those that are not given stay NULL. Parsing a format would cost more than the rest. */
static bool named_arguments(const char *function, const char *const *names, PyObject **places, PyObject *const *args,
                            Py_ssize_t count, PyObject *given) {
  Py_ssize_t most = 0, keywords = given != NULL ? PyTuple_Size(given) : 0;
  while (names[most] != NULL) places[most++] = NULL;
  if (!has_arguments(function, count + keywords, 0, most)) return false;
  for (Py_ssize_t i = 0; i < count; i++) places[i] = args[i];
  for (Py_ssize_t i = 0; i < keywords; i++) {
    PyObject *name = PyTuple_GetItem(given, i);
    Py_ssize_t place = 0;
    while (place < most && PyUnicode_CompareWithASCIIString(name, names[place]) != 0) place++;
    if (place == most || places[place] != NULL) {
      PyErr_Format(PyExc_TypeError, "%s got an unexpected argument %R", function, name);
      return false;
    }
    places[place] = args[count + i];
  }
  return true;
}

/* The arguments of what needs a key, and may be given something else. */
static bool key_and_another(const char *function, const char *another, PyObject **places, PyObject *const *args,
                            Py_ssize_t count, PyObject *given) {
  const char *const names[] = {"key", another, NULL};
  if (!named_arguments(function, names, places, args, count, given)) return false;
  if (places[0] == NULL) PyErr_Format(PyExc_TypeError, "%s needs a key", function);
  return places[0] != NULL;
}

/* Python takes the object over: what is freed is the rest. */
static PyObject *value_of_item(satchel_dict_item *item) {
  PyObject *value = item->value.as.pointer;
  item->value.type = SATCHEL_DICT_NONE;
  satchel_dict_item_free(item);
  return value;
}

static PyObject *dict_pop(PyObject *object, PyObject *const *args, Py_ssize_t count, PyObject *given) {
  PyObject *places[2];
  key_bytes key;
  satchel_dict_item item;
  if (!key_and_another("pop", "default", places, args, count, given) || !key_begin(&key, places[0])) return NULL;
  int code = satchel_dict_take(&item, SELF(object)->dict, key.bytes);
  key_end(&key);
  if (code == 0) return value_of_item(&item);
  if (code != SATCHEL_ENOTFOUND) return raised(SELF(object), code);
  return places[1] != NULL ? Py_NewRef(places[1]) : raised_key(places[0]);
}

/* What a subclass makes of putting counts here, too. */
static PyObject *dict_setdefault(PyObject *object, PyObject *const *args, Py_ssize_t count, PyObject *given) {
  PyObject *places[2];
  if (!key_and_another("setdefault", "default", places, args, count, given)) return NULL;
  PyObject *found = find(SELF(object), places[0]), *value = places[1] != NULL ? places[1] : Py_None;
  if (found != NULL || PyErr_Occurred()) return found;
  return PyObject_SetItem(object, places[0], value) == 0 ? Py_NewRef(value) : NULL;
}

static PyObject *dict_clear(PyObject *object, PyObject *unused) {
  (void)unused;
  int code = satchel_dict_clear(SELF(object)->dict);
  if (code < 0) return raised(SELF(object), code);
  Py_RETURN_NONE;
}

/* MARK: Order */

/* -1 with an exception set. */
static int truth(PyObject *object, int otherwise) { return object != NULL ? PyObject_IsTrue(object) : otherwise; }

static PyObject *pair(PyObject *key, PyObject *value) {
  PyObject *both = key != NULL && value != NULL ? PyTuple_Pack(2, key, value) : NULL;
  Py_XDECREF(key);
  Py_XDECREF(value);
  return both;
}

static PyObject *dict_popitem(PyObject *object, PyObject *const *args, Py_ssize_t count, PyObject *given) {
  static const char *const names[] = {"last", NULL};
  satchel_dict *dict = SELF(object)->dict;
  satchel_dict_item item;
  PyObject *end;
  int last = named_arguments("popitem", names, &end, args, count, given) ? truth(end, 1) : -1;
  if (last < 0) return NULL;
  int code = last ? satchel_dict_pop_last(&item, dict) : satchel_dict_pop_first(&item, dict);
  if (code == SATCHEL_ENOTFOUND) {
    PyErr_SetString(PyExc_KeyError, "dictionary is empty");
    return NULL;
  }
  if (code < 0) return raised(SELF(object), code);
  PyObject *key = key_object(item.key);
  return pair(key, value_of_item(&item));
}

static PyObject *dict_move_to_end(PyObject *object, PyObject *const *args, Py_ssize_t count, PyObject *given) {
  satchel_dict *dict = SELF(object)->dict;
  PyObject *places[2];
  key_bytes key;
  if (!key_and_another("move_to_end", "last", places, args, count, given)) return NULL;
  int last = truth(places[1], 1);
  if (last < 0 || !key_begin(&key, places[0])) return NULL;
  int code = last ? satchel_dict_move_to_end(dict, key.bytes) : satchel_dict_move_to_front(dict, key.bytes);
  key_end(&key);
  if (code == SATCHEL_ENOTFOUND) return raised_key(places[0]);
  if (code < 0) return raised(SELF(object), code);
  Py_RETURN_NONE;
}

static PyObject *dict_at(PyObject *object, PyObject *number) {
  Py_ssize_t index = PyNumber_AsSsize_t(number, PyExc_IndexError);
  satchel_bytes key;
  satchel_dict_value value;
  if (index == -1 && PyErr_Occurred()) return NULL;
  if (index < 0) index += dict_length(object);
  int code = index < 0 ? SATCHEL_ERANGE : satchel_dict_at(&key, &value, SELF(object)->dict, (size_t)index);
  if (code == SATCHEL_ERANGE) {
    PyErr_Format(PyExc_IndexError, "there is no entry %R", number);
    return NULL;
  }
  if (code < 0) return raised(SELF(object), code);
  /* Making the key may let others run. */
  PyObject *held = Py_NewRef((PyObject *)value.as.pointer);
  return pair(key_object(key), held);
}

static PyObject *dict_index(PyObject *object, PyObject *name) {
  key_bytes key;
  size_t index = 0;
  if (!key_begin(&key, name)) return NULL;
  int code = satchel_dict_index_of(&index, SELF(object)->dict, key.bytes);
  key_end(&key);
  if (code == SATCHEL_ENOTFOUND) return raised_key(name);
  return code < 0 ? raised(SELF(object), code) : PyLong_FromSize_t(index);
}

/* MARK: Walking */

typedef struct walk_object {
  PyObject_HEAD dict_object *dict; /* NULL once the end was reached */
  satchel_dict_cursor *cursor;     /* and this too */
  int what;                        /* WALK_... */
} walk_object;

enum { WALK_KEYS, WALK_VALUES, WALK_ITEMS, WALK_REVERSED = 4 };

#define WALK(object) ((walk_object *)(object))

static PyObject *new_walk(dict_object *dict, int what) {
  PyTypeObject *type = (PyTypeObject *)dict->state->walk_type;
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  walk_object *self = WALK(allocate(type, 0));
  if (self == NULL) return NULL;
  self->dict = (dict_object *)Py_NewRef((PyObject *)dict);
  self->what = what;
  int code = satchel_dict_cursor_open(&self->cursor, dict->dict);
  if (code == 0) return (PyObject *)self;
  Py_DECREF((PyObject *)self);
  return raised(dict, code);
}

static PyObject *dict_iterate(PyObject *object) { return new_walk(SELF(object), WALK_KEYS); }

static PyObject *dict_reversed(PyObject *object, PyObject *unused) {
  (void)unused;
  return new_walk(SELF(object), WALK_KEYS | WALK_REVERSED);
}

static PyObject *dict_walk(PyObject *object, PyObject *number) {
  long what = PyLong_AsLong(number);
  if (what == -1 && PyErr_Occurred()) return NULL;
  return new_walk(SELF(object), (int)what & 7);
}

static int walk_break(PyObject *object) {
  satchel_dict_cursor_close(WALK(object)->cursor);
  WALK(object)->cursor = NULL;
  Py_CLEAR(WALK(object)->dict);
  return 0;
}

static PyObject *walk_next(PyObject *object) {
  walk_object *self = WALK(object);
  satchel_bytes key;
  satchel_dict_value value;
  if (self->cursor == NULL) return NULL;
  int code = self->what & WALK_REVERSED ? satchel_dict_cursor_prev(&key, &value, self->cursor)
                                        : satchel_dict_cursor_next(&key, &value, self->cursor);
  if (code <= 0) { /* Python's iterators stay at the end, and hold nothing there. */
    if (code < 0) raised(self->dict, code);
    walk_break(object);
    return NULL;
  }
  int what = self->what & ~WALK_REVERSED;
  PyObject *held = what != WALK_KEYS ? Py_NewRef((PyObject *)value.as.pointer) : NULL;
  if (what == WALK_VALUES) return held;
  PyObject *name = key_object(key);
  return what == WALK_ITEMS ? pair(name, held) : name;
}

static int walk_traverse(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(object));
  Py_VISIT((PyObject *)WALK(object)->dict);
  return 0;
}

static void walk_dealloc(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  walk_break(object);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(object);
  Py_DECREF(type);
}

/* MARK: The types */

#define FAST(function) ((PyCFunction)(void (*)(void))(function))

PyDoc_STRVAR(dict_doc, "An ordered dictionary, in the plainest form; OrderedDict makes a mapping of it.");
PyDoc_STRVAR(get_doc, "get($self, key, default=None, /)\n--\n\nWhat key holds, or default where there is no such key. O(1).");
PyDoc_STRVAR(pop_doc, "pop($self, /, key, default=<unrepresentable>)\n--\n\n"
                      "Removes key and returns what it held, or default; KeyError where there is neither. O(1).");
PyDoc_STRVAR(setdefault_doc, "setdefault($self, /, key, default=None)\n--\n\n"
                             "What key holds; where there is no such key, default, which is then put in. O(1).");
PyDoc_STRVAR(popitem_doc, "popitem($self, /, last=True)\n--\n\n"
                          "Removes the last item, or the first one, and returns it; KeyError where there is none. O(1).");
PyDoc_STRVAR(clear_doc, "clear($self, /)\n--\n\nRemoves all items.");
PyDoc_STRVAR(move_doc, "move_to_end($self, /, key, last=True)\n--\n\n"
                       "Moves key behind all others, or before them; KeyError where there is no such key. O(1).");
PyDoc_STRVAR(at_doc,
             "at($self, index, /)\n--\n\n"
             "The item at a position, which counts from the end where it is negative; IndexError outside. O(1), or O(log n)\n"
             "once items have been removed from the middle.");
PyDoc_STRVAR(index_doc,
             "index($self, key, /)\n--\n\nThe position of key; KeyError where there is no such key. As fast as at().");

static PyMethodDef methods[] = {
    {"get", FAST(dict_get), METH_FASTCALL, get_doc},
    {"pop", FAST(dict_pop), METH_FASTCALL | METH_KEYWORDS, pop_doc},
    {"setdefault", FAST(dict_setdefault), METH_FASTCALL | METH_KEYWORDS, setdefault_doc},
    {"popitem", FAST(dict_popitem), METH_FASTCALL | METH_KEYWORDS, popitem_doc},
    {"clear", dict_clear, METH_NOARGS, clear_doc},
    {"move_to_end", FAST(dict_move_to_end), METH_FASTCALL | METH_KEYWORDS, move_doc},
    {"at", dict_at, METH_O, at_doc},
    {"index", dict_index, METH_O, index_doc},
    {"_walk", dict_walk, METH_O, NULL},
    {"__reversed__", dict_reversed, METH_NOARGS, NULL},
    {"__missing__", dict_missing, METH_O, NULL},
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot dict_slots[] = {
    {Py_tp_doc, (void *)dict_doc},      {Py_tp_new, dict_new},
    {Py_tp_dealloc, dict_dealloc},      {Py_tp_traverse, dict_traverse},
    {Py_tp_clear, dict_break},          {Py_tp_iter, dict_iterate},
    {Py_tp_methods, methods},           {Py_mp_subscript, dict_subscript},
    {Py_mp_ass_subscript, dict_assign}, {Py_mp_length, dict_length},
    {Py_sq_contains, dict_contains},    {0, NULL},
};

PyType_Spec dict_spec = {"satchel._native.Dict", sizeof(dict_object), 0,
                         Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, dict_slots};

static PyType_Slot walk_slots[] = {
    {Py_tp_dealloc, walk_dealloc},   {Py_tp_traverse, walk_traverse}, {Py_tp_clear, walk_break},
    {Py_tp_iter, PyObject_SelfIter}, {Py_tp_iternext, walk_next},     {0, NULL},
};

PyType_Spec walk_spec = {"satchel._native.DictWalk", sizeof(walk_object), 0,
                         Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION, walk_slots};
