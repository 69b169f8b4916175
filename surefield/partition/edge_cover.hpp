// Narrow subgraphs that together hold every edge of a graph: spanning forests, or wider strips.
//
// Strips: the nodes in layers by their distance from one node, and every h-th step between layers
// left out; once counted from the start and once from half-way, so that every edge is in one of the
// two at least. h is the largest for which both can be summed out with tables over `width`
// variables. A graph narrow enough as a whole is one subgraph. Where not even h = 2 will do, and
// for width 2: spanning forests, each of the edges used least so far, until all are used.
//
// Cost: O(edges log edges) per forest; strips a few elimination orders.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/models/pairwise_field.hpp"
#include "surefield/partition/elimination_order.hpp"

namespace surefield {

struct Subgraph {
  std::vector<std::uint32_t> edges;  ///< by their place in the list, ascending
  EliminationOrder order;            ///< of all nodes
};

/// None if there are no edges. width >= 2.
std::vector<Subgraph> edge_cover(Index nodes, std::span<const Edge> edges, Index width);

}  // namespace surefield
