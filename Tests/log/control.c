#include "control.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { AT_WORD = 64, AT_COUNTERS = 768, AT_SLOTS = 20480, SLOT_BYTES = 128, AT_TAIL = 64, SLOTS = 320, HEADER = 61440 };

struct control {
  volatile uint64_t words[HEADER / 8];
};

const control *control_open(const char *folder, const char *app) {
  char path[4200];
  struct stat status;
  snprintf(path, sizeof path, "%s/.%s.live/ctl", folder, app);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return NULL;
  void *memory = MAP_FAILED;
  if (fstat(file, &status) == 0 && status.st_size >= HEADER) memory = mmap(NULL, HEADER, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  return memory == MAP_FAILED ? NULL : memory;
}

void control_close(const control *control) { munmap((void *)control, HEADER); }

bool control_is_writing(const control *control) { return (control->words[AT_WORD / 8] & 3) == 1; }

bool control_is_drained(const control *control) {
  if (control_is_writing(control)) return false;
  for (int slot = 0; slot < SLOTS; slot++) {
    const volatile uint64_t *head = &control->words[(AT_SLOTS + slot * SLOT_BYTES) / 8];
    if (head[0] != head[AT_TAIL / 8]) return false;
  }
  return true;
}

uint64_t control_count(const control *control, counter counter) { return control->words[AT_COUNTERS / 8 + counter]; }

pid_t control_leader(const control *control) { return (pid_t)control_count(control, LEADER); }

void control_print(const control *control) {
  static const char *const names[] = {"commits", "lines",   "take-overs", "completed",     "abandoned",
                                      "foreign", "fenced",  "late",       "repeats",       "direct",
                                      "dropped", "damaged", "reopened",   "waits for disk"};
  printf(" ");
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    uint64_t count = control_count(control, (counter)i);
    if (count > 0) printf(" %s %lu", names[i], (unsigned long)count);
  }
  printf("\n");
}

bool leadership_is_free(const char *folder, const char *app) {
  char path[4200];
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
  snprintf(path, sizeof path, "%s/.%s.live/lock", folder, app);
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  bool known = fcntl(file, F_OFD_GETLK, &lock) == 0;
  close(file);
  return known && lock.l_type == F_UNLCK;
}
