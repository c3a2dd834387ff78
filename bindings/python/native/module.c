/* satchel._native: libsatchel for CPython. The package's Python half gives it its shape; see src/satchel/_settings.py. */
#include "native.h"

module_state *state_of_type(PyTypeObject *type, PyObject **module) {
  PyObject *holder = PyObject_GetAttrString((PyObject *)type, "_module");
  if (holder == NULL) return NULL;
  *module = holder;
  Py_DECREF(holder); /* the type keeps it */
  return PyModule_GetState(holder);
}

bool has_arguments(const char *name, Py_ssize_t count, Py_ssize_t least, Py_ssize_t most) {
  if (count >= least && count <= most) return true;
  if (least == most) PyErr_Format(PyExc_TypeError, "%s expected %zd arguments, got %zd", name, least, count);
  else PyErr_Format(PyExc_TypeError, "%s expected %zd to %zd arguments, got %zd", name, least, most, count);
  return false;
}

static PyObject *attribute(const char *module, const char *name) {
  PyObject *imported = PyImport_ImportModule(module);
  if (imported == NULL) return NULL;
  PyObject *found = PyObject_GetAttrString(imported, name);
  Py_DECREF(imported);
  return found;
}

/* The Python half must not import this one before it has been read: errors and values do not. */
static int load_python_half(module_state *state) {
  const struct {
    PyObject **place;
    const char *module, *name;
  } wanted[] = {
      {&state->make_error, "satchel._errors", "make"},
      {&state->make_date, "satchel._values", "date_from_parts"},
      {&state->date_parts, "satchel._values", "date_parts"},
      {&state->url, "satchel._values", "URL"},
      {&state->make_info, "satchel._values", "key_info"},
      {&state->health, "satchel._values", "Health"},
      {&state->datetime, "datetime", "datetime"},
      {&state->date, "datetime", "date"},
      {&state->uuid, "uuid", "UUID"},
      {&state->mapping, "collections.abc", "Mapping"},
  };
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if ((*wanted[i].place = attribute(wanted[i].module, wanted[i].name)) == NULL) return -1;
  return 0;
}

static int add_type(PyObject *module, PyObject **place, PyType_Spec *spec) {
  *place = PyType_FromModuleAndSpec(module, spec, NULL);
  return *place != NULL ? PyModule_AddType(module, (PyTypeObject *)*place) : -1;
}

static int execute(PyObject *module) {
  module_state *state = PyModule_GetState(module);
  if (load_python_half(state) < 0 || add_type(module, &state->store_type, &store_spec) < 0 ||
      add_type(module, &state->transaction_type, &transaction_spec) < 0 ||
      add_type(module, &state->weak_table_type, &weak_table_spec) < 0 || add_type(module, &state->dict_type, &dict_spec) < 0 ||
      add_type(module, &state->walk_type, &walk_spec) < 0)
    return -1;
  if ((state->missing = PyUnicode_InternFromString("__missing__")) == NULL) return -1;
  state->entry_type = PyType_FromModuleAndSpec(module, &entry_spec, NULL);
  if (state->entry_type == NULL) return -1;
  if (PyObject_SetAttrString(state->store_type, "_module", module) < 0 ||
      PyObject_SetAttrString(state->weak_table_type, "_module", module) < 0 ||
      PyObject_SetAttrString(state->dict_type, "_module", module) < 0)
    return -1;
  if (PyModule_AddFunctions(module, codec_functions) < 0) return -1;
  return PyModule_AddStringConstant(module, "version", satchel_version());
}

static PyObject *domains(PyObject *module, PyObject *args) {
  const char *directory = NULL;
  if (!PyArg_ParseTuple(args, "|z:domains", &directory)) return NULL;
  return domains_in(PyModule_GetState(module), directory);
}

static int traverse(PyObject *module, visitproc visit, void *arg) {
  module_state *state = PyModule_GetState(module);
  for (PyObject **place = (PyObject **)state; place < (PyObject **)(state + 1); place++) Py_VISIT(*place);
  return 0;
}

static int clear(PyObject *module) {
  module_state *state = PyModule_GetState(module);
  for (PyObject **place = (PyObject **)state; place < (PyObject **)(state + 1); place++) Py_CLEAR(*place);
  return 0;
}

static void release(void *module) { clear(module); }

static PyMethodDef functions[] = {
    {"domains", domains, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, execute},
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_native", NULL, sizeof(module_state), functions, slots, traverse, clear, release,
};

PyMODINIT_FUNC PyInit__native(void) { return PyModuleDef_Init(&definition); }
