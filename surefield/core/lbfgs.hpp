// Unconstrained minimisation of a smooth function by limited-memory BFGS.
//
// The best point ever evaluated is returned, whatever ended the search: where the value at any
// point is already a valid answer (an upper bound, say), stopping early costs tightness only.
// The quasi-Newton steps and the line search are LBFGS++ (Y. Qiu, MIT licence). Cost: one
// evaluation per step as a rule, O(memory * n) beside it.
//
// J. Nocedal. Updating quasi-Newton matrices with limited storage. Mathematics of Computation 1980.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "surefield/core/report.hpp"

namespace surefield {

/// Returns the value at x and writes the gradient there.
using SmoothFunction = std::function<double(std::span<const double> x, std::span<double> gradient)>;

struct LbfgsOptions {
  std::size_t iterations = 200;
  std::size_t memory = 10;  ///< steps remembered
  double gradient = 1e-9;   ///< converged when the gradient's norm is at most that
  double progress = 1e-9;   ///< or when ten iterations gain less, relative to max(1, |value|)
};

struct LbfgsReport {
  std::vector<double> point;
  double value = 0;
  std::size_t evaluations = 0;
  /// kEpochLimit where the iterations ran out, kInterrupted where a value was not finite.
  Status status = Status::kConverged;
};

/// Ends quietly with what it has where a value is not finite or the line search fails, as it does
/// when only rounding is left. Throws Error if the value at the start is not finite.
LbfgsReport minimise(std::vector<double> start, const SmoothFunction& function,
                     const LbfgsOptions& options = {});

}  // namespace surefield
