// An order for many coordinates that interact with few: blocks of neighbours in memory, inside a block
// the classes of a colouring, and waves of blocks that do not touch.
//
// Coordinates of one class do not interact, nor do those of two blocks of one wave, so both commute:
// a class can be worked on by vector instructions, a wave by threads and by processes, with the bits of the
// sequential order whatever runs them. A block small enough for the cache keeps the passes over its
// colours from going to memory again.
//
// A block is coloured by itself, breadth first from its first coordinate: two colours where it has no odd circle, as on a
// grid, and nothing outside it matters, so that blocks can be coloured wherever they are. Waves are a greedy
// colouring of the blocks in natural order: at most 1 + largest number of blocks that touch one, two where
// blocks touch the ones beside them only. Cost: O(n + pairs).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "surefield/core/neighbours.hpp"

namespace surefield {

struct Colouring {
  std::vector<Index> order;             ///< a permutation of the coordinates
  std::vector<std::size_t> class_ends;  ///< where in the order each (block, colour) ends
  std::vector<std::size_t> block_ends;  ///< after how many classes each block ends
  std::vector<std::size_t> wave_ends;   ///< after how many blocks each wave ends
};

/// Coordinates a block of a model of n: 4096 where there are many, fewer where several threads or processes could not share
/// them otherwise; a multiple of 64, the blocks of core/block_sum.hpp.
Index block_for(Index n);

/// The lists of neighbours must be symmetric.
Colouring colour_in_blocks(Neighbours neighbours, Index block);
inline Colouring colour_in_blocks(Neighbours neighbours) {
  return colour_in_blocks(neighbours,
                          block_for(neighbours.empty() ? 0 : neighbours.start.size() - 1));
}

/// The wave of every block, told which blocks touch which, and how many waves there are.
struct Waves {
  std::vector<std::uint32_t> of_block;
  std::uint32_t count = 0;
};
Waves waves_of(Neighbours blocks);

/// Blocks in the given waves, those of a wave ascending, each by its classes. Coordinates from `n` on, which are somebody
/// else's, are neighbours and nothing more. A wave may have no block.
Colouring arrange(Neighbours neighbours, Index n, Index block,
                  std::span<const std::uint32_t> wave_of_block, std::uint32_t waves);

}  // namespace surefield
