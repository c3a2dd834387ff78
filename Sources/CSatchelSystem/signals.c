// Fatal signals: told, by whatever the caller has for it, and then passed on as if nobody had listened. Everything here may run
// in a signal handler, wherever the program was: inside the allocator, on a broken stack, out of room.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "CSatchelSystem.h"

static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS, SIGTRAP};
enum { FAULTS = sizeof faults / sizeof faults[0], SIGNALS = 65, STACK_SIZE = 128 << 10, GUARD = 4096 };

// What was there before, and stands below us as long as we are there.
static struct sigaction before[SIGNALS];
static atomic_bool installed[SIGNALS], active[SIGNALS];
static void (*told)(void *, const scs_crash *);
static void *_Atomic log_of_crashes;

// The thread that is telling, or one that will not come back.
static atomic_int teller;
enum { NOBODY = 0, DYING = -1 };
static sigjmp_buf way_out;
static scs_crash crash;

// MARK: The end of a process

// As it would have ended without us: by the same signal, with what the kernel said of it, at the same instruction.
static void die(int number, siginfo_t *info) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigaction(number, &action, NULL);
  // Blocked until this handler returns; what the processor has refused it would refuse again.
  if (syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), number, info) != 0 && info->si_code <= 0) raise(number);
}

// The former handler finds the signals blocked that it asked for.
static void call(const struct sigaction *action, int number, siginfo_t *info, void *context) {
  sigset_t mask = ((ucontext_t *)context)->uc_sigmask, ours;
  for (int other = 1; other < SIGNALS; other++)
    if (sigismember(&action->sa_mask, other) == 1) sigaddset(&mask, other);
  if ((action->sa_flags & SA_NODEFER) == 0) sigaddset(&mask, number);
  if ((action->sa_flags & SA_RESETHAND) != 0) before[number] = (struct sigaction){.sa_handler = SIG_DFL};
  pthread_sigmask(SIG_SETMASK, &mask, &ours);
  if ((action->sa_flags & SA_SIGINFO) != 0) action->sa_sigaction(number, info, context);
  else action->sa_handler(number);
  pthread_sigmask(SIG_SETMASK, &ours, NULL);
}

static void pass_on(int number, siginfo_t *info, void *context) {
  struct sigaction action = before[number];
  if (action.sa_handler == SIG_DFL) die(number, info);
  else call(&action, number, info, context);
}

// MARK: Telling

// Wakes us with the signal itself if telling takes so long that something must be wrong.
static bool start_timer(int number, timer_t *timer) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = number};
  event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
  int id = 0;
  if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &id) != 0) return false;
  *timer = (timer_t)(intptr_t)id;
  struct itimerspec when = {.it_value = {.tv_sec = 2}};
  return syscall(SYS_timer_settime, id, 0, &when, NULL) == 0;
}

static void unblock_faults(int number) {
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < FAULTS; i++) sigaddset(&set, faults[i]);
  sigdelset(&set, SIGABRT);
  sigaddset(&set, number);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

// Each step may fail for itself: a stack that cannot be walked must not cost the record.
static void tell(int number, siginfo_t *info, void *context) {
  sigset_t ours;
  pthread_sigmask(SIG_SETMASK, NULL, &ours);
  timer_t timer;
  bool has_timer = start_timer(number, &timer);
  if (sigsetjmp(way_out, 1) == 0) {
    unblock_faults(number);
    scs_describe_crash(&crash, number, info, context);
  }
  if (sigsetjmp(way_out, 1) == 0) {
    unblock_faults(number);
    told(atomic_load(&log_of_crashes), &crash);
  }
  if (has_timer) syscall(SYS_timer_delete, (int)(intptr_t)timer);
  pthread_sigmask(SIG_SETMASK, &ours, NULL);
}

// Threads that crash at the same time must not end the process in the middle of the first one's tale.
static void wait_for_teller(void) {
  struct timespec moment = {.tv_nsec = 1000000};
  for (int i = 0; i < 3000 && atomic_load(&teller) != NOBODY; i++) nanosleep(&moment, NULL);
}

static void handle(int number, siginfo_t *info, void *context) {
  int error = errno, me = (int)syscall(SYS_gettid), nobody = NOBODY;
  if (atomic_load(&teller) == me) siglongjmp(way_out, 1);
  if (!atomic_load(&active[number])) {
    pass_on(number, info, context);
  } else if (atomic_compare_exchange_strong(&teller, &nobody, me)) {
    tell(number, info, context);
    atomic_store(&teller, before[number].sa_handler == SIG_DFL ? DYING : NOBODY);
    pass_on(number, info, context);
  } else {
    wait_for_teller();
    pass_on(number, info, context);
  }
  errno = error;
}

// MARK: Listening

static pthread_key_t stack_key;
static bool has_stack_key;

static void free_stack(void *start) {
  stack_t none = {.ss_flags = SS_DISABLE};
  sigaltstack(&none, NULL);
  munmap(start, GUARD + STACK_SIZE);
}
static void make_stack_key(void) { has_stack_key = pthread_key_create(&stack_key, free_stack) == 0; }

// A stack that has overflown is no place for a handler. Threads that have one of their own keep it.
static int give_stack(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  stack_t present;
  if (sigaltstack(NULL, &present) != 0) return errno;
  if ((present.ss_flags & SS_DISABLE) == 0) return 0;
  pthread_once(&once, make_stack_key);
  char *start = mmap(NULL, GUARD + STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) return errno;
  mprotect(start, GUARD, PROT_NONE);
  stack_t fresh = {.ss_sp = start + GUARD, .ss_size = STACK_SIZE};
  if (sigaltstack(&fresh, NULL) != 0) {
    int error = errno;
    munmap(start, GUARD + STACK_SIZE);
    return error;
  }
  if (has_stack_key) pthread_setspecific(stack_key, start);
  return 0;
}

// A signal that the program ignores stays ignored. Whoever has put itself above us since is expected to call us.
static int listen_to(int number) {
  struct sigaction present;
  if (sigaction(number, NULL, &present) != 0) return errno;
  if (present.sa_handler == SIG_IGN) return 0;
  if (!atomic_load(&installed[number])) {
    before[number] = present;
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigfillset(&action.sa_mask);
    atomic_store(&installed[number], true);
    if (sigaction(number, &action, NULL) != 0) return errno;
  }
  atomic_store(&active[number], true);
  return 0;
}

static void leave(int number) {
  struct sigaction present;
  atomic_store(&active[number], false);
  if (!atomic_load(&installed[number]) || sigaction(number, NULL, &present) != 0) return;
  if (present.sa_sigaction != handle) return;
  sigaction(number, &before[number], NULL);
  atomic_store(&installed[number], false);
}

int scs_catch_signals(void *log, bool termination, void (*body)(void *, const scs_crash *)) {
  int error = give_stack();
  told = body;
  atomic_store(&log_of_crashes, log);
  for (int i = 0; i < FAULTS && error == 0; i++) error = listen_to(faults[i]);
  if (error == 0 && termination) error = listen_to(SIGTERM);
  return error;
}

void scs_release_signals(void) {
  for (int number = 1; number < SIGNALS; number++) leave(number);
}
