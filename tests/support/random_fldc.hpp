// Random FLDCs: a random FLID with concepts of few items, ties and zeros among them.
#pragma once

#include <vector>

#include "surefield/models/fldc/fldc.hpp"
#include "tests/support/random_flid.hpp"

namespace surefield::testing {

inline Fldc random_fldc(Index n, Index dimensions, Index concepts, std::uint64_t seed,
                        bool many_decades = false) {
  const Flid flid = random_flid(n, dimensions, seed, many_decades);
  Random random(seed * 13 + 7);
  std::vector<double> coherence(n * concepts, 0);
  for (Index k = 0; k < coherence.size(); ++k)
    if (random.chance(0.7))
      coherence[k] = k >= concepts && random.chance(0.2) ? coherence[k - concepts]
                                                         : random_weight(random, many_decades);
  return make_fldc(flid.utility, flid.weights, dimensions, coherence, concepts);
}

}  // namespace surefield::testing
