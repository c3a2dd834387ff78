/* Python's own objects to and from Satchel's values, by way of CBOR (docs/values.md, section 4). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "native.h"

#define DEEPEST 64 /* arrays and dictionaries inside one another */

/* Those of the years 1 and 9999, between which a datetime lies. */
#define FIRST_SECOND (-62135596800LL)
#define LAST_SECOND 253402300799LL

enum { UNSIGNED, NEGATIVE, BYTES, TEXT, ARRAY, MAP, TAG, SIMPLE };
enum { TAG_URL = 32, TAG_UUID = 37, TAG_DATE = 1001 };

/* MARK: Reading */

typedef struct reader {
  subject about;
  const unsigned char *next, *end;
  int depth;
} reader;

static PyObject *damaged(reader *r) {
  raise_text(r->about, SATCHEL_ECORRUPT, "what is stored is not of the form that Satchel writes");
  return NULL;
}

static bool take_head(reader *r, int *major, uint64_t *number) {
  if (r->next == r->end) return false;
  unsigned char first = *r->next++;
  unsigned low = first & 31;
  *major = first >> 5;
  *number = low;
  if (low < 24) return true;
  if (low > 27) return false;
  size_t count = (size_t)1 << (low - 24);
  if ((size_t)(r->end - r->next) < count) return false;
  for (*number = 0; count > 0; count--) *number = *number << 8 | *r->next++;
  return true;
}

static PyObject *take(reader *r);

static PyObject *take_text(reader *r, uint64_t size) {
  if (size > (uint64_t)(r->end - r->next)) return damaged(r);
  PyObject *text = PyUnicode_DecodeUTF8((const char *)r->next, (Py_ssize_t)size, NULL);
  r->next += size;
  return text;
}

static PyObject *take_bytes(reader *r, uint64_t size) {
  if (size > (uint64_t)(r->end - r->next)) return damaged(r);
  PyObject *bytes = PyBytes_FromStringAndSize((const char *)r->next, (Py_ssize_t)size);
  r->next += size;
  return bytes;
}

static PyObject *take_array(reader *r, uint64_t count) {
  if (count > (uint64_t)(r->end - r->next)) return damaged(r);
  PyObject *list = PyList_New((Py_ssize_t)count);
  for (Py_ssize_t i = 0; list != NULL && i < (Py_ssize_t)count; i++) {
    PyObject *item = take(r);
    if (item == NULL || PyList_SetItem(list, i, item) < 0) Py_CLEAR(list);
  }
  return list;
}

static PyObject *take_map(reader *r, uint64_t count) {
  PyObject *dict = PyDict_New();
  for (uint64_t i = 0; dict != NULL && i < count; i++) {
    PyObject *key = take(r), *value = key != NULL ? take(r) : NULL;
    if (value == NULL || PyDict_SetItem(dict, key, value) < 0) Py_CLEAR(dict);
    Py_XDECREF(key);
    Py_XDECREF(value);
  }
  return dict;
}

static PyObject *beyond_the_calendar(reader *r, long long seconds) {
  char text[96];
  snprintf(text, sizeof text, "a date %lld seconds from 1970 lies outside the years 0001 to 9999", seconds);
  raise_text(r->about, SATCHEL_ERANGE, text);
  return NULL;
}

static PyObject *take_date(reader *r) {
  int major = 0;
  uint64_t count = 0, key = 0, number = 0, nanoseconds = 0;
  if (!take_head(r, &major, &count) || major != MAP || count < 1 || count > 2) return damaged(r);
  if (!take_head(r, &major, &key) || key != 1 || !take_head(r, &major, &number) || major > NEGATIVE) return damaged(r);
  long long seconds = major == UNSIGNED ? (long long)number : (long long)~number;
  if (count == 2 && (!take_head(r, &major, &key) || major != NEGATIVE || !take_head(r, &major, &nanoseconds)))
    return damaged(r);
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND) return beyond_the_calendar(r, seconds);
  return PyObject_CallFunction(r->about.state->make_date, "LK", seconds, (unsigned long long)nanoseconds);
}

static PyObject *take_uuid(reader *r) {
  PyObject *bytes = take(r);
  if (bytes == NULL) return NULL;
  PyObject *uuid = PyObject_CallFunction(r->about.state->uuid, "OO", Py_None, bytes);
  Py_DECREF(bytes);
  return uuid;
}

static PyObject *take_url(reader *r) {
  PyObject *text = take(r);
  if (text == NULL) return NULL;
  PyObject *url = PyObject_CallFunctionObjArgs(r->about.state->url, text, NULL);
  Py_DECREF(text);
  return url;
}

static PyObject *take_double(reader *r) {
  if (r->end - r->next < 9) return damaged(r);
  uint64_t bits = 0;
  for (int i = 1; i <= 8; i++) bits = bits << 8 | r->next[i];
  double number;
  memcpy(&number, &bits, 8);
  r->next += 9;
  return PyFloat_FromDouble(number);
}

static PyObject *take_simple(reader *r, uint64_t number) {
  switch (number) {
  case 20:
    return PyBool_FromLong(0);
  case 21:
    return PyBool_FromLong(1);
  case 22:
    return Py_NewRef(Py_None);
  default:
    return damaged(r);
  }
}

static PyObject *take_tagged(reader *r, uint64_t tag) {
  switch (tag) {
  case TAG_URL:
    return take_url(r);
  case TAG_UUID:
    return take_uuid(r);
  case TAG_DATE:
    return take_date(r);
  default:
    return damaged(r);
  }
}

static PyObject *take_item(reader *r) {
  int major = 0;
  uint64_t number = 0;
  if (r->next < r->end && *r->next == 0xfb) return take_double(r);
  if (!take_head(r, &major, &number)) return damaged(r);
  switch (major) {
  case UNSIGNED:
    return PyLong_FromUnsignedLongLong(number);
  case NEGATIVE:
    return PyLong_FromLongLong((long long)~number);
  case BYTES:
    return take_bytes(r, number);
  case TEXT:
    return take_text(r, number);
  case ARRAY:
    return take_array(r, number);
  case MAP:
    return take_map(r, number);
  case TAG:
    return take_tagged(r, number);
  default:
    return take_simple(r, number);
  }
}

/* A file may have been forged: it is not to lead deeper than any value goes. */
static PyObject *take(reader *r) {
  if (r->depth > DEEPEST) return damaged(r);
  r->depth++;
  PyObject *object = take_item(r);
  r->depth--;
  return object;
}

PyObject *object_from_cbor(subject about, const unsigned char *bytes, size_t size) {
  reader r = {about, bytes, bytes + size, 0};
  return take(&r);
}

PyObject *object_from_value(subject about, const satchel_value *value) {
  satchel_buffer cbor = {NULL, 0};
  int code = satchel_value_to_cbor(&cbor, value);
  if (code < 0) {
    raise_code(about, code);
    return NULL;
  }
  PyObject *object = object_from_cbor(about, cbor.data, cbor.size);
  satchel_buffer_free(&cbor);
  return object;
}

/* MARK: Writing */

/* Each function answers 0, or -1 with an exception set. */
typedef struct writer {
  subject about;
  unsigned char *bytes;
  size_t size, room;
} writer;

static int put(writer *w, const void *bytes, size_t size) {
  if (w->room - w->size < size) {
    size_t room = (w->size + size) * 2 + 64;
    unsigned char *grown = realloc(w->bytes, room);
    if (grown == NULL) {
      PyErr_NoMemory();
      return -1;
    }
    w->bytes = grown;
    w->room = room;
  }
  memcpy(w->bytes + w->size, bytes, size);
  w->size += size;
  return 0;
}

static int put_head(writer *w, int major, uint64_t number) {
  unsigned char head[9];
  int width = number < 24 ? 0 : number <= 0xff ? 1 : number <= 0xffff ? 2 : number <= 0xffffffff ? 4 : 8;
  static const unsigned char codes[9] = {0, 24, 25, 0, 26, 0, 0, 0, 27};
  head[0] = (unsigned char)(major << 5 | (width == 0 ? (int)number : codes[width]));
  for (int i = 0; i < width; i++) head[1 + i] = (unsigned char)(number >> (8 * (width - 1 - i)));
  return put(w, head, (size_t)width + 1);
}

static int refuse(writer *w, int code, const char *text) {
  raise_text(w->about, code, text);
  return -1;
}

static int put_int(writer *w, PyObject *object) {
  int overflow = 0;
  long long number = PyLong_AsLongLongAndOverflow(object, &overflow);
  if (number == -1 && PyErr_Occurred()) return -1;
  if (overflow == 0) return number >= 0 ? put_head(w, UNSIGNED, (uint64_t)number) : put_head(w, NEGATIVE, ~(uint64_t)number);
  unsigned long long large = overflow > 0 ? PyLong_AsUnsignedLongLong(object) : 0;
  if (overflow > 0 && !PyErr_Occurred()) return put_head(w, UNSIGNED, large);
  PyErr_Clear();
  return refuse(w, SATCHEL_ERANGE, "an int must fit 64 bits: -2**63 to 2**64 - 1");
}

static int put_double(writer *w, PyObject *object) {
  double number = PyFloat_AsDouble(object);
  uint64_t bits = 0x7ff8000000000000; /* the one NaN */
  if (number == number) memcpy(&bits, &number, 8);
  unsigned char bytes[9] = {0xfb};
  for (int i = 0; i < 8; i++) bytes[1 + i] = (unsigned char)(bits >> (56 - 8 * i));
  return put(w, bytes, sizeof bytes);
}

static int put_text(writer *w, PyObject *object) {
  Py_ssize_t size = 0;
  const char *text = PyUnicode_AsUTF8AndSize(object, &size);
  return text != NULL && put_head(w, TEXT, (uint64_t)size) == 0 ? put(w, text, (size_t)size) : -1;
}

static int put_bytes(writer *w, PyObject *object) {
  PyObject *copy = PyBytes_FromObject(object);
  char *bytes = NULL;
  Py_ssize_t size = 0;
  if (copy == NULL) return -1;
  int result = PyBytes_AsStringAndSize(copy, &bytes, &size);
  if (result == 0) result = put_head(w, BYTES, (uint64_t)size);
  if (result == 0) result = put(w, bytes, (size_t)size);
  Py_DECREF(copy);
  return result;
}

static int put_date(writer *w, PyObject *object) {
  PyObject *parts = PyObject_CallFunctionObjArgs(w->about.state->date_parts, object, NULL);
  long long seconds = 0;
  unsigned int nanoseconds = 0;
  if (parts == NULL) return -1;
  if (parts == Py_None) {
    Py_DECREF(parts);
    return refuse(w, SATCHEL_ETYPE, "a datetime without a zone is no instant: give it a tzinfo, such as datetime.timezone.utc");
  }
  int parsed = PyArg_ParseTuple(parts, "LI", &seconds, &nanoseconds);
  Py_DECREF(parts);
  if (!parsed) return -1;
  if (put_head(w, TAG, TAG_DATE) < 0 || put_head(w, MAP, nanoseconds != 0 ? 2 : 1) < 0 || put_head(w, UNSIGNED, 1) < 0)
    return -1;
  int major = seconds >= 0 ? UNSIGNED : NEGATIVE;
  if (put_head(w, major, major == UNSIGNED ? (uint64_t)seconds : ~(uint64_t)seconds) < 0) return -1;
  if (nanoseconds == 0) return 0;
  return put_head(w, NEGATIVE, 8) < 0 ? -1 : put_head(w, UNSIGNED, nanoseconds);
}

static int put_uuid(writer *w, PyObject *object) {
  PyObject *bytes = PyObject_GetAttrString(object, "bytes");
  if (bytes == NULL) return -1;
  int result = put_head(w, TAG, TAG_UUID) < 0 ? -1 : put_bytes(w, bytes);
  Py_DECREF(bytes);
  return result;
}

static int put_object(writer *w, PyObject *object, int depth);

static int put_sequence(writer *w, PyObject *object, int depth) {
  Py_ssize_t count = PySequence_Size(object);
  if (count < 0 || put_head(w, ARRAY, (uint64_t)count) < 0) return -1;
  for (Py_ssize_t i = 0; i < count; i++) {
    PyObject *item = PySequence_GetItem(object, i);
    int result = item != NULL ? put_object(w, item, depth + 1) : -1;
    Py_XDECREF(item);
    if (result < 0) return -1;
  }
  return 0;
}

static int put_entry(writer *w, PyObject *entry, int depth) {
  if (!PyTuple_Check(entry) || PyTuple_Size(entry) != 2)
    return refuse(w, SATCHEL_ETYPE, "the items of a stored mapping must be pairs of key and value");
  PyObject *key = PyTuple_GetItem(entry, 0), *value = PyTuple_GetItem(entry, 1);
  if (!PyUnicode_Check(key)) return refuse(w, SATCHEL_ETYPE, "the keys of a stored dict must be str");
  return put_text(w, key) < 0 ? -1 : put_object(w, value, depth + 1);
}

/* Its items as they are now, in its own order: a subclass may have another than the dict it is made of. Any mapping will do. */
static int put_dict(writer *w, PyObject *object, int depth) {
  PyObject *items = PyMapping_Items(object);
  Py_ssize_t count = items != NULL ? PyList_Size(items) : -1;
  int result = count < 0 ? -1 : put_head(w, MAP, (uint64_t)count);
  for (Py_ssize_t i = 0; result == 0 && i < count; i++) result = put_entry(w, PyList_GetItem(items, i), depth);
  Py_XDECREF(items);
  return result;
}

/* What is told apart by its class alone. 1: not one of these. */
static int put_instance(writer *w, PyObject *object, int depth) {
  int is;
  if ((is = PyObject_IsInstance(object, w->about.state->datetime)) != 0) return is < 0 ? -1 : put_date(w, object);
  if ((is = PyObject_IsInstance(object, w->about.state->uuid)) != 0) return is < 0 ? -1 : put_uuid(w, object);
  if ((is = PyObject_IsInstance(object, w->about.state->mapping)) != 0) return is < 0 ? -1 : put_dict(w, object, depth);
  if ((is = PyObject_IsInstance(object, w->about.state->date)) == 0) return 1;
  if (is < 0) return -1;
  return refuse(w, SATCHEL_ETYPE,
                "a date without a time is no instant: store a datetime with a zone, or its text with isoformat()");
}

static int refuse_type(writer *w, PyObject *object) {
  PyObject *name = PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__name__");
  PyObject *text =
      name != NULL ? PyUnicode_FromFormat("an object of type %S cannot be stored: use bool, int, float, str, bytes, datetime, "
                                          "satchel.URL, uuid.UUID, list, dict or another mapping",
                                          name)
                   : NULL;
  const char *utf8 = text != NULL ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
  if (utf8 != NULL) refuse(w, SATCHEL_ETYPE, utf8);
  Py_XDECREF(text);
  Py_XDECREF(name);
  return -1;
}

static int put_str(writer *w, PyObject *object) {
  if (!PyUnicode_CheckExact(object)) {
    int is_url = PyObject_IsInstance(object, w->about.state->url);
    if (is_url < 0 || (is_url > 0 && put_head(w, TAG, TAG_URL) < 0)) return -1;
  }
  return put_text(w, object);
}

static int put_object(writer *w, PyObject *object, int depth) {
  if (depth > DEEPEST) return refuse(w, SATCHEL_ERANGE, "lists and dicts can stand inside one another 64 deep");
  if (object == Py_None) return put(w, "\xf6", 1);
  if (PyBool_Check(object)) return put(w, object == Py_True ? "\xf5" : "\xf4", 1);
  if (PyLong_Check(object)) return put_int(w, object);
  if (PyFloat_Check(object)) return put_double(w, object);
  if (PyUnicode_Check(object)) return put_str(w, object);
  if (PyBytes_Check(object) || PyByteArray_Check(object) || PyMemoryView_Check(object)) return put_bytes(w, object);
  if (PyList_Check(object) || PyTuple_Check(object)) return put_sequence(w, object, depth);
  if (PyDict_Check(object)) return put_dict(w, object, depth);
  int result = put_instance(w, object, depth);
  return result == 1 ? refuse_type(w, object) : result;
}

satchel_value *value_from_object(subject about, PyObject *object) {
  writer w = {about, NULL, 0, 0};
  satchel_value *value = NULL;
  if (put_object(&w, object, 0) == 0) {
    int code = satchel_value_from_cbor(&value, satchel_blob(w.bytes, w.size));
    if (code < 0) raise_code(about, code);
  }
  free(w.bytes);
  return value;
}
