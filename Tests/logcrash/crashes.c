// A program that ends by a signal leaves a record of it, and ends as it would have ended without.
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scratch.h"

// MARK: Ways to end

static volatile uintptr_t nowhere = 16;
static void write_nowhere(void) { *(volatile int *)nowhere = 1; }
static void write_to_constant(void) {
  volatile char *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *page = 1;
}
static void read_beyond_a_file(void) {
  int file = open(log_folder(), O_RDWR | O_TMPFILE, 0600);
  volatile char *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
  (void)*page;
}
static void reach_a_trap(void) { __builtin_trap(); }
static void divide_by_zero(void) {
  __asm__ volatile("" ::: "memory");
#if defined(__x86_64__)
  __asm__ volatile("xor %%ecx, %%ecx; mov $1, %%eax; cltd; idiv %%ecx" ::: "eax", "ecx", "edx");
#else
  raise(SIGFPE);
#endif
}
static void give_up(void) { abort(); }
static void raise_a_fault(void) { raise(SIGSEGV); }
static void raise_a_forbidden_call(void) { raise(SIGSYS); }
static void raise_a_trap(void) { raise(SIGTRAP); }
static void call_nothing(void) {
  void (*volatile nothing)(void) = NULL;
  nothing();
}
__attribute__((noinline)) static int dig(int depth) {
  volatile char room[4096];
  room[0] = (char)depth;
  return depth < 0 ? 0 : dig(depth + 1) + room[0];
}
static void overflow_the_stack(void) { dig(0); }
// Nobody can walk up from there.
static void lose_the_stack(void) {
#if defined(__x86_64__)
  __asm__ volatile("mov $4096, %%rsp; mov %%rsp, %%rbp; movl $1, 16" ::: "memory");
#else
  write_nowhere();
#endif
}

typedef struct {
  const char *name;
  void (*end)(void);
  const char *signal, *reason;
} ending;

static const ending endings[] = {
    {"a store to nowhere", write_nowhere, "SIGSEGV", "nothing is mapped at 0x10"},
    {"a store to constant memory", write_to_constant, "SIGSEGV", "no permission at 0x"},
    {"a read beyond a file", read_beyond_a_file, "SIGBUS", "the mapped file has nothing at 0x"},
    {"a trap", reach_a_trap, "SIGILL", "an illegal instruction"},
    {"a division by zero", divide_by_zero, "SIGFPE", "an integer divided by zero"},
    {"abort", give_up, "SIGABRT", "abort()"},
    {"a raised SIGSEGV", raise_a_fault, "SIGSEGV", "raised by the program itself"},
    {"a raised SIGSYS", raise_a_forbidden_call, "SIGSYS", "raised by the program itself"},
    {"a raised SIGTRAP", raise_a_trap, "SIGTRAP", "raised by the program itself"},
    {"a call of nothing", call_nothing, "SIGSEGV", "nothing is mapped at 0x0"},
    {"a stack overflow", overflow_the_stack, "SIGSEGV", " at 0x"},
    {"a lost stack", lose_the_stack, "SIGSEGV", "nothing is mapped at 0x10"},
};
enum { ENDINGS = sizeof endings / sizeof endings[0] };

static void allow_core(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_CORE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_CORE, &limit);
  if (chdir(log_folder()) != 0) _exit(98);
}

static int status_of(pid_t child) {
  int status = 0;
  for (int i = 0; i < 1500; i++) {
    if (waitpid(child, &status, WNOHANG) == child) return status;
    sleep_ms(10);
  }
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  CHECK(false, "a child did not end");
  return status;
}

static int status_without(const ending *e) {
  pid_t child = fork();
  if (child == 0) {
    allow_core();
    e->end();
    _exit(97);
  }
  return status_of(child);
}

static satchel_log *caught(void (*change)(satchel_log_options *)) {
  satchel_log *log = scratch_log(change);
  if (satchel_log_catch_signals(log, 0) != 0) _exit(96);
  return log;
}

static void each_ending(void (*change)(satchel_log_options *), const char *how) {
  for (int i = 0; i < ENDINGS; i++) {
    const ending *e = &endings[i];
    char expected[64];
    round_begin();
    scratch_new();
    int wanted = status_without(e);
    pid_t child = fork();
    if (child == 0) {
      allow_core();
      SATCHEL_INFO(caught(change), "before");
      e->end();
      _exit(97);
    }
    int status = status_of(child);
    CHECK(WIFSIGNALED(wanted) && status == wanted, "%s, %s: status %x, not %x", e->name, how, status, wanted);
    const char *text = scratch_text();
    snprintf(expected, sizeof expected, "killed by %s: ", e->signal);
    const char *at = strstr(text, expected);
    CHECK(at != NULL && occurrences(text, "killed by") == 1, "%s, %s: no record, or several: %s", e->name, how, text);
    CHECK(at != NULL && strstr(at, e->reason) != NULL, "%s, %s: another reason: %s", e->name, how, text);
    CHECK(strstr(text, "before") != NULL && (change != NULL || strstr(text, "before") < at),
          "%s, %s: what went before is not there", e->name, how);
    CHECK(at != NULL && strstr(at, "pc=0x") != NULL, "%s: no registers: %s", e->name, text);
    if (e->end != lose_the_stack && at != NULL)
      CHECK(strstr(at, "\n    #0 0x") != NULL && strstr(at, "/crashes+0x") != NULL, "%s: no frames: %s", e->name, text);
    round_end();
  }
}

static void without_thread(satchel_log_options *options) { options->flags = SATCHEL_LOG_NO_THREAD; }

// MARK: Others' handlers

static volatile struct told {
  int calls, signal, code;
  void *address;
} *told;
static sigjmp_buf way_on;

static void remember(int number, siginfo_t *info, void *context) {
  (void)context;
  told->calls++;
  told->signal = number;
  told->code = info->si_code;
  told->address = info->si_addr;
}
static void remember_and_leave(int number, siginfo_t *info, void *context) {
  remember(number, info, context);
  _exit(7);
}
static void remember_and_go_on(int number, siginfo_t *info, void *context) {
  remember(number, info, context);
  siglongjmp(way_on, 1);
}
static void count_only(int number) {
  (void)number;
  told->calls++;
}

static void listen_before(int number, void (*handler)(int, siginfo_t *, void *), int flags) {
  struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};
  sigaction(number, &action, NULL);
}

static void former_handlers_are_called(void) {
  round_begin();
  scratch_new();
  memset((void *)told, 0, sizeof *told);
  pid_t child = fork();
  if (child == 0) {
    listen_before(SIGSEGV, remember_and_leave, 0);
    caught(NULL);
    write_nowhere();
  }
  int status = status_of(child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7, "the former handler's end: %x", status);
  CHECK(told->calls == 1 && told->signal == SIGSEGV && told->code == SEGV_MAPERR && told->address == (void *)16,
        "the former handler was told %d %d %d %p", told->calls, told->signal, told->code, told->address);
  CHECK(occurrences(scratch_text(), "killed by SIGSEGV") == 1, "no record: %s", scratch_text_now());
  round_end();
}

static void former_handlers_may_go_on(void) {
  round_begin();
  scratch_new();
  memset((void *)told, 0, sizeof *told);
  pid_t child = fork();
  if (child == 0) {
    listen_before(SIGSEGV, remember_and_go_on, SA_NODEFER);
    satchel_log *log = caught(NULL);
    for (volatile int i = 0; i < 3; i++)
      if (sigsetjmp(way_on, 1) == 0) write_nowhere();
    SATCHEL_NOTICE(log, "still here");
    _exit(5);
  }
  int status = status_of(child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 5 && told->calls == 3, "the program went on: %x, %d calls", status,
        told->calls);
  const char *text = scratch_text();
  CHECK(occurrences(text, "killed by SIGSEGV") == 3 && occurrences(text, "still here") == 1, "three records: %s", text);
  round_end();
}

// One that is called once, as by signal(2) of System V, and then it is the default's turn.
static void former_handlers_of_one_call(void) {
  round_begin();
  scratch_new();
  memset((void *)told, 0, sizeof *told);
  pid_t child = fork();
  if (child == 0) {
    struct sigaction action = {.sa_handler = count_only, .sa_flags = SA_RESETHAND};
    sigaction(SIGSEGV, &action, NULL);
    caught(NULL);
    raise(SIGSEGV);
    raise(SIGSEGV);
    _exit(97);
  }
  int status = status_of(child);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV && told->calls == 1, "once: %x, %d calls", status, told->calls);
  CHECK(occurrences(scratch_text(), "killed by SIGSEGV") == 2, "two records: %s", scratch_text_now());
  round_end();
}

// MARK: What else is left as it was

// SA_RESTORER is the C library's own, and comes with whatever it sets.
static bool same_disposition(const struct sigaction *a, const struct sigaction *b) {
  return a->sa_handler == b->sa_handler && ((a->sa_flags ^ b->sa_flags) & ~0x04000000) == 0;
}

static bool same_dispositions(const struct sigaction *before) {
  bool same = true;
  for (int number = 1; number < 65; number++) {
    struct sigaction now;
    if (sigaction(number, NULL, &now) == 0 && !same_disposition(&now, &before[number]))
      same = CHECK(false, "signal %d is not as it was", number) && same;
  }
  return same;
}

static void releasing(void *context) {
  (void)context;
  struct sigaction before[65];
  signal(SIGTERM, SIG_IGN);
  listen_before(SIGBUS, remember, 0);
  for (int number = 1; number < 65; number++) sigaction(number, NULL, &before[number]);
  satchel_log *log = scratch_log(NULL);
  CHECK_CODE(0, satchel_log_write(log, SATCHEL_LOG_ALERT, NULL, satchel_text("here"), NULL, 0), "an alert");
  CHECK(same_dispositions(before), "a log that is opened and used");
  CHECK_CODE(0, satchel_log_catch_signals(log, SATCHEL_LOG_CATCH_TERMINATION), "catching");
  CHECK_CODE(0, satchel_log_catch_signals(log, SATCHEL_LOG_CATCH_TERMINATION), "catching again");
  struct sigaction now;
  sigaction(SIGTERM, NULL, &now);
  CHECK(now.sa_handler == SIG_IGN, "an ignored signal stays ignored");
  sigaction(SIGSEGV, NULL, &now);
  CHECK(now.sa_handler != before[SIGSEGV].sa_handler, "SIGSEGV is listened to");
  satchel_log_release_signals();
  CHECK(same_dispositions(before), "signals that were released");
  CHECK_CODE(0, satchel_log_catch_signals(log, 0), "catching after releasing");
  satchel_log_release_signals();
  satchel_log_release_signals();
  CHECK(same_dispositions(before), "signals that were released twice");
}

static void termination(void) {
  round_begin();
  scratch_new();
  pid_t child = fork();
  if (child == 0) {
    satchel_log *log = scratch_log(NULL);
    if (satchel_log_catch_signals(log, SATCHEL_LOG_CATCH_TERMINATION) != 0) _exit(96);
    SATCHEL_ALERT(log, "ready");
    for (;;) pause();
  }
  for (int i = 0; i < 1000 && strstr(scratch_text_now(), "ready") == NULL; i++) sleep_ms(10);
  kill(child, SIGTERM);
  int status = status_of(child);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM, "SIGTERM: %x", status);
  char sender[64];
  snprintf(sender, sizeof sender, "ended by SIGTERM: sent by process %d of user %d", (int)getpid(), (int)getuid());
  CHECK(occurrences(scratch_text(), sender) == 1, "who has sent it: %s", scratch_text_now());
  round_end();
}

// MARK: Threads

enum { TALKERS = 3, FEW = 20, LINES = 2000 };
static satchel_log *shared_log;
static pthread_barrier_t barrier, quiet;

static void recording(satchel_log_options *options) { options->recorder = SATCHEL_LOG_TRACE; }

// The first one falls silent before the others begin, who say more than there is room for.
static int lines_of(int talker) { return talker == 0 ? FEW : LINES; }

static void *talk(void *argument) {
  int number = (int)(intptr_t)argument;
  if (number > 0) pthread_barrier_wait(&quiet);
  for (int i = 0; i < lines_of(number); i++) SATCHEL_DEBUG(shared_log, "talker %d line %d.", number, i);
  if (number == 0) pthread_barrier_wait(&quiet);
  pthread_barrier_wait(&barrier);
  for (;;) pause();
  return NULL;
}

static void the_last_lines_of_all_threads(void (*change)(satchel_log_options *)) {
  round_begin();
  scratch_new();
  pid_t child = fork();
  if (child == 0) {
    shared_log = caught(change);
    pthread_barrier_init(&barrier, NULL, TALKERS + 1);
    pthread_barrier_init(&quiet, NULL, TALKERS);
    for (int i = 0; i < TALKERS; i++) {
      pthread_t thread;
      pthread_create(&thread, NULL, talk, (void *)(intptr_t)i);
    }
    pthread_barrier_wait(&barrier);
    write_nowhere();
  }
  status_of(child);
  const char *text = scratch_text(), *crash = strstr(text, "killed by SIGSEGV");
  CHECK(crash != NULL && occurrences(text, "killed by") == 1, "one record");
  for (int i = 0; i < TALKERS; i++) {
    char line[64];
    snprintf(line, sizeof line, "talker %d line %d.", i, lines_of(i) - 1);
    const char *last = strstr(text, line);
    CHECK(last != NULL && (last < crash || change != recording), "the last line of talker %d", i);
  }
  round_end();
}

static void recording_alone(satchel_log_options *options) {
  options->recorder = SATCHEL_LOG_TRACE;
  options->flags = SATCHEL_LOG_NO_THREAD;
}

static void *fall(void *argument) {
  (void)argument;
  pthread_barrier_wait(&barrier);
  write_nowhere();
  return NULL;
}

// Whoever is first has said all he has to say when the process ends.
static void all_at_once(int rounds) {
  for (int i = 0; i < rounds; i++) {
    round_begin();
    scratch_new();
    pid_t child = fork();
    if (child == 0) {
      caught(NULL);
      pthread_barrier_init(&barrier, NULL, 8);
      for (int t = 0; t < 7; t++) {
        pthread_t thread;
        pthread_create(&thread, NULL, fall, NULL);
      }
      fall(NULL);
    }
    int status = status_of(child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV, "status %x", status);
    const char *text = scratch_text();
    CHECK(occurrences(text, "killed by SIGSEGV") >= 1 && strstr(text, "\n    #0 0x") != NULL, "a record: %s", text);
    round_end();
  }
}

static void *dig_in_thread(void *argument) {
  if (argument != NULL && satchel_log_catch_signals(argument, 0) != 0) _exit(96);
  dig(0);
  return NULL;
}

static void an_overflow_in_a_thread(void) {
  round_begin();
  scratch_new();
  pid_t child = fork();
  if (child == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, dig_in_thread, caught(NULL));
    pthread_join(thread, NULL);
    _exit(97);
  }
  int status = status_of(child);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV, "status %x", status);
  CHECK(occurrences(scratch_text(), "killed by SIGSEGV") == 1, "a record: %s", scratch_text_now());
  round_end();
}

static int mappings(void) {
  int count = 0, c;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps != NULL && (c = getc(maps)) != EOF) count += c == '\n';
  if (maps != NULL) fclose(maps);
  return count;
}

static void *catch_only(void *log) {
  ignore(satchel_log_catch_signals(log, 0));
  return NULL;
}

static void threads_leave_no_stack(void *context) {
  (void)context;
  satchel_log *log = caught(NULL);
  int before = 0;
  for (int i = 0; i < 300; i++) {
    pthread_t thread;
    if (i == 50) before = mappings();
    pthread_create(&thread, NULL, catch_only, log);
    pthread_join(thread, NULL);
  }
  CHECK(mappings() <= before + 20, "%d mappings, and %d in the beginning", mappings(), before);
  satchel_log_release_signals();
}

// MARK: Odd places

// The library itself reads what is not there, with a record half written.
static void inside_a_record(void) {
  round_begin();
  scratch_new();
  pid_t child = fork();
  if (child == 0) {
    satchel_log *log = caught(NULL);
    SATCHEL_INFO(log, "before");
    const satchel_log_field *fields = (const satchel_log_field *)nowhere;
    ignore(satchel_log_write(log, SATCHEL_LOG_INFO, NULL, satchel_text("half written"), fields, 2));
    _exit(97);
  }
  int status = status_of(child);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV, "status %x", status);
  const char *text = scratch_text();
  CHECK(occurrences(text, "killed by SIGSEGV") == 1 && occurrences(text, "before") == 1, "a record: %s", text);
  CHECK(occurrences(text, "half written") == 0, "half a record is none: %s", text);
  round_end();
}

static void in_a_forked_child(void) {
  round_begin();
  scratch_new();
  int channel[2];
  CHECK(pipe(channel) == 0, "a pipe");
  pid_t child = fork();
  if (child == 0) {
    satchel_log *log = caught(NULL);
    SATCHEL_INFO(log, "parent");
    pid_t grandchild = fork();
    if (grandchild == 0) write_nowhere();
    ignore((int)write(channel[1], &grandchild, sizeof grandchild));
    int status = 0;
    waitpid(grandchild, &status, 0);
    SATCHEL_INFO(log, "parent goes on");
    _exit(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV ? 0 : 1);
  }
  pid_t grandchild = 0;
  ignore((int)read(channel[0], &grandchild, sizeof grandchild));
  close(channel[0]);
  close(channel[1]);
  CHECK(status_of(child) == 0, "the grandchild's end");
  char who[64];
  snprintf(who, sizeof who, "fatal [%d/%d ", (int)grandchild, (int)grandchild);
  const char *text = scratch_text();
  CHECK(strstr(text, who) != NULL && strstr(text, "parent goes on") != NULL, "%s: %s", who, text);
  round_end();
}

// The leader stands still: the record is in a file when its process is gone.
static void behind_a_frozen_leader(void) {
  round_begin();
  scratch_new();
  pid_t leader = fork();
  if (leader == 0) {
    SATCHEL_ALERT(scratch_log(NULL), "leading");
    for (;;) pause();
  }
  for (int i = 0; i < 1000 && strstr(scratch_text_now(), "leading") == NULL; i++) sleep_ms(10);
  kill(leader, SIGSTOP);
  pid_t child = fork();
  if (child == 0) {
    caught(NULL);
    write_nowhere();
  }
  int status = status_of(child);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV, "status %x", status);
  CHECK(occurrences(scratch_text_now(), "killed by SIGSEGV") == 1, "in a file already: %s", scratch_text_now());
  kill(leader, SIGCONT);
  kill(leader, SIGKILL);
  status_of(leader);
  CHECK(occurrences(scratch_text(), "killed by SIGSEGV") == 1, "and once: %s", scratch_text_now());
  round_end();
}

static void on_console(satchel_log_options *options) { options->console = SATCHEL_LOG_NOTICE; }

// Telling may hang, but not for ever.
static void in_front_of_a_full_pipe(void) {
  round_begin();
  scratch_new();
  int channel[2];
  CHECK(pipe(channel) == 0, "a pipe");
  pid_t child = fork();
  if (child == 0) {
    satchel_log *log = scratch_log(on_console);
    if (satchel_log_catch_signals(log, 0) != 0) _exit(96);
    dup2(channel[1], 2);
    fcntl(2, F_SETFL, O_NONBLOCK);
    while (write(2, "x", 1) == 1) continue;
    fcntl(2, F_SETFL, 0);
    write_nowhere();
  }
  int status = status_of(child);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV, "status %x", status);
  close(channel[0]);
  close(channel[1]);
  round_end();
}

int main(void) {
  checks_begin("crashes");
  told = shared_memory(sizeof *told);
  each_ending(NULL, "with a thread that leads");
  each_ending(without_thread, "with nobody to lead");
  former_handlers_are_called();
  former_handlers_may_go_on();
  former_handlers_of_one_call();
  scratch_new();
  child_round(releasing, NULL, 30, "releasing");
  termination();
  the_last_lines_of_all_threads(recording);
  the_last_lines_of_all_threads(recording_alone);
  all_at_once(20);
  an_overflow_in_a_thread();
  scratch_new();
  child_round(threads_leave_no_stack, NULL, 30, "threads");
  inside_a_record();
  in_a_forked_child();
  behind_a_frozen_leader();
  in_front_of_a_full_pipe();
  return checks_finish();
}
