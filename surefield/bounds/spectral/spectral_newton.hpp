// The search for the best spectral bound of up to some hundred items: Newton's method on the barrier (barrier.hpp), its
// weight falling after every full step. Some 15 to 25 steps from the start, a few from the point of a like problem.
#pragma once

#include "surefield/bounds/spectral/barrier.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {

struct SpectralSearchOptions {
  double precision = 1e-4;     ///< ends where the barrier leaves so much of max(1, |bound|)
  double begin = 0;            ///< the weight to begin with; 0: by the size of the couplings
  std::size_t steps = 40;      ///< of Newton's method, at most
  double enough = -kInfinity;  ///< or where the bound is below this
  double patience = 0;         ///< or where the barrier leaves so little of what it is above that
  Budget budget = {};
};

struct SpectralSearchResult {
  SpectralPoint point;
  Eigen::VectorXd z;
  Eigen::VectorXd spread;  ///< d_i times the variance of item i: what the bound owes to it
  double weight = 0;       ///< of the barrier at the end
  std::size_t steps = 0;
};

/// The point of d for which z is the middle of the box.
SpectralPoint middle_point(const Quadratic& quadratic, Eigen::VectorXd d);

/// A point where D - W is diagonally dominant and z is the middle of the box.
SpectralPoint dominant_point(const Quadratic& quadratic);

/// From a point where D - W is positive definite. The barrier stays at the point found.
SpectralSearchResult spectral_newton(SpectralBarrier& barrier, SpectralPoint start,
                                     const SpectralSearchOptions& options = {});

}  // namespace surefield
