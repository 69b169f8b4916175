// Continuous double greedy: both points move in all coordinates at once, in T equal rounds.
//
//   x from the bottom, y from the top; w = top - bottom; per round
//   A_i = max(0, df/dx_i(x)),  B_i = max(0, -df/dx_i(y)),  r = A / (A + B)
//   x_i += w_i r_i / T,  y_i -= w_i (1 - r_i) / T
//
// value >= 1/2 optimum + 1/4 (value(bottom) + value(top)) in the limit of many rounds; the error is
// O(w'|Hessian|w / T). On [0,1]^n fewer than 16 rounds are poor; contract the box first.
// docs/algorithms/continuous_double_greedy.md has the proof. Cost: two full gradients a round, and
// every coordinate in a round is independent of the others.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/report.hpp"

namespace surefield {

/// `at(x)` makes the objective at a point. The box is the two corners. Once the budget is spent, the
/// lower point as it is.
template <class At>
Report continuous_double_greedy(At&& at, const Box& box, std::size_t rounds,
                                const Budget& budget = {}) {
  require(rounds > 0, "continuous double greedy: there are 0 rounds, but it takes at least 1");
  const Index n = box.size();
  auto below = box.low;
  auto above = box.high;
  std::vector<double> up(n);
  std::vector<double> down(n);
  Report report;
  for (std::size_t round = 0; round < rounds; ++round) {
    if (budget.spent()) {
      report.status = Status::kInterrupted;
      break;
    }
    at(below).gradient(up);
    at(above).gradient(down);
    const double left = 1 - static_cast<double>(round + 1) / static_cast<double>(rounds);
    for (Index i = 0; i < n; ++i) {
      const double width = box[i].width();
      if (width == 0) continue;
      const double a = std::max(0.0, up[i]);
      const double b = std::max(0.0, -down[i]);
      double share = 0.5;
      if (std::isfinite(a) && std::isfinite(b) && a + b > 0)
        share = a / (a + b);
      else if (std::isfinite(a) != std::isfinite(b))
        share = std::isfinite(a) ? 0 : 1;
      below[i] = box[i].clamp(below[i] + width * share / static_cast<double>(rounds));
      above[i] = round + 1 == rounds ? below[i] : box[i].clamp(below[i] + width * left);
    }
  }
  report.point = std::move(below);
  report.value = at(report.point).value();
  report.epochs = static_cast<double>(rounds);
  return report;
}

}  // namespace surefield
