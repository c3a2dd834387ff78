/* The command `satchel`, run by the shell as any other program is. */
#include "builtin.h"

#include "execute_cmd.h"
#include <fcntl.h>
#include <string.h>

extern char *search_for_command(const char *name, int flags); /* bash's findcmd.c, whose header is not installed */

const char *program_name(void) {
  const char *name = get_string_value("SATCHEL_PROGRAM");
  if (name == NULL || name[0] == '\0') {
    name = dollar_vars[0] != NULL ? dollar_vars[0] : "";
    const char *slash = strrchr(name, '/');
    if (slash != NULL) name = slash + 1;
  }
  return name[0] != '\0' && is_utf8(name) ? name : "bash";
}

/* Its path, allocated; it has a slash, so that no function and no builtin can stand in its place. NULL where it is not there. */
static char *command_path(void) {
  const char *name = get_string_value("SATCHEL_BIN");
  if (name == NULL || name[0] == '\0') name = "satchel";
  if (strchr(name, '/') != NULL) return savestring(name);
  char *path = search_for_command(name, 0);
  if (path == NULL || strchr(path, '/') != NULL) return path;
  char *here = NULL;
  if (asprintf(&here, "./%s", path) < 0) here = NULL;
  free(path);
  return here;
}

static WORD_LIST *prepend(const char *word, WORD_LIST *list) { return make_word_list(make_word(word), list); }

static bool is_target(const call *call, const WORD_LIST *word) {
  for (int target = 0; target < TARGET_COUNT; target++)
    if (call->target_words[target] == word) return true;
  return false;
}

/* What changes a domain takes the author's name, as it has no other way to know it. */
static bool takes_program(const char *verb) { return strcmp(verb, "import") == 0 || strcmp(verb, "set") == 0; }

/* The words but for the targets, each of which is two. */
static WORD_LIST *command_words(const call *call, const char *path) {
  WORD_LIST *list = prepend(path, NULL);
  for (const WORD_LIST *word = call->words; word != NULL; word = word->next) {
    if (is_target(call, word)) {
      word = word->next;
      if (word == NULL) break;
      continue;
    }
    list = prepend(word->word->word, list);
    if (word != call->words || !takes_program(word->word->word)) continue;
    char *program = NULL;
    if (asprintf(&program, "--program=%s", program_name()) >= 0) list = prepend(program, list);
    free(program);
  }
  return REVERSE_LIST(list, WORD_LIST *);
}

static REDIRECT *into_nothing(void) {
  REDIRECTEE descriptor, file;
  descriptor.dest = 1;
  file.filename = make_word("/dev/null");
  return make_redirection(descriptor, r_output_force, file, 0);
}

int run_command(const call *call) {
  char *path = command_path();
  if (path == NULL) {
    tell("the command satchel is not in PATH; SATCHEL_BIN says where it is");
    return EX_NOTFOUND;
  }
  COMMAND *command = make_bare_simple_command();
  command->value.Simple->words = command_words(call, path);
  free(path);
  /* What it prints cannot be meant where a variable was to be written. */
  command->value.Simple->redirects = has_target(call) ? into_nothing() : NULL;
  /* The words are what they are, and set -e and the ERR trap are for the builtin's own status. */
  command->flags |= CMD_IGNORE_RETURN | CMD_INHIBIT_EXPANSION | CMD_NO_FUNCTIONS;
  command->value.Simple->flags |= CMD_IGNORE_RETURN | CMD_INHIBIT_EXPANSION | CMD_NO_FUNCTIONS;
  begin_unwind_frame("satchel");
  add_unwind_protect(dispose_command, command);
  int status = execute_command(command);
  run_unwind_frame("satchel");
  if (status != EXECUTION_SUCCESS || !has_target(call)) return status;
  return misuse(call, "this cannot be put into a variable");
}
