/* The command line, sorted into flags, operands and names of variables. Whatever is wrong with it is for the command to say. */
#include "builtin.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

static const struct {
  const char *name;
  bool takes_value;
} flag_names[FLAG_COUNT] = {
    [F_TYPE] = {"type", true},
    [F_DEFAULT] = {"default", true},
    [F_JSON] = {"json", false},
    [F_NULL] = {"null", false},
    [F_IF_EQUALS] = {"if-equals", true},
    [F_IF_ABSENT] = {"if-absent", false},
    [F_IF_REVISION] = {"if-revision", true},
    [F_DURABLE] = {"durable", false},
    [F_STDIN] = {"stdin", false},
    [F_KEYS] = {"keys", false},
    [F_PREFIX] = {"prefix", true},
    [F_FORMAT] = {"format", true},
    [F_DIRECTORY] = {"directory", true},
    [F_PROGRAM] = {"program", true},
    [F_TIMEOUT] = {"timeout", true},
};

static const char *const target_letters[TARGET_COUNT] = {[T_VARIABLE] = "-v", [T_ARRAY] = "-a", [T_MAP] = "-A"};

bool has_target(const call *call) {
  return call->targets[T_VARIABLE] != NULL || call->targets[T_ARRAY] != NULL || call->targets[T_MAP] != NULL;
}

int misuse(const call *call, const char *format, ...) {
  va_list arguments;
  char *reason = NULL;
  va_start(arguments, format);
  int size = vasprintf(&reason, format, arguments);
  va_end(arguments);
  if (size < 0) return USAGE;
  tell("%s: %s", call->verb->name, reason);
  tell("usage: satchel %s%s [options]; see help satchel", call->verb->name, call->verb->operands);
  free(reason);
  return USAGE;
}

/* A dash and more, but not a negative number, which can be a value. */
static bool looks_like_flag(const char *word) {
  if (word[0] != '-' || word[1] == '\0') return false;
  if ((word[1] >= '0' && word[1] <= '9') || word[1] == '.') return false;
  return strcasecmp(word, "-inf") != 0 && strcasecmp(word, "-infinity") != 0 && strcasecmp(word, "-nan") != 0;
}

/* The flag that `word` spells, of those that the verb has; *value is what stands behind its `=`, or NULL. */
static enum flag flag_of(const call *call, const char *word, const char **value) {
  *value = NULL;
  if (strcmp(word, "-z") == 0) return call->verb->flags & 1u << F_NULL ? F_NULL : FLAG_COUNT;
  if (strncmp(word, "--", 2) != 0) return FLAG_COUNT;
  const char *name = word + 2, *equals = strchr(name, '=');
  size_t size = equals != NULL ? (size_t)(equals - name) : strlen(name);
  for (int flag = 0; flag < FLAG_COUNT; flag++) {
    if (!(call->verb->flags & 1u << flag)) continue;
    if (strlen(flag_names[flag].name) != size || strncmp(flag_names[flag].name, name, size) != 0) continue;
    *value = equals != NULL ? equals + 1 : NULL;
    return (enum flag)flag;
  }
  return FLAG_COUNT;
}

/* Takes a flag and what follows it; moves *word on. */
static int take_flag(call *call, WORD_LIST **word) {
  const char *value;
  enum flag flag = flag_of(call, (*word)->word->word, &value);
  if (flag == FLAG_COUNT) return ELSEWHERE;
  if (!flag_names[flag].takes_value) {
    if (value != NULL) return ELSEWHERE;
    call->flags[flag] = "";
    return DONE;
  }
  if (value == NULL) {
    *word = (*word)->next;
    if (*word == NULL) return ELSEWHERE;
    value = (*word)->word->word;
  }
  call->flags[flag] = value;
  return is_utf8(value) ? DONE : ELSEWHERE;
}

static enum target target_of(const call *call, const char *word) {
  for (int target = 0; target < TARGET_COUNT; target++)
    if (call->verb->targets & 1u << target && strcmp(word, target_letters[target]) == 0) return (enum target)target;
  return TARGET_COUNT;
}

static int take_target(call *call, enum target target, WORD_LIST **word) {
  if (call->targets[target] != NULL) return misuse(call, "%s is given twice", target_letters[target]);
  call->target_words[target] = *word;
  *word = (*word)->next;
  if (*word == NULL) return misuse(call, "%s needs the name of a variable", target_letters[target]);
  call->targets[target] = (*word)->word->word;
  return DONE;
}

static bool excludes(const call *call, enum flag one, enum flag other) { return has(call, one) && has(call, other); }

/* Flags of which the command takes only one. */
static bool is_contradictory(const call *call) {
  return excludes(call, F_IF_EQUALS, F_IF_ABSENT) || excludes(call, F_IF_EQUALS, F_IF_REVISION) ||
         excludes(call, F_IF_ABSENT, F_IF_REVISION) || (call->verb->run != run_get && excludes(call, F_JSON, F_NULL));
}

/* How long a write waits. False where that is no time. */
static bool take_timeout(call *call) {
  call->timeout = 5000000000;
  if (!has(call, F_TIMEOUT)) return true;
  satchel_value *value = NULL;
  double seconds = -1;
  int code = satchel_value_from_text(&value, satchel_text(call->flags[F_TIMEOUT]), SATCHEL_TYPE_DOUBLE);
  if (code == SATCHEL_OK) code = satchel_value_get_double(&seconds, value);
  satchel_value_free(value);
  if (code != SATCHEL_OK || !(seconds >= 0)) return false;
  /* A century is as good as for ever. */
  call->timeout = (int64_t)(fmin(seconds, 3155760000.0) * 1e9);
  return true;
}

static bool is_empty(const call *call, enum flag flag) { return has(call, flag) && call->flags[flag][0] == '\0'; }

static bool is_known_type(const call *call) {
  static const char *const names[] = {"bool", "int", "uint", "double", "string", "data", "date", "url", "uuid", "json"};
  if (!has(call, F_TYPE)) return true;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(call->flags[F_TYPE], names[i]) == 0) return true;
  return false;
}

static int check(call *call) {
  if (call->operand_count < call->verb->least || call->operand_count > call->verb->most) return ELSEWHERE;
  for (int i = 0; i < call->operand_count; i++)
    if (!is_utf8(call->operands[i])) return ELSEWHERE;
  /* An empty folder is an error for some commands and none for others. */
  if (is_empty(call, F_DIRECTORY) || is_empty(call, F_PROGRAM) || is_contradictory(call)) return ELSEWHERE;
  if (!is_known_type(call) || !take_timeout(call)) return ELSEWHERE;
  return check_targets(call);
}

int parse(call *call, const struct verb *verb, WORD_LIST *words) {
  memset(call, 0, sizeof *call);
  call->verb = verb;
  call->words = words;
  bool takes_flags = true;
  for (WORD_LIST *word = words->next; word != NULL; word = word->next) {
    const char *text = word->word->word;
    if (!takes_flags || !looks_like_flag(text)) {
      if (call->operand_count < verb->most) call->operands[call->operand_count] = text;
      call->operand_count++;
      continue;
    }
    enum target target = target_of(call, text);
    int status = DONE;
    if (strcmp(text, "--") == 0) takes_flags = false;
    else if (target != TARGET_COUNT) status = take_target(call, target, &word);
    else status = take_flag(call, &word);
    if (status != DONE) return status;
    if (word == NULL) break;
  }
  return check(call);
}
