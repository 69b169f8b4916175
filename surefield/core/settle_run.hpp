// One step of mean field for every node of a run of a grid (grid_runs.hpp), all at once:
//
//   x_i <- clamp(sigmoid(beta (bias_i + w_i0 x_{i-up} + w_i1 x_{i-1} + w_i2 x_{i+1} + w_i3 x_{i+down})))
//
// with the bits of doing so one by one: the same operations in the same order, by vector instructions where the machine has them. A
// step waits for an exponential and a division, so four nodes go abreast, or eight, and two or three registers of them step by step; what comes after them is fetched from memory in the background (GridRun::ahead).
//
// Who sweeps often packs the runs first. In the arrays of a field the nodes of a run lie between those of the other colour, and the couplings of a node side by
// side: every line is read for both colours, and half of the instructions put numbers into lanes. Packed, they lie as the registers
// take them, one after another in the order of visits, and are read once a sweep. 40 bytes a node more; it takes as long as three sweeps, or thirty
// where the machine has to find the memory.
// Cost: 1.4 to 3 ns a node in the cache, 2 to 6 from memory.
#pragma once

#include <cstddef>

#include "surefield/core/grid_runs.hpp"

namespace surefield {

/// The arrays of a field and its point. Without a box low and high are null.
struct RunArrays {
  const double* bias;
  const double* coupling;
  double* x;
  const double* low;
  const double* high;
  const double* packed = nullptr;  ///< all runs, by pack_run; not read where there is a box
};

struct RunMoves {
  double largest = 0;
  std::size_t moved = 0;  ///< by more than `wakes`
};

/// Writes nothing but nodes from the first of the run to the one behind the last; those that are not in it keep their value.
RunMoves settle_run(const GridRun& run, const RunArrays& arrays, double beta, double wakes);

/// Where GridRun::packed says, what settle_run of this machine reads.
void pack_run(const GridRun& run, const RunArrays& arrays, double* packed);

namespace detail {

/// The same, four abreast whatever the machine has.
RunMoves settle_by_four(const GridRun& run, const RunArrays& arrays, double beta, double wakes);
void pack_by_four(const GridRun& run, const RunArrays& arrays, double* packed);

}  // namespace detail

}  // namespace surefield
