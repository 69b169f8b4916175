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
#include <string_view>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/core/report.hpp"

namespace surefield {

/// Returns the value at x and writes the gradient there. Never asked at an x that is not finite.
/// What it throws comes out of minimise as it is.
using SmoothFunction = std::function<double(std::span<const double> x, std::span<double> gradient)>;

struct LbfgsOptions {
  std::size_t iterations = 200;
  std::size_t memory = 10;  ///< steps remembered
  double gradient = 1e-9;   ///< converged when the gradient's norm is at most that
  double progress = 1e-9;   ///< or when ten iterations gain less, relative to max(1, |value|)
  /// Lines are searched by halves, not by interpolation: where the function explodes beyond a point, as log Z does
  /// once couplings win, parabolas through such values creep and use up every line search.
  bool by_halves = false;
  /// Asked before every evaluation but the first. A function that asks it too returns NaN once it is
  /// spent, which ends the search at once.
  Budget budget = {};
};

/// What ended a search.
enum class LbfgsEnding {
  kConverged,   ///< the gradient or the progress of ten iterations met its tolerance
  kIterations,  ///< as many as allowed were made
  kLineSearch,  ///< no lower point was found on a line: rounding, a kink, or a wrong gradient
  kNotFinite,   ///< a value or a gradient was not finite
  kStopped      ///< the budget was spent
};

/// converged, iterations used up, line search failed, not finite, stopped.
std::string_view text_of(LbfgsEnding ending);

struct LbfgsReport {
  std::vector<double> point;
  double value = 0;  ///< NaN where the budget ended the first evaluation
  std::size_t evaluations = 0;
  LbfgsEnding ending = LbfgsEnding::kConverged;
  /// The ending among those of all runs: kConverged is the same, kInterrupted where a value was not
  /// finite or the budget was spent, kEpochLimit for the rest.
  Status status = Status::kConverged;
};

/// Ends with what it has where a value is not finite or the line search fails, as it does when only
/// rounding is left, and says so. Throws Error if the value at the start is not finite.
LbfgsReport minimise(std::vector<double> start, const SmoothFunction& function,
                     const LbfgsOptions& options = {});

}  // namespace surefield
