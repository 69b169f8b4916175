// Where a coloured order goes along the rows of a grid: runs of every other node, each with four neighbours at the same distances.
//
//   first, first + 2, first + 4, ...      with the neighbours  i - up, i - 1, i + 1, i + down
//
// Whoever settles a run (settle_run.hpp) reads no order, no starts and no lists of neighbours, and goes along all arrays
// in steps that vector registers like. Any grid of four neighbours whose nodes are numbered row by row is made of such runs but for
// its rim; so are parts of one. Cost: O(n) to find them, 56 bytes a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "surefield/core/neighbours.hpp"

namespace surefield {

/// Nodes of a run that is worth its beginning and its end, and no fewer than fill a vector register.
inline constexpr std::uint32_t kShortestRun = 16;

struct GridRun {
  Index first;
  std::size_t first_end;  ///< of its edge ends, four a node
  std::uint32_t
      count;  ///< of nodes in the run, at least kShortestRun; those between them have four neighbours too, and behind the last, above it and below it there is one more
  std::uint32_t up, down;
  Index ahead =
      0;  ///< so many nodes from here on are worth fetching from memory while the run is settled
  std::size_t packed = 0;  ///< where its fields begin if all runs are packed (settle_run.hpp)
};

/// What is packed is asked for so many doubles ahead, also behind the last run, where they are to be kept free.
inline constexpr std::size_t kPackedAhead = 4096;

/// The runs of every class, and whoever is in none.
struct GridRuns {
  std::vector<GridRun> runs;
  std::vector<std::size_t> run_ends;  ///< a class
  std::vector<Index> rest;
  std::vector<std::size_t> rest_ends;  ///< a class
  std::size_t packed_size = 0;         ///< of all runs, in doubles, and what is kept free

  bool empty() const { return runs.empty(); }
};

/// Of the classes of an order. Lists of neighbours ascend. Empty where most coordinates are in no run.
GridRuns find_grid_runs(std::span<const Index> order, std::span<const std::size_t> class_ends,
                        Neighbours neighbours);

}  // namespace surefield
