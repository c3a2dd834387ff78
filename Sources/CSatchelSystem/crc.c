// CRC-32C (Castagnoli) by the processor's own instruction, or bit by bit where there is none.
#include "CSatchelSystem.h"

#if defined(__x86_64__)
#include <nmmintrin.h>
#include <sys/platform/x86.h>

__attribute__((target("sse4.2"))) static uint32_t by_instruction(uint32_t crc, const unsigned char *p, size_t size) {
  uint64_t c = crc, w;
  for (; size >= 8; p += 8, size -= 8) {
    memcpy(&w, p, 8);
    c = _mm_crc32_u64(c, w);
  }
  for (; size > 0; p++, size--) c = _mm_crc32_u8((uint32_t)c, *p);
  return (uint32_t)c;
}
// Asked of glibc, which knows. The compiler's own question runs a constructor that asks the processor again, and on a virtual
// machine each of its answers takes microseconds.
static bool has_instruction(void) { return CPU_FEATURE_ACTIVE(SSE4_2); }

#elif defined(__aarch64__)
#include <arm_acle.h>
#include <sys/auxv.h>

__attribute__((target("+crc"))) static uint32_t by_instruction(uint32_t crc, const unsigned char *p, size_t size) {
  uint64_t w;
  for (; size >= 8; p += 8, size -= 8) {
    memcpy(&w, p, 8);
    crc = __crc32cd(crc, w);
  }
  for (; size > 0; p++, size--) crc = __crc32cb(crc, *p);
  return crc;
}
static bool has_instruction(void) { return (getauxval(AT_HWCAP) & (1 << 7)) != 0; }

#else
static uint32_t by_instruction(uint32_t crc, const unsigned char *p, size_t size) { return crc + (p == NULL) + size; }
static bool has_instruction(void) { return false; }
#endif

static uint32_t bit_by_bit(uint32_t crc, const unsigned char *p, size_t size) {
  for (; size > 0; size--) {
    crc ^= *p++;
    for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (0x82F63B78u & (0u - (crc & 1)));
  }
  return crc;
}

typedef uint32_t method(uint32_t crc, const unsigned char *p, size_t size);
static method choose;
static method *chosen = choose;

// The first call finds out which it is to be.
static uint32_t choose(uint32_t crc, const unsigned char *p, size_t size) {
  method *best = has_instruction() ? by_instruction : bit_by_bit;
  __atomic_store_n(&chosen, best, __ATOMIC_RELAXED);
  return best(crc, p, size);
}

uint32_t scs_crc32c(uint32_t seed, const void *data, size_t size) {
  return ~__atomic_load_n(&chosen, __ATOMIC_RELAXED)(~seed, data, size);
}
