// A fixed point of mean field to the last digits: sweeps, then Newton's method, then a sweep as proof.
//
//   x = clamp(sigmoid(beta g(x)))      Newton:  (I - D H) step = sigmoid(beta g(x)) - x,  D = beta s (1 - s)
//
// Coordinate ascent converges linearly, so most of its sweeps buy digits that two or three Newton steps
// give at once. Once no coordinate moves by more than kNearFixedPoint in a sweep, steps are made by a few
// conjugate gradients on products H v (curvature.hpp) as long as each halves the distance at least. What ends the
// run is always a sweep that moves nothing by more than the tolerance; if the sweep after Newton moves
// more than the one before, or the curvature is not that of a maximum, all is undone and sweeps go on alone.
//
// Cost: as coordinate ascent, about a third of its sweeps; a Newton step is about ten products H v.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/core/random.hpp"
#include "surefield/learn/curvature.hpp"
#include "surefield/learn/extension_derivatives.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {

inline constexpr double kNearFixedPoint = 0.1;

struct FixedPointOptions {
  double inverse_temperature = 1;
  std::size_t epochs = 1000;  ///< sweeps and Newton steps, at most
  double tolerance = 1e-10;   ///< converged when no coordinate moves by more in a sweep
  Budget budget = {};
};

struct FixedPoint {
  Status status = Status::kEpochLimit;
  std::vector<double> point;
  std::size_t epochs = 0;
};

namespace detail {

/// Newton steps from x, which they move, until the residual is below `enough` or no longer halves.
/// How many were made; x is to be trusted only as far as a sweep confirms it.
template <class M, class Derivatives>
std::size_t newton_steps(const M& model, const Derivatives& derivatives, std::vector<double>& x,
                         const Box& box, double beta, double enough, std::size_t most) {
  const HessianProduct product = [&](std::span<const double> v) {
    return derivatives.hessian_times(x, v);
  };
  std::vector<double> gradient(x.size()), right;
  double last = kInfinity;
  for (std::size_t made = 0;; ++made) {
    model.at(x).gradient(gradient);
    const Curvature curvature(product, x, gradient, box, beta);
    const auto free = curvature.free();
    right.resize(free.size());
    double residual = 0;
    for (Index k = 0; k < free.size(); ++k) {
      const double off = curvature.peak()[free[k]] - x[free[k]];
      residual = std::max(residual, std::abs(off));
      right[k] = off / curvature.root()[k];
    }
    if (residual <= enough || !(residual < last / 2) || made == most) return made;
    last = residual;
    const CurvatureSolution step =
        solve_iteratively(curvature, right, 50, std::clamp(residual, 1e-6, 1e-2), false);
    if (step.status != GradientStatus::kDone) return made;
    for (Index k = 0; k < free.size(); ++k) {
      const Interval in = box[free[k]];
      const double wish = x[free[k]] + curvature.root()[k] * step.solution[k];
      // Never all the way to a bound, from which a coordinate would not come back.
      x[free[k]] = std::clamp(wish, (x[free[k]] + in.low) / 2, (x[free[k]] + in.high) / 2);
    }
  }
}

}  // namespace detail

/// From `start`, inside the box.
template <DifferentiableModel M, class Derivatives>
FixedPoint fixed_point(const M& model, const Derivatives& derivatives, std::vector<double> start,
                       const Box& box, const FixedPointOptions& options) {
  FixedPoint result;
  const std::vector<Index> order = natural_order(model.size());
  Ticks ticks(options.budget, 16);
  Elbo state(model.at(start), options.inverse_temperature);
  std::vector<double> before;  // where Newton began, in case it has to be undone
  double move_before = kInfinity;
  bool newton = true;
  while (result.epochs < options.epochs) {
    const double move = detail::sweep(state, box, order, ticks);
    ++result.epochs;
    if (move <= options.tolerance) result.status = Status::kConverged;
    if (std::isinf(move)) result.status = Status::kInterrupted;
    if (result.status != Status::kEpochLimit) break;
    if (!before.empty() && move > move_before) {
      state = Elbo(model.at(before), options.inverse_temperature);
      before.clear();
      newton = false;
      continue;
    }
    before.clear();
    if (!newton || move > kNearFixedPoint) continue;
    before = point_of(state);
    move_before = move;
    std::vector<double> x = before;
    const std::size_t steps =
        detail::newton_steps(model, derivatives, x, box, options.inverse_temperature,
                             options.tolerance / 4, options.epochs - result.epochs);
    result.epochs += steps;
    newton = steps > 0;
    if (newton)
      state = Elbo(model.at(x), options.inverse_temperature);
    else
      before.clear();
  }
  result.point = point_of(state);
  return result;
}

}  // namespace surefield
