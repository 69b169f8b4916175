// The edges of a graph dealt out to forests: each to the first one in which it closes no cycle.
// Cost: O(edges * forests), nearly.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

/// Every node with its parent; parents come before their children.
struct Forest {
  static constexpr std::uint32_t kRoot = 0xffffffffU;
  std::vector<std::uint32_t> order;   ///< of the nodes
  std::vector<std::uint32_t> parent;  ///< by place in the order: a place in the order, or kRoot
  std::vector<double> weight;         ///< by place: of the edge to the parent
};

/// Nodes are 0 .. n-1; those not in any edge of a forest are roots of it. Throws Error where it takes
/// more than `most` forests. At least one, be there edges or not.
std::vector<Forest> edge_forests(Index n, std::span<const Edge> edges, std::size_t most);

}  // namespace surefield
