// Narrow subgraphs that together hold every edge of a graph: spanning forests, or wider strips.
//
// Strips: the nodes in a line, cut in stretches that can be summed out with tables over `width`
// variables each, as long as possible and where the edges across weigh least; then once more with
// every cut in the middle of a stretch, so that every edge is whole in one of the two at least. Two
// lines are tried, by distance from one end of the graph and as given, and the one that loses less
// is kept. A graph narrow enough as a whole is one subgraph. Where no strips will do, and for width
// 2: spanning forests, each of the edges used least so far, until all are used.
//
// Cost: O(edges log edges) per forest; strips some ten elimination orders each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/bounds/log_z/exact/elimination_order.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

struct Subgraph {
  std::vector<std::uint32_t> edges;  ///< by their place in the list, ascending
  EliminationOrder order;            ///< of all nodes
};

/// None if there are no edges. width >= 2. Once the budget is spent strips are given up for forests.
std::vector<Subgraph> edge_cover(Index nodes, std::span<const Edge> edges, Index width,
                                 const Budget& budget = {});

}  // namespace surefield
