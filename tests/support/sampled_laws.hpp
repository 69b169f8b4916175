// Holds a sampling state to the mean of F over its own sets, worked out afresh from their
// definition at each step.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/core/random.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/state_laws.hpp"

namespace surefield::testing {

/// The mean of F over the sets {i : u(seed, k, i) < x_i}, by definition.
template <Model M>
double empirical_extension(const M& model, std::span<const double> x) {
  CompensatedSum sum;
  std::vector<std::uint8_t> chosen(model.size());
  for (Index k = 0; k < model.samples; ++k) {
    for (Index i = 0; i < model.size(); ++i) chosen[i] = keyed_uniform(model.seed, k, i) < x[i];
    sum.add(model.evaluate(chosen));
  }
  return sum.value() / static_cast<double>(model.samples);
}

/// Checks L1 to L6 of MultilinearState against the empirical extension, that partial(i) ignores
/// x_i, and that the same point gives the same bits whatever the way to it. Any n.
template <Model M>
void check_sampled_laws(const M& model, std::uint64_t seed, LawOptions options = {}) {
  SCOPED_TRACE(::testing::Message() << "sampled laws, seed " << seed << ", n = " << model.size());
  const Index n = model.size();
  Random random(seed);
  std::vector<double> x(n);
  for (double& v : x) v = random_coordinate(random);
  auto state = model.at(x);
  ASSERT_EQ(state.size(), n);
  std::vector<double> gradient(n);
  for (int move = 0; move <= options.moves; ++move) {
    const auto before = state;
    std::vector<double> gradient_before(n);
    before.gradient(gradient_before);
    Index moved = n;
    if (move > 0 && n > 0) {
      moved = random.below(n);
      x[moved] = random_coordinate(random);
      state.set(moved, x[moved]);
      if (random.chance(0.3)) continue;  // several moves between two questions
    }
    ASSERT_EQ(point_of(state), x) << "L1 at move " << move;
    const double truth = empirical_extension(model, x);
    const double tolerance = options.tolerance * std::max(1.0, std::abs(truth));
    ASSERT_NEAR(state.value(), truth, tolerance) << "L2 at move " << move;
    const auto fresh = model.at(x);
    ASSERT_EQ(state.value(), fresh.value()) << "the way to the point shows at move " << move;
    state.gradient(gradient);
    for (Index j = 0; j < n; ++j) {
      auto low = x;
      auto high = x;
      low[j] = 0;
      high[j] = 1;
      const double slope = empirical_extension(model, high) - empirical_extension(model, low);
      const double slack = tolerance + options.tolerance * std::abs(slope);
      ASSERT_NEAR(state.partial(j), slope, slack) << "L3 or L5 along " << j << " at move " << move;
      ASSERT_EQ(gradient[j], state.partial(j)) << "L6 along " << j << " at move " << move;
      ASSERT_EQ(gradient[j], fresh.partial(j)) << "the way to the point shows along " << j;
      if (moved >= n) continue;
      if (j == moved) {
        ASSERT_NEAR(gradient[j], gradient_before[j], slack) << "L3: depends on its own coordinate";
      } else if (options.submodular && x[moved] > before.coordinate(moved)) {
        ASSERT_LE(gradient[j], gradient_before[j] + slack) << "L4 along " << j;
      }
    }
  }
}

}  // namespace surefield::testing
