// Frank-Wolfe on a box with a lower bound: the shrunken and the two-phase variant for non-monotone
// DR-submodular functions.
//
//   shrunken    x <- bottom; K times: v_i = top_i - x_i where the gradient is positive, else 0;
//               x += v / K                                                                     1/e
//   two-phase   steps 2/(k+2) to a point of small gap, then again under its complement         1/4
//
// A. Bian, K. Levy, A. Krause, J. Buhmann. Continuous DR-submodular maximization: structure and
// algorithms. NeurIPS 2017. The shrunken variant cannot raise a coordinate beyond
// bottom + (1 - (1-1/K)^K) width, about 0.63 of it. Cost: one full gradient an epoch.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/report.hpp"

namespace surefield {

struct FrankWolfeOptions {
  std::size_t epochs = 60;
  bool trace = false;
  Budget budget = {};
  double gap = 1e-6;  ///< two-phase: a phase ends at a point whose linearised gain is no more
};

/// The whole gradient of the objective, the direction that is right.
struct FullGradient {
  template <Objective O>
  void operator()(const O& objective, std::span<double> out) const {
    objective.gradient(out);
  }
};

/// The gradient of the multilinear part alone, without that of the entropy: what the paper's
/// released code follows. For reproducing its figures.
struct MultilinearGradient {
  template <class O>
  void operator()(const O& objective, std::span<double> out) const {
    objective.state().gradient(out);
  }
};

template <class At, class Direction = FullGradient>
Report shrunken_frank_wolfe(At&& at, const Box& box, const FrankWolfeOptions& options = {},
                            const Observer& observer = {}, Direction direction = {}) {
  require(options.epochs > 0, "frank-wolfe: there are 0 epochs, but it takes at least 1");
  auto state = at(box.low);
  std::vector<double> slope(box.size());
  Report report;
  report.status = Status::kDone;
  for (std::size_t epoch = 0; epoch < options.epochs; ++epoch) {
    direction(state, std::span(slope));
    for (Index i = 0; i < box.size(); ++i)
      if (slope[i] > 0)
        state.set(i, box[i].clamp(state.coordinate(i) + (box.high[i] - state.coordinate(i)) /
                                                            static_cast<double>(options.epochs)));
    report.epochs += 1;
    TracePoint now{report.epochs, options.trace ? state.value() : std::nan(""), 0};
    const bool go_on = (!observer || observer(now)) && !options.budget.spent();
    if (options.trace) report.trace.push_back(now);
    if (!go_on) {
      report.status = Status::kInterrupted;
      break;
    }
  }
  report.point = point_of(state);
  report.value = at(report.point).value();
  return report;
}

namespace detail {

/// Frank-Wolfe from just inside the bottom of the box; the iterate of the smallest gap <v - x,
/// gradient>.
template <class At>
Report least_gap_frank_wolfe(At& at, const Box& box, const FrankWolfeOptions& options,
                             const Observer& observer) {
  const Index n = box.size();
  auto x = box.low;
  for (Index i = 0; i < n; ++i)
    x[i] = box[i].clamp(x[i] + 1e-9 * box[i].width());  // the ELBO's slope is infinite at 0
  std::vector<double> slope(n);
  Report best;
  best.status = Status::kEpochLimit;
  best.point = x;
  double least = INFINITY;
  for (std::size_t k = 0; k < options.epochs; ++k) {
    const auto state = at(x);
    state.gradient(slope);
    double gap = 0;
    for (Index i = 0; i < n; ++i) {
      const double room = slope[i] > 0 ? box.high[i] - x[i] : box.low[i] - x[i];
      if (room != 0) gap += room * slope[i];
    }
    if (gap < least) least = gap, best.point = x;
    best.epochs += 1;
    TracePoint now{best.epochs, options.trace ? state.value() : std::nan(""), 0};
    const bool go_on = (!observer || observer(now)) && !options.budget.spent();
    if (options.trace) best.trace.push_back(now);
    if (gap <= options.gap || !go_on) {
      best.status = go_on ? Status::kConverged : Status::kInterrupted;
      break;
    }
    const double step = 2.0 / (static_cast<double>(k) + 2);
    for (Index i = 0; i < n;
         ++i)  // the first step would be 1 and land on a corner: keep just inside
      x[i] = box[i].clamp(x[i] + std::min(step, 1 - 1e-9) *
                                     ((slope[i] > 0 ? box.high[i] : box.low[i]) - x[i]));
  }
  best.value = at(best.point).value();
  return best;
}

}  // namespace detail

template <class At>
Report two_phase_frank_wolfe(At&& at, const Box& box, const FrankWolfeOptions& options = {},
                             const Observer& observer = {}) {
  require(options.epochs > 0, "frank-wolfe: there are 0 epochs, but it takes at least 1");
  Report first = detail::least_gap_frank_wolfe(at, box, options, observer);
  if (first.status == Status::kInterrupted) return first;
  Box under = box;  // what the first point leaves free: z <= width - (first - bottom)
  for (Index i = 0; i < box.size(); ++i)
    under.high[i] = std::max(box.low[i], box.high[i] - (first.point[i] - box.low[i]));
  const double offset = first.epochs;
  const Observer shifted =
      observer ? Observer([&](TracePoint& now) { return now.epoch += offset, observer(now); })
               : Observer();
  Report second = detail::least_gap_frank_wolfe(at, under, options, shifted);
  if (!observer)
    for (auto& now : second.trace) now.epoch += offset;
  Report& better = second.value > first.value ? second : first;
  Report report = better;
  report.status = second.status;
  report.trace = first.trace;
  report.trace.insert(report.trace.end(), second.trace.begin(), second.trace.end());
  report.epochs = first.epochs + second.epochs;
  return report;
}

}  // namespace surefield
