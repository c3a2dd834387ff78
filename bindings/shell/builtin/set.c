/* satchel set and satchel unset: change a key, if a condition holds. */
#include "builtin.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* bash's input.c, whose header is not installed. */
extern int default_buffered_input;
extern int fd_is_bash_input(int descriptor);
extern int sync_buffered_stream(int descriptor);

/* What the --if flags ask for. */
typedef struct condition {
  enum { ALWAYS, IF_EQUALS, IF_ABSENT, IF_REVISION } kind;
  satchel_value *expected;
  uint64_t revision;
} condition;

/* False where the command has to say what is wrong with it. */
static bool take_condition(condition *condition, const call *call) {
  const char *equals = call->flags[F_IF_EQUALS], *revision = call->flags[F_IF_REVISION];
  *condition = (struct condition){has(call, F_IF_ABSENT) ? IF_ABSENT : ALWAYS, NULL, 0};
  if (equals != NULL) {
    condition->kind = IF_EQUALS;
    return value_from(&condition->expected, equals, strlen(equals), call) == SATCHEL_OK;
  }
  if (revision == NULL) return true;
  condition->kind = IF_REVISION;
  satchel_value *number = NULL;
  int code = satchel_value_from_text(&number, satchel_text(revision), SATCHEL_TYPE_UINT);
  if (code == SATCHEL_OK) code = satchel_value_get_uint64(&condition->revision, number);
  satchel_value_free(number);
  return code == SATCHEL_OK;
}

/* Whether a key without a value can meet it. */
static bool allows_absence(const condition *condition) {
  return condition->kind == ALWAYS || condition->kind == IF_ABSENT ||
         (condition->kind == IF_REVISION && condition->revision == 0);
}

static int apply_once(const condition *condition, satchel_settings *settings, const char *key, const satchel_value *desired) {
  switch (condition->kind) {
  case IF_EQUALS:
    return satchel_settings_compare_and_set(settings, key, condition->expected, desired);
  case IF_ABSENT:
    return satchel_settings_compare_and_set(settings, key, NULL, desired);
  case IF_REVISION:
    return satchel_settings_compare_revision_and_set(settings, key, condition->revision, desired);
  default:
    return desired != NULL ? satchel_settings_set_value(settings, key, desired) : satchel_settings_remove(settings, key);
  }
}

/* NULL removes. An exit code: NO where the condition does not hold. */
static int apply(const condition *condition, domain *domain, const call *call, const satchel_value *desired) {
  patience patience = patience_of(call);
  int code;
  do code = apply_once(condition, settings_of(domain), call->operands[1], desired);
  while (wait_on(&patience, code));
  if (code == SATCHEL_ECONFLICT || code == SATCHEL_ENOTFOUND) return NO;
  return code == SATCHEL_OK ? DONE : domain_failure(domain, code);
}

/* MARK: Standard input */

/* More than any transaction holds, so that an endless input ends. */
static const size_t input_limit = 128 << 20;

static int read_input(text *out) {
  char chunk[65536];
  /* The script itself may come from there, and bash have read ahead. */
  if (!interactive && default_buffered_input >= 0 && fd_is_bash_input(STDIN_FILENO))
    sync_buffered_stream(default_buffered_input);
  for (;;) {
    ssize_t count = read(STDIN_FILENO, chunk, sizeof chunk);
    if (count == 0) return DONE;
    if (count < 0 && errno == EINTR) {
      if (is_interrupted()) return 128 + SIGINT;
    } else if (count < 0) {
      tell("cannot read standard input: %s", strerror(errno));
      return FAILED;
    } else {
      text_add(out, chunk, (size_t)count);
      if (out->size > input_limit) {
        tell("standard input has more than %zu MiB", input_limit >> 20);
        return LIMIT;
      }
    }
  }
}

/* Without the line feed, or with -z the NUL, at its end. */
static int value_of_input(satchel_value **out, const call *call) {
  text input = {NULL, 0, 0};
  int status = read_input(&input);
  satchel_value *text = NULL;
  if (status == DONE) {
    if (input.size > 0 && input.data[input.size - 1] == (has(call, F_NULL) ? '\0' : '\n')) input.size--;
    if (satchel_value_new_string(&text, satchel_blob(input.data, input.size)) == SATCHEL_EINVAL) {
      tell("standard input is not UTF-8");
      status = USAGE;
    } else if (value_from(out, input.data, input.size, call) != SATCHEL_OK) {
      tell_of_key(call->operands[0], call->operands[1], satchel_last_error()->message);
      status = USAGE;
    }
  }
  satchel_value_free(text);
  text_free(&input);
  return status;
}

/* MARK: The verbs */

static int take_value(satchel_value **out, const call *call) {
  if (has(call, F_STDIN)) return value_of_input(out, call);
  const char *text = call->operands[2];
  return value_from(out, text, strlen(text), call) == SATCHEL_OK ? DONE : ELSEWHERE;
}

int run_set(const call *call) {
  /* One of the two, says the command. */
  if (has(call, F_STDIN) == (call->operand_count > 2)) return ELSEWHERE;
  condition condition;
  satchel_value *value = NULL;
  domain *domain;
  int status = take_condition(&condition, call) ? take_value(&value, call) : ELSEWHERE;
  if (status == DONE) status = open_domain(&domain, call, allows_absence(&condition));
  if (status == DONE) status = apply(&condition, domain, call, value);
  satchel_value_free(value);
  satchel_value_free(condition.expected);
  return status;
}

static int remove_key(const condition *condition, domain *domain, const call *call) {
  int held = satchel_settings_contains(settings_of(domain), call->operands[1]);
  if (held < 0 && held != SATCHEL_ENOTFOUND) return domain_failure(domain, held);
  /* Revision 0 stands for a key without a value: there is nothing to remove then. */
  bool is_absent = held != 1 || (condition->kind == IF_REVISION && condition->revision == 0);
  return is_absent ? NO : apply(condition, domain, call, NULL);
}

int run_unset(const call *call) {
  condition condition;
  domain *domain;
  int status = take_condition(&condition, call) ? open_domain(&domain, call, false) : ELSEWHERE;
  if (status == DONE) status = remove_key(&condition, domain, call);
  satchel_value_free(condition.expected);
  return status;
}
