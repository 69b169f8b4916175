#pragma once
// Coverages that are hard to certify: twice as many concepts as items, about five items share each, at costs near a third of what they cover.
#include <vector>

#include "surefield/core/random.hpp"
#include "surefield/models/coverage/coverage.hpp"

namespace surefield::testing {

/// `sure`: every chance is 1, not uniform.
inline Coverage contested_coverage(Index n, std::uint64_t seed, bool sure) {
  Random random(seed);
  std::vector<double> cost(n, 0), weight(2 * n);
  std::vector<std::vector<Entry>> members(2 * n);
  for (Index c = 0; c < 2 * n; ++c) {
    weight[c] = random.uniform(0, 3);
    for (std::uint32_t i = 0; i < n; ++i) {
      if (!random.chance(5.0 / static_cast<double>(n))) continue;
      members[c].push_back({i, sure ? 1 : random.uniform()});
      cost[i] += weight[c] * members[c].back().value * random.uniform(0.2, 0.5);
    }
  }
  return make_coverage(cost, weight, members);
}

}  // namespace surefield::testing
