/* satchel add: adds to an integer and prints the sum, or puts it into a variable. */
#include "builtin.h"

static bool take_delta(int64_t *out, const call *call) {
  *out = 1;
  if (call->operand_count < 3) return true;
  satchel_value *value = NULL;
  int code = satchel_value_from_text(&value, satchel_text(call->operands[2]), SATCHEL_TYPE_INT);
  if (code == SATCHEL_OK) code = satchel_value_get_int64(out, value);
  satchel_value_free(value);
  return code == SATCHEL_OK;
}

static int answer(const call *call, int64_t sum) {
  char digits[32];
  text shown = {NULL, 0, 0};
  snprintf(digits, sizeof digits, "%lld", (long long)sum);
  text_add_string(&shown, digits);
  int status;
  if (call->targets[T_VARIABLE] != NULL) {
    status = assign_text(call, &shown);
  } else {
    text_add_byte(&shown, '\n');
    status = print(&shown);
  }
  text_free(&shown);
  return status;
}

int run_add(const call *call) {
  int64_t delta, sum = 0;
  domain *domain;
  if (!take_delta(&delta, call)) return ELSEWHERE;
  int status = open_domain(&domain, call, true), code;
  if (status != DONE) return status;
  patience patience = patience_of(call);
  do code = satchel_settings_add(&sum, settings_of(domain), call->operands[1], delta);
  while (wait_on(&patience, code));
  return code == SATCHEL_OK ? answer(call, sum) : domain_failure(domain, code);
}
