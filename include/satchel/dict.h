/*
 * Dictionaries in memory: from byte keys to tagged values, in the order in which the keys were put in.
 *
 * Order: setting a key that is there keeps its place; a new one goes to the end; a removal closes the gap. Finding, setting,
 *   removing and moving are O(1) however many entries there are. A position is O(1) while nothing has been removed from the
 *   middle, O(log n) otherwise.
 * Keys are any bytes, the empty range included, up to 2^28 - 2 of them (ERANGE), compared byte by byte. A dictionary holds up
 *   to 2^31 - 2 entries (EFULL).
 * Ownership: keys and bytes that go in are copied. What comes out is lent, and NUL-terminated: a key until its entry is removed,
 *   a value until it is replaced or its entry is removed, however much the dictionary grows or is reordered meanwhile. A pointer
 *   with a destroy function, and a nested dictionary, belong to the entry once the call has returned 0, and stay the caller's
 *   otherwise.
 * Destroy functions and callbacks run when the change that causes them is complete, and may call anything here, on the same
 *   dictionary too; they may even free it.
 * Threads: one at a time. Where nobody changes the dictionary, any number may call satchel_dict_get..., _copy_bytes, _contains,
 *   _count, _at, _index_of, _next and _equal..., and copy it; cursors and satchel_dict_foreach count as changes.
 * Walking: entries removed before they are reached are left out, appended ones are reached, the present one may be removed, one
 *   that is moved to the end is met again: as with the Map of JavaScript.
 * An attacker who chooses the keys cannot make them collide: each dictionary has a random seed of its own.
 *
 * Errors that every function here may give, left out below: EINVAL (NULL, a range without bytes) and ERANGE (a key too long).
 * What puts something in may also give ENOMEM and EFULL; only the text of an error, a hundred bytes, cannot be refused. Where a
 * function fails it has changed nothing. A new dictionary or cursor is NULL then, an item empty, a count 0, and so is *needed but
 * where that is what the buffer is too small for; whatever else it would have filled is left alone, so that a default may stand
 * there.
 * A dictionary or cursor that has been freed is not to be used: nothing would notice it.
 */
#ifndef SATCHEL_DICT_H
#define SATCHEL_DICT_H

#include <stdbool.h>

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct satchel_dict satchel_dict;
typedef struct satchel_dict_cursor satchel_dict_cursor;

/* What a value is. */
#define SATCHEL_DICT_NONE 0 /* nothing: what an item holds that has been emptied; never in a dictionary */
#define SATCHEL_DICT_BYTES 1
#define SATCHEL_DICT_INT64 2
#define SATCHEL_DICT_DOUBLE 3
#define SATCHEL_DICT_BOOL 4
#define SATCHEL_DICT_POINTER 5
#define SATCHEL_DICT_DICT 6

/* A value, and which of the members it is. */
typedef struct satchel_dict_value {
  uint32_t type;     /* SATCHEL_DICT_... */
  uint32_t reserved; /* 0 */
  union {
    satchel_bytes bytes;
    int64_t int64;
    double real;
    bool boolean;
    void *SATCHEL_NULLABLE pointer;
    satchel_dict *SATCHEL_NULLABLE dict;
  } as;
} satchel_dict_value;

/* Called once for each pointer that was set with it, when its entry is removed, replaced or freed. */
typedef void satchel_dict_destroy(void *SATCHEL_NULLABLE pointer, void *SATCHEL_NULLABLE context);

/* An entry that has left its dictionary. The caller's, until satchel_dict_item_free. */
typedef struct satchel_dict_item {
  satchel_bytes key;        /* the item's; NUL-terminated */
  satchel_dict_value value; /* the item's. To keep a pointer or a nested dictionary, set value.type to SATCHEL_DICT_NONE */
  satchel_dict_destroy *SATCHEL_NULLABLE destroy; /* of a pointer; NULL where it is not owned */
  void *SATCHEL_NULLABLE context;                 /* for destroy */
} satchel_dict_item;

/* A place in a walk that the dictionary does not know of. Starts as SATCHEL_DICT_POSITION_INIT; not to be looked into. */
typedef struct satchel_dict_position {
  uint64_t ordinal;
  uint64_t epoch;
} satchel_dict_position;

/* How to make one. Start from SATCHEL_DICT_OPTIONS_INIT; 0 means the default. */
typedef struct satchel_dict_options {
  size_t struct_size; /* sizeof(satchel_dict_options) */
  uint64_t seed;      /* of the key hash; 0: random. Another one only for tests: it lets others choose keys that collide */
  uint64_t capacity;  /* entries that there shall be room for */
} satchel_dict_options;

/* clang-format off */
#define SATCHEL_DICT_POSITION_INIT {0, 0}
#define SATCHEL_DICT_OPTIONS_INIT {sizeof(satchel_dict_options), 0, 0}
/* clang-format on */

/* MARK: Life */

/*
 * A new, empty dictionary that the caller frees. `options` may be NULL.
 * Errors: EVERSION (options that only a newer library knows, or a wrong struct_size), ERANGE (capacity). Any thread. O(capacity).
 * Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_dict_new(satchel_dict *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                   const satchel_dict_options *SATCHEL_NULLABLE options);

/*
 * Frees it with all that it owns; its cursors give EINVAL from then on and are still to be closed. NULL does nothing, nor does
 * a nested one, which its entry owns. Destroy functions find it empty; what they put in is EINVAL. O(n). Since 0.1.
 */
SATCHEL_API void satchel_dict_free(satchel_dict *SATCHEL_NULLABLE dict);

/*
 * A copy that the caller frees, nested dictionaries and all. Pointers that are not owned are copied as they are.
 * Errors: EUNSUPPORTED, naming the key, for a pointer with a destroy function; ENOMEM. O(n). Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_dict_clone(satchel_dict *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                     const satchel_dict *SATCHEL_NULLABLE dict);

/* Removes every entry and gives their memory back. Errors: ENOMEM. O(n). Since 0.1. */
SATCHEL_API int satchel_dict_clear(satchel_dict *SATCHEL_NULLABLE dict);

/* How many entries there are. O(1). Since 0.1. */
SATCHEL_API SATCHEL_NODISCARD int satchel_dict_count(size_t *SATCHEL_NULLABLE out, const satchel_dict *SATCHEL_NULLABLE dict);

/* Makes room for `count` entries in all. Errors: ERANGE, ENOMEM. O(count). Since 0.1. */
SATCHEL_API int satchel_dict_reserve(satchel_dict *SATCHEL_NULLABLE dict, size_t count);

/* Gives back the memory that the entries do not need. Errors: ENOMEM. O(n). Since 0.1. */
SATCHEL_API int satchel_dict_compact(satchel_dict *SATCHEL_NULLABLE dict);

/*
 * 1 where both have the same keys with the same values in the same order, 0 where not; the other one does not look at the order.
 * Values are the same where type and content are: NaN is NaN, 0.0 is not -0.0, a pointer is its address, a nested dictionary is
 * compared in the same way. O(n). Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_dict_equal(const satchel_dict *SATCHEL_NULLABLE left,
                                                     const satchel_dict *SATCHEL_NULLABLE right);
SATCHEL_API SATCHEL_NODISCARD int satchel_dict_equal_unordered(const satchel_dict *SATCHEL_NULLABLE left,
                                                               const satchel_dict *SATCHEL_NULLABLE right);

/* MARK: Setting. An existing key keeps its place, and what it held is destroyed; a new one goes to the end. */

/* A value of any type; a pointer is not owned, a nested dictionary is. Errors: EINVAL (type). O(1). Since 0.1. */
SATCHEL_API int satchel_dict_set(satchel_dict *SATCHEL_NULLABLE dict, satchel_bytes key,
                                 const satchel_dict_value *SATCHEL_NULLABLE value);

/* One type each. Errors: ERANGE (more than 256 MiB). O(1), and the size of what is copied. Since 0.1. */
SATCHEL_API int satchel_dict_set_bytes(satchel_dict *SATCHEL_NULLABLE dict, satchel_bytes key, satchel_bytes value);
SATCHEL_API int satchel_dict_set_int64(satchel_dict *SATCHEL_NULLABLE dict, satchel_bytes key, int64_t value);
SATCHEL_API int satchel_dict_set_double(satchel_dict *SATCHEL_NULLABLE dict, satchel_bytes key, double value);
SATCHEL_API int satchel_dict_set_bool(satchel_dict *SATCHEL_NULLABLE dict, satchel_bytes key, bool value);

/*
 * A pointer, which may be NULL. `destroy` is called once with it and `context` when the entry lets go of it; without one it is
 * not owned. O(1). Since 0.1.
 */
SATCHEL_API int satchel_dict_set_pointer(satchel_dict *SATCHEL_NULLABLE dict, satchel_bytes key, void *SATCHEL_NULLABLE pointer,
                                         satchel_dict_destroy *SATCHEL_NULLABLE destroy, void *SATCHEL_NULLABLE context);

/*
 * Gives the dictionary `nested` to the entry, which frees it with itself; it may still be read and changed.
 * Errors: EINVAL where it is nested already, or would contain itself; ERANGE (nesting over 64). O(size of what is nested in
 * `nested`). Since 0.1.
 */
SATCHEL_API int satchel_dict_set_dict(satchel_dict *SATCHEL_NULLABLE dict, satchel_bytes key,
                                      satchel_dict *SATCHEL_NULLABLE nested);

/* MARK: Getting. ENOTFOUND where there is no such key, ETYPE where it holds another type; out is left alone then. */

/* Whatever is there, lent. `out` may be NULL. Errors: ENOTFOUND. O(1). Since 0.1. */
SATCHEL_API SATCHEL_NODISCARD int satchel_dict_get(satchel_dict_value *SATCHEL_NULLABLE out,
                                                   const satchel_dict *SATCHEL_NULLABLE dict, satchel_bytes key);

/* One type each; bytes and dict are lent. Errors: ENOTFOUND, ETYPE. O(1). Since 0.1. */
SATCHEL_API SATCHEL_NODISCARD int satchel_dict_get_bytes(satchel_bytes *SATCHEL_NULLABLE out,
                                                         const satchel_dict *SATCHEL_NULLABLE dict, satchel_bytes key);
SATCHEL_API SATCHEL_NODISCARD int satchel_dict_get_int64(int64_t *SATCHEL_NULLABLE out,
                                                         const satchel_dict *SATCHEL_NULLABLE dict, satchel_bytes key);
SATCHEL_API SATCHEL_NODISCARD int satchel_dict_get_double(double *SATCHEL_NULLABLE out,
                                                          const satchel_dict *SATCHEL_NULLABLE dict, satchel_bytes key);
SATCHEL_API SATCHEL_NODISCARD int satchel_dict_get_bool(bool *SATCHEL_NULLABLE out, const satchel_dict *SATCHEL_NULLABLE dict,
                                                        satchel_bytes key);
SATCHEL_API SATCHEL_NODISCARD int satchel_dict_get_pointer(void *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                           const satchel_dict *SATCHEL_NULLABLE dict, satchel_bytes key);
SATCHEL_API SATCHEL_NODISCARD int satchel_dict_get_dict(satchel_dict *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                        const satchel_dict *SATCHEL_NULLABLE dict, satchel_bytes key);

/*
 * Copies bytes into `buffer` of `capacity` bytes; *needed, where it is not NULL, is their number. `buffer` may be NULL where
 * `capacity` is 0. Errors: ENOTFOUND, ETYPE; ERANGE where they do not fit: nothing is copied then. O(size). Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_dict_copy_bytes(void *SATCHEL_NULLABLE buffer, size_t capacity,
                                                          size_t *SATCHEL_NULLABLE needed,
                                                          const satchel_dict *SATCHEL_NULLABLE dict, satchel_bytes key);

/* 1 or 0. O(1). Since 0.1. */
SATCHEL_API SATCHEL_NODISCARD int satchel_dict_contains(const satchel_dict *SATCHEL_NULLABLE dict, satchel_bytes key);

/* MARK: Removing. The order of the others stays. Errors of each: ENOTFOUND. */

/* Removes the entry and destroys what it held. O(1). Since 0.1. */
SATCHEL_API int satchel_dict_remove(satchel_dict *SATCHEL_NULLABLE dict, satchel_bytes key);

/* Removes the entry and hands it over. O(1). Since 0.1. */
SATCHEL_API SATCHEL_NODISCARD int satchel_dict_take(satchel_dict_item *SATCHEL_NULLABLE out,
                                                    satchel_dict *SATCHEL_NULLABLE dict, satchel_bytes key);

/* Removes the first or the last entry and hands it over. O(1). Since 0.1. */
SATCHEL_API SATCHEL_NODISCARD int satchel_dict_pop_first(satchel_dict_item *SATCHEL_NULLABLE out,
                                                         satchel_dict *SATCHEL_NULLABLE dict);
SATCHEL_API SATCHEL_NODISCARD int satchel_dict_pop_last(satchel_dict_item *SATCHEL_NULLABLE out,
                                                        satchel_dict *SATCHEL_NULLABLE dict);

/* Frees what the item holds, destroys its pointer, and empties it. NULL and an empty item are fine. O(1). Since 0.1. */
SATCHEL_API void satchel_dict_item_free(satchel_dict_item *SATCHEL_NULLABLE item);

/* Removes the entry and puts the last one in its place: the only removal that disturbs the order. O(1). Since 0.1. */
SATCHEL_API int satchel_dict_swap_remove(satchel_dict *SATCHEL_NULLABLE dict, satchel_bytes key);

/* MARK: Order */

/* Key and value of entry `index`, lent; each out may be NULL. Errors: ERANGE. O(1), or O(log n). Since 0.1. */
SATCHEL_API SATCHEL_NODISCARD int satchel_dict_at(satchel_bytes *SATCHEL_NULLABLE key,
                                                  satchel_dict_value *SATCHEL_NULLABLE value,
                                                  const satchel_dict *SATCHEL_NULLABLE dict, size_t index);

/* Where the key stands. Errors: ENOTFOUND. O(1), or O(log n). Since 0.1. */
SATCHEL_API SATCHEL_NODISCARD int satchel_dict_index_of(size_t *SATCHEL_NULLABLE out, const satchel_dict *SATCHEL_NULLABLE dict,
                                                        satchel_bytes key);

/*
 * Puts a new key at `index`, at most the count; what stands there and after it moves on by one. `value` as in satchel_dict_set.
 * Errors: EEXISTS where the key is there already, wherever it stands; ERANGE (index); EINVAL (type). O(1) at both ends,
 * O(n) between them. Since 0.1.
 */
SATCHEL_API int satchel_dict_insert_at(satchel_dict *SATCHEL_NULLABLE dict, size_t index, satchel_bytes key,
                                       const satchel_dict_value *SATCHEL_NULLABLE value);

/* Removes entry `index`. Errors: ERANGE. O(1), or O(log n). Since 0.1. */
SATCHEL_API int satchel_dict_remove_at(satchel_dict *SATCHEL_NULLABLE dict, size_t index);

/* Moves the entry behind all others, or before them. Errors: ENOTFOUND, ENOMEM. O(1). Since 0.1. */
SATCHEL_API int satchel_dict_move_to_end(satchel_dict *SATCHEL_NULLABLE dict, satchel_bytes key);
SATCHEL_API int satchel_dict_move_to_front(satchel_dict *SATCHEL_NULLABLE dict, satchel_bytes key);

/* MARK: Walking */

/*
 * A cursor, which the caller closes, before or after the dictionary is freed. It stands nowhere at first: the first
 * satchel_dict_cursor_next gives the first entry, the first _prev the last one. Errors: ENOMEM. O(1). Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_dict_cursor_open(satchel_dict_cursor *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                           satchel_dict *SATCHEL_NULLABLE dict);

/*
 * Goes to the entry after or before the present one, also where that has been removed meanwhile. 1, with key and value lent
 * (each out may be NULL), or 0 at the end, where the cursor then stands: _prev goes back from there, and _next goes on where
 * entries have been appended. Errors: EINVAL where the dictionary has been freed. O(1) on average. Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_dict_cursor_next(satchel_bytes *SATCHEL_NULLABLE key,
                                                           satchel_dict_value *SATCHEL_NULLABLE value,
                                                           satchel_dict_cursor *SATCHEL_NULLABLE cursor);
SATCHEL_API SATCHEL_NODISCARD int satchel_dict_cursor_prev(satchel_bytes *SATCHEL_NULLABLE key,
                                                           satchel_dict_value *SATCHEL_NULLABLE value,
                                                           satchel_dict_cursor *SATCHEL_NULLABLE cursor);

/*
 * Removes the entry at which the cursor stands. Errors: ENOTFOUND where it stands at none, or that has been removed; EINVAL
 * where the dictionary has been freed. O(1). Since 0.1.
 */
SATCHEL_API int satchel_dict_cursor_remove(satchel_dict_cursor *SATCHEL_NULLABLE cursor);

/* Closes it; NULL does nothing. O(1). Since 0.1. */
SATCHEL_API void satchel_dict_cursor_close(satchel_dict_cursor *SATCHEL_NULLABLE cursor);

/*
 * A walk without a cursor: nothing to close. 1, with key and value lent (each out may be NULL) and *position moved on, or 0 at
 * the end. Entries may be set, removed and appended meanwhile. Errors: ESTALE where the dictionary has since put its entries
 * elsewhere, or the position is of another dictionary: start anew, or use a cursor. O(1) on average. Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_dict_next(satchel_bytes *SATCHEL_NULLABLE key,
                                                    satchel_dict_value *SATCHEL_NULLABLE value,
                                                    const satchel_dict *SATCHEL_NULLABLE dict,
                                                    satchel_dict_position *SATCHEL_NULLABLE position);

/* What satchel_dict_foreach calls. 0 goes on; anything else ends the walk. */
typedef int satchel_dict_visitor(satchel_bytes key, const satchel_dict_value *SATCHEL_NONNULL value,
                                 void *SATCHEL_NULLABLE context);

/*
 * Calls `visit` with each entry in order, and gives what made it stop, or 0. Errors: EINVAL where `visit` freed the dictionary.
 * O(n). Since 0.1.
 */
SATCHEL_API int satchel_dict_foreach(satchel_dict *SATCHEL_NULLABLE dict, satchel_dict_visitor *SATCHEL_NULLABLE visit,
                                     void *SATCHEL_NULLABLE context);

#ifdef __cplusplus
}
#endif

#endif
