/* Values to and from text, JSON and dotenv: what satchel/_codecs.py calls. */
#include "native.h"

PyObject *text_from_buffer(subject about, int code, satchel_buffer *buffer) {
  if (code < 0) {
    raise_code(about, code);
    return NULL;
  }
  PyObject *text = PyUnicode_DecodeUTF8(buffer->data, (Py_ssize_t)buffer->size, NULL);
  satchel_buffer_free(buffer);
  return text;
}

static subject about_nothing(PyObject *module) { return (subject){PyModule_GetState(module), NULL, NULL}; }

/* As Python's own object; `value` is freed. */
static PyObject *object_from(PyObject *module, int code, satchel_value *value) {
  if (code < 0) {
    raise_code(about_nothing(module), code);
    return NULL;
  }
  PyObject *object = object_from_value(about_nothing(module), value);
  satchel_value_free(value);
  return object;
}

typedef int (*decoder)(satchel_value **out, satchel_bytes bytes);

static PyObject *decode(PyObject *module, PyObject *args, decoder decoder) {
  const char *text = NULL;
  Py_ssize_t size = 0;
  satchel_value *value = NULL;
  if (!PyArg_ParseTuple(args, "s#", &text, &size)) return NULL;
  int code = decoder(&value, satchel_blob(text, (size_t)size));
  return object_from(module, code, value);
}

typedef int (*encoder)(satchel_buffer *out, const satchel_value *value);

static PyObject *encode(PyObject *module, PyObject *object, encoder encoder) {
  satchel_buffer text = {NULL, 0};
  satchel_value *value = value_from_object(about_nothing(module), object);
  if (value == NULL) return NULL;
  int code = encoder(&text, value);
  satchel_value_free(value);
  return text_from_buffer(about_nothing(module), code, &text);
}

static PyObject *from_json(PyObject *module, PyObject *args) { return decode(module, args, satchel_value_from_json); }
static PyObject *from_dotenv(PyObject *module, PyObject *args) { return decode(module, args, satchel_value_from_dotenv); }
static PyObject *to_json(PyObject *module, PyObject *object) { return encode(module, object, satchel_value_to_json); }
static PyObject *to_dotenv(PyObject *module, PyObject *object) { return encode(module, object, satchel_value_to_dotenv); }
static PyObject *to_text(PyObject *module, PyObject *object) { return encode(module, object, satchel_value_to_text); }

static PyObject *from_text(PyObject *module, PyObject *args) {
  const char *text = NULL;
  Py_ssize_t size = 0;
  int type = 0;
  satchel_value *value = NULL;
  if (!PyArg_ParseTuple(args, "s#i:from_text", &text, &size, &type)) return NULL;
  int code = satchel_value_from_text(&value, satchel_blob(text, (size_t)size), type);
  return object_from(module, code, value);
}

static PyObject *convert(PyObject *module, PyObject *args) {
  PyObject *object = NULL;
  int type = 0;
  satchel_value *converted = NULL;
  if (!PyArg_ParseTuple(args, "Oi:convert", &object, &type)) return NULL;
  satchel_value *value = value_from_object(about_nothing(module), object);
  if (value == NULL) return NULL;
  int code = satchel_value_convert(&converted, value, type);
  satchel_value_free(value);
  return object_from(module, code, converted);
}

PyMethodDef codec_functions[] = {
    {"from_text", from_text, METH_VARARGS, NULL},     {"to_text", to_text, METH_O, NULL},
    {"from_json", from_json, METH_VARARGS, NULL},     {"to_json", to_json, METH_O, NULL},
    {"from_dotenv", from_dotenv, METH_VARARGS, NULL}, {"to_dotenv", to_dotenv, METH_O, NULL},
    {"convert", convert, METH_VARARGS, NULL},         {NULL, NULL, 0, NULL},
};
