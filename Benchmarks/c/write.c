/* Writing an integer that survives the death of the process. Usage: write FOLDER lmdb|sqlite */
#include "peers.h"

static satchel_settings *settings;
static long turn; /* goes on from batch to batch, so that all keys are written */

static void write_satchel(long count) {
  for (long i = 0; i < count; i++, turn++) MUST(satchel_settings_set_int64(settings, keys[turn % KEYS], turn));
}

static void write_lmdb(long count) {
  for (long i = 0; i < count; i++, turn++) lmdb_put(keys[turn % KEYS], turn);
}

static void write_sqlite(long count) {
  for (long i = 0; i < count; i++, turn++) {
    MUST(sqlite3_bind_text(sqlite_update, 1, keys[turn % KEYS], -1, SQLITE_STATIC));
    MUST(sqlite3_bind_int64(sqlite_update, 2, turn));
    MUST(sqlite3_step(sqlite_update) != SQLITE_DONE);
    MUST(sqlite3_reset(sqlite_update));
  }
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  make_keys();
  settings = open_domain(argv[1], "bench.write", SATCHEL_DURABILITY_PROCESS);
  write_satchel(KEYS);
  subject ours = {write_satchel, 16, 4000, 0};
  if (!strcmp(argv[2], "lmdb")) {
    lmdb_open(argv[1]);
    subject theirs = {write_lmdb, 16, 200, 0};
    write_lmdb(KEYS);
    take_turns(&ours, &theirs, 15);
    emit_times("settings.write.lmdb", "lmdb-nosync", &ours, &theirs);
  } else {
    sqlite_start(argv[1]);
    subject theirs = {write_sqlite, 16, 100, 0};
    take_turns(&ours, &theirs, 15);
    emit_times("settings.write.process", "sqlite-wal-normal", &ours, &theirs);
  }
  satchel_settings_close(settings);
  return 0;
}
