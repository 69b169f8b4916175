#include "surefield/learn/item_prediction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "surefield/core/random.hpp"
#include "surefield/models/families.hpp"
#include "tests/support/learning_data.hpp"
#include "tests/support/random_flid.hpp"
#include "tests/support/random_kernel.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

using testing::refusal;
using testing::sets_of;

SetCollection shuffled_sets(Index items, Index count, std::uint64_t seed) {
  Random random(seed);
  SetCollection data = sets_of(items, {});
  for (Index k = 0; k < count; ++k) {
    auto& set = data.sets.emplace_back();
    for (std::uint32_t i = 0; i < items; ++i)
      if (random.chance(0.4)) set.push_back(i);
    random.shuffle(std::span(set));
  }
  return data;
}

TEST(ItemPrediction, PopularityByHand) {
  // Counts 3, 2, 1, 1. Set {0, 1}: hiding 0 leaves candidates 0, 2, 3 and 0 is first; hiding 1
  // leaves 1, 2, 3 and 1 is first. Set {0, 2}: hiding 2, candidates 1 (2), 2 (1), 3 (1): rank 1 + 1
  // + 1/2; hiding 0: first. Set {3} is left out.
  const auto training = sets_of(4, {{0, 1}, {0, 1}, {0}, {2, 3}});
  const auto found = predict_items(sets_of(4, {{0, 1}, {0, 2}, {3}}), popularity_scores(training),
                                   {.at = {1, 2, 3}});
  EXPECT_EQ(found.sets, 2U);
  EXPECT_EQ(found.sets_left_out, 1U);
  EXPECT_EQ(found.hidden_items, 4U);
  EXPECT_DOUBLE_EQ(found.hits[0].rate.mean, (1 + 0.5) / 2);  // at 1
  EXPECT_DOUBLE_EQ(found.hits[1].rate.mean, (1 + 0.5) / 2);  // at 2: 2.5 is above 2
  EXPECT_DOUBLE_EQ(found.hits[2].rate.mean, 1);              // at 3
  EXPECT_DOUBLE_EQ(found.rank.mean, (1 + 1.75) / 2);
  EXPECT_DOUBLE_EQ(found.reciprocal_rank.mean, (1 + (1 / 2.5 + 1) / 2) / 2);
  EXPECT_DOUBLE_EQ(found.reciprocal_rank.standard_error, (1 - 0.7) / 2);  // half the distance
  EXPECT_DOUBLE_EQ(found.ndcg.mean, (1 + (1 / std::log2(3.5) + 1) / 2) / 2);
  EXPECT_DOUBLE_EQ(found.coverage, 1);  // all are among the first ten
}

/// Mean reciprocal rank of every hidden item, ranked by p(S) over the sets that complete the rest.
template <class M>
double reciprocal_rank_by_probability(const M& model, const SetCollection& data) {
  const auto values = reference::all_values(model);
  double sum = 0;
  Index sets = 0;
  for (const auto& set : data.sets) {
    if (set.size() < 2) continue;
    ++sets;
    std::size_t whole = 0;
    for (const auto i : set) whole |= std::size_t{1} << i;
    double mine = 0;
    for (const auto hidden : set) {
      const std::size_t rest = whole & ~(std::size_t{1} << hidden);
      double total = 0;  // p(j | rest and one more)
      std::vector<double> p(model.size(), -1);
      for (Index j = 0; j < model.size(); ++j)
        if (!((rest >> j) & 1)) total += p[j] = std::exp(values[rest | (std::size_t{1} << j)]);
      double rank = 0.5;
      for (double& q : p) {
        if (q < 0) continue;
        const double gap = (q - p[hidden]) / total;
        rank += gap > 1e-12 ? 1 : gap > -1e-12 ? 0.5 : 0;
      }
      mine += 1 / rank;
    }
    sum += mine / static_cast<double>(set.size());
  }
  return sum / static_cast<double>(sets);
}

TEST(ItemPrediction, RankByGainIsRankByConditionalProbability) {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    SCOPED_TRACE(seed);
    const Index n = 3 + seed % 6;
    const auto data = shuffled_sets(n, 40, seed);
    // No copied items here: rounding would decide their ties.
    Random random(seed);
    std::vector<double> utility(n);
    std::vector<double> weights(n * 3);
    for (double& u : utility) u = random.uniform(-2, 2);
    for (double& w : weights) w = random.uniform(0, 2);
    const Flid flid = make_flid(utility, weights, 3);
    const AnyModel any = flid;
    EXPECT_NEAR(predict_items(data, gain_scores(any)).reciprocal_rank.mean,
                reciprocal_rank_by_probability(flid, data), 1e-9);
    const LogDet dpp = make_log_det(testing::random_kernel(n, seed));
    const AnyModel any_dpp = dpp;
    EXPECT_NEAR(predict_items(data, gain_scores(any_dpp)).reciprocal_rank.mean,
                reciprocal_rank_by_probability(dpp, data), 1e-9);
  }
}

TEST(ItemPrediction, ModularModelRanksByUtility) {
  const auto data = shuffled_sets(9, 200, 4);
  std::vector<double> utility(9);
  for (Index i = 0; i < 9; ++i) utility[i] = -0.3 * static_cast<double>((i * 4) % 9);
  const AnyModel modular = make_flid(utility, {}, 0);
  const auto fixed = [&]() -> ItemScores {
    return [&](std::span<const std::uint32_t>, std::span<double> scores) {
      std::ranges::copy(utility, scores.begin());
    };
  };
  const auto by_gain = predict_items(data, gain_scores(modular));
  const auto by_utility = predict_items(data, fixed);
  EXPECT_EQ(by_gain.rank.mean, by_utility.rank.mean);
  EXPECT_EQ(by_gain.hits[1].rate.mean, by_utility.hits[1].rate.mean);
}

TEST(ItemPrediction, EqualScoresGiveTheMiddleRank) {
  const AnyModel flat = make_flid(std::vector<double>(5, 0.5), {}, 0);
  // Four candidates for each of two hidden items: rank (1 + 4) / 2.
  const auto found = predict_items(sets_of(5, {{1, 4}}), gain_scores(flat));
  EXPECT_DOUBLE_EQ(found.rank.mean, 2.5);
  EXPECT_EQ(found.rank.standard_error, kInfinity);
}

TEST(ItemPrediction, SameBitsOnEveryThreadCountAndOneItemBySeed) {
  const auto data = shuffled_sets(12, 700, 9);
  const AnyModel model = testing::random_flid(12, 3, 2);
  const auto one = predict_items(data, gain_scores(model));
  const auto four = predict_items(data, gain_scores(model), {.threads = 4});
  EXPECT_EQ(one.reciprocal_rank.mean, four.reciprocal_rank.mean);
  EXPECT_EQ(one.rank.standard_error, four.rank.standard_error);

  const auto seeded = predict_items(data, gain_scores(model), {.one_by_seed = 7});
  EXPECT_EQ(seeded.hidden_items, seeded.sets);
  EXPECT_EQ(seeded.rank.mean,
            predict_items(data, gain_scores(model), {.one_by_seed = 7}).rank.mean);
  EXPECT_NE(seeded.rank.mean,
            predict_items(data, gain_scores(model), {.one_by_seed = 8}).rank.mean);
  // One at random is the mean of all in turn, to its own error.
  EXPECT_NEAR(seeded.rank.mean, one.rank.mean, 5 * seeded.rank.standard_error);
}

TEST(ItemPrediction, NoSetOfTwoItemsIsAnAnswer) {
  const AnyModel model = make_flid({0, 1}, {}, 0);
  const auto found = predict_items(sets_of(2, {{0}, {}}), gain_scores(model));
  EXPECT_EQ(found.sets, 0U);
  EXPECT_EQ(found.sets_left_out, 2U);
  EXPECT_EQ(found.reciprocal_rank.count, 0U);
  EXPECT_EQ(predict_items(sets_of(0, {}), gain_scores(model)).hidden_items, 0U);
}

TEST(ItemPrediction, SaysWhatItRefuses) {
  const AnyModel model = make_flid({0, 1}, {}, 0);
  EXPECT_EQ(refusal([&] {
              predict_items(sets_of(2, {{0, 5}}), gain_scores(model));
            }),
            "item prediction: set 0 holds item 5, which must be below 2");
  EXPECT_EQ(refusal([&] {
              predict_items(sets_of(2, {{0, 1}}), gain_scores(model), {.at = {0}});
            }),
            "item prediction: a hit rate is asked for at 0, which must be at least 1");
  EXPECT_EQ(
      refusal([&] {
        predict_items(sets_of(2, {{0, 1}}), popularity_scores(sets_of(3, {{2}})));
      }),
      "popularity: the training sets are of 3 items, the sets to judge by of 2, which must be "
      "the same");
  EXPECT_EQ(refusal([&] {
              predict_items(sets_of(2, {{0, 1}}), []() -> ItemScores {
                return [](std::span<const std::uint32_t>, std::span<double> scores) {
                  std::ranges::fill(scores, std::nan(""));
                };
              });
            }),
            "item prediction: the score of item 0 is not a number");
}

}  // namespace
}  // namespace surefield
