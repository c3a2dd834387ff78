/* Opening a domain of 1,000,000 keys and reading one of them, each time in a process of its own. Usage: open FOLDER */
#include <sys/mman.h>
#include <sys/wait.h>

#include "bench.h"

#define MANY 1000000
#define OPENINGS 15

static void measure(const char *name, const char *folder, double *elapsed) {
  double samples[OPENINGS];
  for (int i = 0; i < OPENINGS; i++) {
    pid_t child = fork();
    MUST(child < 0);
    if (child == 0) {
      int64_t value;
      double start = now_ns();
      satchel_settings *settings = open_domain(folder, "bench.open", SATCHEL_DURABILITY_PROCESS);
      MUST(satchel_settings_get_int64(&value, settings, "section.key.777777"));
      *elapsed = now_ns() - start;
      _exit(value != 777777);
    }
    int status;
    MUST(waitpid(child, &status, 0) < 0 || status != 0);
    samples[i] = *elapsed / 1e6;
  }
  printf("%s\t%.4g\tms\t-\t-\t-\n", name, median(samples, OPENINGS));
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  double *elapsed = mmap(NULL, sizeof *elapsed, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  MUST(elapsed == MAP_FAILED);
  satchel_settings *settings = open_domain(argv[1], "bench.open", SATCHEL_DURABILITY_PROCESS);
  for (int i = 0; i < MANY; i++) {
    char key[32];
    snprintf(key, sizeof key, "section.key.%d", i);
    MUST(satchel_settings_set_int64(settings, key, i));
  }
  satchel_settings_close(settings);
  measure("settings.open.1m", argv[1], elapsed);
  settings = open_domain(argv[1], "bench.open", SATCHEL_DURABILITY_PROCESS);
  MUST(satchel_settings_compact(settings));
  satchel_settings_close(settings);
  measure("settings.open.1m.compacted", argv[1], elapsed);
  return 0;
}
