/* The builtin itself: its words and its help. */
#include "builtin.h"

#include <string.h>
#include <version.h>

#define BIT(flag) (1u << (flag))
#define OPENING (BIT(F_DIRECTORY) | BIT(F_PROGRAM) | BIT(F_TIMEOUT))
#define CONDITIONS (BIT(F_IF_EQUALS) | BIT(F_IF_REVISION) | BIT(F_TYPE))

/* What is done here, with the flags that are. Everything else is the command's. */
static const struct verb verbs[] = {
    {"get", run_get, 2, 2, BIT(F_TYPE) | BIT(F_DEFAULT) | BIT(F_JSON) | BIT(F_NULL) | OPENING,
     BIT(T_VARIABLE) | BIT(T_ARRAY) | BIT(T_MAP), " DOMAIN KEY"},
    {"set", run_set, 2, 3, CONDITIONS | BIT(F_IF_ABSENT) | BIT(F_DURABLE) | BIT(F_STDIN) | BIT(F_NULL) | OPENING, 0,
     " DOMAIN KEY [VALUE]"},
    {"unset", run_unset, 2, 2, CONDITIONS | BIT(F_DURABLE) | OPENING, 0, " DOMAIN KEY"},
    {"add", run_add, 2, 3, BIT(F_DURABLE) | OPENING, BIT(T_VARIABLE), " DOMAIN KEY [N]"},
    {"list", run_list, 1, 1, BIT(F_KEYS) | BIT(F_JSON) | BIT(F_NULL) | BIT(F_PREFIX) | OPENING, BIT(T_ARRAY) | BIT(T_MAP),
     " DOMAIN"},
    {"domains", run_domains, 0, 0, BIT(F_JSON) | BIT(F_NULL) | BIT(F_DIRECTORY), BIT(T_ARRAY), ""},
    {"export", run_export, 1, 1, BIT(F_FORMAT) | OPENING, BIT(T_VARIABLE), " DOMAIN"},
};

static const struct verb *verb_named(const char *name) {
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
    if (strcmp(verbs[i].name, name) == 0) return &verbs[i];
  return NULL;
}

static int satchel_builtin(WORD_LIST *words) {
  call call;
  memset(&call, 0, sizeof call);
  call.words = words;
  const struct verb *verb = words != NULL ? verb_named(words->word->word) : NULL;
  if (verb == NULL) return run_command(&call);
  int status = parse(&call, verb, words);
  if (status == DONE) status = verb->run(&call);
  return status == ELSEWHERE ? run_command(&call) : status;
}

/* Whether the library, which asks getenv, sees what the shell exports. */
static bool sees_variables(void) {
  static const char name[] = "_SATCHEL_BUILTIN_PROBE";
  SHELL_VAR *variable = bind_variable(name, (char *)"1", 0);
  if (variable == NULL) return false;
  VSETATTR(variable, att_exported);
  bool is_seen = getenv(name) != NULL;
  unbind_variable(name);
  return is_seen;
}

__attribute__((visibility("default"))) int satchel_builtin_load(char *name);
__attribute__((visibility("default"))) void satchel_builtin_unload(char *name);

/* The structures of variables and commands differ between versions of bash. */
static bool is_right_bash(void) {
  if (strcmp(dist_version, DISTVERSION) == 0) return true;
  tell("the builtin is made for bash %s, this is bash %s", DISTVERSION, dist_version);
  return false;
}

/* What bash calls when it loads and unloads: 1 is success. */
int satchel_builtin_load(char *name) {
  (void)name;
  return is_right_bash() && sees_variables();
}

void satchel_builtin_unload(char *name) {
  (void)name;
  close_domains();
}

static char *help[] = {
    "Settings that every program on this machine reads and writes.",
    "",
    "The same words as the command `satchel', answered in this shell: get, set,",
    "unset, add, list, domains and export. What else there is, and every wrong",
    "command line, is handed to the command; SATCHEL_BIN names it.",
    "",
    "Options:",
    "  get DOMAIN KEY -v NAME	puts the value into the variable NAME, exactly",
    "  get DOMAIN KEY -a NAME	puts the elements of an array into an indexed array",
    "  get DOMAIN KEY -A NAME	puts a dictionary into an associative array",
    "  add DOMAIN KEY [N] -v NAME	puts the sum into the variable NAME",
    "  list DOMAIN -A NAME	puts the keys and values into an associative array",
    "  list DOMAIN -a NAME	puts the keys into an indexed array, in their order",
    "  domains -a NAME	puts the names of all domains into an indexed array",
    "  export DOMAIN -v NAME	puts the whole domain, as JSON, into the variable NAME",
    "",
    "Other options are those of the command: see `satchel help get'. Changes are",
    "recorded under the name of the script, or SATCHEL_PROGRAM.",
    "",
    "Exit Status:",
    "0 done, 1 no, 2 wrong use, 3 and more a failure, which is told on standard",
    "error; see `satchel help exit-codes'. Unless it is 0 the variables stay as",
    "they were.",
    NULL,
};

__attribute__((visibility("default"))) struct builtin satchel_struct = {
    (char *)"satchel", satchel_builtin, BUILTIN_ENABLED, help, "satchel COMMAND [WORD ...] [-v NAME] [-a NAME] [-A NAME]", NULL,
};
