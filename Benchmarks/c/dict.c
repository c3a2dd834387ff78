/*
 * The dictionary beside the tables of C: uthash, which keeps the order too, and GLib's, which does not; the faster one of them
 * counts. Keys are copied by all three. Usage: dict FOLDER 1k|100k|1m
 */
#include <glib.h>
#include <uthash.h>

#include <satchel/dict.h>

#include "bench.h"

enum { SET, GET, MISS, REMOVE, PHASES };
static const char *const phases[] = {"set", "get", "miss", "remove"};

static long count;
static char (*present)[32], (*absent)[32];
static long *order; /* a shuffle, so that nothing is asked for in the order in which it lies in memory */
static int64_t sum;

/* MARK: The three tables: each makes one, does a phase of it, and throws it away */

typedef struct {
  const char *name;
  void (*make)(void);
  void (*phase[PHASES])(void);
  void (*drop)(void);
} table;

static satchel_dict *dict;

static void dict_make(void) { MUST(satchel_dict_new(&dict, NULL)); }

static void dict_set(void) {
  for (long i = 0; i < count; i++) MUST(satchel_dict_set_int64(dict, satchel_blob(present[i], strlen(present[i])), i));
}

static void dict_get(void) {
  for (long i = 0; i < count; i++) {
    const char *key = present[order[i]];
    int64_t value;
    MUST(satchel_dict_get_int64(&value, dict, satchel_blob(key, strlen(key))));
    sum += value;
  }
}

static void dict_miss(void) {
  for (long i = 0; i < count; i++) {
    const char *key = absent[order[i]];
    int64_t value;
    MUST(satchel_dict_get_int64(&value, dict, satchel_blob(key, strlen(key))) != SATCHEL_ENOTFOUND);
  }
}

static void dict_remove(void) {
  for (long i = 0; i < count; i++) {
    const char *key = present[order[i]];
    MUST(satchel_dict_remove(dict, satchel_blob(key, strlen(key))));
  }
}

static void dict_drop(void) { satchel_dict_free(dict); }

typedef struct {
  char *key;
  int64_t value;
  UT_hash_handle hh;
} ut_item;
static ut_item *ut_items;

static void ut_make(void) { ut_items = NULL; }

static void ut_set(void) {
  for (long i = 0; i < count; i++) {
    ut_item *item;
    HASH_FIND_STR(ut_items, present[i], item);
    MUST(item != NULL);
    item = malloc(sizeof *item);
    item->key = strdup(present[i]);
    item->value = i;
    HASH_ADD_KEYPTR(hh, ut_items, item->key, strlen(item->key), item);
  }
}

static void ut_get(void) {
  for (long i = 0; i < count; i++) {
    ut_item *item;
    HASH_FIND_STR(ut_items, present[order[i]], item);
    MUST(item == NULL);
    sum += item->value;
  }
}

static void ut_miss(void) {
  for (long i = 0; i < count; i++) {
    ut_item *item;
    HASH_FIND_STR(ut_items, absent[order[i]], item);
    MUST(item != NULL);
  }
}

static void ut_remove(void) {
  for (long i = 0; i < count; i++) {
    ut_item *item;
    HASH_FIND_STR(ut_items, present[order[i]], item);
    MUST(item == NULL);
    HASH_DEL(ut_items, item);
    free(item->key);
    free(item);
  }
}

static void ut_drop(void) {}

static GHashTable *g_table;

static void g_make(void) { g_table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL); }

static void g_set(void) {
  for (long i = 0; i < count; i++) g_hash_table_insert(g_table, g_strdup(present[i]), (gpointer)(intptr_t)(i + 1));
}

static void g_get(void) {
  for (long i = 0; i < count; i++) {
    gpointer value = g_hash_table_lookup(g_table, present[order[i]]);
    MUST(value == NULL);
    sum += (intptr_t)value;
  }
}

static void g_miss(void) {
  for (long i = 0; i < count; i++) MUST(g_hash_table_lookup(g_table, absent[order[i]]) != NULL);
}

static void g_remove(void) {
  for (long i = 0; i < count; i++) MUST(!g_hash_table_remove(g_table, present[order[i]]));
}

static void g_drop(void) { g_hash_table_destroy(g_table); }

static const table tables[] = {
    {"satchel", dict_make, {dict_set, dict_get, dict_miss, dict_remove}, dict_drop},
    {"uthash", ut_make, {ut_set, ut_get, ut_miss, ut_remove}, ut_drop},
    {"glib", g_make, {g_set, g_get, g_miss, g_remove}, g_drop},
};
enum { TABLES = sizeof tables / sizeof *tables };

/* MARK: Measuring */

static void make_names(void) {
  present = malloc(sizeof *present * (size_t)count);
  absent = malloc(sizeof *absent * (size_t)count);
  order = malloc(sizeof *order * (size_t)count);
  srandom(1);
  for (long i = 0; i < count; i++) {
    snprintf(present[i], sizeof *present, "section.key.%ld", i);
    snprintf(absent[i], sizeof *absent, "section.nil.%ld", i);
    long j = random() % (i + 1);
    order[i] = order[j];
    order[j] = i;
  }
}

/* They take turns, round after round. */
static void measure(int rounds, double *results[TABLES]) {
  for (int round = 0; round < rounds; round++)
    for (int t = 0; t < TABLES; t++) {
      tables[t].make();
      for (int phase = 0; phase < PHASES; phase++) {
        /* What changes nothing is done often in a small table, as a program that has one does. */
        long passes = (phase == GET || phase == MISS) && count < 20000 ? 20000 / count : 1;
        double start = now_ns();
        for (long pass = 0; pass < passes; pass++) tables[t].phase[phase]();
        results[t][phase * rounds + round] = (now_ns() - start) / (double)(count * passes);
      }
      tables[t].drop();
    }
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  count = !strcmp(argv[2], "1k") ? 1000 : !strcmp(argv[2], "100k") ? 100000 : 1000000;
  int rounds = count == 1000 ? 300 : count == 100000 ? 41 : 7;
  double *results[TABLES];
  make_names();
  for (int t = 0; t < TABLES; t++) results[t] = malloc(sizeof(double) * (size_t)(rounds * PHASES));
  measure(rounds, results);
  for (int phase = 0; phase < PHASES; phase++) {
    double times[TABLES];
    char name[64];
    for (int t = 0; t < TABLES; t++) times[t] = median(results[t] + phase * rounds, rounds);
    int best = times[1] < times[2] ? 1 : 2;
    snprintf(name, sizeof name, "dict.c.%s.%s", phases[phase], argv[2]);
    emit(name, times[0], "ns", tables[best].name, times[best], times[best] / times[0]);
  }
  return sum == 0;
}
