// The global maximum of a function on a small box: a grid, then coordinate refinement from its best
// points. A lower bound of the maximum that is within about 1e-6 for the smooth functions of the
// tests. n <= 6.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "surefield/core/box.hpp"

namespace surefield::testing {

using Function = std::function<double(std::span<const double>)>;

inline double refine(const Function& value, const Box& box, std::vector<double> x, double step) {
  double best = value(x);
  while (step > 1e-8) {
    bool better = false;
    for (std::size_t i = 0; i < x.size(); ++i)
      for (const double move : {-step, step}) {
        const double old = x[i];
        x[i] = box[i].clamp(old + move * box[i].width());
        const double now = x[i] == old ? best : value(x);
        if (now > best)
          best = now, better = true;
        else
          x[i] = old;
      }
    if (!better) step /= 2;
  }
  return best;
}

inline double global_maximum(const Function& value, const Box& box, int points_per_axis = 7) {
  const std::size_t n = box.size();
  std::size_t count = 1;
  for (std::size_t i = 0; i < n; ++i) count *= static_cast<std::size_t>(points_per_axis);
  std::vector<std::pair<double, std::vector<double>>> grid;
  for (std::size_t code = 0; code < count; ++code) {
    std::vector<double> x(n);
    std::size_t rest = code;
    for (std::size_t i = 0; i < n; ++i) {
      const double t = static_cast<double>(rest % static_cast<std::size_t>(points_per_axis)) /
                       (points_per_axis - 1);
      rest /= static_cast<std::size_t>(points_per_axis);
      x[i] = box.low[i] + t * box[i].width();
    }
    grid.emplace_back(value(x), x);
  }
  const std::size_t keep = std::min<std::size_t>(grid.size(), 5);
  std::partial_sort(grid.begin(), grid.begin() + static_cast<std::ptrdiff_t>(keep), grid.end(),
                    [](const auto& a, const auto& b) { return a.first > b.first; });
  double best = grid.front().first;
  for (std::size_t k = 0; k < keep; ++k)
    best = std::max(best, refine(value, box, grid[k].second, 1.0 / (points_per_axis - 1)));
  return best;
}

}  // namespace surefield::testing
