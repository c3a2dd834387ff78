/*
 * Settings: a domain is a named store of typed values, shared by every process of the user.
 *
 * A domain is the file $XDG_CONFIG_HOME/satchel/<domain>.satchel (by default below ~/.config). Any number of processes and
 * threads, in any language, read and write it at once; a read sees everything that was acknowledged before it began.
 *
 * Threads: every function may be called from any thread at any time, also satchel_settings_close while others still use
 *   the handle: they finish or get EINVAL. A transaction and a cursor belong to one thread at a time.
 * Fork: a child may go on with the handle at once. Nothing has to be re-opened.
 * Crashes: once a call that writes has returned 0, the write survives the death of any process; with durability DISK it
 *   survives a power cut too.
 * Keys are 1 to 1,024 bytes of UTF-8 without NUL, compared byte by byte: dots, slashes and case mean nothing special.
 * Values are up to 16 MiB as stored; beyond is ERANGE.
 *
 * Errors that every function here may give, left out below: EINVAL (NULL, a closed handle, a key that is empty or not UTF-8),
 * ERANGE (a key or value beyond the limits above), ENOMEM and EIO. Reads may also give ECORRUPT: that key's newest record is
 * damaged (satchel_settings_accept). Writes may also give EREADONLY, EDENIED, EFULL, ETIMEOUT (the lock could not be had in
 * time), ELOCKED, EVERSION, EBUSY (this thread's handle is inside a transaction: use the transaction).
 * A write that fails has changed nothing, with one exception: with durability DISK, EIO from the write that the disk refuses
 * means that it is visible to everybody, but perhaps not on disk: a power cut may take it. From then on the handle writes
 * nothing (EIO); open the domain anew. Out-parameters are those of a failure all the same.
 * ENOMEM: what has no limit of its own (the map, the index, values, texts, lists, what is handed out) is asked for before it is
 * taken, and may be refused; an index that could not be brought up to date is by a later call. What is small (some hundred bytes
 * for an error) is not asked for, and what was just there may be taken by another thread: a mebibyte is left over for both.
 * Where that is used up as well, the Swift runtime ends the process.
 * Another file in the domain's place (mv, rsync; not cp over it): writers, waits, satchel_settings_revision, listing and upkeep
 * look at the name at most every 100 ms, the reads of one key at every eighth of a thread's reads. A write that is acknowledged
 * within the 100 ms after the replacement may have gone into the replaced file (docs/threat-model.md).
 */
#ifndef SATCHEL_SETTINGS_H
#define SATCHEL_SETTINGS_H

#include <stdbool.h>

#include "base.h"
#include "value.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct satchel_settings satchel_settings;
typedef struct satchel_transaction satchel_transaction;
typedef struct satchel_cursor satchel_cursor;

#define SATCHEL_SETTINGS_READ_ONLY 1u /* never write, not even to create the domain (then open gives ENOTFOUND) */
#define SATCHEL_SETTINGS_NO_CREATE 2u /* open gives ENOTFOUND where there is no such domain */
#define SATCHEL_SETTINGS_PORTABLE 4u  /* create it for use from several machines: file locks instead of shared memory */

#define SATCHEL_DURABILITY_PROCESS 0u /* acknowledged writes survive the death of any process (default) */
#define SATCHEL_DURABILITY_DISK 1u    /* ... and a power cut: each write waits for the disk, together with its neighbours */

/* How to open. Start from SATCHEL_SETTINGS_OPTIONS_INIT; 0 and NULL mean the default. Text is copied. */
typedef struct satchel_settings_options {
  size_t struct_size;                     /* sizeof(satchel_settings_options) */
  uint32_t flags;                         /* SATCHEL_SETTINGS_... */
  uint32_t durability;                    /* SATCHEL_DURABILITY_... */
  int64_t lock_timeout_ns;                /* how long a write waits for others; 0: five seconds; negative: not at all */
  const char *SATCHEL_NULLABLE directory; /* where domains live; NULL: $XDG_CONFIG_HOME/satchel */
  const char *SATCHEL_NULLABLE program;   /* the author's name in the history; NULL: this program's name */
} satchel_settings_options;

/* clang-format off */
#define SATCHEL_SETTINGS_OPTIONS_INIT {sizeof(satchel_settings_options), 0, 0, 0, NULL, NULL}
/* clang-format on */

/* Who wrote what a key holds, and when. */
typedef struct satchel_settings_info {
  size_t struct_size; /* in: sizeof(satchel_settings_info) */
  uint64_t revision;  /* the revision that set it */
  satchel_date time;  /* when: the tick of the kernel's clock before it, as with the times of files (1 to 10 ms) */
  uint32_t uid;       /* the writer's effective user */
  uint32_t pid;       /* and process, as seen in its own pid namespace */
  int32_t type;       /* SATCHEL_TYPE_... */
  uint32_t size;      /* bytes of the value as stored */
  char program[64];   /* the writer's program, NUL-terminated, cut at 63 bytes */
} satchel_settings_info;

/* clang-format off */
#define SATCHEL_SETTINGS_INFO_INIT {sizeof(satchel_settings_info), 0, {0, 0, 0}, 0, 0, 0, 0, {0}}
/* clang-format on */

/* How a domain is. */
typedef struct satchel_settings_health {
  size_t struct_size;       /* in: sizeof(satchel_settings_health) */
  uint64_t damaged_records; /* records that were acknowledged and are damaged now */
  uint64_t corrupt_keys;    /* keys that answer ECORRUPT */
  uint64_t dropped_bytes;   /* an end of the log that is gone: it never reached the disk, or the file has been cut short */
  uint64_t file_bytes;      /* the file's length */
  uint64_t log_bytes;       /* of these, in use */
  uint64_t generation;      /* how often it has been compacted, plus one */
  uint64_t keys;            /* how many keys have a value */
  uint32_t degraded;        /* 1: a damaged record's key is unknown, so any key may hold an older value */
  uint32_t portable;        /* 1: file locks, for use from several machines */
  uint64_t disk_bytes;      /* what the file takes on its disk, with what is kept ready behind its end */
} satchel_settings_health;

/* clang-format off */
#define SATCHEL_SETTINGS_HEALTH_INIT {sizeof(satchel_settings_health), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
/* clang-format on */

/*
 * Opens a domain and creates it where it does not exist. Domain names: 1 to 255 of A-Z a-z 0-9 . _ -, no leading dot;
 * "global" is reserved. `options` may be NULL. The caller closes *out with satchel_settings_close.
 * Errors: EINVAL (name, options), ERANGE (a name of more than 247 bytes, of which no file name can be made), ENOTFOUND
 * (flags), EDENIED, EREADONLY, EFULL, EVERSION (the file, or options that only another library knows), ECORRUPT,
 * EUNSUPPORTED, EIO with the path in the error (no home, no directory). ENOTFOUND sets the last error too, and its message names
 * the path, as with all of these. An empty file is no domain yet. Reads on from the last compaction: about 100 ns a
 * record. Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_open(satchel_settings *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                        const char *SATCHEL_NULLABLE domain,
                                                        const satchel_settings_options *SATCHEL_NULLABLE options);

/*
 * Closes; NULL and a closed handle are fine. Waits for reads of other threads that are inside; the domain stays open
 * for those that take their time (writes, wait, sync, compact, ...) and for transactions until they end. After
 * many writes in a hurry it compacts first: some milliseconds. Any thread. Since 0.1.
 */
SATCHEL_API void satchel_settings_close(satchel_settings *SATCHEL_NULLABLE settings);

/* The domain's name and its file's path, lent until the handle is closed; "" for NULL or a closed one. O(1). Since 0.1. */
SATCHEL_API const char *SATCHEL_NONNULL satchel_settings_domain(const satchel_settings *SATCHEL_NULLABLE settings);
SATCHEL_API const char *SATCHEL_NONNULL satchel_settings_path(const satchel_settings *SATCHEL_NULLABLE settings);

/*
 * Reading one key. Numbers convert where nothing is lost. On failure *out is untouched for the scalar types, so that a
 * default may stand in it. string, data, url: a new buffer that the caller frees with satchel_buffer_free; value: a new
 * value that the caller frees with satchel_value_free; on failure these are empty and NULL. A url reads as a string, an
 * absolute URL in a string as a url.
 * Errors: ENOTFOUND, ETYPE, ERANGE. No lock; no system call unless others have written. O(1) + O(size). Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_get_bool(bool *SATCHEL_NULLABLE out,
                                                            satchel_settings *SATCHEL_NULLABLE settings,
                                                            const char *SATCHEL_NULLABLE key);
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_get_int64(int64_t *SATCHEL_NULLABLE out,
                                                             satchel_settings *SATCHEL_NULLABLE settings,
                                                             const char *SATCHEL_NULLABLE key);
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_get_uint64(uint64_t *SATCHEL_NULLABLE out,
                                                              satchel_settings *SATCHEL_NULLABLE settings,
                                                              const char *SATCHEL_NULLABLE key);
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_get_double(double *SATCHEL_NULLABLE out,
                                                              satchel_settings *SATCHEL_NULLABLE settings,
                                                              const char *SATCHEL_NULLABLE key);
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_get_string(satchel_buffer *SATCHEL_NULLABLE out,
                                                              satchel_settings *SATCHEL_NULLABLE settings,
                                                              const char *SATCHEL_NULLABLE key);
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_get_data(satchel_buffer *SATCHEL_NULLABLE out,
                                                            satchel_settings *SATCHEL_NULLABLE settings,
                                                            const char *SATCHEL_NULLABLE key);
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_get_date(satchel_date *SATCHEL_NULLABLE out,
                                                            satchel_settings *SATCHEL_NULLABLE settings,
                                                            const char *SATCHEL_NULLABLE key);
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_get_url(satchel_buffer *SATCHEL_NULLABLE out,
                                                           satchel_settings *SATCHEL_NULLABLE settings,
                                                           const char *SATCHEL_NULLABLE key);
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_get_uuid(satchel_uuid *SATCHEL_NULLABLE out,
                                                            satchel_settings *SATCHEL_NULLABLE settings,
                                                            const char *SATCHEL_NULLABLE key);
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_get_value(satchel_value *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                             satchel_settings *SATCHEL_NULLABLE settings,
                                                             const char *SATCHEL_NULLABLE key);

/*
 * Copies the text or bytes under `key` (a string, url or data) into `buffer`, without allocating. *needed gets the size, 0
 * where it is not known; where `capacity` is smaller the answer is ERANGE and nothing is copied. No NUL is added. `buffer` may be NULL with
 * capacity 0. Errors: ENOTFOUND, ETYPE, ERANGE. O(size). Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_copy_bytes(void *SATCHEL_NULLABLE buffer, size_t capacity,
                                                              size_t *SATCHEL_NULLABLE needed,
                                                              satchel_settings *SATCHEL_NULLABLE settings,
                                                              const char *SATCHEL_NULLABLE key);

/*
 * Copies the value under `key`, of whatever type, as it is stored: one CBOR item (docs/values.md, section 4). For bindings that
 * make their own objects of it. `buffer`, `capacity` and *needed as above. Errors: ENOTFOUND, ERANGE. O(size). Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_copy_cbor(void *SATCHEL_NULLABLE buffer, size_t capacity,
                                                             size_t *SATCHEL_NULLABLE needed,
                                                             satchel_settings *SATCHEL_NULLABLE settings,
                                                             const char *SATCHEL_NULLABLE key);

/* 1 when `key` has a value, 0 when not. O(1). Since 0.1. */
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_contains(satchel_settings *SATCHEL_NULLABLE settings,
                                                            const char *SATCHEL_NULLABLE key);

/*
 * Who wrote the value of `key`, when and in which revision. On failure *out is untouched. Errors: ENOTFOUND, EINVAL also for
 * a struct_size that is none. O(1). Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_get_info(satchel_settings_info *SATCHEL_NULLABLE out,
                                                            satchel_settings *SATCHEL_NULLABLE settings,
                                                            const char *SATCHEL_NULLABLE key);

/*
 * Writing one key: one revision each. Errors: EINVAL also for bad UTF-8, a wrong URL or date; ETYPE for a null, which can
 * only stand inside arrays and dictionaries; and those of every write. O(size). Since 0.1.
 */
SATCHEL_API int satchel_settings_set_bool(satchel_settings *SATCHEL_NULLABLE settings, const char *SATCHEL_NULLABLE key,
                                          bool value);
SATCHEL_API int satchel_settings_set_int64(satchel_settings *SATCHEL_NULLABLE settings, const char *SATCHEL_NULLABLE key,
                                           int64_t value);
SATCHEL_API int satchel_settings_set_uint64(satchel_settings *SATCHEL_NULLABLE settings, const char *SATCHEL_NULLABLE key,
                                            uint64_t value);
SATCHEL_API int satchel_settings_set_double(satchel_settings *SATCHEL_NULLABLE settings, const char *SATCHEL_NULLABLE key,
                                            double value);
SATCHEL_API int satchel_settings_set_string(satchel_settings *SATCHEL_NULLABLE settings, const char *SATCHEL_NULLABLE key,
                                            satchel_bytes text);
SATCHEL_API int satchel_settings_set_data(satchel_settings *SATCHEL_NULLABLE settings, const char *SATCHEL_NULLABLE key,
                                          satchel_bytes data);
SATCHEL_API int satchel_settings_set_date(satchel_settings *SATCHEL_NULLABLE settings, const char *SATCHEL_NULLABLE key,
                                          satchel_date date);
SATCHEL_API int satchel_settings_set_url(satchel_settings *SATCHEL_NULLABLE settings, const char *SATCHEL_NULLABLE key,
                                         satchel_bytes text);
SATCHEL_API int satchel_settings_set_uuid(satchel_settings *SATCHEL_NULLABLE settings, const char *SATCHEL_NULLABLE key,
                                          satchel_uuid uuid);
SATCHEL_API int satchel_settings_set_value(satchel_settings *SATCHEL_NULLABLE settings, const char *SATCHEL_NULLABLE key,
                                           const satchel_value *SATCHEL_NULLABLE value);

/* Removes a key. Errors: ENOTFOUND where there was none (nothing is written). O(1). Since 0.1. */
SATCHEL_API int satchel_settings_remove(satchel_settings *SATCHEL_NULLABLE settings, const char *SATCHEL_NULLABLE key);

/*
 * Adds `delta` to an integer, exactly, whoever else adds; an absent key counts as 0. *result (may be NULL) gets the sum, 0 on
 * failure, also where the disk refused what is visible to others (EIO).
 * Errors: ETYPE (not an integer), ERANGE (the sum does not fit 64 bits). O(1). Since 0.1.
 */
SATCHEL_API int satchel_settings_add(int64_t *SATCHEL_NULLABLE result, satchel_settings *SATCHEL_NULLABLE settings,
                                     const char *SATCHEL_NULLABLE key, int64_t delta);

/*
 * Sets `key` to `desired` (NULL: removes it) if it holds `expected` now (NULL: if it is absent), in one step.
 * Values are equal as in satchel_value_equal; where both are NULL nothing is written. Errors: ECONFLICT when it holds
 * something else. O(size). Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_compare_and_set(satchel_settings *SATCHEL_NULLABLE settings,
                                                                   const char *SATCHEL_NULLABLE key,
                                                                   const satchel_value *SATCHEL_NULLABLE expected,
                                                                   const satchel_value *SATCHEL_NULLABLE desired);

/* The same, if `key` was last set by `revision` (0: if it is absent). Errors: ECONFLICT. O(size). Since 0.1. */
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_compare_revision_and_set(satchel_settings *SATCHEL_NULLABLE settings,
                                                                            const char *SATCHEL_NULLABLE key, uint64_t revision,
                                                                            const satchel_value *SATCHEL_NULLABLE desired);

/* The number of the newest revision; 0 in a new domain. It only rises; one write or transaction is one. O(1). Since 0.1. */
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_revision(uint64_t *SATCHEL_NULLABLE out,
                                                            satchel_settings *SATCHEL_NULLABLE settings);

/*
 * Sleeps until the domain's revision is above `since`, in whichever process and language that happens, or until `timeout_ns`
 * has passed (negative: for ever). *revision gets the newest one, also on ETIMEOUT. Asleep it looks once a second whether
 * another file stands in the domain's place; a handle without permission to write, or one of a portable domain, looks every 1
 * to 50 ms. Errors: ETIMEOUT; EBUSY inside the thread's own transaction, where nobody else could write. Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_wait(uint64_t *SATCHEL_NULLABLE revision,
                                                        satchel_settings *SATCHEL_NULLABLE settings, uint64_t since,
                                                        int64_t timeout_ns);

/*
 * Returns when everything acknowledged so far, by whichever process, is on disk. After a failure the handle's writes fail (EIO).
 * Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_sync(satchel_settings *SATCHEL_NULLABLE settings);

/*
 * Rewrites the file without what is no longer needed: it keeps every key and the recent history. Happens by itself as the
 * file grows. Readers go on meanwhile; writers wait for the last part. Errors: those of a write. O(file). Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_compact(satchel_settings *SATCHEL_NULLABLE settings);

/*
 * How the domain is; scans the whole file. On failure *out is untouched. Errors: EINVAL also for a struct_size that is none.
 * O(file). Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_health_check(satchel_settings_health *SATCHEL_NULLABLE out,
                                                                satchel_settings *SATCHEL_NULLABLE settings);

/*
 * Accepts the loss of a damaged record: `key` answers its newest undamaged value again, or is absent where there is none.
 * NULL accepts all of them and clears the degraded mark. Errors: ENOTFOUND when nothing is damaged there. O(file). Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_accept(satchel_settings *SATCHEL_NULLABLE settings,
                                                          const char *SATCHEL_NULLABLE key);

/*
 * A cursor over the keys that have a value now, in insertion order; later changes do not disturb it, and a key that answers
 * ECORRUPT is not among them. Free it with satchel_cursor_free, before or after the handle is closed. O(n log n). Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_keys(satchel_cursor *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                        satchel_settings *SATCHEL_NULLABLE settings);

/*
 * All keys and their values of one instant, as a dictionary in insertion order; a key that answers ECORRUPT is not in it. A
 * transaction of somebody else is in it as a whole or not at all. The caller frees *out with satchel_value_free. O(file).
 * Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_get_all(satchel_value *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                           satchel_settings *SATCHEL_NULLABLE settings);

/*
 * A cursor over the names of the domains that exist in `directory` (NULL: $XDG_CONFIG_HOME/satchel), sorted. Where the
 * folder is absent there are none. Errors: EIO (also where the home folder does not exist), EDENIED with the path. Any thread. Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_domains(satchel_cursor *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                           const char *SATCHEL_NULLABLE directory);

/* 1 and the next name (NUL-terminated, lent until the cursor is freed), or 0 and an empty one at the end. O(1). Since 0.1. */
SATCHEL_API SATCHEL_NODISCARD int satchel_cursor_next(satchel_bytes *SATCHEL_NULLABLE key,
                                                      satchel_cursor *SATCHEL_NULLABLE cursor);

/* Frees a cursor; NULL is fine. Since 0.1. */
SATCHEL_API void satchel_cursor_free(satchel_cursor *SATCHEL_NULLABLE cursor);

/*
 * Transactions: several keys, all or nothing, one revision. Between begin and commit nobody else writes to the domain, so
 * what is read stays true; readers elsewhere see nothing of it until it is committed. Keep it short: others wait for it.
 * A process that dies inside leaves nothing behind. In a forked child an inherited transaction gives ECONFLICT.
 * satchel_transaction_commit and satchel_transaction_rollback both end and free it, whatever they return.
 * The whole may be up to 64 MiB and 1,048,575 keys; each key counts about 130 bytes beside itself and its value. What would be
 * more is refused with ERANGE, and the transaction goes on without it. One thread at a time, not always the same one.
 * Errors of begin: those of a write; of everything within: EINVAL, ERANGE, ECONFLICT. Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_begin(satchel_transaction *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                         satchel_settings *SATCHEL_NULLABLE settings);

/* What `key` holds, the transaction's own changes included; the caller frees *out. Errors: ENOTFOUND. O(size). Since 0.1. */
SATCHEL_API SATCHEL_NODISCARD int satchel_transaction_get_value(satchel_value *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                                satchel_transaction *SATCHEL_NULLABLE transaction,
                                                                const char *SATCHEL_NULLABLE key);

/* The same for an integer; *out is untouched on failure. Errors: ENOTFOUND, ETYPE, ERANGE. O(1). Since 0.1. */
SATCHEL_API SATCHEL_NODISCARD int satchel_transaction_get_int64(int64_t *SATCHEL_NULLABLE out,
                                                                satchel_transaction *SATCHEL_NULLABLE transaction,
                                                                const char *SATCHEL_NULLABLE key);

/* Sets a key within the transaction. Errors: ERANGE, ETYPE for a null, EINVAL for bad UTF-8. O(size). Since 0.1. */
SATCHEL_API SATCHEL_NODISCARD int satchel_transaction_set_value(satchel_transaction *SATCHEL_NULLABLE transaction,
                                                                const char *SATCHEL_NULLABLE key,
                                                                const satchel_value *SATCHEL_NULLABLE value);
SATCHEL_API SATCHEL_NODISCARD int satchel_transaction_set_int64(satchel_transaction *SATCHEL_NULLABLE transaction,
                                                                const char *SATCHEL_NULLABLE key, int64_t value);
SATCHEL_API SATCHEL_NODISCARD int satchel_transaction_set_string(satchel_transaction *SATCHEL_NULLABLE transaction,
                                                                 const char *SATCHEL_NULLABLE key, satchel_bytes text);

/* Removes a key within the transaction. Errors: ENOTFOUND. O(1). Since 0.1. */
SATCHEL_API SATCHEL_NODISCARD int satchel_transaction_remove(satchel_transaction *SATCHEL_NULLABLE transaction,
                                                             const char *SATCHEL_NULLABLE key);

/* As satchel_settings_add, within the transaction; what it adds to may be its own change. Errors: ETYPE, ERANGE. Since 0.1. */
SATCHEL_API SATCHEL_NODISCARD int satchel_transaction_add(int64_t *SATCHEL_NULLABLE result,
                                                          satchel_transaction *SATCHEL_NULLABLE transaction,
                                                          const char *SATCHEL_NULLABLE key, int64_t delta);

/*
 * Writes all of it as one revision and frees it. *revision may be NULL; with nothing to write: the present one. Errors: those
 * of a write; then nothing of it is written, save where the disk refused what is visible to others (EIO); *revision is 0.
 * O(size). Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_transaction_commit(uint64_t *SATCHEL_NULLABLE revision,
                                                             satchel_transaction *SATCHEL_NULLABLE transaction);

/* Forgets all of it and frees it; NULL is fine. O(size). Since 0.1. */
SATCHEL_API void satchel_transaction_rollback(satchel_transaction *SATCHEL_NULLABLE transaction);

/*
 * Sets every key of the JSON object `json` in one transaction, within its limits; other keys stay. The reverse gives all
 * keys, in insertion order, in a buffer that the caller frees. Errors of importing: EPARSE with line and column in the
 * message, ETYPE (not an object, a null at the top), ERANGE, and those of a write. A damaged key is left out of an export, as
 * it is of the keys; satchel_settings_health_check tells whether there are any. O(size). Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_import_json(satchel_settings *SATCHEL_NULLABLE settings, satchel_bytes json);
SATCHEL_API SATCHEL_NODISCARD int satchel_settings_export_json(satchel_buffer *SATCHEL_NULLABLE out,
                                                               satchel_settings *SATCHEL_NULLABLE settings);

#ifdef __cplusplus
}
#endif

#endif
