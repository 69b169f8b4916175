// A sum of many terms as several sums side by side, which are added in pairs at the end:
//
//   sum_{k = 0 mod L} t_k, ..., sum_{k = L - 1 mod L} t_k
//
// so no sum waits for the one before it, and the compiler has vectors to use. It is inlined always, so that it takes the instruction set of
// its caller: called from a clone for wide registers it would be compiled for the least one, and GCC 12 leaves the upper halves of the
// caller's registers in use on the way, by which every later scalar instruction waits.
#pragma once

#include <cstddef>

namespace surefield {

template <std::size_t kLanes, class Term>
[[gnu::always_inline]] inline double sum_over_lanes(std::size_t count, Term term) {
  static_assert((kLanes & (kLanes - 1)) == 0, "lanes are added in pairs");
  double lane[kLanes] = {};
  std::size_t k = 0;
  for (; k + kLanes <= count; k += kLanes)
    for (std::size_t l = 0; l < kLanes; ++l) lane[l] += term(k + l);
  for (std::size_t l = 0; k + l < count; ++l) lane[l] += term(k + l);
  for (std::size_t step = 1; step < kLanes; step *= 2)
    for (std::size_t l = 0; l < kLanes; l += 2 * step) lane[l] += lane[l + step];
  return lane[0];
}

}  // namespace surefield
