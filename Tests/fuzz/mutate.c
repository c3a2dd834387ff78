/*
 * The mutator. Random bytes would end at the first CRC; here nearly every mutant gets its CRCs, check bits and key hashes made
 * right again, so that what is tried is the parser behind them. One in eight stays as damaged as it is.
 */
#include "image.h"

#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

static uint64_t state;

static uint64_t next_random(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state * UINT64_C(0x2545F4914F6CDD1D) >> 16;
}
static uint64_t below(uint64_t limit) { return next_random() % limit; }

/* A number at which arithmetic may go wrong. */
static uint64_t awkward(void) {
  uint64_t power = UINT64_C(1) << below(64);
  switch (below(5)) {
  case 0:
    return below(16);
  case 1:
    return power - 1;
  case 2:
    return power;
  case 3:
    return ~below(16);
  default:
    return next_random() ^ next_random() << 24;
  }
}

enum { FRAME_ROOM = 512 };
static size_t find_frames(const uint8_t *file, size_t size, size_t *out) {
  size_t count = 0;
  for (size_t at = PAGE_BYTES; at + FRAME_BYTES <= size && count < FRAME_ROOM;) {
    if (has_frame_shape(file + at, size - at)) {
      out[count++] = at;
      at += get32(file + at + AT_SIZE);
    } else {
      at += 8;
    }
  }
  return count;
}

/* One field of the header page. */
static void change_page(uint8_t *file, size_t size) {
  static const uint16_t fields[] = {8, 16, 24, AT_MODE, AT_SNAPSHOT_END, AT_HISTORY_END, 64, AT_BOOT, AT_LOCK, 256, AT_CONTROL};
  static const uint16_t lengths[] = {AT_COMMITTED, AT_DURABLE, AT_SNAPSHOT_END, AT_HISTORY_END};
  if (below(2) == 0) {
    uint16_t at = fields[below(sizeof fields / sizeof *fields)];
    uint64_t value = awkward();
    memcpy(file + at, &value, at == 8 || at == AT_MODE ? 4 : 8);
    return;
  }
  /* A length: the end of some frame, mostly. */
  size_t frames[FRAME_ROOM], count = find_frames(file, size, frames);
  uint64_t length = count > 0 && below(4) != 0 ? frames[below(count)] : below(2) != 0 ? size & ~(size_t)7 : awkward() & ~7ull;
  uint16_t at = lengths[below(4)];
  put64(file + at, at == AT_COMMITTED || at == AT_DURABLE ? length >> 3 | (below(8) == 0 ? UINT64_C(1) << 63 : 0) : length);
}

/* One field of one frame. */
static void change_frame(uint8_t *file, size_t size) {
  static const struct {
    uint8_t at, bytes;
  } fields[] = {{AT_SIZE, 4},       {AT_PREV, 4},      {AT_REVISION, 8}, {AT_HASH, 8},           {32, 8},         {40, 8},
                {AT_KEY_LENGTH, 2}, {AT_OPERATION, 1}, {AT_FLAGS, 1},    {AT_PROGRAM_LENGTH, 1}, {AT_PADDING, 1}, {62, 2},
                {AT_OPERATION, 1},  {AT_FLAGS, 1},     {AT_REVISION, 8}};
  size_t frames[FRAME_ROOM], count = find_frames(file, size, frames);
  if (count == 0) return;
  uint8_t *frame = file + frames[below(count)];
  size_t field = below(sizeof fields / sizeof *fields);
  uint64_t value = fields[field].at == AT_OPERATION ? 1 + below(4) : fields[field].at == AT_FLAGS ? below(2) : awkward();
  if (fields[field].at == AT_REVISION && below(2) == 0) value = get64(frame + AT_REVISION) + below(5) - 2;
  memcpy(frame + fields[field].at, &value, fields[field].bytes);
}

/* Copies a frame behind another one, or takes one out. */
static size_t move_frames(uint8_t *file, size_t size, size_t max_size) {
  size_t frames[FRAME_ROOM], count = find_frames(file, size, frames);
  if (count == 0) return size;
  uint8_t copy[8192];
  size_t from = frames[below(count)], to = frames[below(count)], length = get32(file + from + AT_SIZE);
  if (below(3) == 0) {
    memmove(file + from, file + from + length, size - from - length);
    return size - length;
  }
  if (length > sizeof copy || size + length > max_size) return size;
  memcpy(copy, file + from, length);
  memmove(file + to + length, file + to, size - to);
  memcpy(file + to, copy, length);
  return size + length;
}

/* The bytes of one value or key, by libFuzzer's own means. */
static void change_body(uint8_t *file, size_t size) {
  size_t frames[FRAME_ROOM], count = find_frames(file, size, frames);
  if (count == 0) return;
  size_t at = frames[below(count)], room = get32(file + at + AT_SIZE) - FRAME_BYTES;
  if (room > 0) LLVMFuzzerMutate(file + at + FRAME_BYTES, room, room);
}

/* The last end of a frame that is not behind `length`: commit words point into a record in forged files only. */
static uint64_t frame_end(const uint8_t *file, size_t size, uint64_t length) {
  size_t frames[FRAME_ROOM], count = find_frames(file, size, frames);
  uint64_t end = PAGE_BYTES;
  for (size_t i = 0; i < count; i++) {
    uint64_t behind = frames[i] + get32(file + frames[i] + AT_SIZE);
    if (behind <= length) end = behind;
  }
  return end;
}

static void repair_page(uint8_t *file, size_t size) {
  memcpy(file, "SATCHEL1", 8);
  if (below(16) != 0) put32(file + 8, 1);
  if (get32(file + AT_SALT) == 0) put32(file + AT_SALT, 1);
  put32(file + AT_HEADER_CRC, crc32c(0, file, AT_HEADER_CRC));
  if (below(8) != 0) memcpy(file + AT_COPY, file, COPIED);
  /* The second copy alone is sound. */
  if (below(32) == 0) file[AT_HEADER_CRC] ^= 1;
  uint32_t salt = get32(file + AT_SALT);
  for (int at = AT_COMMITTED; at <= AT_DURABLE; at += AT_DURABLE - AT_COMMITTED) {
    uint64_t word = get64(file + at), length = commit_length(word);
    if (below(8) != 0 && (length <= size || below(4) != 0)) length = frame_end(file, size, length);
    put64(file + at, commit_word(length, salt) | (word & UINT64_C(1) << 63));
  }
}

static void repair_frames(uint8_t *file, size_t size) {
  uint32_t salt = get32(file + AT_SALT), prev = salt;
  uint64_t seed = get64(file + AT_SEED);
  bool chains = below(4) != 0;
  for (size_t at = PAGE_BYTES; at + FRAME_BYTES <= size;) {
    uint8_t *frame = file + at;
    if (at == get64(file + AT_SNAPSHOT_END) || at == get64(file + AT_HISTORY_END)) prev = salt;
    if (!has_frame_shape(frame, size - at)) {
      at += 8;
      continue;
    }
    size_t length = get32(frame + AT_SIZE), key = get16(frame + AT_KEY_LENGTH);
    if (key > 0 && below(16) != 0) put64(frame + AT_HASH, hash64(seed, frame + FRAME_BYTES, key));
    if (chains) put32(frame + AT_PREV, prev);
    if (below(32) != 0) put32(frame + AT_FRAME_CRC, crc32c(salt, frame + 8, FRAME_BYTES - 8));
    if (below(32) != 0) put32(frame, crc32c(get32(frame + AT_FRAME_CRC), frame + FRAME_BYTES, length - FRAME_BYTES));
    prev = get32(frame);
    at += length;
  }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
  state = (seed + UINT64_C(1)) * UINT64_C(0x9E3779B97F4A7C15);
  for (uint64_t times = 1 + below(3); times > 0; times--) {
    uint64_t kind = size < PAGE_BYTES ? 0 : below(8);
    switch (kind) {
    case 0:
      size = LLVMFuzzerMutate(data, size, max_size);
      break;
    case 1:
    case 2:
      change_page(data, size);
      break;
    case 3:
    case 4:
      change_frame(data, size);
      break;
    case 5:
      size = move_frames(data, size, max_size);
      break;
    default:
      change_body(data, size);
      break;
    }
  }
  if (size < PAGE_BYTES || below(8) == 0) return size;
  repair_page(data, size);
  repair_frames(data, size);
  return size;
}
