// Random submodular pairwise fields, with parallel edges, zero couplings and ties.
#pragma once

#include <vector>

#include "surefield/core/random.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield::testing {

/// Edges as G(n, density), some twice, couplings in [-2, 0], some exactly 0 or -1.
inline std::vector<Edge> random_edges(Index n, double density, double low, double high,
                                      Random& random) {
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = i + 1; j < n; ++j) {
      if (!random.chance(density)) continue;
      const double w = random.chance(0.2)   ? 0
                       : random.chance(0.2) ? (low + high) / 2
                                            : random.uniform(low, high);
      edges.push_back({i, j, w});
      if (random.chance(0.1)) edges.push_back({j, i, w});
    }
  return edges;
}

inline PairwiseField random_pairwise(Index n, double density, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> bias(n);
  for (double& b : bias) b = random.chance(0.1) ? 0 : random.uniform(-2, 3);
  return make_pairwise_field(bias, random_edges(n, density, -2, 0, random), random.uniform(-1, 1));
}

/// Of both signs, times the scale; which edges attract goes with the parity of the seed.
inline PairwiseField random_field_of_any_sign(Index n, double density, double scale,
                                              std::uint64_t seed) {
  PairwiseField model = random_pairwise(n, density, seed);
  for (double& b : model.bias) b *= scale;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t e = model.start[i]; e < model.start[i + 1]; ++e)
      model.coupling[e] *= (i + model.neighbour[e]) % 2 == seed % 2 ? -scale : scale;
  return model;
}

/// Everything pulls at everything, either way.
inline PairwiseField frustrated_field(std::uint32_t n, std::uint64_t seed, double strength = 2) {
  Random random(seed);
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = i + 1; j < n; ++j)
      edges.push_back({i, j, random.uniform(-strength, strength)});
  return make_pairwise_field(std::vector<double>(n, 0.1), edges);
}

}  // namespace surefield::testing
