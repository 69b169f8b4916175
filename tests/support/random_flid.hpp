// Random FLIDs: ties, zeros, items that are copies of others, weights over many decades.
#pragma once

#include <vector>

#include "surefield/core/random.hpp"
#include "surefield/models/flid/flid.hpp"
#include "tests/support/random_facility.hpp"

namespace surefield::testing {

inline Flid random_flid(Index n, Index dimensions, std::uint64_t seed, bool many_decades = false) {
  Random random(seed);
  std::vector<double> utility(n);
  std::vector<double> weights(n * dimensions);
  for (Index i = 0; i < n; ++i) {
    const Index copied = i > 0 && random.chance(0.15) ? random.below(i) : n;
    utility[i] = copied < n           ? utility[copied]
                 : random.chance(0.1) ? 0
                                      : random.uniform(-1, static_cast<double>(dimensions));
    for (Index d = 0; d < dimensions; ++d)
      weights[i * dimensions + d] =
          copied < n ? weights[copied * dimensions + d] : random_weight(random, many_decades);
  }
  return make_flid(utility, weights, dimensions);
}

}  // namespace surefield::testing
