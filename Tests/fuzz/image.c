#include "image.h"

#include <stdio.h>
#include <string.h>

uint16_t get16(const uint8_t *at) {
  uint16_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

uint32_t get32(const uint8_t *at) {
  uint32_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

uint64_t get64(const uint8_t *at) {
  uint64_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

void put32(uint8_t *at, uint32_t value) { memcpy(at, &value, sizeof value); }
void put64(uint8_t *at, uint64_t value) { memcpy(at, &value, sizeof value); }

uint32_t crc32c(uint32_t seed, const void *data, size_t size) {
  static uint32_t table[256];
  if (table[1] == 0) {
    for (uint32_t i = 0; i < 256; i++) {
      uint32_t crc = i;
      for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78u : 0);
      table[i] = crc;
    }
  }
  const uint8_t *bytes = data;
  uint32_t crc = ~seed;
  for (size_t i = 0; i < size; i++) crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 0xFF];
  return ~crc;
}

static uint64_t mix(uint64_t a, uint64_t b) {
  __extension__ unsigned __int128 product = (unsigned __int128)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t hash64(uint64_t seed, const void *data, size_t size) {
  const uint8_t *bytes = data;
  uint64_t h = seed ^ size * UINT64_C(0x9E3779B97F4A7C15);
  for (; size >= 8; size -= 8, bytes += 8) h = mix(h ^ get64(bytes), UINT64_C(0xA0761D6478BD642F));
  uint64_t rest = 0;
  if (size > 0) memcpy(&rest, bytes, size);
  return mix(h ^ rest, UINT64_C(0xE7037ED1A0B428DB));
}

uint64_t boot_hash(void) {
  static uint64_t hash;
  if (hash == 0) {
    char text[36];
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    size_t count = file == NULL ? 0 : fread(text, 1, sizeof text, file);
    if (file != NULL) fclose(file);
    hash = count == sizeof text ? hash64(0, text, sizeof text) | 1 : 1;
  }
  return hash;
}

uint64_t commit_length(uint64_t word) { return (word & ((UINT64_C(1) << 40) - 1)) << 3; }

uint64_t commit_word(uint64_t length, uint32_t salt) {
  uint64_t number = length >> 3;
  return number | (uint64_t)(crc32c(salt, &number, sizeof number) & 0x7FFFFF) << 40;
}

const uint8_t *sound_header(const uint8_t *file, size_t size) {
  for (size_t at = 0; at <= AT_COPY; at += AT_COPY) {
    if (size < PAGE_BYTES || memcmp(file + at, "SATCHEL1", 8) != 0) continue;
    if (crc32c(0, file + at, AT_HEADER_CRC) == get32(file + at + AT_HEADER_CRC)) return file + at;
  }
  return NULL;
}

bool has_frame_shape(const uint8_t *frame, size_t room) {
  if (room < FRAME_BYTES) return false;
  size_t size = get32(frame + AT_SIZE);
  size_t parts = FRAME_BYTES + get16(frame + AT_KEY_LENGTH) + frame[AT_PROGRAM_LENGTH] + frame[AT_PADDING];
  return size % 8 == 0 && size <= room && parts <= size;
}

bool is_whole_frame(const uint8_t *frame, size_t room, uint32_t salt) {
  if (!has_frame_shape(frame, room) || crc32c(salt, frame + 8, FRAME_BYTES - 8) != get32(frame + AT_FRAME_CRC)) return false;
  return crc32c(get32(frame + AT_FRAME_CRC), frame + FRAME_BYTES, get32(frame + AT_SIZE) - FRAME_BYTES) == get32(frame);
}

size_t value_length(const uint8_t *frame) {
  return get32(frame + AT_SIZE) - FRAME_BYTES - get16(frame + AT_KEY_LENGTH) - frame[AT_PROGRAM_LENGTH] - frame[AT_PADDING];
}
