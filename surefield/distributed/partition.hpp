// Which rank holds which blocks of a model, and in which waves all of them run.
//
// The unit is a block of neighbours in memory (core/colouring.hpp), so the order of the work, and with it every bit of
// the answer, does not depend on the partition: that decides only how much is sent. What is partitioned is
// the graph of blocks, a node a block, small enough that every rank knows it all.
//
//   blocks   consecutive blocks, as many to each rank: for graphs in a natural order, as grids
//   scotch   by Scotch (its 64-bit build), seeded, with as little as possible between ranks
//   random   for tests: nothing may depend on it
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/colouring.hpp"
#include "surefield/distributed/communicator.hpp"
#include "surefield/io/binary/binary_field.hpp"

namespace surefield {

/// Blocks that are read of a model before their pages are given back: 16 MB of a grid.
inline constexpr Index kReadAtOnce = 64;

/// Which blocks touch which, with the number of edges between them.
struct BlockGraph64 {
  std::vector<std::size_t> start{0};
  std::vector<std::uint32_t> list;
  std::vector<std::uint64_t> edges;  ///< beside the list
};

struct Partition {
  Index variables = 0;
  Index block = 1;                   ///< variables a block; the last may have fewer
  std::vector<std::uint32_t> owner;  ///< the rank of every block
  Waves waves;

  Index blocks() const { return owner.size(); }
  std::uint32_t owner_of(std::uint64_t variable) const { return owner[variable / block]; }
};

/// Collective. Throws Error if the blocks of the model touch so many others that there is nothing to share, or the way is
/// not one of the three.
Partition make_partition(const BinaryField& model, Index block, std::string_view way,
                         std::uint64_t seed, const Communicator& ranks);

}  // namespace surefield
