// A random set in both forms that models are asked by: the items in any order, and a byte an item.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/core/random.hpp"

namespace surefield::testing {

struct RandomSet {
  std::vector<std::uint32_t> items;  ///< shuffled
  std::vector<std::uint8_t> chosen;
};

/// Every item with the same chance.
inline RandomSet random_set(Index n, double chance, Random& random) {
  RandomSet set{{}, std::vector<std::uint8_t>(n, 0)};
  for (std::uint32_t i = 0; i < n; ++i)
    if (random.chance(chance)) set.items.push_back(i), set.chosen[i] = 1;
  random.shuffle(std::span(set.items));
  return set;
}

}  // namespace surefield::testing
