/* As much of docs/formats.md as a test needs to damage a file on purpose, written from that page and not from the engine. */
#ifndef FORMAT_H
#define FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  HEADER_BYTES = 4096,
  AT_MAGIC = 0,
  AT_VERSION = 8,
  AT_GENERATION = 16,
  AT_SALT = 40,
  AT_SNAPSHOT_END = 48,
  AT_HISTORY_END = 56,
  AT_HEADER_CRC = 76,
  HEADER_COPIED = 80,
  AT_COMMITTED = 128,
  AT_LOCK = 192,
  AT_SLEEP = 256,
  AT_BOOT = 320,
  AT_DURABLE = 384,
  AT_COPY = 2048,
  FRAME_HEADER = 64,
};

uint32_t crc32c(uint32_t seed, const void *data, size_t size);
uint64_t word_at(const unsigned char *file, size_t offset);
uint32_t half_at(const unsigned char *file, size_t offset);
/* The length that a commit word names, whatever its check bits say. */
uint64_t commit_length(uint64_t word);
uint64_t commit_word(uint64_t length, uint32_t salt);
/* Computes the CRC of the header anew and writes its copy. */
void seal_header(unsigned char *file);
/* As after a reboot: `committed` is not to be believed any more. */
void change_boot(unsigned char *file);

typedef struct {
  size_t offset, size;
  uint64_t revision;
  int operation; /* 1 set, 2 unset, 3 lost, 4 note */
  bool more;
} frame;

/* Fills `out` with the frames of an undamaged file, snapshot and log (not the history); how many there are. */
size_t frames_of(const unsigned char *file, frame *out, size_t room);

#endif
