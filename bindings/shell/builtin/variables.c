/* The shell's variables: which can be written, and writing them so that nothing that is stored is ever evaluated. */
#include "builtin.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* Whether it is a reference that has no variable behind it, or only itself. What is assigned to the former becomes the name that it
   refers to, and a subscript in that name is evaluated; the latter reaches a variable of an outer scope, whatever that may be. */
static bool refers_nowhere(const char *name) {
  SHELL_VAR *first = find_variable_noref(name);
  if (first == NULL || !nameref_p(first)) return false;
  SHELL_VAR *last = find_variable_last_nameref(name, 1);
  return last == NULL || nameref_cell(last) == NULL || *nameref_cell(last) == '\0';
}

/* Why the variable cannot be given a value of this kind, or NULL. */
static const char *refusal(const char *name, enum target target) {
  if (refers_nowhere(name)) return "is a reference that names no other variable";
  SHELL_VAR *variable = find_variable(name);
  if (variable == NULL) return NULL;
  if (readonly_p(variable)) return "is readonly";
  if (noassign_p(variable)) return "cannot be assigned";
  if (target == T_ARRAY && assoc_p(variable)) return "is an associative array";
  if (target == T_MAP && array_p(variable)) return "is an indexed array";
  return NULL;
}

int check_targets(const call *call) {
  for (int target = 0; target < TARGET_COUNT; target++) {
    const char *name = call->targets[target];
    if (name == NULL) continue;
    if (!legal_identifier(name)) {
      tell("\"%s\" cannot be the name of a variable", name);
      return USAGE;
    }
    const char *reason = refusal(name, (enum target)target);
    if (reason != NULL) {
      tell("the variable %s %s", name, reason);
      return USAGE;
    }
  }
  const char *array = call->targets[T_ARRAY], *map = call->targets[T_MAP];
  return array != NULL && map != NULL && strcmp(array, map) == 0 ? misuse(call, "-a and -A name the same variable") : DONE;
}

/* Assigning to a variable with the attribute of an integer evaluates what is assigned, commands in it included. A leading zero
   would make it octal, and more than 64 bits another number. */
static bool is_integer(const text *text) {
  if (text->size == 0) return false;
  const char *digits = text->data[0] == '-' ? text->data + 1 : text->data;
  size_t count = strspn(digits, "0123456789");
  if (count == 0 || digits[count] != '\0' || (digits[0] == '0' && count > 1)) return false;
  errno = 0;
  strtoimax(text->data, NULL, 10);
  return errno == 0;
}

/* The variable, or the array, that an assignment to `name` reaches by way of references. The caller frees it. */
static char *reached(const char *name) {
  SHELL_VAR *last = find_variable_last_nameref(name, 0);
  const char *target = last != NULL && nameref_p(last) && nameref_cell(last) != NULL ? nameref_cell(last) : name;
  return substring(target, 0, (int)strcspn(target, "["));
}

/* Whether an assignment evaluates. Behind a variable of this one command (`n=1 satchel get -v n ...`) another one may be assigned
   to as well, and bash tells nothing of the array of an element: so the scopes are looked through. */
static bool holds_integers(const char *name) {
  char *target = reached(name);
  bool found = false, is_last = false;
  for (VAR_CONTEXT *scope = shell_variables; scope != NULL && !found && !is_last; scope = scope->down) {
    BUCKET_CONTENTS *entry = scope->table != NULL ? hash_search(target, scope->table, 0) : NULL;
    if (entry == NULL) continue;
    found = integer_p((SHELL_VAR *)entry->data);
    is_last = !vc_istempscope(scope);
  }
  free(target);
  return found;
}

static int refuse(const call *call, const char *reason) {
  bool has_key = call->operand_count > 1;
  if (has_key) tell_of_key(call->operands[0], call->operands[1], reason);
  else tell("%s: %s", call->operands[0], reason);
  return USAGE;
}

int assign_text(const call *call, const text *text) {
  const char *name = call->targets[T_VARIABLE];
  if (text->size > 0 && memchr(text->data, 0, text->size) != NULL)
    return refuse(call, "the value holds a NUL, which no variable can; --json can print it");
  if (holds_integers(name) && !is_integer(text)) return refuse(call, "the variable holds integers only");
  char *value = text->size > 0 ? text->data : (char *)"";
  if (bind_variable(name, value, 0) == NULL) return USAGE;
  /* PATH, IFS and their like take effect. */
  stupidly_hack_special_variables((char *)name);
  return DONE;
}

/* MARK: Arrays */

void elements_add(elements *elements, text *key, text *value) {
  if (elements->count == elements->room) {
    elements->room = 2 * elements->room + 16;
    elements->all = xrealloc(elements->all, elements->room * sizeof *elements->all);
  }
  elements->all[elements->count++] = (item){key != NULL ? key->data : NULL, value->data};
}

void elements_free(elements *elements) {
  for (size_t i = 0; i < elements->count; i++) {
    free(elements->all[i].key);
    free(elements->all[i].value);
  }
  free(elements->all);
}

/* Values go past the variable's attributes: nothing is evaluated, no case is changed. */
void assign_array(const char *name, const elements *elements, bool of_keys) {
  SHELL_VAR *variable = find_or_make_array_variable((char *)name, 1);
  if (variable == NULL || !array_p(variable)) return;
  ARRAY *array = array_cell(variable);
  array_flush(array);
  for (size_t i = 0; i < elements->count; i++)
    array_insert(array, (arrayind_t)i, of_keys ? elements->all[i].key : elements->all[i].value);
  VUNSETATTR(variable, att_invisible);
}

void assign_map(const char *name, const elements *elements) {
  SHELL_VAR *variable = find_or_make_array_variable((char *)name, 1 | 2);
  if (variable == NULL || !assoc_p(variable)) return;
  HASH_TABLE *table = assoc_cell(variable);
  assoc_flush(table);
  for (size_t i = 0; i < elements->count; i++) assoc_insert(table, savestring(elements->all[i].key), elements->all[i].value);
  VUNSETATTR(variable, att_invisible);
}
