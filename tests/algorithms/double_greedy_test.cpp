#include "surefield/algorithms/double_greedy.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/algorithms/step_rules.hpp"
#include "surefield/core/order.hpp"
#include "surefield/core/random.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/global_search.hpp"
#include "tests/support/random_pairwise.hpp"

namespace surefield {
namespace {

DoubleGreedyReport run(const PairwiseField& model, const Box& box, std::span<const Index> order,
                       double beta = 1) {
  return double_greedy(Elbo(model.at(box.low), beta), Elbo(model.at(box.high), beta), order,
                       Proportional{});
}

TEST(DoubleGreedy, TwoNodesByHand) {
  const std::vector<Edge> edges{{0, 1, -3.0}};
  const PairwiseField model = make_pairwise_field({1.0, 2.0}, edges);
  const auto result = run(model, unit_box(2), natural_order(2));
  // Coordinate 0: slopes 1 from below, 1 - 3 = -2 from above. up = sigmoid(1) = 0.731059, down =
  // sigmoid(-2) = 0.119203, gains softplus(1) = 1.313262 and softplus(2) = 2.126928: u = (1.313262
  // up + 2.126928 down) / 3.440190 = 0.352773. Coordinate 1: both slopes are 2 - 3 u, so it goes to
  // sigmoid(2 - 3 u) = 0.719439.
  EXPECT_NEAR(result.report.point[0], 0.35277335345806615, 1e-14);
  EXPECT_NEAR(result.report.point[1], sigmoid(2 - 3 * result.report.point[0]), 1e-15);
  EXPECT_EQ(result.report.status, Status::kDone);
  EXPECT_NEAR(result.top_value, result.report.value, 1e-14);
  // The loss of coordinate 0 is the larger of softplus(1) - u - H(u) and softplus(-2) + 2 u - H(u);
  // of coordinate 1 none.
  const double u = result.report.point[0];
  const double loss = std::max(softplus(1) - u, softplus(-2) + 2 * u) - entropy(u);
  EXPECT_NEAR(*result.report.upper_bound, result.report.value + loss, 1e-11);
}

TEST(DoubleGreedy, TheTraceIsOfBothPoints) {
  const std::vector<Edge> edges{{0, 1, -3.0}};
  const PairwiseField model = make_pairwise_field({1.0, 2.0}, edges, 0.5);
  const Box box = unit_box(2);
  const auto result = double_greedy(Elbo(model.at(box.low)), Elbo(model.at(box.high)),
                                    natural_order(2), Proportional{}, true);
  const auto value = [&](double x, double y) {
    return Elbo(model.at(std::vector<double>{x, y})).value();
  };
  const auto& x = result.report.point;
  ASSERT_EQ(result.report.trace.size(), 2U);
  EXPECT_EQ(result.report.trace[0].epoch, 0.5);
  EXPECT_NEAR(result.report.trace[0].value, value(x[0], 0), 1e-14);
  EXPECT_NEAR(result.report.trace[0].top, value(x[0], 1), 1e-14);
  EXPECT_NEAR(result.report.trace[1].value, value(x[0], x[1]), 1e-14);
  EXPECT_NEAR(result.report.trace[1].top, value(x[0], x[1]), 1e-14);
}

TEST(DoubleGreedy, APassThatIsStoppedHasNoBound) {
  const PairwiseField model = testing::random_pairwise(100, 0.1, 1);
  const Box box = unit_box(100);
  const auto result =
      double_greedy(Elbo(model.at(box.low)), Elbo(model.at(box.high)), natural_order(100),
                    Proportional{}, false, {}, Budget().within(0));
  EXPECT_EQ(result.report.status, Status::kInterrupted);
  EXPECT_EQ(result.report.upper_bound, std::nullopt);
}

TEST(DoubleGreedy, KeepsItsGuaranteeAndItsCertificate) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = random.below(4);
    const PairwiseField model = testing::random_pairwise(n, 0.8, seed);
    Box box = unit_box(n);
    if (seed % 3 == 0)
      for (Index i = 0; i < n; ++i) {
        box.low[i] = random.uniform(0, 0.5);
        box.high[i] = random.chance(0.2) ? box.low[i] : random.uniform(box.low[i], 1);
      }
    const double beta = seed % 2 == 0 ? 1 : random.uniform(0.1, 5);
    const auto result = run(model, box, permutation(n, random), beta);
    const auto value = [&](std::span<const double> x) { return Elbo(model.at(x), beta).value(); };
    const double best = testing::global_maximum(value, box);
    const double half = best / 2 + (value(box.low) + value(box.high)) / 4;
    EXPECT_GE(result.report.value, half - 1e-6);
    ASSERT_TRUE(result.report.upper_bound.has_value());
    EXPECT_GE(*result.report.upper_bound, best);
    EXPECT_LE(result.report.value, best + 1e-4);
  }
}

TEST(DoubleGreedy, GivesNoBoundWhereTheFunctionIsNotSubmodular) {
  const std::vector<Edge> edges{{0, 1, 3.0}};
  const auto result = run(make_pairwise_field({-1.0, -1.0}, edges), unit_box(2), natural_order(2));
  EXPECT_FALSE(result.antitone);
  EXPECT_FALSE(result.report.upper_bound.has_value());
}

TEST(DoubleGreedy, SurvivesSlopesOf1e300) {
  const std::vector<Edge> edges{{0, 1, -1e300}, {1, 2, -2e300}};
  const auto result =
      run(make_pairwise_field({1e300, 1e300, -1e300}, edges), unit_box(3), natural_order(3));
  for (const double u : result.report.point) EXPECT_TRUE(u >= 0 && u <= 1) << u;
  EXPECT_TRUE(std::isfinite(result.report.value));
  EXPECT_GE(*result.report.upper_bound, 1e300);  // {0} alone is worth 1e300
}

TEST(DoubleGreedy, HandlesNoCoordinatesAndOnlyFixedOnes) {
  const auto none = run(make_pairwise_field({}, {}, 2.0), unit_box(0), {});
  EXPECT_DOUBLE_EQ(none.report.value, 2);
  EXPECT_NEAR(*none.report.upper_bound, 2, 1e-10);
  Box fixed = unit_box(2);
  fixed.fix(0, 1);
  fixed.fix(1, 0.5);
  const std::vector<Edge> edges{{0, 1, -3.0}};
  const auto result = run(make_pairwise_field({1.0, 2.0}, edges), fixed, natural_order(2));
  EXPECT_EQ(result.report.point, (std::vector{1.0, 0.5}));
  EXPECT_NEAR(*result.report.upper_bound, result.report.value, 1e-10);
}

TEST(DoubleGreedy, TheBoundHasTheRoundingOfTheValueAndTwiceThatOfTheLines) {
  const double plain = pass_bound(1, 2, 3, 4, {});
  EXPECT_NEAR(plain, 5, 1e-12);
  EXPECT_GE(pass_bound(1, 2, 3, 4, {.value = 0.25, .slope = 8, .lines = 0}), plain + 0.25);
  EXPECT_GE(pass_bound(1, 2, 3, 4, {.value = 0, .slope = 8, .lines = 0.25}), plain + 0.5);
}

/// The scale of rounding is at least what is added up: rises of lines of every steepness, between points everywhere.
TEST(DoubleGreedy, TheSizeOfARiseIsAtLeastTheRise) {
  Random random(11);
  for (int k = 0; k < 3000; ++k) {
    const EntropyLine line(random.uniform(-1, 1) * std::pow(10, random.uniform(-3, 3)));
    const double from = k % 5 == 0 ? 0 : random.uniform();
    const double to = k % 7 == 0 ? 1 : random.uniform();
    EXPECT_GE(detail::size_of_rise(line, from, to), std::abs(line.rise(from, to)));
    EXPECT_LE(detail::size_of_rise(line, from, to), std::abs(line.linear()) + 1);
    EXPECT_EQ(detail::size_of_rise(line, from, from), 0);
  }
}

}  // namespace
}  // namespace surefield
