#include "asserts.h"

static evaluated seen;

static int condition(int value) {
  seen.conditions++;
  return value;
}
static const char *message(void) {
  seen.messages++;
  return "a message";
}

#ifdef SATCHEL_LOG_NO_ASSERT
#define ALL_KINDS no_asserts_of_all_kinds
#else
#define ALL_KINDS asserts_of_all_kinds
#endif

evaluated ALL_KINDS(satchel_log *log) {
  seen = (evaluated){0, 0};
  (void)condition;
  SATCHEL_ASSERT(log, condition(1), "%s", message());
  SATCHEL_ASSERT(log, condition(0) && "50%", "%s", message());
  SATCHEL_UNREACHABLE(log, "%s", message());
  SATCHEL_MUST_BE_OVERRIDDEN(log);
  SATCHEL_ASSERT_ON_MAIN_THREAD(log);
  SATCHEL_ASSERT_IN_BACKGROUND(log);
  if (SATCHEL_VERIFY(log, condition(0), "%s", message())) seen.conditions += 100;
  if (!SATCHEL_VERIFY(log, condition(1), "%s", message())) seen.conditions += 100;
  return seen;
}
