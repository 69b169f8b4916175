// Random coverages: sure, impossible and nearly sure members, concepts without members, copies,
// weights over many decades.
#pragma once

#include <cmath>
#include <vector>

#include "surefield/core/random.hpp"
#include "surefield/models/coverage/coverage.hpp"

namespace surefield::testing {

/// 0, 1, 1/2, tiny, nearly 1, or uniform.
inline double random_probability(Random& random) {
  switch (random.below(8)) {
    case 0:
      return 0;
    case 1:
    case 2:
      return 1;
    case 3:
      return 0.5;
    case 4:
      return random.chance(0.5) ? 1e-300 : 1 - 0x1p-53;
    default:
      return random.uniform();
  }
}

/// `sure` makes every probability 1.
inline Coverage random_coverage(Index n, Index concepts, std::uint64_t seed, bool sure = false) {
  Random random(seed);
  const bool many_decades = random.chance(0.3);
  std::vector<double> cost(n);
  for (double& c : cost) c = random.chance(0.2) ? 0 : random.uniform(-1, 2);
  std::vector<double> weight(concepts);
  for (double& w : weight)
    w = random.chance(0.1) ? 0
        : many_decades     ? std::pow(10, random.uniform(-12, 12))
                           : random.uniform(0, 3);
  std::vector<std::vector<Entry>> members(concepts);
  for (Index c = 0; c < concepts; ++c) {
    if (c > 0 && random.chance(0.15)) {
      members[c] = members[random.below(c)];
      continue;
    }
    const double density = random.uniform();
    for (const Index i : permutation(n, random))
      if (random.chance(density))
        members[c].push_back(
            {static_cast<std::uint32_t>(i), sure ? 1 : random_probability(random)});
  }
  return make_coverage(cost, weight, members);
}

}  // namespace surefield::testing
