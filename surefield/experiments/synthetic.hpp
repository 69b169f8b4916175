// The paper's synthetic experiment: random FLIDs small enough for log Z by enumeration.
//
//   W_id ~ U(0,1), u_i ~ 0.1 D U(0,1)        n = 10, 14, 18
//
// Values of all algorithms against D, mean and deviation over the repeats, and the trajectories of
// the first repeat at the two D the paper draws. The paper does not say whether u is drawn once or
// for each item (here: each), nor the D on the axis of the values (here: odd numbers around the two
// drawn), nor the epochs (here: 6, as for the ELBO of its data).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/core/crew.hpp"
#include "surefield/experiments/chart.hpp"
#include "surefield/experiments/ticker.hpp"

namespace surefield {

struct SyntheticOptions {
  std::uint64_t seed = 1;
  Index repeats = 10;
  Index largest = 18;  ///< items; larger instances are left out
  Budget budget = {};  ///< the answer does not depend on its threads
  ProgressReport progress = {};
  Crew* crew = nullptr;  ///< processes that share the problems
};

/// Mean and population deviation over the repeats.
struct SyntheticValue {
  Index items = 0, dimensions = 0;
  std::string_view algorithm;  ///< `log Z` for the exact one
  double mean = 0, deviation = 0;
};

struct Synthetic {
  std::uint64_t seed = 1;
  Index repeats = 0;
  std::vector<Chart> charts;
  std::vector<SyntheticValue> values;  ///< of every algorithm
  std::vector<SyntheticValue> log_z;   ///< exact
  bool complete = true;                ///< false if it was told to stop: whole (n, D) are missing
  double seconds = 0;
};

/// Throws Error without repeats.
Synthetic reproduce_synthetic(const SyntheticOptions& options);

std::string synthetic_text(const Synthetic& synthetic);
/// n,D,algorithm,mean,std, log Z among the algorithms; then the charts with a header of their own.
std::string synthetic_csv(const Synthetic& synthetic);
std::string synthetic_json(const Synthetic& synthetic);

}  // namespace surefield
