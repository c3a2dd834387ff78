// What there is to say of a fatal signal: why it came, and where the thread was. Nothing here allocates or locks, and nothing
// relies on the program's memory being sound.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include "CSatchelSystem.h"

enum { FRAMES = 64, NAME = 512, TEXT = 32 << 10 };

static char text[TEXT];
static size_t length;
static void add(const char *words) {
  size_t size = strlen(words);
  if (size > TEXT - length) size = TEXT - length;
  memcpy(text + length, words, size);
  length += size;
}
static void add_number(uint64_t number, unsigned base) {
  char digits[24], *at = digits + sizeof digits - 1;
  *at = '\0';
  do *--at = "0123456789abcdef"[number % base];
  while ((number /= base) > 0);
  add(at);
}
static void add_address(uint64_t address) {
  add("0x");
  add_number(address, 16);
}

// MARK: Why

static const char *name_of(int number) {
  switch (number) {
  case SIGSEGV:
    return "SIGSEGV";
  case SIGBUS:
    return "SIGBUS";
  case SIGILL:
    return "SIGILL";
  case SIGFPE:
    return "SIGFPE";
  case SIGABRT:
    return "SIGABRT";
  case SIGSYS:
    return "SIGSYS";
  case SIGTRAP:
    return "SIGTRAP";
  case SIGTERM:
    return "SIGTERM";
  default:
    return "a signal";
  }
}

static const char *reason_of_access(int number, int code) {
  if (number == SIGSEGV) {
    if (code == SEGV_MAPERR) return "nothing is mapped at ";
    if (code == SEGV_ACCERR) return "no permission at ";
  } else if (number == SIGBUS) {
    if (code == BUS_ADRALN) return "misaligned access at ";
    if (code == BUS_ADRERR) return "the mapped file has nothing at ";
    if (code == BUS_OBJERR) return "an error of the hardware or the disk at ";
  }
  return NULL;
}

static const char *reason_of_arithmetic(int code) {
  switch (code) {
  case FPE_INTDIV:
    return "an integer divided by zero";
  case FPE_INTOVF:
    return "an integer overflow";
  case FPE_FLTDIV:
    return "a division by zero";
  case FPE_FLTOVF:
    return "an overflow";
  case FPE_FLTUND:
    return "an underflow";
  case FPE_FLTRES:
    return "an inexact result";
  default:
    return "an invalid operation";
  }
}

static void add_sender(const siginfo_t *info) {
  if (info->si_pid == getpid()) {
    add(info->si_signo == SIGABRT ? "abort()" : "raised by the program itself");
    return;
  }
  add("sent by process ");
  add_number((uint64_t)info->si_pid, 10);
  add(" of user ");
  add_number(info->si_uid, 10);
}

static void add_reason(const siginfo_t *info) {
  int number = info->si_signo, code = info->si_code;
  const char *access = reason_of_access(number, code);
  if (code <= 0) add_sender(info);
  else if (access != NULL) {
    add(access);
    add_address((uintptr_t)info->si_addr);
  } else if (number == SIGFPE) add(reason_of_arithmetic(code));
  else if (number == SIGILL) add("an illegal instruction, or a failed check");
  else if (number == SIGSYS) {
    add("forbidden system call ");
    add_number((uint64_t)info->si_syscall, 10);
  } else if (number == SIGTRAP) add("a breakpoint, or a failed check");
  else add("an address that cannot exist");
}

// MARK: Where

typedef struct frame {
  uint64_t address, base;
  char module[NAME];
} frame;
static frame frames[FRAMES];
static int frame_count;

static void take_registers(scs_crash *crash, const ucontext_t *context) {
#if defined(__x86_64__)
  crash->pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
  crash->sp = (uint64_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
  crash->pc = context->uc_mcontext.pc;
  crash->sp = context->uc_mcontext.sp;
#else
  (void)context;
#endif
}

// The frames of the handler come first; the program's begin with the instruction that was interrupted.
static _Unwind_Reason_Code take_frame(struct _Unwind_Context *place, void *pc) {
  int is_before = 0;
  uint64_t address = _Unwind_GetIPInfo(place, &is_before);
  if (address == *(uint64_t *)pc) frame_count = 0;
  if (frame_count == FRAMES || (address == 0 && frame_count > 0)) return _URC_END_OF_STACK;
  // A return address may be the first byte of the next function.
  frames[frame_count].address = is_before || address == 0 ? address : address - 1;
  frames[frame_count].base = 0;
  frames[frame_count++].module[0] = '\0';
  return _URC_NO_REASON;
}

static bool from_hex(const char **at, uint64_t *number) {
  const char *start = *at;
  for (*number = 0;; ++*at) {
    unsigned digit = (unsigned char)**at;
    if (digit >= '0' && digit <= '9') digit -= '0';
    else if (digit >= 'a' && digit <= 'f') digit -= 'a' - 10;
    else return *at > start;
    *number = *number << 4 | digit;
  }
}

// "7f0a2b-7f0a2c r-xp 00001000 08:01 1234    /usr/lib/libc.so.6"
static void read_mapping(const char *line) {
  static char last[NAME];
  static uint64_t base;
  uint64_t start, end, offset;
  const char *at = line;
  if (!from_hex(&at, &start) || *at++ != '-' || !from_hex(&at, &end) || strlen(at) < 7) return;
  at += 6;
  const char *name = strchr(line, '/');
  if (!from_hex(&at, &offset) || name == NULL) return;
  if (offset == 0 || strcmp(name, last) != 0) base = start - offset;
  strncpy(last, name, NAME - 1);
  for (int i = 0; i < frame_count; i++) {
    if (frames[i].address < start || frames[i].address >= end) continue;
    frames[i].base = base;
    strncpy(frames[i].module, name, NAME - 1);
  }
}

static void find_modules(void) {
  static char lines[8192];
  size_t size = 0;
  int file = scs_open("/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
  if (file < 0) return;
  for (;;) {
    ssize_t more = read(file, lines + size, sizeof lines - 1 - size);
    if (more <= 0) break;
    size += (size_t)more;
    lines[size] = '\0';
    char *line = lines, *end;
    while ((end = strchr(line, '\n')) != NULL) {
      *end = '\0';
      read_mapping(line);
      line = end + 1;
    }
    size -= (size_t)(line - lines);
    memmove(lines, line, size);
    if (size == sizeof lines - 1) size = 0; // no line is that long
  }
  close(file);
}

// Of a call to where no code is.
static void add_caller(const scs_crash *crash, const ucontext_t *context) {
  uint64_t caller = 0;
#if defined(__aarch64__)
  caller = context->uc_mcontext.regs[30];
#else
  (void)context;
  if (scs_read_memory(&caller, (const void *)(uintptr_t)crash->sp, sizeof caller) != 0) return;
#endif
  if (caller == 0) return;
  frame_count = 2;
  frames[1] = (frame){.address = caller - 1};
  find_modules();
}

static void add_frames(void) {
  for (int i = 0; i < frame_count; i++) {
    add("\n#");
    add_number((uint64_t)i, 10);
    add(" ");
    add_address(frames[i].address);
    if (frames[i].module[0] == '\0') continue;
    add(" ");
    add(frames[i].module);
    add("+");
    add_address(frames[i].address - frames[i].base);
  }
}

void scs_describe_crash(scs_crash *crash, int number, const void *siginfo, const void *context) {
  const siginfo_t *info = siginfo;
  bool is_sent = info->si_code <= 0;
  length = 0;
  *crash = (scs_crash){.number = number, .code = info->si_code, .name = name_of(number), .text = text};
  take_registers(crash, context);
  if (!is_sent && number != SIGSYS) crash->address = (uintptr_t)info->si_addr;
  add(number == SIGTERM ? "ended by " : "killed by ");
  add(crash->name);
  add(": ");
  add_reason(info);
  crash->size = length;
  if (number == SIGTERM) return;
  // What is known already stays, should the stack be no stack.
  frame_count = 1;
  frames[0] = (frame){.address = crash->pc};
  _Unwind_Backtrace(take_frame, &crash->pc);
  find_modules();
  if (frames[0].module[0] == '\0') add_caller(crash, context);
  add_frames();
  crash->size = length;
}

// MARK: Memory that may not be there

int scs_read_memory(void *to, const void *from, size_t size) {
  struct iovec here = {.iov_base = to, .iov_len = size}, there = {.iov_base = (void *)(uintptr_t)from, .iov_len = size};
  ssize_t count = syscall(SYS_process_vm_readv, getpid(), &here, 1L, &there, 1L, 0L);
  if (count < 0) return errno;
  return (size_t)count == size ? 0 : EFAULT;
}
