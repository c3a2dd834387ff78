/*
 * Weak caches: objects by key, found as long as somebody holds them.
 *
 * C does not count who holds a pointer, so the library does: a satchel_object is your pointer with a count. Every call that
 * gives one out counts you in; satchel_object_release counts you out. The cache itself holds nothing. The last release takes
 * the object out of the cache, in one step with the count: whoever looks for it either finds it living or not at all. So there
 * are no dead entries, the count of entries is exact, and there is nothing to clean up.
 *
 * Ownership: keys are copied. A pointer that is put belongs to the library once the call has returned 0, and stays the caller's
 *   otherwise; what satchel_cache_make makes is the library's. Objects belong to those who were counted in; they may outlive
 *   their cache.
 * Keys are any bytes, the empty range included, up to 2^28 of them, compared byte by byte. Each cache has a random seed of its
 *   own: an attacker who chooses the keys cannot make them collide.
 * Callbacks run without a lock, in the thread whose call causes them, and may call anything here, on the same cache too.
 * Threads: every function may be called from any thread at any time, except that satchel_cache_free wants nobody else inside.
 * Fork: parent and child each go on with a cache of their own. What other threads of the parent held is never released in the
 *   child, where these threads do not exist.
 *
 * There is no function that asks whether a key is there: the answer could be over before it is used. Get the object.
 *
 * Errors that every function here may give, left out below: EINVAL (NULL, a cache that has been freed, a range without bytes) and
 * ERANGE (a key too long). What puts something in may also give ENOMEM. Where a function fails it has changed nothing.
 */
#ifndef SATCHEL_CACHE_H
#define SATCHEL_CACHE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct satchel_cache satchel_cache;
typedef struct satchel_object satchel_object;

/* Why an entry has left the cache. */
#define SATCHEL_CACHE_EXPIRED 1  /* its last holder has released it: it is about to be destroyed */
#define SATCHEL_CACHE_REPLACED 2 /* another object has taken its key */
#define SATCHEL_CACHE_REMOVED 3  /* by satchel_cache_remove, _clear or _free, or by putting NULL */

/* Called once for each pointer, when nobody holds its object any more. */
typedef void satchel_cache_destroy(void *SATCHEL_NULLABLE pointer, void *SATCHEL_NULLABLE context);

/* Called for each entry that leaves, before its pointer is destroyed. Key (NUL-terminated) and pointer live as long as the call. */
typedef void satchel_cache_evicted(satchel_bytes key, void *SATCHEL_NULLABLE pointer, int reason,
                                   void *SATCHEL_NULLABLE context);

/*
 * Makes what a key is to lead to: stores a pointer that is not NULL into *pointer and returns 0. Anything else that it returns
 * is a failure, and is handed on; -1000 to -1999 are left for that. The key is lent for as long as the call takes.
 */
typedef int satchel_cache_make(void *SATCHEL_NULLABLE *SATCHEL_NONNULL pointer, satchel_bytes key,
                               void *SATCHEL_NULLABLE context);

/* How a cache is to be. Start from SATCHEL_CACHE_OPTIONS_INIT; 0 and NULL mean the default. */
typedef struct satchel_cache_options {
  size_t struct_size;                                               /* sizeof(satchel_cache_options) */
  uint64_t seed;                                                    /* of the hash, for tests that must repeat; 0: random */
  satchel_cache_destroy *SATCHEL_NULLABLE destroy;                  /* frees a pointer; NULL: nothing is done with it */
  satchel_cache_evicted *SATCHEL_NULLABLE evicted;                  /* hears of entries that leave */
  void *SATCHEL_NULLABLE context;                                   /* for these two */
  void (*SATCHEL_NULLABLE release)(void *SATCHEL_NULLABLE context); /* frees the context: after the cache and the last object */
} satchel_cache_options;

/* clang-format off */
#define SATCHEL_CACHE_OPTIONS_INIT {sizeof(satchel_cache_options), 0, NULL, NULL, NULL, NULL}
/* clang-format on */

/*
 * A new, empty cache; `options` may be NULL. The caller frees *out with satchel_cache_free. On failure the context stays the
 * caller's. Errors: EVERSION (options that only a newer library knows, or a wrong struct_size). 8 KiB. Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_cache_new(satchel_cache *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                    const satchel_cache_options *SATCHEL_NULLABLE options);

/*
 * Frees the cache; NULL and one that has been freed are fine. Its entries leave as REMOVED, and live on as objects with those
 * who hold them. No other thread may be inside a call on this cache; releasing objects is no such call. O(n). Since 0.1.
 */
SATCHEL_API void satchel_cache_free(satchel_cache *SATCHEL_NULLABLE cache);

/*
 * The object of a key: *out, which the caller releases. Errors: ENOTFOUND, and *out is NULL. O(1). Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_cache_get(satchel_object *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                    satchel_cache *SATCHEL_NULLABLE cache, satchel_bytes key);

/*
 * Puts a pointer under a key: *out is its object, which the caller releases. Whoever looks meanwhile finds the former object or
 * this one; the former, which lives on with its holders, leaves as REPLACED. A NULL pointer removes the key instead, whether it
 * is there or not: *out is NULL then, and `out` may be. O(1), amortised. Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_cache_put(satchel_object *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                    satchel_cache *SATCHEL_NULLABLE cache, satchel_bytes key,
                                                    void *SATCHEL_NULLABLE pointer);

/*
 * The object of a key, made by `make` where there is none: *out, which the caller releases. Of several threads that make one for
 * the same key at the same time, all get that of the first; what the others made is destroyed, and so is what cannot be put in.
 * Fails with what `make` returns, or EINVAL where it makes NULL. Where `make` has freed the cache, the object is one that outlives
 * it. O(1), amortised, beside what `make` takes. Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_cache_get_or_create(satchel_object *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                              satchel_cache *SATCHEL_NULLABLE cache, satchel_bytes key,
                                                              satchel_cache_make *SATCHEL_NULLABLE make,
                                                              void *SATCHEL_NULLABLE context);

/* Removes a key; its object lives on with its holders. Errors: ENOTFOUND. O(1). Since 0.1. */
SATCHEL_API int satchel_cache_remove(satchel_cache *SATCHEL_NULLABLE cache, satchel_bytes key);

/* Removes every key: callbacks find none of them. O(n). Since 0.1. */
SATCHEL_API int satchel_cache_clear(satchel_cache *SATCHEL_NULLABLE cache);

/*
 * How many keys lead to an object. Exact; while other threads are at work, each of the cache's 64 parts at another instant.
 * O(1). Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_cache_count(size_t *SATCHEL_NULLABLE out, satchel_cache *SATCHEL_NULLABLE cache);

/* Counts one more holder of an object that the caller holds; returns it. Release it once more, then. O(1). Since 0.1. */
SATCHEL_API satchel_object *SATCHEL_NULLABLE satchel_object_retain(satchel_object *SATCHEL_NULLABLE object);

/* Counts the caller out; with the last holder the pointer is destroyed. NULL is fine. Not for one that is not held. O(1). Since
 * 0.1. */
SATCHEL_API void satchel_object_release(satchel_object *SATCHEL_NULLABLE object);

/* The pointer of an object that the caller holds; NULL for NULL. O(1). Since 0.1. */
SATCHEL_API void *SATCHEL_NULLABLE satchel_object_pointer(const satchel_object *SATCHEL_NULLABLE object);

/* The key under which it was put in, lent as long as the object is held, NUL-terminated; {NULL, 0} for NULL. O(1). Since 0.1. */
SATCHEL_API satchel_bytes satchel_object_key(const satchel_object *SATCHEL_NULLABLE object);

#ifdef __cplusplus
}
#endif

#endif
