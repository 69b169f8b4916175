// Random hypergraph cuts: undirected, directed with disjoint sides, and overlapping ones, with zero
// weights and ties.
#pragma once

#include <vector>

#include "surefield/core/random.hpp"
#include "surefield/models/hypergraph_cut/hypergraph_cut.hpp"
#include "tests/support/random_gibbs.hpp"

namespace surefield::testing {

/// Weights in [low, 2], a tenth of them 0 and a tenth 1; some hyperedges twice.
inline HypergraphCut random_hypergraph_cut(Index n, Index count, std::uint64_t seed,
                                           double low = 0) {
  Random random(seed);
  std::vector<double> bias(n);
  for (double& b : bias) b = random.chance(0.1) ? 0 : random.uniform(-2, 2);
  std::vector<Hyperedge> hyperedges;
  for (Index e = 0; e < count && n > 0; ++e) {
    const double w = random.chance(0.1) ? 0 : random.chance(0.1) ? 1 : random.uniform(low, 2);
    auto nodes = random_variables(n, 1 + random.below(5), random);
    switch (nodes.size() == 1 ? 0 : random.below(3)) {
      case 0:
        hyperedges.push_back(undirected_hyperedge(nodes, w));
        break;
      case 1: {  // disjoint: one list cut in two
        const auto cut = static_cast<std::ptrdiff_t>(1 + random.below(nodes.size() - 1));
        hyperedges.push_back(
            {w, {nodes.begin(), nodes.begin() + cut}, {nodes.begin() + cut, nodes.end()}});
        break;
      }
      default:  // both drawn freely
        hyperedges.push_back({w, nodes, random_variables(n, 1 + random.below(4), random)});
    }
    if (random.chance(0.1)) hyperedges.push_back(hyperedges.back());
  }
  return make_hypergraph_cut(bias, hyperedges);
}

}  // namespace surefield::testing
