// The grid that separates the algorithms: biases U(0,4), couplings U(-4,0). Every start of coordinate ascent against `best`,
// and the certified gap that is left.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "surefield/core/concepts.hpp"

namespace surefield {

struct HardGridOptions {
  Index side = 100;
  std::uint64_t seeds = 5;
  double seconds = 60;       ///< to certify, a grid
  double wanted_gap = 1e-4;  ///< relative
  unsigned threads = 1;
  std::function<bool()> go_on = {};
};

struct HardGridRow {
  std::uint64_t seed = 0;
  std::vector<double>
      starts;  ///< coordinate ascent from low, high, middle, random; DR-DoubleGreedy continued
  double best = 0, upper_bound = 0, seconds = 0;
};

std::vector<HardGridRow> hard_grid(const HardGridOptions& options);
std::string hard_grid_text(const std::vector<HardGridRow>& rows);

}  // namespace surefield
