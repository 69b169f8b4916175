// A seeded generator with the same stream on every platform: no std:: distribution, no global
// state.
//
// xoshiro256++ (D. Blackman, S. Vigna. Scrambled linear pseudorandom number generators. ACM TOMS
// 2021), seeded by splitmix64. `keyed_uniform` is a pure function of its key, for draws that must
// not depend on the order they are made in.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "surefield/core/concepts.hpp"

namespace surefield {

class Random {
 public:
  explicit Random(std::uint64_t seed);

  std::uint64_t bits();
  /// Uniform on [0, 1): a multiple of 2^-53.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// Uniform on {0, ..., bound - 1}, without bias; bound > 0.
  std::uint64_t below(std::uint64_t bound);
  bool chance(double probability) { return uniform() < probability; }
  /// Standard normal by Marsaglia's polar method.
  double normal();

  template <class T>
  void shuffle(std::span<T> items) {  // Fisher-Yates
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::array<std::uint64_t, 4> state_;
};

/// 0, 1, ..., n-1 in random order.
std::vector<Index> permutation(Index n, Random& random);

/// 0, 1, ..., n-1.
std::vector<Index> natural_order(Index n);

/// Uniform on [0, 1), a pure function of its arguments.
double keyed_uniform(std::uint64_t seed, std::uint64_t first, std::uint64_t second);

}  // namespace surefield
