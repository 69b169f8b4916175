#include "surefield/algorithms/frank_wolfe.hpp"

#include <gtest/gtest.h>

#include "surefield/core/random.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/global_search.hpp"
#include "tests/support/random_box.hpp"
#include "tests/support/random_pairwise.hpp"

namespace surefield {
namespace {

TEST(ShrunkenFrankWolfe, TwoEpochsByHand) {
  const PairwiseField model = make_pairwise_field({0.0}, {});
  const auto at = [&](std::span<const double> x) { return Elbo(model.at(x)); };
  // Slope +infinity at 0: x = 1/2. Slope 0 at 1/2, which is not positive: it stays.
  const auto two = shrunken_frank_wolfe(at, unit_box(1), {.epochs = 2, .trace = true});
  EXPECT_EQ(two.point[0], 0.5);
  ASSERT_EQ(two.trace.size(), 2U);
  EXPECT_NEAR(two.trace[0].value, std::log(2), 1e-15);
  // On [0.2, 1]: one quarter of 0.8 in each of four epochs while the slope is positive: 0.2, 0.4,
  // 0.55.
  Box box = unit_box(1);
  box.low[0] = 0.2;
  EXPECT_NEAR(shrunken_frank_wolfe(at, box, {.epochs = 4}).point[0], 0.55, 1e-15);
}

TEST(ShrunkenFrankWolfe, CanFollowTheMultilinearGradientAlone) {
  const PairwiseField model = make_pairwise_field({0.1}, {});
  const auto at = [&](std::span<const double> x) { return Elbo(model.at(x)); };
  // The slope 0.1 is positive in every epoch, so x = 1 - (1 - 1/4)^4.
  const auto report =
      shrunken_frank_wolfe(at, unit_box(1), {.epochs = 4}, {}, MultilinearGradient{});
  EXPECT_NEAR(report.point[0], 1 - std::pow(0.75, 4), 1e-15);
}

TEST(TwoPhaseFrankWolfe, FindsTheMaximumOfOneCoordinate) {
  const PairwiseField model = make_pairwise_field({-1.0}, {});
  const auto at = [&](std::span<const double> x) { return Elbo(model.at(x)); };
  const auto report = two_phase_frank_wolfe(at, unit_box(1), {.epochs = 2000});
  EXPECT_NEAR(report.value, softplus(-1), 1e-4);
}

TEST(FrankWolfe, BothKeepTheirGuarantees) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = random.below(4);
    // Non-negative on [0,1]^n: biases large enough that F(V) >= 0.
    PairwiseField model = testing::random_pairwise(n, 0.6, seed);
    for (double& bias : model.bias) bias += 4;
    model.constant = 0;
    const auto at = [&](std::span<const double> x) { return Elbo(model.at(x)); };
    Box box = unit_box(n);
    const double best =
        testing::global_maximum([&](std::span<const double> x) { return at(x).value(); }, box);
    const auto shrunken = shrunken_frank_wolfe(at, box, {.epochs = 200});
    require_inside(box, shrunken.point);
    EXPECT_GE(shrunken.value, std::exp(-1) * best - 0.05);
    const auto two_phase = two_phase_frank_wolfe(at, box, {.epochs = 200});
    require_inside(box, two_phase.point);
    EXPECT_GE(two_phase.value, best / 4 - 0.05);
  }
}

// The second phase is the first on what the point of the first leaves free, and the better point is returned.
TEST(TwoPhaseFrankWolfe, IsTheBetterOfTwoSearches) {
  int second_is_better = 0;
  Random random(3);
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Index n = 1 + seed % 4;
    const PairwiseField model = testing::random_pairwise(n, 0.8, seed);
    const Box box = testing::random_box(n, random);
    const auto at = [&](std::span<const double> x) { return Elbo(model.at(x)); };
    const FrankWolfeOptions options{.epochs = 5};
    const Report first = detail::least_gap_frank_wolfe(at, box, options, {});
    Box left = box;
    for (Index i = 0; i < n; ++i)
      left.high[i] = std::max(box.low[i], box.high[i] - (first.point[i] - box.low[i]));
    const Report second = detail::least_gap_frank_wolfe(at, left, options, {});
    const Report both = two_phase_frank_wolfe(at, box, options);
    EXPECT_EQ(both.point, second.value > first.value ? second.point : first.point) << seed;
    EXPECT_EQ(both.value, std::max(first.value, second.value)) << seed;
    second_is_better += second.value > first.value;
  }
  EXPECT_GT(second_is_better, 3);
}

TEST(TwoPhaseFrankWolfe, StoppedInTheSecondPhaseSaysSoWhicheverIsBetter) {
  const PairwiseField model = make_pairwise_field({-1.0, 0.5}, std::vector<Edge>{{0, 1, -1.0}});
  const auto at = [&](std::span<const double> x) { return Elbo(model.at(x)); };
  const FrankWolfeOptions options{.epochs = 30, .trace = true, .gap = 0};
  int seen = 0;
  const auto report =
      two_phase_frank_wolfe(at, unit_box(2), options, [&](TracePoint&) { return ++seen < 31; });
  EXPECT_EQ(report.trace.size(), 31U);
  EXPECT_LT(report.trace.back().value, report.value);
  EXPECT_EQ(report.status, Status::kInterrupted);
}

TEST(TwoPhaseFrankWolfe, CountsTheEpochsOfBothPhasesOnAsOneWatches) {
  const PairwiseField model = make_pairwise_field({-1.0, 0.5}, std::vector<Edge>{{0, 1, -1.0}});
  const auto at = [&](std::span<const double> x) { return Elbo(model.at(x)); };
  std::vector<double> seen, expected;
  const Observer observer = [&](TracePoint& now) { return seen.push_back(now.epoch), true; };
  const FrankWolfeOptions options{.epochs = 3, .trace = true, .gap = 0};
  const auto report = two_phase_frank_wolfe(at, unit_box(2), options, observer);
  const auto alone = two_phase_frank_wolfe(at, unit_box(2), options);
  for (int epoch = 1; epoch <= 6; ++epoch) expected.push_back(epoch);
  EXPECT_EQ(seen, expected);
  ASSERT_EQ(report.trace.size(), 6U);
  ASSERT_EQ(alone.trace.size(), 6U);
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_EQ(report.trace[k].epoch, expected[k]);
    EXPECT_EQ(alone.trace[k].epoch, expected[k]);
  }
}

}  // namespace
}  // namespace surefield
