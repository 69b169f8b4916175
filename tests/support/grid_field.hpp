// A grid of four neighbours with random biases and couplings of either sign.
#pragma once

#include <cstdint>
#include <vector>

#include "surefield/core/random.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield::testing {

inline PairwiseField grid_field(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> bias(rows * columns);
  for (double& v : bias) v = random.uniform(-2, 3);
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < bias.size(); ++i) {
    if ((i + 1) % columns != 0) edges.push_back({i, i + 1, random.uniform(-2, 1)});
    if (i + columns < bias.size())
      edges.push_back({i, static_cast<std::uint32_t>(i + columns), random.uniform(-2, 1)});
  }
  return make_pairwise_field(bias, edges);
}

}  // namespace surefield::testing
