/*
 * Kills whoever writes and whoever leads, at random moments, and looks at what the files say: every record that the log has taken
 * is there, once, whole, and behind those of its thread.
 *
 * kills KILLS SEED WAYS: `WAYS` is words from the table below, or "all"; each episode of some hundred kills takes some of them.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "checker.h"
#include "control.h"
#include "group.h"
#include "ledger.h"
#include "logs.h"
#include "support.h"
#include "world.h"

enum { WORKERS = 8, KILLS_OF_EPISODE = 250, LONGEST_EPISODE = 60 };

typedef struct {
  const char *name;
  unsigned way;
} way_name;

static const way_name way_names[] = {{"stops", STOPS}, {"renames", RENAMES}, {"cuts", CUTS},
                                     {"sizes", SIZES}, {"full", FULL},       {"all", ALL},
                                     {"posts", POSTS}, {"forks", FORKS},     {"points", POINTS}};
enum { WAY_NAMES = sizeof way_names / sizeof *way_names };

static unsigned ways_of(const char *text) {
  unsigned ways = 0;
  for (int i = 0; i < WAY_NAMES; i++)
    if (strstr(text, way_names[i].name) != NULL) ways |= way_names[i].way;
  return ways;
}

static const char *text_of(unsigned ways) {
  static char text[128];
  text[0] = '\0';
  for (int i = 0; i < WAY_NAMES; i++)
    if (ways & way_names[i].way) strcat(strcat(text, " "), way_names[i].name);
  return text;
}

typedef struct {
  pid_t process;
  int64_t thaw; /* 0, or when it is to go on */
} worker;

typedef struct {
  char folder[4096], book_path[4200], ways_text[16];
  unsigned ways;
  chance chance;
  ledger *book;
  const control *control;
  worker workers[WORKERS];
  pid_t frozen_leader;
  int64_t leader_thaw;
  int wanted, kills, leaders_killed, stops, renames, cuts, cuts_refused, fulls;
} episode;

static int64_t soon(episode *e, int milliseconds) {
  return now_ns() + (int64_t)chance_below(&e->chance, (uint64_t)milliseconds) * 1000000;
}

/* MARK: Workers */

static void start_worker(episode *e, int index) {
  char seed[32];
  snprintf(seed, sizeof seed, "%lu", (unsigned long)chance_next(&e->chance));
  const char *const arguments[] = {"kills", "--worker", e->book_path, e->folder, seed, e->ways_text, NULL};
  e->workers[index] = (worker){group_spawn(arguments), 0};
}

static int index_of(const episode *e, pid_t process) {
  for (int i = 0; i < WORKERS; i++)
    if (e->workers[i].process == process) return i;
  return -1;
}

/* Those that have ended get a successor; those that have stopped themselves at a named point go on in a while. */
static void reap(episode *e) {
  int status = 0;
  for (pid_t process; (process = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0;) {
    int index = index_of(e, process);
    if (WIFSTOPPED(status)) {
      if (index >= 0 && e->workers[index].thaw == 0) e->workers[index].thaw = now_ns() + INT64_C(150000000);
      continue;
    }
    if (index < 0) continue;
    if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
      CHECK(false, "a worker died of signal %d%s", WTERMSIG(status), text_of(e->ways));
    start_worker(e, index);
  }
}

static void thaw(episode *e) {
  int64_t now = now_ns();
  for (int i = 0; i < WORKERS; i++) {
    if (e->workers[i].thaw == 0 || now < e->workers[i].thaw) continue;
    kill(e->workers[i].process, SIGCONT);
    e->workers[i].thaw = 0;
  }
  if (e->frozen_leader != 0 && now >= e->leader_thaw) {
    kill(e->frozen_leader, SIGCONT);
    e->frozen_leader = 0;
  }
}

/* MARK: What happens to them */

/* 0 where it has gone. */
static pid_t leader_of(episode *e) {
  if (e->control == NULL) e->control = control_open(e->folder, WORLD_APP);
  pid_t leader = e->control == NULL ? 0 : control_leader(e->control);
  return group_has(leader) ? leader : 0;
}

static void kill_one(episode *e) {
  pid_t leader = chance_below(&e->chance, 2) == 0 ? leader_of(e) : 0;
  e->kills++;
  e->leaders_killed += leader != 0;
  kill(leader != 0 ? leader : e->workers[chance_below(&e->chance, WORKERS)].process, SIGKILL);
}

static void kill_all(episode *e) {
  for (int i = 0; i < WORKERS; i++) kill(e->workers[i].process, SIGKILL);
  e->kills += WORKERS;
}

static void stop_one(episode *e) {
  pid_t leader = chance_below(&e->chance, 2) == 0 ? leader_of(e) : 0;
  if (leader != 0 && e->frozen_leader == 0) {
    e->frozen_leader = leader;
    e->leader_thaw = soon(e, 250);
    kill(leader, SIGSTOP);
    e->stops++;
    return;
  }
  worker *chosen = &e->workers[chance_below(&e->chance, WORKERS)];
  if (chosen->thaw != 0) return;
  chosen->thaw = soon(e, 250);
  kill(chosen->process, SIGSTOP);
  e->stops++;
}

static void post_one(episode *e) {
  int number = ledger_stream(e->book);
  char text[16];
  if (number < 0) return;
  snprintf(text, sizeof text, "%d", number);
  const char *const arguments[] = {"kills", "--post", e->book_path, e->folder, text, e->ways_text, NULL};
  group_spawn(arguments);
}

/* The file that is being written: the highest number of the app's own names; false where there is none. */
static bool active_file(const episode *e, char name[256]) {
  DIR *entries = opendir(e->folder);
  long best = -1;
  for (struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
    const char *text = entry->d_name;
    if (strncmp(text, WORLD_APP "-", sizeof WORLD_APP) != 0 || !is_log_name(text) || is_direct_name(text)) continue;
    long number = strtol(text + strcspn(text, ".") + 1, NULL, 10); /* of the one without a number it is 0 */
    if (number <= best) continue;
    best = number;
    snprintf(name, 256, "%s", text);
  }
  if (entries != NULL) closedir(entries);
  return best >= 0;
}

static void rename_file(episode *e) {
  char name[256], from[4400], to[4400];
  if (!active_file(e, name)) return;
  snprintf(from, sizeof from, "%s/%s", e->folder, name);
  snprintf(to, sizeof to, "%s/renamed.%d.log", e->folder, e->renames);
  if (rename(from, to) == 0) e->renames++;
}

static bool copy_file(const char *from, const char *to) {
  image file = image_load(from);
  int copy = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  bool whole = copy >= 0 && file.data != NULL;
  for (size_t done = 0; whole && done < file.size;) {
    ssize_t n = write(copy, file.data + done, file.size - done);
    if (n <= 0) whole = false;
    else done += (size_t)n;
  }
  if (copy >= 0) close(copy);
  image_free(&file);
  if (!whole) unlink(to);
  return whole;
}

/*
 * As logrotate's copytruncate, but with nobody writing between the copy and the cut. A batch that is in the file and not yet
 * committed would be doubled if its leader died now, as is documented; so it is not cut then.
 */
static void cut_file(episode *e) {
  char name[256], from[4400], to[4400];
  bool still = group_stop();
  CHECK(still, "the processes do not stop");
  leader_of(e);
  if (still && e->control != NULL && !control_is_writing(e->control) && active_file(e, name)) {
    snprintf(from, sizeof from, "%s/%s", e->folder, name);
    snprintf(to, sizeof to, "%s/cut.%d.log", e->folder, e->cuts);
    if (copy_file(from, to)) {
      CHECK(truncate(from, 0) == 0, "%s cannot be cut: %s", from, strerror(errno));
      e->cuts++;
    }
  } else {
    e->cuts_refused++;
  }
  group_continue();
  for (int i = 0; i < WORKERS; i++) e->workers[i].thaw = 0;
  e->frozen_leader = 0;
}

/* Takes the rest of the disk away, to the last byte, for a while. */
static void fill_disk(episode *e) {
  static const char zeros[65536];
  char path[4400];
  snprintf(path, sizeof path, "%s/filler", e->folder);
  int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  for (size_t size = sizeof zeros; file >= 0 && size > 0; size /= 16)
    while (write(file, zeros, size) > 0);
  if (file >= 0) close(file);
  sleep_ms(50 + (int)chance_below(&e->chance, 300));
  unlink(path);
  e->fulls++;
}

static void act(episode *e) {
  unsigned what = (unsigned)chance_below(&e->chance, 100), ways = e->ways;
  if (what < 25) kill_one(e);
  else if (what < 40 && (ways & STOPS)) stop_one(e);
  else if (what < 60 && (ways & POSTS)) post_one(e);
  else if (what < 64 && (ways & RENAMES)) rename_file(e);
  else if (what < 66 && (ways & CUTS)) cut_file(e);
  else if (what < 67 && (ways & FULL)) fill_disk(e);
  else if (what < 68 && (ways & ALL)) kill_all(e);
}

/* MARK: An episode */

/* Either everybody is killed at once, or all end by themselves, which none may fail to do. */
static void end_world(episode *e) {
  bool calm = chance_below(&e->chance, 2) == 0;
  e->book->stop = true;
  group_continue();
  if (!calm) {
    for (int i = 0; i < WORKERS; i++) kill(e->workers[i].process, SIGKILL);
    e->kills += WORKERS;
  }
  for (int turn = 0; turn < 10; turn++) {
    sleep_ms(20);
    group_continue(); /* those that stop themselves */
  }
  int left = group_wait(60);
  bool all = CHECK(left == 0, "%d processes do not end%s", left, text_of(e->ways));
  if (!all && getenv("SATCHEL_KEEP") != NULL) sleep_ms(600000);
}

static bool is_copy(const char *name) { return strncmp(name, "cut.", 4) == 0; }

static void judge(episode *e) {
  char what[160];
  snprintf(what, sizeof what, "kills,%s", text_of(e->ways));
  findings found = check_folder(e->folder, e->book, e->ways & FULL ? is_copy : NULL);
  check_findings(&found, what);
  CHECK(e->book->missing == 0, "%s: %u alerts were in no file when their call returned", what, e->book->missing);
  CHECK(e->book->unexpected == 0, "%s: %u unexpected answers, such as %s", what, e->book->unexpected,
        satchel_error_name(e->book->code));
  CHECK(found.lines > 0, "%s: nothing was logged", what);
  CHECK((e->ways & FULL) || e->book->refused == 0, "%s: %u records refused", what, e->book->refused);
  printf(
      "  %d kills (%d of leaders), %d stops, %d renames, %d cuts (%d put off), %d full disks, %u alerts, %u posts, %u forks, "
      "%u queued, %u refused\n",
      e->kills, e->leaders_killed, e->stops, e->renames, e->cuts, e->cuts_refused, e->fulls, e->book->alerts, e->book->posts,
      e->book->forks, e->book->queued, e->book->refused);
  print_findings(&found);
  if (e->control != NULL) control_print(e->control);
}

/* The disk is a small one where it is to be full; false where that cannot be had. */
static bool place_for(episode *e, const char *kept) {
  snprintf(e->folder, sizeof e->folder, "%s", kept != NULL ? kept : scratch_folder("files"));
  if (!(e->ways & FULL)) return true;
  if (mount("satchel-test", e->folder, "tmpfs", 0, "size=500m,mode=0755") == 0) return true;
  skipped("no small disk: %s", strerror(errno));
  return false;
}

/* What failed stays to be looked at where SATCHEL_KEEP is set. */
static void leave(episode *e, bool keeps) {
  if (e->control != NULL) control_close(e->control);
  ledger_close(e->book);
  if (getenv("SATCHEL_KEEP") != NULL && checks_failed() > 0) {
    printf("  kept in %s\n", e->folder);
    return;
  }
  if (e->ways & FULL) umount2(e->folder, MNT_DETACH);
  if (!keeps) remove_all(e->folder);
}

/* For the reader that shares no code with this one: a stream a line. */
static void write_book(const episode *e) {
  char path[4200];
  snprintf(path, sizeof path, "%s/ledger.txt", e->folder);
  FILE *file = fopen(path, "w");
  if (file == NULL) abort();
  unsigned streams = e->book->next < STREAMS ? e->book->next : STREAMS;
  for (unsigned s = 0; s < streams; s++) fprintf(file, "%u %u %u\n", s, e->book->streams[s].taken, e->book->streams[s].tried);
  fclose(file);
}

/* How many were killed. */
static int run_episode(unsigned ways, uint64_t seed, int wanted, const char *kept) {
  static episode world;
  episode *e = &world;
  memset(e, 0, sizeof *e);
  e->ways = ways;
  e->wanted = wanted;
  e->chance = chance_of(seed);
  if (!place_for(e, kept)) return wanted;
  snprintf(e->book_path, sizeof e->book_path, "%s/book", scratch());
  snprintf(e->ways_text, sizeof e->ways_text, "%u", ways);
  e->book = ledger_open(e->book_path, true);
  if (e->book == NULL) abort();
  printf("episode %lu:%s\n", (unsigned long)seed, text_of(ways));
  round_begin();
  group_begin();
  int64_t end = now_ns() + LONGEST_EPISODE * INT64_C(1000000000);
  for (int i = 0; i < WORKERS; i++) start_worker(e, i);
  while (e->kills < wanted && now_ns() < end) {
    usleep((useconds_t)chance_below(&e->chance, 12000));
    thaw(e);
    reap(e);
    act(e);
  }
  end_world(e);
  group_end();
  drain_log(e->folder, WORLD_APP);
  judge(e);
  round_end();
  if (kept != NULL) write_book(e);
  leave(e, kept != NULL);
  return e->kills;
}

/* MARK: The program */

/* Stops and forks are in every episode that may have them; of the rest some are chosen. */
static unsigned some_of(unsigned ways, chance *chance) {
  return ways & (STOPS | FORKS | POINTS | (unsigned)chance_next(chance));
}

/* Mounts of our own, gone with this process. */
static bool private_mounts(void) {
  if (unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0) return true;
  skipped("no mounts of our own, and so no full disk: %s", strerror(errno));
  return false;
}

int main(int count, char **words) {
  if (count == 6 && strcmp(words[1], "--worker") == 0)
    return run_worker(words[2], words[3], strtoull(words[4], NULL, 10), (unsigned)atoi(words[5]));
  if (count == 6 && strcmp(words[1], "--post") == 0)
    return run_post(words[2], words[3], (unsigned)atoi(words[4]), (unsigned)atoi(words[5]));
  if (count < 4) {
    fprintf(stderr, "usage: kills KILLS SEED WAYS [FOLDER]\n");
    return 2;
  }
  int wanted = atoi(words[1]), kills = 0;
  chance chance = chance_of(strtoull(words[2], NULL, 10));
  unsigned ways = ways_of(words[3]);
  checks_begin("kills");
  if ((ways & FULL) && !private_mounts()) ways &= ~FULL;
  while (kills < wanted && checks_failed() == 0) {
    int part = wanted - kills < KILLS_OF_EPISODE ? wanted - kills : KILLS_OF_EPISODE;
    bool last = kills + part >= wanted;
    unsigned chosen = some_of(ways, &chance);
    if (last && count > 4) chosen &= ~FULL;
    kills += run_episode(chosen, chance_next(&chance), part, last && count > 4 ? words[4] : NULL);
  }
  printf("%d kills, seed %s\n", kills, words[2]);
  return checks_finish();
}
