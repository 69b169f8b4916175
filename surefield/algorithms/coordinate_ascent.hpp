// Coordinate ascent: every coordinate in turn goes to the best point of its line, until none moves.
//
// On the ELBO this is the classical naive mean field iteration x_i <- sigmoid(slope_i). The value
// never falls; the limit is a local optimum only, with no guarantee how far from the best. Cost:
// one line and one set per coordinate and epoch.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/order.hpp"
#include "surefield/core/report.hpp"

namespace surefield {

struct CoordinateAscentOptions {
  std::size_t epochs = 10000;   ///< at most; strongly coupled models need hundreds
  double tolerance = 1e-10;     ///< converged when no coordinate moves by more
  bool trace = false;           ///< the value after every epoch, at the cost of computing it
  Budget budget = {};           ///< ends it, also within an epoch
  std::size_t first_epoch = 0;  ///< where in the order to begin, for a run that continues another
};

namespace detail {

/// One epoch, coordinate by coordinate; the largest move, infinite if time ran out.
template <Objective O>
double sweep(O& state, const Box& box, std::span<const Index> order, Ticks& ticks) {
  double largest_move = 0;
  for (const Index i : order) {
    if (ticks.spent()) return kInfinity;
    const Interval in = box[i];
    if (in.is_point()) continue;
    const double u = state.line(i).argmax(in);
    largest_move = std::max(largest_move, std::abs(u - state.coordinate(i)));
    state.set(i, u);
  }
  return largest_move;
}

/// One epoch, class by class: the coordinates of a class do not interact, so their lines are
/// maximised together.
template <BatchObjective O>
double sweep_classes(O& state, const Box& box, std::span<const Index> order,
                     std::span<const std::size_t> class_ends, std::vector<double>& best,
                     const Budget& budget) {
  double largest_move = 0;
  std::size_t start = 0;
  for (const std::size_t end : class_ends) {
    if (budget.spent()) return kInfinity;
    const auto ids = order.subspan(start, end - start);
    if (best.size() < ids.size()) best.resize(ids.size());
    state.argmax_batch(ids, box, best);
    for (Index k = 0; k < ids.size(); ++k) {
      largest_move = std::max(largest_move, std::abs(best[k] - state.coordinate(ids[k])));
      state.set(ids[k], best[k]);
    }
    start = end;
  }
  return largest_move;
}

}  // namespace detail

/// From the point the state is at, which must lie in the box.
template <Objective O>
Report coordinate_ascent(O state, const Box& box, Order order,
                         const CoordinateAscentOptions& options = {},
                         const Observer& observer = {}) {
  Report report;
  report.status = Status::kEpochLimit;
  std::vector<double> best;
  Ticks ticks(options.budget, 16);
  for (std::size_t epoch = 0; epoch < options.epochs; ++epoch) {
    const auto list = order.epoch(options.first_epoch + epoch);
    double largest_move = 0;
    if constexpr (BatchObjective<O>) {
      largest_move =
          order.class_ends().empty()
              ? detail::sweep(state, box, list, ticks)
              : detail::sweep_classes(state, box, list, order.class_ends(), best, options.budget);
    } else {
      largest_move = detail::sweep(state, box, list, ticks);
    }
    report.epochs += 1;
    const bool converged = largest_move <= options.tolerance;
    if (converged) report.status = Status::kConverged;
    if (!converged && options.budget.spent()) report.status = Status::kInterrupted;
    if (options.trace || observer) {
      TracePoint now{report.epochs, options.trace ? state.value() : std::nan(""), 0};
      const bool go_on = !observer || observer(now);
      if (options.trace) report.trace.push_back(now);
      if (!go_on && !converged) report.status = Status::kInterrupted;
      if (!go_on) break;
    }
    if (report.status != Status::kEpochLimit) break;
  }
  report.point = point_of(state);
  report.value = state.value();
  return report;
}

}  // namespace surefield
