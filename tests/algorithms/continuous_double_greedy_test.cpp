#include "surefield/algorithms/continuous_double_greedy.hpp"

#include <gtest/gtest.h>

#include "surefield/core/random.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/global_search.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

TEST(ContinuousDoubleGreedy, TwoRoundsByHand) {
  const PairwiseField model = make_pairwise_field({1.0}, {});
  const auto at = [&](std::span<const double> x) { return Elbo(model.at(x)); };
  // Round 1 at 0 and 1: both slopes infinite, so half of the step 1/2: x = 1/4, y = 3/4.
  // Round 2: slope at 1/4 is 1 + log 3 = 2.098612; at 3/4 it is 1 - log 3 = -0.098612:
  // share 2.098612 / 2.197225.
  const auto report = continuous_double_greedy(at, unit_box(1), 2);
  EXPECT_NEAR(report.point[0], 0.25 + 0.5 * (1 + std::log(3)) / (2 * std::log(3)), 1e-15);
  EXPECT_NEAR(report.value, report.point[0] + entropy(report.point[0]), 1e-15);
}

TEST(ContinuousDoubleGreedy, KeepsItsGuaranteeWithManyRounds) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = random.below(4);
    const PairwiseField model = testing::random_pairwise(n, 0.8, seed);
    Box box = unit_box(n);
    if (seed % 2 == 0)
      for (Index i = 0; i < n; ++i)
        box.low[i] = random.uniform(0, 0.3), box.high[i] = random.uniform(0.3, 1);
    const auto at = [&](std::span<const double> x) { return Elbo(model.at(x)); };
    const auto report = continuous_double_greedy(at, box, 400);
    require_inside(box, report.point);
    const double best =
        testing::global_maximum([&](std::span<const double> x) { return at(x).value(); }, box);
    EXPECT_GE(report.value, best / 2 + (at(box.low).value() + at(box.high).value()) / 4 - 0.02);
  }
}

// At 0 the slope is infinite, at 1 it is minus infinity: where one corner is there, all of the step goes away from it.
TEST(ContinuousDoubleGreedy, GoesAwayFromAnInfiniteSlope) {
  const auto point = [](double bias, double low, double high) {
    const PairwiseField model = make_pairwise_field({bias}, {});
    const auto at = [&](std::span<const double> x) { return Elbo(model.at(x)); };
    return continuous_double_greedy(at, Box{{low}, {high}}, 1).point[0];
  };
  EXPECT_EQ(point(-1, 0, 0.5), 0.5);
  EXPECT_EQ(point(1, 0.5, 1), 0.5);
  EXPECT_EQ(point(0, 0, 1), 0.5);
}

TEST(ContinuousDoubleGreedy, KeepsFixedCoordinatesAndRefusesNoRounds) {
  const std::vector<Edge> edges{{0, 1, -3.0}};
  const PairwiseField model = make_pairwise_field({1.0, 2.0}, edges);
  const auto at = [&](std::span<const double> x) { return Elbo(model.at(x)); };
  Box box = unit_box(2);
  box.fix(0, 1);
  EXPECT_EQ(continuous_double_greedy(at, box, 16).point[0], 1);
  EXPECT_EQ(testing::refusal([&] { continuous_double_greedy(at, box, 0); }),
            "continuous double greedy: there are 0 rounds, but it takes at least 1");
}

}  // namespace
}  // namespace surefield
