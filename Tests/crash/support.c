#include "support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* MARK: Checks */

/* A promise that is broken is broken a thousand times; the first few of each check are enough. */
enum { SHOWN = 5, LINES = 4096 };

typedef struct {
  atomic_long passed, failed, skipped;
  atomic_bool in_round;
  atomic_long failed_before, skipped_before; /* when the present round began */
  atomic_long shown[LINES];                  /* by line of the source, whatever the file */
} tally;

static tally *counts;
static atomic_long own_failures; /* of this process alone */
static const char *suite_name = "";
static char scratch_root[PATH_MAX];
static pid_t scratch_owner;

void checks_begin(const char *suite) {
  suite_name = suite;
  setvbuf(stdout, NULL, _IOLBF, 0);
  counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (counts == MAP_FAILED) abort();
  const char *temp = getenv("TMPDIR");
  snprintf(scratch_root, sizeof scratch_root, "%s/satchel-%s-XXXXXX", temp != NULL && temp[0] == '/' ? temp : "/tmp", suite);
  if (mkdtemp(scratch_root) == NULL) {
    perror(scratch_root);
    exit(2);
  }
  chmod(scratch_root, 0755);
  scratch_owner = getpid();
}

long checks_failed(void) { return counts->failed; }

int checks_finish(void) {
  if (getpid() == scratch_owner && getenv("SATCHEL_KEEP") == NULL) remove_all(scratch_root);
  printf("%s: %ld passed, %ld failed, %ld skipped\n", suite_name, (long)counts->passed, (long)counts->failed,
         (long)counts->skipped);
  fflush(stdout);
  return counts->failed != 0;
}

bool check_that(bool holds, const char *file, int line, const char *format, ...) {
  if (holds) {
    if (!counts->in_round) counts->passed++;
    return true;
  }
  counts->failed++;
  own_failures++;
  if (counts->shown[line % LINES]++ >= SHOWN) return false;
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  const char *name = strrchr(file, '/');
  printf("FAIL %s:%d: %s\n", name != NULL ? name + 1 : file, line, text);
  fflush(stdout);
  return false;
}

bool check_code(int expected, int actual, const char *file, int line, const char *what) {
  return check_that(expected == actual, file, line, "%s: expected %s, got %s (%d: %s)", what,
                    expected == 0 ? "OK" : satchel_error_name(expected), actual == 0 ? "OK" : satchel_error_name(actual),
                    actual, actual < 0 ? satchel_last_error()->message : "");
}

void round_begin(void) {
  counts->failed_before = counts->failed;
  counts->skipped_before = counts->skipped;
  counts->in_round = true;
}

static void count_round(void) {
  if (counts->failed == counts->failed_before && counts->skipped == counts->skipped_before) counts->passed++;
}

void round_end(void) {
  counts->in_round = false;
  count_round();
}

void round_next(void) {
  count_round();
  round_begin();
}

void skipped(const char *format, ...) {
  counts->skipped++;
  va_list arguments;
  va_start(arguments, format);
  printf("skipped: ");
  vprintf(format, arguments);
  printf("\n");
  va_end(arguments);
}

/* MARK: Time and chance */

int64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

void sleep_ms(int milliseconds) {
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  while (nanosleep(&time, &time) != 0 && errno == EINTR);
}

chance chance_of(uint64_t seed) { return (chance){seed}; }

/* splitmix64, by Sebastiano Vigna (public domain): every seed gives another, good sequence. */
uint64_t chance_next(chance *chance) {
  uint64_t z = chance->state += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

uint64_t chance_below(chance *chance, uint64_t limit) { return chance_next(chance) % limit; }

/* MARK: Children */

pid_t child_start(child_body *body, void *context) {
  pid_t parent = getpid();
  fflush(stdout);
  pid_t child = fork();
  if (child < 0) abort();
  if (child > 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  own_failures = 0;
  body(context);
  fflush(stdout);
  _exit(own_failures > 0 ? 1 : 0);
}

bool child_ended(pid_t child, int *status) { return waitpid(child, status, WNOHANG) == child; }

int child_end(pid_t child, int seconds) {
  int status = 0;
  int64_t deadline = now_ns() + seconds * INT64_C(1000000000);
  for (int pause = 0; now_ns() < deadline; pause = pause < 20 ? pause + 1 : 20) {
    if (child_ended(child, &status)) return status;
    if (pause < 3) usleep(200);
    else sleep_ms(pause);
  }
  child_kill(child);
  return -1;
}

void child_end_well(pid_t child, int seconds, const char *what) {
  int status = child_end(child, seconds);
  if (status == -1) CHECK(false, "%s: still running after %d s", what, seconds);
  else if (WIFSIGNALED(status)) CHECK(false, "%s: died of signal %d", what, WTERMSIG(status));
  else CHECK(WEXITSTATUS(status) == 0, "%s: ended with %d", what, WEXITSTATUS(status));
}

void child_round(child_body *body, void *context, int seconds, const char *what) {
  round_begin();
  child_end_well(child_start(body, context), seconds, what);
  round_end();
}

void child_kill(pid_t child) {
  kill(child, SIGKILL);
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR);
}

typedef struct {
  child_body *body;
  void *context;
} unprivileged;

static void as_nobody(void *context) {
  unprivileged *inner = context;
  if (geteuid() == 0 && (setgroups(0, NULL) != 0 || setresgid(65534, 65534, 65534) != 0 || setresuid(65534, 65534, 65534) != 0))
    abort();
  inner->body(inner->context);
}

void child_as_nobody(child_body *body, void *context, const char *what) {
  unprivileged inner = {body, context};
  child_end_well(child_start(as_nobody, &inner), 30, what);
}

void *shared_memory(size_t size) {
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) abort();
  return memory;
}

/* MARK: Memory */

static size_t address_space(void) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (fscanf(file, "%ld", &pages) != 1) pages = 0;
  fclose(file);
  return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

void limit_memory(size_t more) {
  struct rlimit limit;
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = more == 0 ? limit.rlim_max : address_space() + more;
  setrlimit(RLIMIT_AS, &limit);
}

/* MARK: Files */

const char *scratch(void) { return scratch_root; }

const char *scratch_folder(const char *name) {
  static char names[8][PATH_MAX + 64];
  static int next;
  char *path = names[next++ % 8];
  snprintf(path, sizeof names[0], "%s/%s", scratch_root, name);
  if (mkdir(path, 0755) != 0 && errno != EEXIST) {
    perror(path);
    abort();
  }
  return path;
}

image image_load(const char *path) {
  image result = {NULL, 0};
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return result;
  struct stat status;
  if (fstat(file, &status) != 0) abort();
  result.data = malloc((size_t)status.st_size + 1);
  for (ssize_t n; (n = pread(file, result.data + result.size, (size_t)status.st_size - result.size, (off_t)result.size)) > 0;)
    result.size += (size_t)n;
  close(file);
  return result;
}

image image_copy(image from) {
  image result = {malloc(from.size + 1), from.size};
  if (result.data == NULL) abort();
  memcpy(result.data, from.data, from.size);
  return result;
}

void image_store(image from, size_t size, const char *path) {
  unlink(path);
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0 || size > from.size) {
    perror(path);
    abort();
  }
  for (size_t done = 0; done < size;) {
    ssize_t n = write(file, from.data + done, size - done);
    if (n <= 0) abort();
    done += (size_t)n;
  }
  close(file);
}

void image_free(image *image) {
  free(image->data);
  image->data = NULL;
  image->size = 0;
}

bool image_same(image left, image right) { return left.size == right.size && memcmp(left.data, right.data, left.size) == 0; }

int entries_with(const char *directory, const char *part) {
  DIR *folder = opendir(directory);
  if (folder == NULL) return -1;
  int count = 0;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) count += strstr(entry->d_name, part) != NULL;
  closedir(folder);
  return count;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *position) {
  (void)status, (void)kind, (void)position;
  remove(path);
  return 0;
}

void remove_all(const char *directory) { nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT); }

/* MARK: Settings */

bool portable_mode(void) {
  const char *text = getenv("SATCHEL_TEST_PORTABLE");
  return text != NULL && text[0] != '\0';
}

int open_with(satchel_settings **out, const char *directory, const char *domain, uint32_t flags, int64_t lock_timeout_ns) {
  satchel_settings_options options = SATCHEL_SETTINGS_OPTIONS_INIT;
  options.directory = directory;
  options.flags = flags | (portable_mode() ? SATCHEL_SETTINGS_PORTABLE : 0);
  options.lock_timeout_ns = lock_timeout_ns;
  return satchel_settings_open(out, domain, &options);
}

satchel_settings *open_domain(const char *directory, const char *domain, uint32_t flags) {
  satchel_settings *settings = NULL;
  CHECK_CODE(SATCHEL_OK, open_with(&settings, directory, domain, flags, 0), domain);
  return settings;
}

satchel_settings_health health_of(satchel_settings *settings) {
  satchel_settings_health health = SATCHEL_SETTINGS_HEALTH_INIT;
  CHECK_CODE(SATCHEL_OK, satchel_settings_health_check(&health, settings), "health");
  return health;
}

void mode_is_as_told(satchel_settings *settings) {
  CHECK(health_of(settings).portable == portable_mode(), "the domain is %sportable", portable_mode() ? "not " : "");
}

int64_t integer_of(satchel_settings *settings, const char *key, int64_t fallback) {
  int64_t value = fallback;
  return satchel_settings_get_int64(&value, settings, key) == SATCHEL_OK ? value : fallback;
}
