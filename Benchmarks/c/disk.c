/* A write that waits for the disk, against the least there can be: pwrite and fdatasync of a preallocated file.
   Usage: disk FOLDER */
#include <fcntl.h>

#include "bench.h"

#define RECORD 64
#define WRITES 2000

static satchel_settings *settings;
static int file;
static long turn;
static off_t at;

static void write_satchel(long count) {
  for (long i = 0; i < count; i++, turn++) MUST(satchel_settings_set_int64(settings, keys[turn % KEYS], turn));
}

static void write_file(long count) {
  char record[RECORD];
  memset(record, 'x', sizeof record);
  for (long i = 0; i < count; i++, at += RECORD) {
    MUST(pwrite(file, record, RECORD, at) != RECORD);
    MUST(fdatasync(file));
  }
}

/* Written, not only reserved: a reserved block costs a journal commit when it is first written. */
static void preallocate(const char *folder) {
  char path[4096], zeros[4096] = {0};
  snprintf(path, sizeof path, "%s/plain", folder);
  file = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
  MUST(file < 0);
  for (int i = 0; i < 64; i++) MUST(write(file, zeros, sizeof zeros) != sizeof zeros);
  MUST(fsync(file));
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  make_keys();
  preallocate(argv[1]);
  settings = open_domain(argv[1], "bench.disk", SATCHEL_DURABILITY_DISK);
  subject ours = {write_satchel, 1, 1, 0}, theirs = {write_file, 1, 1, 0};
  take_turns(&ours, &theirs, WRITES); /* one each in turn: disks have moods */
  ours.result /= 1e3, theirs.result /= 1e3;
  emit("settings.write.disk", ours.result, "us", "pwrite+fdatasync", theirs.result, theirs.result / ours.result);
  satchel_settings_close(settings);
  return 0;
}
