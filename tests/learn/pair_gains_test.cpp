#include "surefield/learn/pair_gains.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "surefield/core/random.hpp"
#include "surefield/learn/control_sets.hpp"
#include "surefield/learn/folds.hpp"
#include "surefield/learn/pairwise_fit.hpp"
#include "surefield/learn/pseudo_likelihood.hpp"
#include "tests/support/learning_data.hpp"

namespace surefield {
namespace {

TEST(PairGains, OnlyPairsAboveThePriceAreKept) {
  const std::vector<PairGain> gains{{0, 1, 0.5}, {0, 3, 1.5}, {1, 2, 1.0}, {2, 3, 7}};
  const PairSupport kept = pairs_worth(1, gains, 4);
  EXPECT_EQ(kept.start, (std::vector<std::size_t>{0, 1, 1, 2, 4}));
  EXPECT_EQ(kept.neighbour, (std::vector<std::uint32_t>{3, 3, 0, 2}));
  EXPECT_EQ(pairs_worth(0, gains, 4).pairs(), 4U);
  EXPECT_EQ(pairs_worth(7, gains, 4).pairs(), 0U);
}

TEST(PairGains, OfFewItemsPairsThatMetCostANat) {
  // 0 and 1 met twice, 0 and 2 once; 1 and 2 never did: e = 4 q q < 1.
  const auto sets = distinct_sets(flat_sets(testing::sets_of(3, {{0, 1}, {0, 1}, {0, 2}, {}})));
  const auto [gains, price] = priced_gains(sets, {0.75, 0.5, 0.25}, false);
  EXPECT_EQ(price, 1);
  ASSERT_EQ(gains.size(), 2U);
  EXPECT_EQ((std::vector{gains[0].i, gains[0].j, gains[1].i, gains[1].j}),
            (std::vector<std::uint32_t>{0, 1, 0, 2}));
  EXPECT_NEAR(gains[0].gain, 2 * std::log(2 / 1.5) - 2 + 1.5, 1e-15);
  EXPECT_NEAR(gains[1].gain, std::log(1 / 0.75) - 1 + 0.75, 1e-15);
}

TEST(PairGains, OfManyItemsPairsThatMetTwiceOrShouldHaveCostANumber) {
  // 448 items are more than 10^5 pairs. 0 and 1 met twice, 2 and 3 once; 4 and 5 never did, but are in 4 of 11 sets each.
  const auto sets = distinct_sets(flat_sets(
      testing::sets_of(448, {{0, 1}, {0, 1}, {2, 3}, {4}, {4}, {4}, {4}, {5}, {5}, {5}, {5}})));
  std::vector<double> alone(448, 0.01);
  const auto [gains, price] = priced_gains(sets, alone, false);
  EXPECT_DOUBLE_EQ(price, std::log(11.0) / 2);
  ASSERT_EQ(gains.size(), 1U);  // 16 / 11 < 2
  const auto more = distinct_sets(flat_sets(testing::sets_of(
      448, {{0, 1}, {0, 1}, {2, 3}, {4}, {4}, {4}, {5}, {5}, {5}, {4}, {4}, {4}, {5}, {5}, {5}})));
  const auto kept = priced_gains(more, alone, false);
  EXPECT_DOUBLE_EQ(kept.price, std::log(15.0) / 2);
  ASSERT_EQ(kept.gains.size(), 2U);
  EXPECT_EQ(kept.gains[1].i, 4U);
  EXPECT_EQ(kept.gains[1].j, 5U);
  EXPECT_NEAR(kept.gains[1].gain, 15 * 1e-4, 1e-15);  // never seen: what was expected
}

TEST(PairGains, SetsThatRowsMeetByHand) {
  // Item 0 stands in three sets, 1 in two, 2 in one; pairs (0, 1) and (1, 2): row 0 meets those of 1, row 1 those of 0 and 2, row 2 those of 1.
  const auto sets = distinct_sets(flat_sets(testing::sets_of(3, {{0}, {0, 1}, {0, 1, 2}})));
  EXPECT_EQ(sets_met(sets, support_of({{1}, {2}, {}})), 2 + (3 + 1) + 2);
}

/// A catalogue too large for all pairs. Items 0 and 1 go together, 2 and 3 meet often because each is frequent.
SetCollection large_catalogue() {
  const Index n = 460;
  Random random(5);
  SetCollection data = testing::sets_of(n, {});
  for (int k = 0; k < 2000; ++k) {
    auto& set = data.sets.emplace_back();
    if (random.chance(0.1)) set = {0, 1};
    for (std::uint32_t i = 2; i < 4; ++i)
      if (random.chance(0.3)) set.push_back(i);
    for (int extra = 0; extra < 2; ++extra) {
      const auto i = static_cast<std::uint32_t>(4 + random.below(n - 4));
      if (std::ranges::find(set, i) == set.end()) set.push_back(i);
    }
  }
  return data;
}

bool is_coupled(const PairwiseField& field, Index i, Index j) {
  return std::ranges::any_of(field.edges(),
                             [&](const Edge& edge) { return edge.from == i && edge.to == j; });
}

TEST(PairGains, PairsThatMeetByChanceHaveNoCouplingInALargeCatalogue) {
  const SetCollection data = large_catalogue();
  const PairwiseFit found = fit_pairwise(data, {.penalty = 10});
  EXPECT_TRUE(is_coupled(found.model, 0, 1));
  EXPECT_FALSE(is_coupled(found.model, 2, 3));
  EXPECT_DOUBLE_EQ(found.least_gain, std::log(2000.0) / 2);
  // Who names how often pairs have to meet gets them all.
  const PairwiseFit all = fit_pairwise(data, {.penalty = 10, .least_pair = 2});
  EXPECT_TRUE(is_coupled(all.model, 2, 3));
  EXPECT_GT(all.pairs, found.pairs);
  EXPECT_EQ(all.least_gain, 0);
}

TEST(PairGains, WhereThePairsAreTooManyToLookAtThoseThatSayMostAreKept) {
  const SetCollection data = large_catalogue();
  const PairwiseFit all = fit_pairwise(data, {.penalty = 10});
  // 0 and 1 stand in about 200 sets each, and say most by far: there is room for five times 90 sets and for little else.
  const PairwiseFit found = fit_pairwise(data, {.penalty = 10, .most_work = 90});
  EXPECT_GE(found.least_gain, 2 * all.least_gain);
  EXPECT_LT(found.pairs, all.pairs / 2);
  EXPECT_TRUE(is_coupled(found.model, 0, 1));
}

TEST(PairGains, PenaltiesAreJudgedByAsManyFoldsAsHoldOutEnough) {
  // The first of three folds holds out 667 of 2,000 sets, and has the pairs of its own training sets.
  const SetCollection data = large_catalogue();
  PairwiseFitOptions how{.grid = {10, 5}, .enough = 600, .seed = 4};
  const PairwiseFit found = fit_pairwise(data, how);
  const Fold fold = fold_of(data, 3, 0, 4);
  const auto held_out = distinct_sets(flat_sets(fold.held_out));
  for (const PenaltyTrial& trial : found.trials) {
    const PairwiseField field = fit_pairwise(fold.training, {.penalty = trial.penalty}).model;
    std::vector<std::vector<std::uint32_t>> partners(data.items);
    std::vector<double> theta = field.bias;
    for (const Edge& edge : field.edges()) {
      partners[edge.from].push_back(edge.to);
      theta.push_back(edge.weight);
    }
    const PairSupport pairs = support_of(partners);
    EXPECT_NEAR(trial.held_out, -PseudoLikelihood(held_out, pairs, 0, true).mean_loss(theta), 2e-5);
  }
  how.enough = 700;  // two folds
  EXPECT_GT(std::abs(fit_pairwise(data, how).trials[0].held_out - found.trials[0].held_out), 1e-4);
}

}  // namespace
}  // namespace surefield
