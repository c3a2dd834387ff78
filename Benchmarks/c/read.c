/* Reading an integer, 1,000 keys in turn, fresh across processes. Usage: read FOLDER lmdb|sqlite */
#include "peers.h"

static satchel_settings *settings;
static MDB_txn *reader;
static int64_t sum;

static void read_satchel(long count) {
  for (long i = 0; i < count; i++) {
    int64_t value;
    MUST(satchel_settings_get_int64(&value, settings, keys[i % KEYS]));
    sum += value;
  }
}

static void read_lmdb(long count) {
  for (long i = 0; i < count; i++) {
    MDB_val name = {strlen(keys[i % KEYS]), keys[i % KEYS]}, found;
    int64_t value;
    MUST(mdb_txn_renew(reader));
    MUST(mdb_get(reader, lmdb_table, &name, &found));
    memcpy(&value, found.mv_data, sizeof value);
    mdb_txn_reset(reader);
    sum += value;
  }
}

static void read_sqlite(long count) {
  for (long i = 0; i < count; i++) {
    MUST(sqlite3_bind_text(sqlite_select, 1, keys[i % KEYS], -1, SQLITE_STATIC));
    MUST(sqlite3_step(sqlite_select) != SQLITE_ROW);
    sum += sqlite3_column_int64(sqlite_select, 0);
    MUST(sqlite3_reset(sqlite_select));
  }
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  make_keys();
  settings = open_domain(argv[1], "bench.read", SATCHEL_DURABILITY_PROCESS);
  for (int i = 0; i < KEYS; i++) MUST(satchel_settings_set_int64(settings, keys[i], i));
  subject ours = {read_satchel, 10000, 40, 0};
  if (!strcmp(argv[2], "lmdb")) {
    lmdb_open(argv[1]);
    for (int i = 0; i < KEYS; i++) lmdb_put(keys[i], i);
    MUST(mdb_txn_begin(lmdb, NULL, MDB_RDONLY, &reader));
    mdb_txn_reset(reader);
    subject theirs = {read_lmdb, 10000, 40, 0};
    take_turns(&ours, &theirs, 15);
    emit_times("settings.read.c", "lmdb", &ours, &theirs);
  } else {
    sqlite_start(argv[1]);
    subject theirs = {read_sqlite, 1000, 20, 0};
    take_turns(&ours, &theirs, 15);
    emit_times("settings.read.c.sqlite", "sqlite-wal", &ours, &theirs);
  }
  satchel_settings_close(settings);
  return sum == 0;
}
