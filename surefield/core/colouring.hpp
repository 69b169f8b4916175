// An order for many coordinates that interact with few: blocks of neighbours in memory, inside a block
// the classes of a colouring, and waves of blocks that do not touch.
//
// Coordinates of one class do not interact, nor do those of two blocks of one wave, so both commute:
// a class can be worked on by vector instructions and a wave by threads, with the bits of the
// sequential order whatever runs them. A block small enough for the cache keeps the passes over its
// colours from going to memory again. Greedy colourings in natural order: at most 1 + largest degree
// colours, two on a grid, and two waves where blocks touch the ones beside them only.
// Cost: O(n + pairs).
#pragma once

#include <cstddef>
#include <vector>

#include "surefield/core/neighbours.hpp"

namespace surefield {

struct Colouring {
  std::vector<Index> order;             ///< a permutation of the coordinates
  std::vector<std::size_t> class_ends;  ///< where in the order each (block, colour) ends
  std::vector<std::size_t> block_ends;  ///< after how many classes each block ends
  std::vector<std::size_t> wave_ends;   ///< after how many blocks each wave ends
};

/// The lists of neighbours must be symmetric.
Colouring colour_in_blocks(Neighbours neighbours, Index block = 4096);

}  // namespace surefield
