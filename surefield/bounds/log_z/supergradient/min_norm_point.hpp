// The minimum of any submodular function G with G(empty) = 0, known by its marginal gains only.
//
// The base polytope's point x of least norm tells a minimiser: {i : x_i < 0}. Wolfe's algorithm
// finds it as a combination of vertices, each made by a greedy pass over the items by ascending x.
// Every pass also tries all the sets along its way, and every x bounds the minimum from below:
//
//   sum_i min(x_i, 0)  <=  min_A G(A)  <=  G(best set seen)
//
// Cost: per iteration n gains and one solve with as many unknowns as vertices, at most n + 1. The
// iterations are few as a rule; good up to some hundreds of items.
//
// S. Fujishige, S. Isotani. A submodular function minimization algorithm based on the minimum-norm
// base. Pacific Journal of Optimization 2011. P. Wolfe. Finding the nearest point in a polytope.
// Mathematical Programming 1976.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/core/report.hpp"

namespace surefield {

/// Writes to gains[k] what order[k] adds to the items before it in the order.
using PrefixGains = std::function<void(std::span<const Index> order, std::span<double> gains)>;

struct MinNormOptions {
  std::size_t iterations = 2000;
  /// Of the gap between the two bounds, relative to the largest gain; a hundred times that will do
  /// where rounding stops the search.
  double tolerance = 1e-10;
  Budget budget = {};
};

struct MinNormReport {
  std::vector<std::uint8_t> set;  ///< the best set seen
  double value = 0;               ///< its G
  double lower_bound = 0;         ///< no set has less, if G is submodular
  std::size_t iterations = 0;
  Status status = Status::kConverged;
};

MinNormReport minimise_submodular(Index n, const PrefixGains& gains,
                                  const MinNormOptions& options = {});

}  // namespace surefield
