#include "surefield/experiments/numpy_random.hpp"

#include <bit>
#include <utility>

#include "surefield/core/random.hpp"

namespace surefield {

std::uint32_t NumpyRandom::at_most(std::uint32_t largest) {
  const std::uint32_t mask = std::bit_ceil(largest + 1) - 1;
  for (;;) {
    const auto draw = static_cast<std::uint32_t>(twister_()) & mask;
    if (draw <= largest) return draw;
  }
}

std::vector<Index> NumpyRandom::permutation(Index n) {
  auto order = natural_order(n);
  for (Index i = n; i-- > 1;) std::swap(order[i], order[at_most(static_cast<std::uint32_t>(i))]);
  return order;
}

double NumpyRandom::uniform() {
  const auto high = static_cast<double>(static_cast<std::uint32_t>(twister_()) >> 5);
  const auto low = static_cast<double>(static_cast<std::uint32_t>(twister_()) >> 6);
  return (high * 67108864.0 + low) / 9007199254740992.0;
}

}  // namespace surefield
