// Derivatives of the marginals through the sweeps of coordinate ascent that produced them.
//
//   step t:  x_i <- clamp(sigmoid(beta g_i(x; theta)))       forward, the old x_i kept
//   back:    z = beta x_i (1 - x_i) dL/dx_i                  0 where the clamp holds
//            dL/dx_i <- 0,  dL/dx += z H_i,  dL/dtheta += z dg_i/dtheta
//
// Exact for the number of sweeps made, whether they have converged or not: the fallback where the
// fixed point is near a bifurcation (implicit.hpp), and the choice where the loss is of what a few
// sweeps give. At convergence it equals the implicit gradient. Coordinates that do not interact (a
// class of a coloured order) go back together.
//
// Cost: forward as coordinate ascent, memory O(sweeps * n); back O(entries) per class of
// coordinates, so O(sweeps * n * entries) unless the order is coloured. A facility location goes back
// coordinate by coordinate at 2 ns an entry (facility_derivatives.hpp).
#pragma once

#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/order.hpp"
#include "surefield/learn/extension_derivatives.hpp"
#include "surefield/learn/marginal_gradient.hpp"

namespace surefield {

struct UnrolledOptions {
  double inverse_temperature = 1;
  std::size_t sweeps = 100;  ///< at most
  double tolerance = 1e-12;  ///< stops when no coordinate moves by more; 0: all sweeps are made
};

/// The path of coordinate ascent, to be gone back along.
struct UnrolledAscent {
  struct Step {
    Index item;
    double before, after;
    bool moved_freely;  ///< not held by a bound of the box
  };
  std::vector<double> point;           ///< where it ended
  std::vector<Step> path;              ///< in the order made
  std::vector<std::size_t> class_end;  ///< into the path; steps of a class do not interact
  std::size_t sweeps = 0;
  double last_move = 0;  ///< the largest of the last sweep
  UnrolledOptions options;
};

/// From `start`, inside the box ([0, 1]^n if none is given), in the order given. Throws Error where
/// it is not, for an order of other than n items, and for a temperature or tolerance out of range.
template <DifferentiableModel M>
UnrolledAscent unrolled_ascent(const M& model, std::span<const double> start, Order order,
                               const UnrolledOptions& options = {}, const Box* box = nullptr) {
  const double beta = options.inverse_temperature;
  require(std::isfinite(beta) && beta > 0, "unrolled gradient: the inverse temperature is ", beta,
          ", which must be finite and > 0");
  require(options.tolerance >= 0, "unrolled gradient: the tolerance is ", options.tolerance,
          ", which must be >= 0");
  const Box where = box ? *box : unit_box(model.size());
  require_inside_unit(where, model.size());
  require_inside(where, start);
  UnrolledAscent ascent;
  ascent.options = options;
  auto state = model.at(start);
  while (ascent.sweeps < options.sweeps) {
    const std::span<const Index> list = order.epoch(ascent.sweeps);
    require(list.size() == model.size(), "unrolled gradient: the order has ", list.size(),
            " items, the model ", model.size());
    const std::span<const std::size_t> ends = order.class_ends();
    const std::size_t first = ascent.path.size();
    ascent.last_move = 0;
    for (Index k = 0; k < list.size(); ++k) {
      const Index i = list[k];
      const double peak = sigmoid(beta * state.partial(i));
      const double after = where[i].clamp(peak);
      const bool free = peak > where.low[i] && peak < where.high[i];
      ascent.last_move = std::max(ascent.last_move, std::abs(after - state.coordinate(i)));
      ascent.path.push_back({i, state.coordinate(i), after, free});
      state.set(i, after);
      if (ends.empty()) ascent.class_end.push_back(ascent.path.size());
    }
    for (const std::size_t end : ends) ascent.class_end.push_back(first + end);
    ascent.sweeps += 1;
    if (options.tolerance > 0 && ascent.last_move <= options.tolerance) break;
  }
  ascent.point = point_of(state);
  return ascent;
}

/// dL/dtheta from loss_slope = dL/dx at ascent.point. `residual` is the largest move of the last
/// sweep; no system is solved, so the condition is 1.
template <DifferentiableModel M>
MarginalGradient unrolled_gradient(const M& model, const UnrolledAscent& ascent,
                                   std::span<const double> loss_slope) {
  const Index n = model.size();
  require(loss_slope.size() == n && ascent.point.size() == n, "unrolled gradient: the loss has ",
          loss_slope.size(), " slopes and the path ", ascent.point.size(),
          " items, which must be one for each of ", n, " items");
  const auto derivatives = derivatives_of(model);
  const double beta = ascent.options.inverse_temperature;
  MarginalGradient result;
  result.residual = ascent.last_move;
  std::vector<double> x = ascent.point;
  std::vector<double> slope(loss_slope.begin(), loss_slope.end());
  std::vector<double> back(n, 0.0);                              // z of the class at hand
  result.parameters = derivatives.in_parameters_along(x, back);  // zeros, as many as there are
  for (std::size_t c = ascent.class_end.size(); c-- > 0;) {
    const std::size_t first = c == 0 ? 0 : ascent.class_end[c - 1];
    const std::span steps(ascent.path.data() + first, ascent.class_end[c] - first);
    bool any = false;
    for (const auto& step : steps) {
      const double z = step.after * (1 - step.after) * slope[step.item];
      slope[step.item] = 0;
      x[step.item] = step.before;  // g_i and H_i do not depend on it
      if (!step.moved_freely || z == 0) continue;
      back[step.item] = beta * z;
      result.inverse_temperature += z * logit(step.after) / beta;
      any = true;
    }
    if (!any) continue;
    if constexpr (requires { derivatives.add_back(x, Index{}, 0.0, slope, result.parameters); }) {
      if (steps.size() == 1) {
        const Index i = steps[0].item;
        derivatives.add_back(x, i, std::exchange(back[i], 0.0), slope, result.parameters);
        continue;
      }
    }
    const std::vector<double> onward = derivatives.hessian_times(x, back);
    const std::vector<double> share = derivatives.in_parameters_along(x, back);
    for (Index i = 0; i < n; ++i) slope[i] += onward[i];
    for (std::size_t p = 0; p < share.size(); ++p) result.parameters[p] += share[p];
    for (const auto& step : steps) back[step.item] = 0;
  }
  std::vector<std::uint8_t> free(n, 0);
  for (const auto& step : ascent.path) free[step.item] = step.moved_freely;
  for (const auto one : free) result.free_coordinates += one;
  return result;
}

}  // namespace surefield
