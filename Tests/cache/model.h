/*
 * The model: what each key of each cache leads to, and how often everything is held. A change is made here before the library
 * makes it, so that callbacks find it complete.
 */
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>

enum { KEYS = 128, CACHES = 32, THINGS = 1 << 16 };

/* What a pointer points to. */
typedef struct {
  int cache, key;
  bool is_in;
  int holders;
  int reason;           /* why it has left, or 0 */
  bool told, destroyed; /* what the callbacks have heard of it */
  int hearing;          /* how many of them are about it now */
} thing;

typedef struct {
  int entries[KEYS]; /* things, or -1 */
  int count;
  int living; /* things of this cache that are not to be destroyed yet */
} shelf;

typedef struct {
  shelf shelves[CACHES];
  thing things[THINGS];
  int count;
  int left, gone; /* how many are to have been told of and destroyed */
} model;

void model_open(model *m, int cache);
int model_new(model *m, int cache, int key); /* held by nobody yet */
int model_entry(const model *m, int cache, int key);
void model_enter(model *m, int id); /* in the place of what is there */
void model_leave(model *m, int id, int reason);
void model_clear(model *m, int cache);
void model_hold(model *m, int id);
void model_release(model *m, int id);
void model_discard(model *m, int id); /* what nobody ever held */

#endif
