#include "format.h"

#include <string.h>

uint32_t crc32c(uint32_t seed, const void *data, size_t size) {
  const unsigned char *bytes = data;
  uint32_t crc = ~seed;
  for (size_t i = 0; i < size; i++) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78u : 0);
  }
  return ~crc;
}

uint64_t word_at(const unsigned char *file, size_t offset) {
  uint64_t word;
  memcpy(&word, file + offset, sizeof word);
  return word;
}

uint32_t half_at(const unsigned char *file, size_t offset) {
  uint32_t half;
  memcpy(&half, file + offset, sizeof half);
  return half;
}

uint64_t commit_length(uint64_t word) { return (word & ((UINT64_C(1) << 40) - 1)) << 3; }

uint64_t commit_word(uint64_t length, uint32_t salt) {
  uint64_t number = length >> 3;
  uint64_t check = crc32c(salt, &number, sizeof number) & 0x7FFFFF;
  return number | check << 40;
}

void seal_header(unsigned char *file) {
  uint32_t crc = crc32c(0, file, AT_HEADER_CRC);
  memcpy(file + AT_HEADER_CRC, &crc, sizeof crc);
  memcpy(file + AT_COPY, file, HEADER_COPIED);
}

void change_boot(unsigned char *file) {
  file[AT_BOOT + 1] ^= 0x55;
  /* Whoever held the lock names the boot as well. */
  if (word_at(file, AT_LOCK) != 0) file[AT_LOCK + 5] ^= 0x55;
}

static size_t frames_between(const unsigned char *file, size_t from, size_t to, frame *out, size_t room) {
  size_t count = 0;
  while (from < to && count < room) {
    const unsigned char *bytes = file + from;
    size_t size = half_at(bytes, 8);
    if (size < FRAME_HEADER || size > to - from) break;
    out[count++] = (frame){from, size, word_at(bytes, 16), bytes[58], (bytes[59] & 1) != 0};
    from += size;
  }
  return count;
}

size_t frames_of(const unsigned char *file, frame *out, size_t room) {
  size_t count = frames_between(file, HEADER_BYTES, word_at(file, AT_SNAPSHOT_END), out, room);
  return count + frames_between(file, word_at(file, AT_HISTORY_END), commit_length(word_at(file, AT_COMMITTED)), out + count,
                                room - count);
}
