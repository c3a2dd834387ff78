// A program that dies inside the allocator: nobody may call it again then. This one is the program's own, and says so when it is.
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scratch.h"

static volatile int forbidden_to;

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *place);

static void look(void) {
  if (forbidden_to == 0 || forbidden_to != (int)syscall(SYS_gettid)) return;
  static const char words[] = "the allocator was called in the handler\n";
  ignore((int)write(2, words, sizeof words - 1));
  _exit(95);
}

void *malloc(size_t size) {
  look();
  return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  look();
  return __libc_calloc(count, size);
}
void *realloc(void *old, size_t size) {
  look();
  return __libc_realloc(old, size);
}
void free(void *place) {
  look();
  __libc_free(place);
}
void *memalign(size_t alignment, size_t size) {
  look();
  return __libc_memalign(alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void **out, size_t alignment, size_t size) {
  *out = memalign(alignment, size);
  return *out == NULL ? 12 : 0;
}

static void die_inside(void) {
  forbidden_to = (int)syscall(SYS_gettid);
  static volatile uintptr_t nowhere = 16;
  *(volatile int *)nowhere = 1;
}

static void without_thread(satchel_log_options *options) { options->flags = SATCHEL_LOG_NO_THREAD; }
static void in_json(satchel_log_options *options) {
  options->format = SATCHEL_LOG_FORMAT_JSON;
  options->flags = SATCHEL_LOG_NO_THREAD;
}
static void on_console(satchel_log_options *options) {
  options->console = SATCHEL_LOG_NOTICE;
  options->flags = SATCHEL_LOG_NO_THREAD;
}

static void *die_in_thread(void *log) {
  (void)log;
  die_inside();
  return NULL;
}

static void one(void (*change)(satchel_log_options *), bool logs_before, bool in_thread, const char *how) {
  round_begin();
  scratch_new();
  pid_t child = fork();
  if (child == 0) {
    satchel_log *log = scratch_log(change);
    ignore(satchel_log_catch_signals(log, 0));
    if (logs_before) SATCHEL_INFO(log, "before");
    pthread_t thread;
    if (in_thread && pthread_create(&thread, NULL, die_in_thread, log) == 0) pthread_join(thread, NULL);
    die_inside();
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV, "%s: status %x", how, status);
  // Before anybody has had a chance to drain what is left in memory.
  CHECK(occurrences(scratch_text_now(), "killed by SIGSEGV") == 1, "%s: %s", how, scratch_text_now());
  CHECK(occurrences(scratch_text(), "killed by SIGSEGV") == 1, "%s, in the end: %s", how, scratch_text_now());
  round_end();
}

int main(void) {
  checks_begin("allocator");
  one(NULL, true, false, "a thread leads");
  one(NULL, false, false, "the first record of all");
  one(NULL, true, true, "the first record of a thread");
  one(without_thread, true, false, "nobody leads");
  one(without_thread, false, false, "nobody leads, and nothing was logged");
  one(in_json, true, false, "as JSON");
  one(on_console, true, false, "on the console too");
  return checks_finish();
}
