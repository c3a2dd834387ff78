#include <string.h>

#include "model.h"

int model_find(const model *m, int item) {
  for (int place = 0; place < m->length; place++)
    if (m->items[place] == item) return place;
  return -1;
}

int model_index(const model *m, int key) {
  int index = 0;
  for (int place = 0; place < m->length; place++) {
    if (m->items[place] == key) return index;
    index += m->items[place] >= 0;
  }
  return -1;
}

int model_key(const model *m, int index) {
  for (int place = 0; place < m->length; place++)
    if (m->items[place] >= 0 && index-- == 0) return m->items[place];
  return -1;
}

static void put(model *m, int place, int item) {
  memmove(m->items + place + 1, m->items + place, sizeof(int) * (size_t)(m->length - place));
  m->items[place] = item;
  m->length++;
  m->count += item >= 0;
}

static void take(model *m, int place) {
  m->count -= m->items[place] >= 0;
  m->length--;
  memmove(m->items + place, m->items + place + 1, sizeof(int) * (size_t)(m->length - place));
}

int model_present(const model *m, int cursor) {
  if (m->cursors[cursor] != AT) return -1;
  int place = model_find(m, ~cursor) - 1;
  while (m->items[place] < 0) place--;
  return m->items[place];
}

/* Those that stand at it stand between its neighbours. */
static void leave(model *m, int key) {
  for (int cursor = 0; cursor < CURSORS; cursor++)
    if (model_present(m, cursor) == key) m->cursors[cursor] = BETWEEN;
}

void model_append(model *m, int key, content held) {
  m->held[key] = held;
  put(m, m->length, key);
}

void model_insert(model *m, int index, int key, content held) {
  if (index == m->count) {
    model_append(m, key, held);
    return;
  }
  m->held[key] = held;
  put(m, index == 0 ? 0 : model_find(m, model_key(m, index)), key);
}

void model_remove(model *m, int key) {
  leave(m, key);
  take(m, model_find(m, key));
}

void model_swap_remove(model *m, int key) {
  int last = model_key(m, m->count - 1);
  if (last == key) {
    model_remove(m, key);
    return;
  }
  /* Whoever stood at the one that goes has the one that comes before it. */
  for (int cursor = 0; cursor < CURSORS; cursor++)
    if (model_present(m, cursor) == key) {
      m->cursors[cursor] = BETWEEN;
      take(m, model_find(m, ~cursor));
      put(m, model_find(m, key), ~cursor);
    }
  leave(m, last);
  take(m, model_find(m, last));
  m->items[model_find(m, key)] = last;
}

void model_move(model *m, int key, bool to_end) {
  if (model_index(m, key) == (to_end ? m->count - 1 : 0)) return;
  model_remove(m, key);
  put(m, to_end ? m->length : 0, key);
}

void model_clear(model *m) {
  while (m->count > 0) model_remove(m, model_key(m, 0));
}

/* Puts the cursor behind the key, or at an end of the list. */
static int stand(model *m, int cursor, int key, int otherwise) {
  int place = model_find(m, ~cursor);
  if (place >= 0) take(m, place);
  m->cursors[cursor] = key >= 0 ? AT : BETWEEN;
  put(m, key >= 0 ? model_find(m, key) + 1 : otherwise == 0 ? 0 : m->length, ~cursor);
  return key;
}

int model_next(model *m, int cursor) {
  int place = m->cursors[cursor] == FRESH ? 0 : model_find(m, ~cursor) + 1;
  while (place < m->length && m->items[place] < 0) place++;
  return stand(m, cursor, place < m->length ? m->items[place] : -1, 1);
}

int model_previous(model *m, int cursor) {
  int place = m->cursors[cursor] == FRESH ? m->length - 1 : model_find(m, ~cursor) - 1;
  int present = model_present(m, cursor);
  while (place >= 0 && (m->items[place] < 0 || m->items[place] == present)) place--;
  return stand(m, cursor, place >= 0 ? m->items[place] : -1, 0);
}

void model_rewind(model *m, int cursor) {
  int place = model_find(m, ~cursor);
  if (place >= 0) take(m, place);
  m->cursors[cursor] = FRESH;
}
