/*
 * Values: what a setting can hold. A satchel_value owns one value of any type, arrays and dictionaries included.
 *
 * One thread at a time may change a value; any number may read one that nobody changes.
 * Reading a number as another numeric type works exactly when nothing is lost: 3.0 reads as the integer 3, 3.5 does not
 * (SATCHEL_ETYPE), 300 does not fit where the type is narrower (SATCHEL_ERANGE). Text is never taken for a number.
 * Functions that give a pointer into a value lend it: it lives until that value is changed or freed.
 */
#ifndef SATCHEL_VALUE_H
#define SATCHEL_VALUE_H

#include <stdbool.h>

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct satchel_value satchel_value;

/* What a value is. */
#define SATCHEL_TYPE_NULL 0 /* only inside arrays and dictionaries */
#define SATCHEL_TYPE_BOOL 1
#define SATCHEL_TYPE_INT 2  /* -2^63 ... 2^63 - 1 */
#define SATCHEL_TYPE_UINT 3 /* 2^63 ... 2^64 - 1: what does not fit INT */
#define SATCHEL_TYPE_DOUBLE 4
#define SATCHEL_TYPE_STRING 5
#define SATCHEL_TYPE_DATA 6
#define SATCHEL_TYPE_DATE 7
#define SATCHEL_TYPE_URL 8
#define SATCHEL_TYPE_UUID 9
#define SATCHEL_TYPE_ARRAY 10
#define SATCHEL_TYPE_DICTIONARY 11 /* string keys, in insertion order */

/* A point in time: seconds since 1970-01-01T00:00:00Z, and nanoseconds (0 ... 999,999,999) after them. */
typedef struct satchel_date {
  int64_t seconds;
  uint32_t nanoseconds;
  uint32_t reserved; /* 0 */
} satchel_date;

/* The sixteen bytes of a UUID in network order. */
typedef struct satchel_uuid {
  uint8_t bytes[16];
} satchel_uuid;

/*
 * Making values. Each sets *out to a new value that the caller frees with satchel_value_free.
 * Errors: EINVAL (NULL out, bad UTF-8, nanoseconds out of range, a URL that is empty or has spaces or control characters),
 * ERANGE (a size of more than 256 MiB), ENOMEM. Any thread. O(size). Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_value_new_null(satchel_value *SATCHEL_NULLABLE *SATCHEL_NULLABLE out);
SATCHEL_API SATCHEL_NODISCARD int satchel_value_new_bool(satchel_value *SATCHEL_NULLABLE *SATCHEL_NULLABLE out, bool value);
SATCHEL_API SATCHEL_NODISCARD int satchel_value_new_int64(satchel_value *SATCHEL_NULLABLE *SATCHEL_NULLABLE out, int64_t value);
SATCHEL_API SATCHEL_NODISCARD int satchel_value_new_uint64(satchel_value *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                           uint64_t value);
SATCHEL_API SATCHEL_NODISCARD int satchel_value_new_double(satchel_value *SATCHEL_NULLABLE *SATCHEL_NULLABLE out, double value);
SATCHEL_API SATCHEL_NODISCARD int satchel_value_new_string(satchel_value *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                           satchel_bytes text);
SATCHEL_API SATCHEL_NODISCARD int satchel_value_new_data(satchel_value *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                         satchel_bytes data);
SATCHEL_API SATCHEL_NODISCARD int satchel_value_new_date(satchel_value *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                         satchel_date date);
SATCHEL_API SATCHEL_NODISCARD int satchel_value_new_url(satchel_value *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                        satchel_bytes text);
SATCHEL_API SATCHEL_NODISCARD int satchel_value_new_uuid(satchel_value *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                         satchel_uuid uuid);
SATCHEL_API SATCHEL_NODISCARD int satchel_value_new_array(satchel_value *SATCHEL_NULLABLE *SATCHEL_NULLABLE out);
SATCHEL_API SATCHEL_NODISCARD int satchel_value_new_dictionary(satchel_value *SATCHEL_NULLABLE *SATCHEL_NULLABLE out);

/* A deep copy that the caller frees. Errors: EINVAL, ENOMEM. Any thread while nobody changes `value`. O(1). Since 0.1. */
SATCHEL_API SATCHEL_NODISCARD int satchel_value_copy(satchel_value *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                     const satchel_value *SATCHEL_NULLABLE value);

/* Frees a value that the caller owns; NULL is fine. Never free a lent one. One thread at a time. O(size). Since 0.1. */
SATCHEL_API void satchel_value_free(satchel_value *SATCHEL_NULLABLE value);

/* SATCHEL_TYPE_..., or EINVAL for NULL. Any thread. O(1). Since 0.1. */
SATCHEL_API SATCHEL_NODISCARD int satchel_value_type(const satchel_value *SATCHEL_NULLABLE value);

/*
 * 1 when both are the same value of the same type (dictionaries: the same keys in the same order; NaN equals NaN; 0.0 and
 * -0.0 differ), 0 when not, EINVAL for NULL. Any thread. O(size). Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_value_equal(const satchel_value *SATCHEL_NULLABLE left,
                                                      const satchel_value *SATCHEL_NULLABLE right);

/*
 * Reading. Numbers convert where nothing is lost. *out of string, data and url is lent by `value`, and NUL-terminated. A url
 * reads as a string, an absolute URL in a string as a url. On failure *out is untouched.
 * Errors: ETYPE, ERANGE, EINVAL. Any thread. O(1); string, data and url O(size) the first time. Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_value_get_bool(bool *SATCHEL_NULLABLE out,
                                                         const satchel_value *SATCHEL_NULLABLE value);
SATCHEL_API SATCHEL_NODISCARD int satchel_value_get_int64(int64_t *SATCHEL_NULLABLE out,
                                                          const satchel_value *SATCHEL_NULLABLE value);
SATCHEL_API SATCHEL_NODISCARD int satchel_value_get_uint64(uint64_t *SATCHEL_NULLABLE out,
                                                           const satchel_value *SATCHEL_NULLABLE value);
SATCHEL_API SATCHEL_NODISCARD int satchel_value_get_double(double *SATCHEL_NULLABLE out,
                                                           const satchel_value *SATCHEL_NULLABLE value);
SATCHEL_API SATCHEL_NODISCARD int satchel_value_get_string(satchel_bytes *SATCHEL_NULLABLE out,
                                                           const satchel_value *SATCHEL_NULLABLE value);
SATCHEL_API SATCHEL_NODISCARD int satchel_value_get_data(satchel_bytes *SATCHEL_NULLABLE out,
                                                         const satchel_value *SATCHEL_NULLABLE value);
SATCHEL_API SATCHEL_NODISCARD int satchel_value_get_date(satchel_date *SATCHEL_NULLABLE out,
                                                         const satchel_value *SATCHEL_NULLABLE value);
SATCHEL_API SATCHEL_NODISCARD int satchel_value_get_url(satchel_bytes *SATCHEL_NULLABLE out,
                                                        const satchel_value *SATCHEL_NULLABLE value);
SATCHEL_API SATCHEL_NODISCARD int satchel_value_get_uuid(satchel_uuid *SATCHEL_NULLABLE out,
                                                         const satchel_value *SATCHEL_NULLABLE value);

/*
 * A new value, the same as `type` (SATCHEL_TYPE_...), where nothing is lost (docs/values.md, section 2); null, arrays and
 * dictionaries only as what they are. The caller frees *out. Errors: ETYPE, ERANGE, EINVAL. Any thread. O(size). Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_value_convert(satchel_value *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                        const satchel_value *SATCHEL_NULLABLE value, int type);

/* How many elements or entries. Errors: ETYPE unless array or dictionary, EINVAL. Any thread. O(1). Since 0.1. */
SATCHEL_API SATCHEL_NODISCARD int satchel_value_count(size_t *SATCHEL_NULLABLE out,
                                                      const satchel_value *SATCHEL_NULLABLE value);

/* The element or entry value at `index`, lent. Errors: ERANGE outside, ETYPE, EINVAL. Any thread. O(1). Since 0.1. */
SATCHEL_API SATCHEL_NODISCARD int satchel_value_at(const satchel_value *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                   const satchel_value *SATCHEL_NULLABLE value, size_t index);

/* The key of entry `index` of a dictionary, lent, NUL-terminated. Errors: ERANGE, ETYPE, EINVAL. Any thread. O(1). Since 0.1. */
SATCHEL_API SATCHEL_NODISCARD int satchel_value_key_at(satchel_bytes *SATCHEL_NULLABLE out,
                                                       const satchel_value *SATCHEL_NULLABLE value, size_t index);

/* The value under `key` of a dictionary, lent. Errors: ENOTFOUND, ETYPE, EINVAL. Any thread. O(size of key). Since 0.1. */
SATCHEL_API SATCHEL_NODISCARD int satchel_value_find(const satchel_value *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                     const satchel_value *SATCHEL_NULLABLE value, satchel_bytes key);

/*
 * Appends a copy of `item` to an array. What the array had lent is gone then; `item` may be part of it, or the array itself.
 * Errors: ETYPE, ERANGE (nesting over 64), EINVAL. One thread. O(size of item). Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_value_append(satchel_value *SATCHEL_NULLABLE array,
                                                       const satchel_value *SATCHEL_NULLABLE item);

/*
 * Puts a copy of `item` under `key`, which may be empty; an existing key keeps its place, a new one goes to the end. What the
 * dictionary had lent is gone then; `item` may be part of it.
 * Errors: ETYPE, ERANGE (nesting over 64), EINVAL. One thread. O(size of item). Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_value_put(satchel_value *SATCHEL_NULLABLE dictionary, satchel_bytes key,
                                                    const satchel_value *SATCHEL_NULLABLE item);

/*
 * JSON. What JSON has no type for is an object with one `$` key (docs/values.md): data, date, url, uuid, NaN, infinity.
 * Integers keep all 64 bits, doubles always show a point or exponent, -0.0 its sign, dictionaries their order.
 * *out of to_json is a buffer that the caller frees with satchel_buffer_free, of from_json a value.
 * Errors: EINVAL, ENOMEM; of reading also EPARSE with line and column in the message, and ERANGE. Any thread. O(size).
 * Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_value_to_json(satchel_buffer *SATCHEL_NULLABLE out,
                                                        const satchel_value *SATCHEL_NULLABLE value);
SATCHEL_API SATCHEL_NODISCARD int satchel_value_from_json(satchel_value *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                          satchel_bytes json);

/*
 * Dotenv (docs/values.md, section 6): a dictionary, whose values are strings when they are read and are written as their text.
 * Of a key that comes twice the last value counts. *out as of JSON. Errors of writing: ETYPE with the key for what has no form
 * in it (null, an array, a dictionary, a NUL, a key that is none), ERANGE for a date without a text; of reading: EPARSE with the
 * line. Any thread. O(size). Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_value_to_dotenv(satchel_buffer *SATCHEL_NULLABLE out,
                                                          const satchel_value *SATCHEL_NULLABLE value);
SATCHEL_API SATCHEL_NODISCARD int satchel_value_from_dotenv(satchel_value *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                            satchel_bytes dotenv);

/* CBOR in the deterministic form of docs/values.md. Errors of reading: EPARSE with the byte, ERANGE. O(size). Since 0.1. */
SATCHEL_API SATCHEL_NODISCARD int satchel_value_to_cbor(satchel_buffer *SATCHEL_NULLABLE out,
                                                        const satchel_value *SATCHEL_NULLABLE value);
SATCHEL_API SATCHEL_NODISCARD int satchel_value_from_cbor(satchel_value *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                          satchel_bytes cbor);

/*
 * Reads text as a value of the type asked for: "0123" as an integer is 123, "yes" is a bool, "2026-01-01T00:00:00Z" a date,
 * base64 is data; arrays and dictionaries are JSON. Errors: ETYPE naming the text, ERANGE, EINVAL. Any thread. O(size).
 * Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_value_from_text(satchel_value *SATCHEL_NULLABLE *SATCHEL_NULLABLE out,
                                                          satchel_bytes text, int type);

/*
 * The reverse: the text that `satchel get` prints and satchel_value_from_text reads back, given the value's type. Strings and
 * URLs are what they are, data is base64, arrays and dictionaries are JSON on one line. *out is a buffer that the caller frees
 * with satchel_buffer_free. Errors: ERANGE for a date outside the years 0001 to 9999, which has no text (to_json has),
 * EINVAL, ENOMEM. Any thread. O(size). Since 0.1.
 */
SATCHEL_API SATCHEL_NODISCARD int satchel_value_to_text(satchel_buffer *SATCHEL_NULLABLE out,
                                                        const satchel_value *SATCHEL_NULLABLE value);

#ifdef __cplusplus
}
#endif

#endif
