// The random stream of NumPy's legacy RandomState, as far as the paper's experiments draw from it.
//
// A 32-bit Mersenne Twister; a permutation is Fisher-Yates from the end with each index drawn by
// masked rejection of 32-bit words; a double is ((a >> 5) 2^26 + (b >> 6)) / 2^53 from two words.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "surefield/core/concepts.hpp"

namespace surefield {

class NumpyRandom {
 public:
  explicit NumpyRandom(std::uint32_t seed) : twister_(seed) {}

  std::vector<Index> permutation(Index n);
  double uniform();

 private:
  std::uint32_t at_most(std::uint32_t largest);

  std::mt19937 twister_;
};

}  // namespace surefield
