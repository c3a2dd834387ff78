/*
 * What every module of Satchel shares: result codes, the last error, byte ranges, version.
 *
 * Conventions of the whole interface
 *   - A function returns 0 (SATCHEL_OK) or a negative code; a positive result has a meaning only where its comment says so.
 *     New codes may be added: test for "< 0", not for a list.
 *   - The out-parameter comes first, then the object, then the inputs. On failure an out-parameter is set to NULL or 0,
 *     unless the comment says otherwise: the scalar getters leave it alone, so that a default may stand in it.
 *   - Text is UTF-8 and is checked. Inputs are copied before a call returns; the caller keeps what it passed.
 *   - No argument can crash the library: NULL, a wrong size, bad UTF-8, settings that are closed or a cache that is freed give an
 *     error code. All else is not to be used once it has been freed: nothing would notice it.
 *   - Every object is freed by the function of its own type; freeing NULL does nothing.
 *   - fork(2) without exec is safe with anything open: parent and child both go on.
 */
#ifndef SATCHEL_BASE_H
#define SATCHEL_BASE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#define SATCHEL_NONNULL _Nonnull
#define SATCHEL_NULLABLE _Nullable
#else
#define SATCHEL_NONNULL
#define SATCHEL_NULLABLE
#endif
#if defined(__GNUC__)
#define SATCHEL_NODISCARD __attribute__((warn_unused_result))
#define SATCHEL_API __attribute__((visibility("default")))
#else
#define SATCHEL_NODISCARD
#define SATCHEL_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of these headers; compare it with satchel_version_number() at run time. */
#define SATCHEL_VERSION_MAJOR 0
#define SATCHEL_VERSION_MINOR 1
#define SATCHEL_VERSION_PATCH 0
#define SATCHEL_VERSION_NUMBER (SATCHEL_VERSION_MAJOR * 10000 + SATCHEL_VERSION_MINOR * 100 + SATCHEL_VERSION_PATCH)

/* Result codes. */
#define SATCHEL_OK 0
#define SATCHEL_ENOTFOUND (-1)     /* there is no such key, item or domain */
#define SATCHEL_EEXISTS (-2)       /* it is there already */
#define SATCHEL_ETYPE (-3)         /* the value has another type, and no lossless conversion exists */
#define SATCHEL_EINVAL (-4)        /* an argument is unusable: NULL, bad UTF-8, a closed handle, a wrong name */
#define SATCHEL_ERANGE (-5)        /* beyond a limit: a key, value, transaction or number too large */
#define SATCHEL_EIO (-6)           /* the system refused; satchel_last_error() has the errno */
#define SATCHEL_ECORRUPT (-7)      /* what is stored is damaged */
#define SATCHEL_ELOCKED (-8)       /* held by somebody who cannot be judged from here (another container) */
#define SATCHEL_EDENIED (-9)       /* no permission */
#define SATCHEL_EREADONLY (-10)    /* opened for reading only, or a read-only file system */
#define SATCHEL_ECONFLICT (-11)    /* compare-and-set: the present value is another one */
#define SATCHEL_EGONE (-12)        /* the revision asked for has been compacted away */
#define SATCHEL_EFULL (-13)        /* no room: disk, quota or file-size limit */
#define SATCHEL_ETIMEOUT (-14)     /* waited as long as was allowed */
#define SATCHEL_EVERSION (-15)     /* written by a newer version of this library */
#define SATCHEL_ENOMEM (-16)       /* out of memory */
#define SATCHEL_EUNSUPPORTED (-17) /* cannot be done here: file system, format or platform */
#define SATCHEL_EPARSE (-18)       /* text or bytes that are not of the format asked for */
#define SATCHEL_EBUSY (-19)        /* this handle is inside a transaction */
#define SATCHEL_ESTALE (-20)       /* a position from before its container put the entries elsewhere */
/* -1000 to -1999 are left to callers' own callbacks. */

/* A borrowed range of bytes. As text: UTF-8, not necessarily NUL-terminated. {NULL, 0} is the empty range. */
typedef struct satchel_bytes {
  const void *SATCHEL_NULLABLE data;
  size_t size;
} satchel_bytes;

/* Bytes that the library allocated for the caller; always followed by a NUL that `size` does not count. */
typedef struct satchel_buffer {
  void *SATCHEL_NULLABLE data;
  size_t size;
} satchel_buffer;

/* What went wrong in the calling thread's last failed call. Any pointer may be NULL or empty. */
typedef struct satchel_error {
  int32_t code;                        /* SATCHEL_E... */
  int32_t system_error;                /* errno of the system call behind it, or 0 */
  const char *SATCHEL_NONNULL message; /* one English sentence, for people; not to be parsed */
  const char *SATCHEL_NULLABLE domain; /* the domain it is about */
  const char *SATCHEL_NULLABLE path;   /* the file it is about */
  const char *SATCHEL_NULLABLE key;    /* the key it is about */
} satchel_error;

/* The bytes of a C string, without its NUL. NULL gives the empty range. */
static inline satchel_bytes satchel_text(const char *SATCHEL_NULLABLE text) {
  satchel_bytes bytes = {text, 0};
  if (text != NULL)
    while (text[bytes.size] != '\0') bytes.size++;
  return bytes;
}

/* `size` bytes at `data`. */
static inline satchel_bytes satchel_blob(const void *SATCHEL_NULLABLE data, size_t size) {
  satchel_bytes bytes = {data, size};
  return bytes;
}

/*
 * The calling thread's last error. Never NULL; code 0 before the first failure. Valid until this thread's next failed call.
 * It is never needed to detect a failure, is not touched by success, and is not set for SATCHEL_ENOTFOUND but by
 * satchel_settings_open: an absent key is an answer, an absent domain an accident.
 * Any thread. O(1). Since 0.1.
 */
SATCHEL_API const satchel_error *SATCHEL_NONNULL satchel_last_error(void);

/* A short English description of a code, such as "not found". Static storage. Any thread. O(1). Since 0.1. */
SATCHEL_API const char *SATCHEL_NONNULL satchel_strerror(int code);

/* A code's name, such as "SATCHEL_ENOTFOUND"; "SATCHEL_E?" for an unknown one. Static storage. Any thread. O(1). Since 0.1. */
SATCHEL_API const char *SATCHEL_NONNULL satchel_error_name(int code);

/* The library's version as text, such as "0.1.0". Static storage. Any thread. O(1). Since 0.1. */
SATCHEL_API const char *SATCHEL_NONNULL satchel_version(void);

/* The library's version as major * 10000 + minor * 100 + patch. Any thread. O(1). Since 0.1. */
SATCHEL_API int satchel_version_number(void);

/* Frees what `buffer` holds and empties it; NULL and an empty buffer are fine. One thread at a time. O(1). Since 0.1. */
SATCHEL_API void satchel_buffer_free(satchel_buffer *SATCHEL_NULLABLE buffer);

#ifdef __cplusplus
}
#endif

#endif
