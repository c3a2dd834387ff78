/*
 * Every allocation refused once: ENOMEM, nothing changed, nothing lost, nothing destroyed twice. The library's malloc is this
 * program's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <satchel/dict.h>

#include "support.h"

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void __libc_free(void *);

/* How many allocations go well before one is refused; -1: all of them. */
static long until = -1;

static bool refused(void) { return until >= 0 && until-- == 0; }

/* How many pieces of memory are in use. */
static long living;

static void *counted(void *memory) {
  living += memory != NULL;
  return memory;
}

void *malloc(size_t size) { return refused() ? NULL : counted(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return refused() ? NULL : counted(__libc_calloc(count, size)); }
void *realloc(void *old, size_t size) {
  if (refused()) return NULL;
  void *memory = __libc_realloc(old, size);
  living += old == NULL && memory != NULL;
  return memory;
}
void free(void *memory) {
  living -= memory != NULL;
  __libc_free(memory);
}

/* With the thread's last error always of the same kind, which has its memory too. */
static long in_use(void) {
  CHECK_CODE(SATCHEL_EINVAL, satchel_dict_clear(NULL), "clear");
  return living;
}

static int destroyed;

static void destroy(void *pointer, void *context) {
  (void)context;
  destroyed++;
  free(pointer);
}

typedef struct {
  satchel_dict *dict, *nested;
  void *pointer;
  size_t count;
} prepared;

static satchel_bytes name_of(int number) {
  static char text[32];
  snprintf(text, sizeof text, "a key with number %d", number);
  return satchel_text(text);
}

/* `count` entries, a hole among them. */
static prepared prepare(int count) {
  prepared p = {NULL, NULL, NULL, 0};
  CHECK_CODE(SATCHEL_OK, satchel_dict_new(&p.dict, NULL), "new");
  for (int i = 0; i < count; i++) CHECK_CODE(SATCHEL_OK, satchel_dict_set_bytes(p.dict, name_of(i), name_of(i)), "set");
  if (count > 3) CHECK_CODE(SATCHEL_OK, satchel_dict_remove(p.dict, name_of(2)), "remove");
  CHECK_CODE(SATCHEL_OK, satchel_dict_new(&p.nested, NULL), "new");
  p.pointer = malloc(1);
  CHECK_CODE(SATCHEL_OK, satchel_dict_count(&p.count, p.dict), "count");
  return p;
}

static int attempt(prepared *p, int what) {
  static int context;
  satchel_dict_value value = {SATCHEL_DICT_INT64, 0, {.int64 = 1}};
  satchel_dict *other = NULL;
  satchel_dict_cursor *cursor = NULL;
  size_t index;
  int code;
  switch (what) {
  case 0:
    return satchel_dict_set_int64(p->dict, satchel_text("new"), 1);
  case 1:
    return satchel_dict_set_bytes(p->dict, name_of(1), satchel_text("another text, which is longer"));
  case 2:
    return satchel_dict_set_dict(p->dict, satchel_text("new"), p->nested);
  case 3:
    return satchel_dict_set_pointer(p->dict, satchel_text("new"), p->pointer, destroy, NULL);
  case 4:
    return satchel_dict_set_pointer(p->dict, satchel_text("new"), p->pointer, destroy, &context);
  case 5:
    return satchel_dict_insert_at(p->dict, p->count / 2, satchel_text("new"), &value);
  case 6:
    return satchel_dict_insert_at(p->dict, 0, satchel_text("new"), &value);
  case 7:
    return satchel_dict_move_to_end(p->dict, name_of(1));
  case 8:
    return satchel_dict_move_to_front(p->dict, name_of(1));
  case 9:
    return p->count > 0 ? satchel_dict_at(NULL, NULL, p->dict, p->count - 1) : SATCHEL_OK;
  case 10:
    return satchel_dict_index_of(&index, p->dict, name_of(3));
  case 11:
    return satchel_dict_reserve(p->dict, 200);
  case 12:
    return satchel_dict_compact(p->dict);
  case 13:
    return satchel_dict_clear(p->dict);
  case 14:
    code = satchel_dict_clone(&other, p->dict);
    satchel_dict_free(other);
    return code;
  case 15:
    code = satchel_dict_cursor_open(&cursor, p->dict);
    satchel_dict_cursor_close(cursor);
    return code;
  default:
    code = satchel_dict_new(&other, NULL);
    satchel_dict_free(other);
    return code;
  }
}
enum { ATTEMPTS = 17 };

/* With the n-th allocation refused. True when there were fewer. */
static bool refuse(int count, int what, long n) {
  long in_use_before = in_use();
  prepared p = prepare(count);
  satchel_dict *before = NULL;
  /* Only another destroy function than the first needs memory of its own. */
  if (what == 4) {
    CHECK_CODE(SATCHEL_OK, satchel_dict_set_pointer(p.dict, satchel_text("first"), NULL, destroy, NULL), "set");
    CHECK_CODE(SATCHEL_OK, satchel_dict_remove(p.dict, satchel_text("first")), "remove");
  }
  CHECK_CODE(SATCHEL_OK, satchel_dict_clone(&before, p.dict), "clone");
  destroyed = 0;
  until = n;
  int code = attempt(&p, what);
  bool fewer = until >= 0;
  until = -1;
  bool failed = code < 0 && code != SATCHEL_ENOTFOUND;
  CHECK(!failed || code == SATCHEL_ENOMEM, "case %d of %d, refusal %ld: %d", what, count, n, code);
  CHECK(!failed || satchel_dict_equal(p.dict, before) == 1, "case %d of %d, refusal %ld: changed", what, count, n);
  CHECK(!fewer || !failed, "case %d of %d: %d without a refusal", what, count, code);
  CHECK(destroyed == 0, "destroyed too early");
  satchel_dict_free(p.dict);
  bool taken = code == 0 && (what == 3 || what == 4);
  CHECK(destroyed == taken, "destroyed %d times", destroyed);
  if (!taken) free(p.pointer);
  if (what != 2 || code != 0) satchel_dict_free(p.nested);
  satchel_dict_free(before);
  CHECK(in_use() == in_use_before, "case %d of %d, refusal %ld: %ld pieces are lost", what, count, n, living - in_use_before);
  return fewer;
}

int main(void) {
  checks_begin("memory");
  /* The thread's last error has its memory from now on. */
  in_use();
  /* Empty, before the first slots, before more of them, before more places. */
  static const int counts[] = {0, 7, 8, 9, 12, 13, 18, 25, 27, 28, 64, 65, 100};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    for (int what = 0; what < ATTEMPTS; what++) {
      round_begin();
      for (long n = 0; !refuse(counts[i], what, n); n++) {
      }
      round_end();
    }
  return checks_finish();
}
