// Holds an objective on a box to a slow reference function: a random walk, corners included,
// checked at each step.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/core/random.hpp"
#include "tests/support/line_laws.hpp"

namespace surefield::testing {

struct ObjectiveLawOptions {
  double tolerance = 1e-10;  ///< relative to the largest |value| seen
  int moves = 30;
  bool corners = true;  ///< whether the walk visits the ends of intervals
};

/// Checks: set moves one coordinate only; value() is the reference; a line rises as the reference
/// does, and obeys the line laws; gradient writes the slopes; raising a coordinate raises no slope
/// of another line; a copy moves on its own. `at(x)` makes the objective at a point, `reference(x)`
/// is the function by definition.
template <class At, class Reference>
void check_objective_laws(const At& at, const Reference& reference, const Box& box,
                          std::uint64_t seed, ObjectiveLawOptions options = {}) {
  SCOPED_TRACE(::testing::Message() << "objective laws, seed " << seed << ", n = " << box.size());
  const Index n = box.size();
  Random random(seed);
  const auto draw = [&](Interval in) {
    if (options.corners && random.chance(0.4)) return random.chance(0.5) ? in.low : in.high;
    return random.uniform(in.low, in.high);
  };
  std::vector<double> x(n);
  for (Index i = 0; i < n; ++i) x[i] = draw(box[i]);
  auto objective = at(std::span<const double>(x));
  static_assert(Objective<decltype(objective)>);
  ASSERT_EQ(objective.size(), n);
  std::vector<double> gradient(n);
  double scale = 1;
  for (int move = 0; move <= options.moves; ++move) {
    const auto before = objective;
    const auto x_before = x;
    Index moved = n;
    if (move > 0 && n > 0) {
      moved = random.below(n);
      x[moved] = draw(box[moved]);
      objective.set(moved, x[moved]);
    }
    ASSERT_EQ(point_of(objective), x) << "another coordinate moved, at move " << move;
    ASSERT_EQ(point_of(before), x_before) << "the copy moved too, at move " << move;
    const double value = reference(std::span<const double>(x));
    scale = std::max(scale, std::abs(value));
    const double tolerance = options.tolerance * scale;
    ASSERT_NEAR(objective.value(), value, tolerance) << "value at move " << move;
    objective.gradient(gradient);
    for (Index j = 0; j < n; ++j) {
      const auto line = objective.line(j);
      ASSERT_EQ(gradient[j], line.slope(x[j])) << "gradient along " << j;
      const double u = draw(box[j]);
      auto other = x;
      other[j] = u;
      const double rise = reference(std::span<const double>(other)) - value;
      ASSERT_NEAR(line.rise(x[j], u), rise, tolerance + options.tolerance * std::abs(rise))
          << "rise along " << j << " at move " << move;
      if (!box[j].is_point()) check_line_laws(line, box[j], scale);
      if (::testing::Test::HasFatalFailure()) return;
      if (moved < n && j != moved) {
        const double v = random.uniform(box[j].low, box[j].high);
        const double change = line.slope(v) - before.line(j).slope(v);
        const double slack = tolerance + options.tolerance * std::abs(line.slope(v));
        if (x[moved] >= x_before[moved]) {
          ASSERT_LE(change, slack) << "not antitone along " << j;
        } else {
          ASSERT_GE(change, -slack) << "not antitone along " << j;
        }
      }
    }
  }
}

}  // namespace surefield::testing
