/*
 * The model: one list of the keys in their order, with the cursors among them. A cursor that stands at an entry follows it
 * directly; one that stands between two entries is between them. Everything is searched from the front.
 */
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include <stdint.h>

enum { KEYS = 256, CURSORS = 4, TOKENS = 1 << 16 };

typedef struct {
  uint32_t type;
  int64_t number; /* the value, its length, or the token of what is destroyed with it */
} content;

typedef enum { FRESH, AT, BETWEEN } standing;

typedef struct {
  int items[KEYS + CURSORS]; /* a key, or ~cursor */
  int length;
  int count;
  content held[KEYS];
  standing cursors[CURSORS];
} model;

int model_find(const model *m, int item); /* its place in the list, or -1 */
int model_index(const model *m, int key); /* its position among the keys, or -1 */
int model_key(const model *m, int index); /* the key at a position */
void model_append(model *m, int key, content held);
void model_insert(model *m, int index, int key, content held);
void model_remove(model *m, int key);
void model_swap_remove(model *m, int key);
void model_move(model *m, int key, bool to_end);
void model_clear(model *m);
int model_next(model *m, int cursor); /* the key, or -1 at the end */
int model_previous(model *m, int cursor);
int model_present(const model *m, int cursor); /* the key that it stands at, or -1 */
void model_rewind(model *m, int cursor);

#endif
