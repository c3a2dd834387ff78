/* What the fuzzer must know of a domain file, written from docs/formats.md and not from the engine. */
#ifndef IMAGE_H
#define IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  PAGE_BYTES = 4096, /* the header page */
  AT_SEED = 32,
  AT_SALT = 40,
  AT_MODE = 44,
  AT_SNAPSHOT_END = 48,
  AT_HISTORY_END = 56,
  AT_HEADER_CRC = 76,
  AT_COMMITTED = 128,
  AT_LOCK = 192,
  AT_BOOT = 320,
  AT_DURABLE = 384,
  AT_COPY = 2048,
  COPIED = 80,
  AT_CONTROL = 4088, /* a byte of the page that the format ignores: how the target opens the file */

  FRAME_BYTES = 64, /* a frame's header */
  AT_FRAME_CRC = 4,
  AT_SIZE = 8,
  AT_PREV = 12,
  AT_REVISION = 16,
  AT_HASH = 24,
  AT_KEY_LENGTH = 56,
  AT_OPERATION = 58,
  AT_FLAGS = 59,
  AT_PROGRAM_LENGTH = 60,
  AT_PADDING = 61,
};

uint16_t get16(const uint8_t *at);
uint32_t get32(const uint8_t *at);
uint64_t get64(const uint8_t *at);
void put32(uint8_t *at, uint32_t value);
void put64(uint8_t *at, uint64_t value);

uint32_t crc32c(uint32_t seed, const void *data, size_t size);
uint64_t hash64(uint64_t seed, const void *data, size_t size);
/* hash(0, boot id) | 1, as a file of this boot has it. */
uint64_t boot_hash(void);
uint64_t commit_word(uint64_t length, uint32_t salt);
uint64_t commit_length(uint64_t word);

/* The sound copy of the header, or NULL. */
const uint8_t *sound_header(const uint8_t *file, size_t size);
/* Lengths that fit into `room`. */
bool has_frame_shape(const uint8_t *frame, size_t room);
/* That, and both CRCs. */
bool is_whole_frame(const uint8_t *frame, size_t room, uint32_t salt);
size_t value_length(const uint8_t *frame);

#endif
