// A random pairwise field with signs by a hidden split, so that flipping one side makes all couplings >= 0.
#pragma once

#include <cstdint>
#include <vector>

#include "surefield/core/random.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield::testing {

inline PairwiseField balanced_field(Index n, double size, Random& random) {
  std::vector<std::uint8_t> side(n);
  for (auto& s : side) s = random.chance(0.5);
  std::vector<double> bias(n);
  for (double& b : bias) b = random.chance(0.1) ? 0 : size * random.uniform(-3, 5);
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < i; ++j)
      if (random.chance(0.5)) {
        const double w = random.chance(0.1) ? 0 : size * random.uniform(0, 6);
        edges.push_back({i, j, side[i] == side[j] ? w : -w});
      }
  return make_pairwise_field(bias, edges, random.uniform(-1, 1));
}

}  // namespace surefield::testing
