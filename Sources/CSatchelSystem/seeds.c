#include "CSatchelSystem.h"

// A secret of the process, drawn once, and a number that nobody has had yet. No lock: a forked child goes on with both, and
// whoever is late takes the secret of whoever was first.
uint64_t scs_fresh_seed(void) {
  static uint64_t secret, turn;
  uint64_t drawn = __atomic_load_n(&secret, __ATOMIC_ACQUIRE), none = 0;
  if (drawn == 0) {
    // Without getrandom(2), which a sandbox may refuse, something that is at least not the same in each process.
    if (scs_random(&drawn, sizeof drawn) != 0) drawn = (uint64_t)scs_now_ns() ^ (uintptr_t)&drawn << 20;
    drawn |= 1;
    if (!__atomic_compare_exchange_n(&secret, &none, drawn, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) drawn = none;
  }
  uint64_t number = __atomic_add_fetch(&turn, 0x9E3779B97F4A7C15ull, __ATOMIC_RELAXED);
  return scs_mix(drawn ^ number, 0xA0761D6478BD642Full ^ drawn << 1) | 1;
}
