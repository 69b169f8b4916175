// Random facility locations: ties, zeros, customers that list nothing or are copies of others,
// weights over many decades.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "surefield/core/random.hpp"
#include "surefield/models/facility_location/facility_location.hpp"

namespace surefield::testing {

/// 0, a small whole number, uniform on [0, 2), or of a size between 1e-12 and 1e12.
inline double random_weight(Random& random, bool many_decades) {
  switch (random.below(many_decades ? 5 : 4)) {
    case 0:
      return 0;
    case 1:
      return static_cast<double>(random.below(3));
    case 4:
      return std::pow(10, random.uniform(-12, 12));
    default:
      return random.uniform(0, 2);
  }
}

/// `negative` gives some of the weights a minus sign: then F need not be submodular.
inline FacilityLocation random_facility(Index n, Index customers, std::uint64_t seed,
                                        bool negative = false) {
  Random random(seed);
  const bool many_decades = random.chance(0.3);
  std::vector<double> cost(n);
  for (double& c : cost) c = random.chance(0.2) ? 0 : random.uniform(-1, 2);
  std::vector<std::vector<Entry>> lists;
  while (lists.size() < customers) {
    if (!lists.empty() && random.chance(0.15)) {
      lists.push_back(lists[random.below(lists.size())]);
      continue;
    }
    const double density = random.chance(0.4) ? 1 : random.uniform();
    std::vector<Entry> list;
    for (const Index i : permutation(n, random)) {
      if (!random.chance(density)) continue;
      const double sign = negative && random.chance(0.3) ? -1 : 1;
      list.push_back({static_cast<std::uint32_t>(i), sign * random_weight(random, many_decades)});
    }
    lists.push_back(list);
  }
  return make_facility_location(cost, lists);
}

}  // namespace surefield::testing
