#include <satchel/cache.h>

#include "model.h"

void model_open(model *m, int cache) {
  for (int key = 0; key < KEYS; key++) m->shelves[cache].entries[key] = -1;
}

int model_new(model *m, int cache, int key) {
  int id = m->count++;
  m->things[id] = (thing){.cache = cache, .key = key};
  m->shelves[cache].living++;
  return id;
}

int model_entry(const model *m, int cache, int key) { return m->shelves[cache].entries[key]; }

void model_enter(model *m, int id) {
  thing *new = &m->things[id];
  shelf *shelf = &m->shelves[new->cache];
  if (shelf->entries[new->key] >= 0) model_leave(m, shelf->entries[new->key], SATCHEL_CACHE_REPLACED);
  shelf->entries[new->key] = id;
  shelf->count++;
  new->is_in = true;
}

void model_leave(model *m, int id, int reason) {
  thing *old = &m->things[id];
  m->shelves[old->cache].entries[old->key] = -1;
  m->shelves[old->cache].count--;
  m->left++;
  old->is_in = false;
  old->reason = reason;
}

void model_clear(model *m, int cache) {
  for (int key = 0; key < KEYS; key++)
    if (model_entry(m, cache, key) >= 0) model_leave(m, model_entry(m, cache, key), SATCHEL_CACHE_REMOVED);
}

void model_hold(model *m, int id) { m->things[id].holders++; }

void model_release(model *m, int id) {
  if (--m->things[id].holders > 0) return;
  if (m->things[id].is_in) model_leave(m, id, SATCHEL_CACHE_EXPIRED);
  model_discard(m, id);
}

void model_discard(model *m, int id) {
  m->shelves[m->things[id].cache].living--;
  m->gone++;
}
