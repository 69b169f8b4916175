// A graph cut into tiles of about equal size with few edges between them.
//
// Recursive bisection: breadth first from a node at the rim, the first half of the nodes met and the rest; the rim is where a
// first search from any node ends. On a grid a cut runs along a diagonal and a tile of k nodes touches O(sqrt k) others.
// Cost: two searches for every halving, O((n + edges) log(n / size)).
#pragma once

#include <cstdint>
#include <vector>

#include "surefield/core/neighbours.hpp"

namespace surefield {

/// The tile of every node, 0 .. count - 1, each of at most `size` >= 1 nodes. The lists of neighbours must be
/// symmetric.
struct GraphTiles {
  std::vector<std::uint32_t> of_node;
  std::uint32_t count = 0;
};
GraphTiles graph_tiles(Neighbours graph, Index size);

}  // namespace surefield
