// Minimisation of a smooth function where some variables may not be above 0 (or any upper bounds).
//
//   x <- P(x + t d)          P: the nearest point with x_k <= upper_k
//   d_k = 0                  where x_k is at its bound and the gradient pushes it beyond
//   d   = -H g on the rest   H: limited-memory BFGS from the steps, on those variables alone
//
// t is halved until the value falls by at least 1e-4 of what the gradient promises for the move made
// (Armijo along the projection arc); for a convex function the limit points are minima. The best point
// evaluated is returned, and it obeys the bounds exactly. Cost: one evaluation a step as a rule,
// O(memory * n) beside it.
//
// D. Bertsekas. Projected Newton methods for optimization problems with simple constraints. SIAM
// Journal on Control and Optimization 1982.
#pragma once

#include <span>
#include <vector>

#include "surefield/core/lbfgs.hpp"

namespace surefield {

/// Variables without a bound have upper +infinity. Options and report are those of minimise();
/// the tolerance of the gradient is of its projection. Throws Error if the value at the start, moved
/// below the bounds, is not finite.
LbfgsReport minimise_below(std::vector<double> start, std::span<const double> upper,
                           const SmoothFunction& function, const LbfgsOptions& options = {});

}  // namespace surefield
