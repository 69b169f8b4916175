// The grid that separates the algorithms: biases U(0,4), couplings U(-4,0). Every start of
// coordinate ascent against `best`, and the certified gap that is left.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/experiments/ticker.hpp"

namespace surefield {

struct HardGridOptions {
  Index side = 100;
  std::uint64_t seeds = 5;
  double seconds = 60;       ///< to certify, a grid
  double wanted_gap = 1e-4;  ///< relative
  Budget budget = {};        ///< the answer does not depend on its threads
  ProgressReport progress = {};
};

struct HardGridRow {
  std::uint64_t seed = 0;
  /// Coordinate ascent from low, high, middle, random; DR-DoubleGreedy continued.
  std::vector<double> starts;
  double best = 0, upper_bound = 0, seconds = 0;

  double gap() const;  ///< (upper bound - best) / |best|
};

struct HardGrid {
  std::vector<HardGridRow> rows;
  bool complete = true;  ///< false if it was told to stop
  double seconds = 0;
};

HardGrid hard_grid(const HardGridOptions& options);

std::string hard_grid_text(const HardGrid& grids);
std::string hard_grid_csv(const HardGrid& grids);  ///< a start a row, then best and its bound
std::string hard_grid_json(const HardGrid& grids);

}  // namespace surefield
