/* Open domains, kept from call to call, and what can go wrong with opening them. */
#include "builtin.h"

#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

extern int signal_is_pending(int signal); /* bash's trap.c, whose header is not installed */

enum { KEPT = 8 };
static const int64_t shortest_wait = 50000000;

struct domain {
  satchel_settings *settings; /* NULL: nothing is here */
  text key;                   /* everything that decides what is opened, and how */
  struct stat file;
  uint64_t used; /* when, in calls */
};

static struct domain kept[KEPT];
static uint64_t calls;

static void forget(domain *domain) {
  satchel_settings_close(domain->settings);
  text_free(&domain->key);
  memset(domain, 0, sizeof *domain);
}

void close_domains(void) {
  for (int i = 0; i < KEPT; i++) forget(&kept[i]);
}

satchel_settings *settings_of(const domain *domain) { return domain->settings; }

/* Each wait of a write, as the library's options say it. */
static int64_t slice(const call *call) {
  int64_t wait = call->timeout < shortest_wait ? call->timeout : shortest_wait;
  return wait > 0 ? wait : -1;
}

/* With its NUL, which no part can hold. */
static void add_part(text *key, const char *part) { text_add(key, part, strlen(part) + 1); }

/* The variables that the library looks at, as the shell has them now: bash's own getenv stands in for that of the C library
   in the whole process. */
static void add_variable(text *key, const char *name) {
  const char *value = getenv(name);
  add_part(key, value != NULL ? value : "");
}

static void make_key(text *key, const call *call) {
  const char *folder = call->flags[F_DIRECTORY];
  const int64_t how[] = {has(call, F_DURABLE), slice(call)};
  text_add(key, how, sizeof how);
  add_part(key, call->operands[0]);
  add_part(key, has(call, F_PROGRAM) ? call->flags[F_PROGRAM] : program_name());
  if (folder == NULL) {
    add_variable(key, "XDG_CONFIG_HOME");
    add_variable(key, "HOME");
    return;
  }
  add_part(key, folder);
  /* A relative one means another folder after `cd`. */
  char *here = folder[0] != '/' ? getcwd(NULL, 0) : NULL;
  add_part(key, here != NULL ? here : "");
  free(here);
}

/* The file may have been removed, replaced or locked up since; the command would see that. */
static bool is_current(const domain *domain) {
  struct stat file;
  return stat(satchel_settings_path(domain->settings), &file) == 0 && file.st_ino == domain->file.st_ino &&
         file.st_dev == domain->file.st_dev && file.st_mode == domain->file.st_mode && file.st_uid == domain->file.st_uid &&
         file.st_gid == domain->file.st_gid;
}

static domain *find(const text *key) {
  for (int i = 0; i < KEPT; i++) {
    if (kept[i].settings == NULL || kept[i].key.size != key->size) continue;
    if (memcmp(kept[i].key.data, key->data, key->size) != 0) continue;
    if (is_current(&kept[i])) return &kept[i];
    forget(&kept[i]);
    return NULL;
  }
  return NULL;
}

/* The place of the one that has not been used for the longest time. */
static domain *make_room(void) {
  domain *oldest = &kept[0];
  for (int i = 1; i < KEPT; i++)
    if (kept[i].used < oldest->used) oldest = &kept[i];
  forget(oldest);
  return oldest;
}

static int open_settings(satchel_settings **out, const call *call, unsigned flags) {
  satchel_settings_options options = SATCHEL_SETTINGS_OPTIONS_INIT;
  options.flags = flags;
  options.durability = has(call, F_DURABLE) ? SATCHEL_DURABILITY_DISK : SATCHEL_DURABILITY_PROCESS;
  options.lock_timeout_ns = slice(call);
  options.directory = call->flags[F_DIRECTORY];
  options.program = has(call, F_PROGRAM) ? call->flags[F_PROGRAM] : program_name();
  return satchel_settings_open(out, call->operands[0], &options);
}

static int open_now(satchel_settings **out, const call *call, bool create) {
  int code = open_settings(out, call, SATCHEL_SETTINGS_NO_CREATE);
  if (code == SATCHEL_ENOTFOUND) {
    if (!create) return NO;
    code = open_settings(out, call, 0);
  }
  return code == SATCHEL_OK ? DONE : tell_failure(code);
}

int open_domain(domain **out, const call *call, bool create) {
  static text key; /* its room is used again and again */
  key.size = 0;
  make_key(&key, call);
  domain *found = find(&key);
  if (found == NULL) {
    satchel_settings *settings = NULL;
    int status = open_now(&settings, call, create);
    if (status != DONE) return status;
    found = make_room();
    found->settings = settings;
    if (stat(satchel_settings_path(settings), &found->file) != 0) found->file.st_ino = 0;
    found->key = key;
    key = (text){NULL, 0, 0};
  }
  found->used = ++calls;
  *out = found;
  return DONE;
}

int open_existing_domain(domain **out, const call *call) {
  int status = open_domain(out, call, false);
  return status == NO ? tell_failure(SATCHEL_ENOTFOUND) : status;
}

int domain_failure(domain *domain, int code) {
  if (code == SATCHEL_ETIMEOUT && is_interrupted()) return 128 + SIGINT;
  int status = tell_failure(code);
  /* What the system refused once it may allow a handle that is opened anew, as it would the command. */
  if (code != SATCHEL_ETIMEOUT && code != SATCHEL_EINVAL && code != SATCHEL_ERANGE && code != SATCHEL_ETYPE) forget(domain);
  return status;
}

/* MARK: Waiting */

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

patience patience_of(const call *call) { return (patience){now() + call->timeout}; }

bool wait_on(const patience *patience, int code) {
  return code == SATCHEL_ETIMEOUT && !is_interrupted() && now() < patience->end;
}

/* A trap for SIGINT is run when the builtin has returned. */
bool is_interrupted(void) { return interrupt_state || terminating_signal || signal_is_pending(SIGINT); }
