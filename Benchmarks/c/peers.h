/* The peers, each opened as its manual says it is quick: LMDB without syncing, SQLite in WAL mode with prepared statements. */
#ifndef PEERS_H
#define PEERS_H

#include <lmdb.h>
#include <sqlite3.h>

#include "bench.h"

static MDB_env *lmdb;
static MDB_dbi lmdb_table;

static inline void lmdb_put(const char *key, int64_t number) {
  MDB_txn *txn;
  MDB_val name = {strlen(key), (void *)(uintptr_t)key}, value = {sizeof number, &number};
  MUST(mdb_txn_begin(lmdb, NULL, 0, &txn));
  MUST(mdb_put(txn, lmdb_table, &name, &value, 0));
  MUST(mdb_txn_commit(txn));
}

static inline void lmdb_open(const char *folder) {
  char path[4096];
  MDB_txn *txn;
  snprintf(path, sizeof path, "%s/lmdb", folder);
  MUST(mdb_env_create(&lmdb));
  MUST(mdb_env_set_mapsize(lmdb, 64 << 20));
  MUST(mdb_env_open(lmdb, path, MDB_NOSUBDIR | MDB_NOSYNC, 0600));
  MUST(mdb_txn_begin(lmdb, NULL, 0, &txn));
  MUST(mdb_dbi_open(txn, NULL, 0, &lmdb_table));
  MUST(mdb_txn_commit(txn));
}

static sqlite3 *sqlite;
static sqlite3_stmt *sqlite_select, *sqlite_update;

static inline void sqlite_start(const char *folder) {
  char path[4096];
  sqlite3_stmt *insert;
  snprintf(path, sizeof path, "%s/sqlite", folder);
  MUST(sqlite3_open(path, &sqlite));
  MUST(sqlite3_exec(sqlite, "PRAGMA journal_mode=WAL", NULL, NULL, NULL));
  MUST(sqlite3_exec(sqlite, "PRAGMA synchronous=NORMAL", NULL, NULL, NULL));
  MUST(sqlite3_exec(sqlite, "CREATE TABLE s (k TEXT PRIMARY KEY, v INTEGER) WITHOUT ROWID; BEGIN", NULL, NULL, NULL));
  MUST(sqlite3_prepare_v2(sqlite, "INSERT INTO s VALUES (?, 0)", -1, &insert, NULL));
  for (int i = 0; i < KEYS; i++) {
    MUST(sqlite3_bind_text(insert, 1, keys[i], -1, SQLITE_STATIC));
    MUST(sqlite3_step(insert) != SQLITE_DONE);
    MUST(sqlite3_reset(insert));
  }
  MUST(sqlite3_finalize(insert));
  MUST(sqlite3_exec(sqlite, "COMMIT", NULL, NULL, NULL));
  MUST(sqlite3_prepare_v3(sqlite, "SELECT v FROM s WHERE k = ?", -1, SQLITE_PREPARE_PERSISTENT, &sqlite_select, NULL));
  MUST(sqlite3_prepare_v3(sqlite, "UPDATE s SET v = ?2 WHERE k = ?1", -1, SQLITE_PREPARE_PERSISTENT, &sqlite_update, NULL));
}

#endif
