#pragma once
// Random fields with couplings of both signs, zero couplings, ties, and numbers from 1e-8 to 1e8; boxes with points.
#include <cmath>
#include <vector>

#include "surefield/core/box.hpp"
#include "tests/support/random_pairwise.hpp"

namespace surefield::testing {

inline PairwiseField random_signed_field(Index n, Random& random, double scale) {
  const double beta = std::pow(10, random.uniform(-1, 1.3)), bias_size = random.uniform(0, 3);
  std::vector<double> bias(n);
  for (double& b : bias)
    b = random.chance(0.1) ? 0 : scale * beta * bias_size * random.uniform(-1, 1);
  const double low = random.chance(0.2) ? 0 : -1, high = random.chance(0.2) ? 0 : 1;
  const auto edges =
      random_edges(n, random.uniform(), scale * beta * low, scale * beta * high, random);
  return make_pairwise_field(bias, edges, scale * random.uniform(-1, 1));
}

/// Mostly 1, at times anything from 1e-8 to 1e8.
inline double random_scale(Random& random) {
  return random.chance(0.7) ? 1 : std::pow(10, random.uniform(-8, 8));
}

}  // namespace surefield::testing
