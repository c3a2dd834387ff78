// What no one should do to the functions of dumps, assertions and signals.
#include <stdio.h>
#include <string.h>

#include "scratch.h"

#define REFUSED(call) CHECK_CODE(SATCHEL_EINVAL, (call), #call)

static satchel_log *log_;
static char room[256];

static void refuses(satchel_type type, const char *why) {
  CHECK(satchel_log_dump(log_, SATCHEL_LOG_NOTICE, NULL, "x", &type, room) == SATCHEL_EINVAL, "taken: %s", why);
}

static void hostile_types(void) {
  satchel_type type = satchel_type_int;
  type.kind = 0;
  refuses(type, "no kind");
  type.kind = 99;
  refuses(type, "an unknown kind");
  type = satchel_type_int;
  type.size = 3;
  refuses(type, "an integer of three bytes");
  type.size = (size_t)-4;
  refuses(type, "a negative size");
  type = satchel_type_text;
  type.size = 4;
  refuses(type, "a short pointer");
  satchel_type array = SATCHEL_ARRAY(4, int, satchel_type_int);
  array.count = (size_t)-1;
  refuses(array, "a negative count");
  array.count = 5;
  refuses(array, "an array that is longer than its memory");
  array.element = NULL;
  refuses(array, "an array of nothing");
}

static void hostile_members(void) {
  struct pair {
    int a, b;
  };
  satchel_member members[] = {SATCHEL_MEMBER(struct pair, a, satchel_type_int),
                              SATCHEL_MEMBER(struct pair, b, satchel_type_int)};
  satchel_type pair = SATCHEL_STRUCT(struct pair, members);
  CHECK_CODE(0, satchel_log_dump(log_, SATCHEL_LOG_NOTICE, NULL, "x", &pair, room), "a good one");
  members[1].offset = 5;
  refuses(pair, "a member over the end");
  members[1].offset = (size_t)-8;
  refuses(pair, "a member before the beginning");
  members[1].offset = 4;
  members[1].name = NULL;
  refuses(pair, "a member without a name");
  members[1].name = "b";
  members[1].type = NULL;
  refuses(pair, "a member without a type");
  members[1].type = &pair;
  members[1].offset = 0;
  refuses(pair, "a struct that contains itself");
  pair.members = NULL;
  refuses(pair, "a struct without its members");
  satchel_enumerator names[] = {{NULL, 1}};
  satchel_type choice = {"choice", SATCHEL_KIND_ENUM, 0, 4, 1, NULL, NULL, names};
  refuses(choice, "an enumerator without a name");
  choice.enumerators = NULL;
  refuses(choice, "an enumeration without its names");
}

// Each has two of the next: there would be no end to it.
static void too_many_parts(void) {
  static satchel_type types[60];
  static satchel_member members[60][2];
  for (int i = 0; i < 60; i++) {
    const satchel_type *next = i < 59 ? &types[i + 1] : &satchel_type_char;
    members[i][0] = members[i][1] = (satchel_member){"m", next, 0};
    types[i] = (satchel_type){"t", SATCHEL_KIND_STRUCT, 0, 1, 2, NULL, members[i], NULL};
  }
  refuses(types[0], "2^60 parts");
}

// A value that is not there at all, and types that lead back to themselves.
static void odd_values(void) {
  CHECK_CODE(0, satchel_log_dump(log_, SATCHEL_LOG_NOTICE, NULL, NULL, &satchel_type_int, (void *)16), "an address of nothing");
  static satchel_type pointer = {NULL, SATCHEL_KIND_POINTER, 0, sizeof(void *), 0, NULL, NULL, NULL};
  pointer.element = &pointer;
  static void *itself = &itself;
  CHECK_CODE(0, satchel_log_dump(log_, SATCHEL_LOG_NOTICE, NULL, "itself", &pointer, &itself), "a pointer to itself");
  static void *chain[200];
  for (int i = 0; i < 199; i++) chain[i] = &chain[i + 1];
  CHECK_CODE(0, satchel_log_dump(log_, SATCHEL_LOG_NOTICE, NULL, "chain", &pointer, &chain), "a long chain");
  satchel_bytes absurd = {(void *)16, (size_t)-1};
  CHECK_CODE(0, satchel_log_dump(log_, SATCHEL_LOG_NOTICE, NULL, "x", &satchel_type_bytes, &absurd), "absurd bytes");
  const char *text = scratch_text();
  CHECK(strstr(text, "(int) (not readable)") != NULL, "%s", text);
  CHECK(strstr(text, "(shown above)") != NULL && strstr(text, "... deeper than 16 levels") != NULL, "%s", text);
}

static void told(const satchel_log_failure *failure, void *context) {
  CHECK(failure->message.size == 1 && failure->file.size == 0 && failure->line == 0, "a failure from nowhere");
  *(int *)context += 1;
}

int main(void) {
  checks_begin("hostile");
  scratch_new();
  log_ = scratch_log(NULL);
  int value = 1, calls = 0;
  satchel_bytes text = satchel_text("x"), absurd = {"x", (size_t)-1}, nothing = {NULL, 3};
  REFUSED(satchel_log_dump(NULL, SATCHEL_LOG_NOTICE, NULL, "x", &satchel_type_int, &value));
  REFUSED(satchel_log_dump(log_, 0, NULL, "x", &satchel_type_int, &value));
  REFUSED(satchel_log_dump(log_, 260, NULL, "x", &satchel_type_int, &value));
  REFUSED(satchel_log_dump(log_, SATCHEL_LOG_NOTICE, NULL, "x", NULL, &value));
  REFUSED(satchel_log_dump(log_, SATCHEL_LOG_NOTICE, NULL, "\xff", &satchel_type_int, &value));
  CHECK_CODE(0, satchel_log_dump(log_, SATCHEL_LOG_NOTICE, NULL, NULL, &satchel_type_int, NULL), "nothing of everything");
  REFUSED(satchel_log_dump_text(NULL, SATCHEL_LOG_NOTICE, NULL, "x", text));
  REFUSED(satchel_log_dump_text(log_, -1, NULL, "x", text));
  REFUSED(satchel_log_dump_text(log_, SATCHEL_LOG_NOTICE, NULL, "\xff", text));
  REFUSED(satchel_log_dump_text(log_, SATCHEL_LOG_NOTICE, NULL, "x", absurd));
  REFUSED(satchel_log_dump_text(log_, SATCHEL_LOG_NOTICE, NULL, "x", nothing));
  satchel_bytes bytes = satchel_blob("\xff\x1b[31m\0\n\n", 9);
  CHECK_CODE(0, satchel_log_dump_text(log_, SATCHEL_LOG_NOTICE, NULL, NULL, bytes), "any bytes");
  CHECK(strchr(scratch_text(), 27) == NULL, "a live escape");
  hostile_types();
  hostile_members();
  too_many_parts();
  odd_values();

  REFUSED(satchel_log_set_assert_policy(NULL, SATCHEL_LOG_ASSERT_LOG, NULL, NULL));
  REFUSED(satchel_log_set_assert_policy(log_, 4, NULL, NULL));
  REFUSED(satchel_log_set_assert_policy(log_, -1, NULL, NULL));
  REFUSED(satchel_log_set_assert_policy(log_, SATCHEL_LOG_ASSERT_CALL, NULL, NULL));
  REFUSED(satchel_log_assert_failed(NULL, NULL, text));
  REFUSED(satchel_log_assert_failed(log_, NULL, absurd));
  REFUSED(satchel_log_assert_failed(log_, NULL, nothing));
  CHECK(satchel_log_asserts(NULL) == 1 && satchel_log_asserts(log_) == 1, "conditions are evaluated");
  CHECK(satchel_log_on_main_thread() == 1, "the main thread");
  CHECK_CODE(0, satchel_log_set_assert_policy(log_, SATCHEL_LOG_ASSERT_CALL, told, &calls), "a function");
  CHECK_CODE(0, satchel_log_assert_failed(log_, NULL, text), "a failure");
  CHECK(calls == 1, "it was called %d times", calls);

  REFUSED(satchel_log_catch_signals(NULL, 0));
  REFUSED(satchel_log_catch_signals(log_, 2));
  satchel_log_release_signals();
  return checks_finish();
}
