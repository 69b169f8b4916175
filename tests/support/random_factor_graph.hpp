// Random factor graphs over binary variables, with constants, repeated scopes, and zero entries if
// asked for.
#pragma once

#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"
#include "surefield/models/factor_graph.hpp"

namespace surefield::testing {

inline FactorGraph random_factor_graph(Index n, Index largest, double zeros, std::uint64_t seed) {
  Random random(seed);
  FactorGraph graph;
  graph.variables = n;
  for (Index f = 0; f < 2 * n; ++f) {
    const auto order = permutation(n, random);
    Factor& factor = graph.factors.emplace_back();
    for (Index k = 0; k < std::min<Index>(n, random.below(largest + 1)); ++k)
      factor.variables.push_back(static_cast<std::uint32_t>(order[k]));
    for (Index e = 0; e < Index{1} << factor.variables.size(); ++e)
      factor.log_table.push_back(random.chance(zeros) ? -kInfinity
                                 : random.chance(0.2) ? 0
                                                      : random.uniform(-3, 3));
  }
  return graph;
}

}  // namespace surefield::testing
