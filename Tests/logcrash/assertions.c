// Assertions from C: what they say, what they evaluate, and what becomes of the program.
#include "asserts.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scratch.h"

static void has(const char *words) {
  const char *at = strstr(scratch_text_now(), words);
  CHECK(at != NULL, "nobody says \"%s\": %s", words, scratch_text_now());
}

static void all_kinds(void) {
  scratch_new();
  satchel_log *log = scratch_log(NULL);
  evaluated seen = asserts_of_all_kinds(log);
  CHECK(seen.conditions == 4 && seen.messages == 3, "%d conditions, %d messages", seen.conditions, seen.messages);
  // Each is in a file when its call returns.
  CHECK(occurrences(scratch_text_now(), " alert/critical assertion [") == 5, "five failures: %s", scratch_text_now());
  has(" asserts.c:");
  has(" asserts_of_all_kinds: assertion failed: condition(0) && \"50%\": a message\n");
  has(": reached what cannot be reached: a message\n");
  has(": must be overridden: asserts_of_all_kinds\n");
  has(": on the main thread\n");
  has(": verification failed: condition(0): a message\n");
}

static void compiled_out(void) {
  scratch_new();
  evaluated seen = no_asserts_of_all_kinds(scratch_log(NULL));
  CHECK(seen.conditions == 2 && seen.messages == 1, "%d conditions, %d messages", seen.conditions, seen.messages);
  CHECK(occurrences(scratch_text(), " assertion [") == 1, "only what is verified: %s", scratch_text_now());
}

static void ignored(void) {
  scratch_new();
  satchel_log *log = scratch_log(NULL);
  CHECK_CODE(0, satchel_log_set_assert_policy(log, SATCHEL_LOG_ASSERT_IGNORE, NULL, NULL), "ignoring");
  evaluated seen = asserts_of_all_kinds(log);
  CHECK(seen.conditions == 2, "%d conditions", seen.conditions);
  CHECK(occurrences(scratch_text(), " assertion [") == 0, "nothing is said: %s", scratch_text_now());
}

typedef struct {
  satchel_log *log;
  int calls;
} listener;

static void tell(const satchel_log_failure *failure, void *context) {
  listener *l = context;
  static const char expected[] = "assertion failed: 1 > 2: 3";
  l->calls++;
  CHECK(failure->message.size == sizeof expected - 1 && memcmp(failure->message.data, expected, sizeof expected - 1) == 0,
        "the message: %.*s", (int)failure->message.size, (const char *)failure->message.data);
  CHECK(failure->function.size == 6 && memcmp(failure->function.data, "called", 6) == 0, "the function");
  CHECK(occurrences(scratch_text_now(), expected) == 1, "it is in a file already");
  SATCHEL_ASSERT(l->log, 0, "inside");
}

static void called(void) {
  scratch_new();
  listener l = {scratch_log(NULL), 0};
  CHECK_CODE(0, satchel_log_set_assert_policy(l.log, SATCHEL_LOG_ASSERT_CALL, tell, &l), "a function");
  SATCHEL_ASSERT(l.log, 1 > 2, "%d", 3);
  CHECK(l.calls == 1, "%d calls", l.calls);
  has("assertion failed: 0: inside");
}

static void aborted(void) {
  round_begin();
  scratch_new();
  pid_t child = fork();
  if (child == 0) {
    satchel_log *log = scratch_log(NULL);
    ignore(satchel_log_catch_signals(log, 0));
    ignore(satchel_log_set_assert_policy(log, SATCHEL_LOG_ASSERT_ABORT, NULL, NULL));
    SATCHEL_ASSERT(log, 0, "the end");
    _exit(97);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "status %x", status);
  CHECK(occurrences(scratch_text(), "assertion failed: 0: the end") == 1, "%s", scratch_text_now());
  CHECK(occurrences(scratch_text(), "killed by SIGABRT: abort()") == 1, "%s", scratch_text_now());
  round_end();
}

static void *in_thread(void *log) {
  SATCHEL_ASSERT_ON_MAIN_THREAD((satchel_log *)log);
  SATCHEL_ASSERT_IN_BACKGROUND((satchel_log *)log);
  return NULL;
}

static void threads(void) {
  scratch_new();
  satchel_log *log = scratch_log(NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, in_thread, log);
  pthread_join(thread, NULL);
  CHECK(occurrences(scratch_text(), " assertion [") == 1, "%s", scratch_text_now());
  has(": not on the main thread\n");
}

static void long_texts(void) {
  static char text[8192];
  memset(text, 'x', sizeof text - 1);
  scratch_new();
  satchel_log *log = scratch_log(NULL);
  SATCHEL_ASSERT(log, 0, "%s", text);
  CHECK(occurrences(scratch_text(), "assertion failed: 0: xxxxx") == 1, "a long message");
}

int main(void) {
  checks_begin("assertions");
  all_kinds();
  compiled_out();
  ignored();
  called();
  aborted();
  threads();
  long_texts();
  return checks_finish();
}
