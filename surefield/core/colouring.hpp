// An order for large sparse fields: blocks of neighbours in memory, and inside a block the classes
// of a colouring.
//
// Nodes of one colour share no edge, so their coordinates commute: coordinate ascent and double
// greedy by classes equal a sequential order, bit for bit whatever runs them, and a class can be
// worked on by vector instructions. A block small enough for the cache keeps the passes over its
// colours from going to memory again. Greedy colouring in natural order: at most 1 + largest degree
// colours, two on a grid. Cost: O(n + edges).
#pragma once

#include <cstddef>
#include <vector>

#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

struct Colouring {
  std::vector<Index> order;             ///< a permutation of the nodes
  std::vector<std::size_t> class_ends;  ///< where in the order each (block, colour) ends
};

Colouring colour_in_blocks(const PairwiseField& model, Index block = 4096);

}  // namespace surefield
