#include "surefield/bounds/elbo/contraction.hpp"

#include <gtest/gtest.h>

#include "surefield/core/random.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/random_box.hpp"
#include "tests/support/random_flid.hpp"
#include "tests/support/random_pairwise.hpp"

namespace surefield {
namespace {

/// The best of coordinate ascent from many starts: for these sizes, the global optimum.
template <class M>
std::vector<double> best_point(const M& model, const Box& box, std::uint64_t seed) {
  Random random(seed);
  const Index n = model.size();
  std::vector<double> best(n);
  double value = -kInfinity;
  for (int start = 0; start < 12; ++start) {
    std::vector<double> x(n);
    for (Index i = 0; i < n; ++i)
      x[i] = start < 2 ? (start == 0 ? box.low[i] : box.high[i])
                       : random.uniform(box.low[i], box.high[i]);
    Elbo state(model.at(x));
    for (int epoch = 0; epoch < 100; ++epoch)
      for (Index i = 0; i < n; ++i) state.set(i, state.line(i).argmax(box[i]));
    if (state.value() > value) value = state.value(), best = point_of(state);
  }
  return best;
}

template <class M>
void check_keeps_the_best(const M& model, std::uint64_t seed) {
  Random random(seed);
  const Index n = model.size();
  const Box domain = testing::random_box(n, random);
  const auto best = best_point(model, domain, seed);
  const Elbo objective(model.at(domain.low));
  Box box = domain;
  ASSERT_TRUE(contract(objective, domain, box));
  for (Index i = 0; i < n; ++i) {
    EXPECT_LE(box.low[i], best[i] + 1e-12);
    EXPECT_GE(box.high[i], best[i] - 1e-12);
    EXPECT_GE(box.low[i], domain.low[i]);
    EXPECT_LE(box.high[i], domain.high[i]);
  }
  if (n == 0) return;
  // Of the two halves along a coordinate, the one with the best point is not called empty.
  const Index i = random.below(n);
  const double cut = domain.low[i] + domain[i].width() / 2;
  Box half = domain;
  (best[i] >= cut ? half.low : half.high)[i] = cut;
  EXPECT_TRUE(contract(objective, domain, half));
  EXPECT_TRUE(half.low[i] <= best[i] + 1e-12 && best[i] <= half.high[i] + 1e-12);
}

TEST(Contraction, NeverCutsOffTheBestPoint) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    check_keeps_the_best(testing::random_pairwise(seed % 7, 0.7, seed), seed);
    check_keeps_the_best(testing::random_flid(seed % 6, 1 + seed % 3, seed), seed);
  }
}

TEST(Contraction, ManyCoordinatesOnAnyNumberOfThreadsAlike) {
  const PairwiseField model = testing::random_pairwise(5000, 4e-4, 3);
  const Elbo objective(model.at(std::vector<double>(model.size(), 0.5)));
  const Box domain = unit_box(model.size());
  Box one = domain, wrong = domain;
  ASSERT_TRUE(contract(objective, domain, one, {.steps = 20}));
  EXPECT_LT(one.high[4999], 1);  // of the last piece too
  for (const unsigned threads : {2U, 3U}) {
    const ContractionOptions how{.steps = 20, .budget = Budget().with_threads(threads)};
    Box more = domain;
    ASSERT_TRUE(contract(objective, domain, more, how));
    EXPECT_EQ(more, one);
  }
  wrong.high[4999] = one.low[4999] / 2;  // below all that can be best
  EXPECT_FALSE(contract(objective, domain, wrong, {.steps = 20}));
}

TEST(Contraction, TwoNodesByHand) {
  // Slopes 1 - 3 x_1 and 2 - 3 x_0. One step from the unit box: high = sigmoid(1), sigmoid(2); then
  // low = sigmoid(1 - 3 sigmoid(2)) and sigmoid(2 - 3 sigmoid(1)).
  const std::vector<Edge> edges{{0, 1, -3.0}};
  const PairwiseField model = make_pairwise_field({1.0, 2.0}, edges);
  const Elbo objective(model.at(std::vector{0.5, 0.5}));
  Box box = unit_box(2);
  ASSERT_TRUE(contract(objective, unit_box(2), box, {.steps = 1}));
  EXPECT_NEAR(box.high[0], sigmoid(1), 1e-9);
  EXPECT_NEAR(box.high[1], sigmoid(2), 1e-9);
  EXPECT_NEAR(box.low[0], sigmoid(1 - 3 * sigmoid(2)), 1e-9);
  EXPECT_NEAR(box.low[1], sigmoid(2 - 3 * sigmoid(1)), 1e-9);
}

TEST(Contraction, CollapsesWithoutCouplingAndFindsEmptyParts) {
  const PairwiseField model = make_pairwise_field({1.0, -2.0}, {});
  const Elbo objective(model.at(std::vector{0.5, 0.5}));
  Box box = unit_box(2);
  ASSERT_TRUE(contract(objective, unit_box(2), box));
  EXPECT_NEAR(box.low[0], sigmoid(1), 1e-9);
  EXPECT_NEAR(box.high[1], sigmoid(-2), 1e-9);
  Box wrong = unit_box(2);
  wrong.high[0] = 0.5;  // the best is sigmoid(1) > 0.5
  EXPECT_FALSE(contract(objective, unit_box(2), wrong));
  Box domain = unit_box(2);
  domain.high[0] = 0.5;  // but in this domain it is at 0.5, by clipping
  box = domain;
  ASSERT_TRUE(contract(objective, domain, box));
  EXPECT_EQ(box.high[0], 0.5);
  EXPECT_NEAR(box.low[0], 0.5, 1e-9);
}

/// The best point is e^-800, which no double holds; e^-690 is one, and is cut from both sides.
TEST(Contraction, CutsNothingOffFromBelowWhereSigmoidsEnd) {
  const PairwiseField model = make_pairwise_field({-800.0, -690.0, -708.0}, {});
  Box box = unit_box(3);
  ASSERT_TRUE(contract(Elbo(model.at(box.low)), unit_box(3), box));
  EXPECT_EQ(box.low[0], 0);
  EXPECT_NEAR(box.high[0], 0, 1e-300);
  EXPECT_NEAR(box.low[1] / std::exp(-690), 1, 1e-9);
  EXPECT_LE(box.low[2], std::exp(-708));
}

TEST(Contraction, TheSlackCoversSlopesThatAreOff) {
  for (const double error : {0.0, 1e-9, 0.1, 2.0}) {
    EXPECT_GE(contraction_slack(error), std::expm1(2 * error));
    EXPECT_LE(contraction_slack(error), std::expm1(2 * error) + 1e-12);
  }
}

}  // namespace
}  // namespace surefield
