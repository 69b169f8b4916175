#include "surefield/learn/item_baselines.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"
#include "surefield/models/families.hpp"
#include "tests/support/learning_data.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

using testing::refusal;
using testing::sets_of;

TEST(CoOccurrence, ByHand) {
  // c = 3, 2, 2, 0. Given 0: 1 with 2/3, 2 with 1/3. Given 1: 0 with 1, 2 with 1/2. Given both: 2 with
  // 1/3 + 1/2.
  const auto training = sets_of(4, {{0, 1}, {0, 1, 2}, {0}, {2}});
  const auto scores = co_occurrence_scores(training)();
  std::vector<double> found(4);
  scores(std::vector<std::uint32_t>{0}, found);
  EXPECT_DOUBLE_EQ(found[1], 2.0 / 3);
  EXPECT_DOUBLE_EQ(found[2], 1.0 / 3);
  EXPECT_EQ(found[3], 0);
  scores(std::vector<std::uint32_t>{0, 1}, found);
  EXPECT_DOUBLE_EQ(found[2], 1.0 / 3 + 0.5);
  // 3 was never seen: frequencies among the four sets stand in.
  scores(std::vector<std::uint32_t>{3}, found);
  EXPECT_DOUBLE_EQ(found[0], 0.75);
  EXPECT_DOUBLE_EQ(found[1], 0.5);
  EXPECT_EQ(
      refusal([&] {
        predict_items(sets_of(2, {{0, 1}}), co_occurrence_scores(training));
      }),
      "co-occurrence: the training sets are of 4 items, the sets to judge by of 2, which must "
      "be the same");
}

TEST(CoOccurrence, CountsRareAndFrequentItemsAlike) {
  const Index n = 12;
  Random random(4);
  auto training = sets_of(n, {});
  for (int k = 0; k < 400; ++k) {
    auto& set = training.sets.emplace_back();
    for (std::uint32_t i = 0; i < n; ++i)
      if (random.chance(0.6 / (1 + i))) set.push_back(i);  // 0 in 240 sets, 11 in 20
  }
  const auto scores = co_occurrence_scores(training)();
  std::vector<double> found(n);
  for (const std::vector<std::uint32_t>& rest :
       {std::vector<std::uint32_t>{0}, {11}, {0, 11}, {10, 3, 9}, {11}}) {
    scores(rest, found);
    for (std::uint32_t j = 0; j < n; ++j) {
      double share = 0;
      for (const auto i : rest) {
        double with = 0, both = 0;
        for (const auto& set : training.sets) {
          const bool has_i = std::ranges::find(set, i) != set.end();
          with += has_i;
          both += has_i && std::ranges::find(set, j) != set.end();
        }
        share += both / with;
      }
      if (std::ranges::find(rest, j) == rest.end()) {
        EXPECT_NEAR(found[j], share, 1e-12) << j;
      }
    }
  }
}

TEST(ItemJudgement, IsOfTheSameSetsWhereADeadlineEndsIt) {
  const Index n = 400;
  Random random(6);
  auto data = sets_of(n, {});
  for (int k = 0; k < 40000; ++k)
    data.sets.push_back({static_cast<std::uint32_t>(random.below(n / 2)),
                         static_cast<std::uint32_t>(n / 2 + random.below(n / 2))});
  const AnyModel model = make_flid(std::vector<double>(n, 0.0), {}, 0);
  const auto found = judge_items(model, data, &data, {.budget = Budget().within(0.06)});
  ASSERT_FALSE(found.by_gain.complete);
  const auto sets = [](const ItemPrediction& prediction) {
    std::vector<Index> ids;
    for (const SetScore& score : prediction.by_set) ids.push_back(score.set);
    return ids;
  };
  EXPECT_EQ(sets(found.by_gain), sets(*found.by_popularity));
  EXPECT_EQ(sets(found.by_gain), sets(*found.by_co_occurrence));
  EXPECT_EQ(found.by_gain.rank.count, found.by_gain.by_set.size());
  EXPECT_FALSE(found.by_popularity->complete);
}

TEST(ItemDifference, HasTheErrorOfTheDifferenceSetBySet) {
  // Popularity ranks 0, 1, 2. Ranks of hidden items in {0, 1}: 1 and 1; in {1, 2}: 2 and 2. By the
  // opposite: 2 and 2; 1 and 1. Reciprocal ranks 1, 0.5 against 0.5, 1: differences 0.5, -0.5.
  const auto data = sets_of(3, {{0, 1}, {0}, {1, 2}});
  const auto scores_by = [](std::vector<double> values) -> MakeItemScores {
    return [values]() -> ItemScores {
      return [values](std::span<const std::uint32_t>, std::span<double> scores) {
        std::ranges::copy(values, scores.begin());
      };
    };
  };
  const auto first = predict_items(data, scores_by({3, 2, 1}));
  const auto second = predict_items(data, scores_by({1, 2, 3}));
  const auto less = difference(first, second);
  EXPECT_EQ(less.sets, 2U);
  EXPECT_DOUBLE_EQ(less.reciprocal_rank.mean, 0);
  EXPECT_DOUBLE_EQ(less.reciprocal_rank.standard_error, 0.5);  // sqrt(0.5 / 2)
  EXPECT_DOUBLE_EQ(difference(first, first).rank.standard_error, 0);
  const std::vector<ItemPrediction> both{first, less};
  EXPECT_EQ(pooled(both).sets, 4U);
  EXPECT_EQ(pooled(both).hidden_items, both[0].hidden_items + both[1].hidden_items);
  EXPECT_DOUBLE_EQ(pooled(both).reciprocal_rank.mean, (1 + 0.5 + 0.5 - 0.5) / 4);
  EXPECT_EQ(refusal([&] {
              difference(first, predict_items(data, scores_by({1, 2, 3}), {.at = {1}}));
            }),
            "item prediction: one has 3 hit rates, the other 1, which must be the same");
}

TEST(ItemPrediction, CoversWhatIsAmongTheFirstTen) {
  // 30 items of falling score: hiding 0 or 1 leaves the other out, so the first ten reach 0 .. 10.
  std::vector<double> falling;
  for (int i = 0; i < 30; ++i) falling.push_back(-i);
  const AnyModel model = make_flid(falling, {}, 0);
  const auto found = predict_items(sets_of(30, {{0, 1}}), gain_scores(model));
  EXPECT_DOUBLE_EQ(found.coverage, 11.0 / 30);
  // Equal scores: the smaller numbers first.
  const AnyModel flat = make_flid(std::vector<double>(30, 0.0), {}, 0);
  EXPECT_DOUBLE_EQ(predict_items(sets_of(30, {{28, 29}}), gain_scores(flat)).coverage, 10.0 / 30);
}

TEST(ItemJudgement, SaysWhetherTheModelBeatsPopularity) {
  // 0-1 and 2-3 come together; popularity cannot know.
  std::vector<std::vector<std::uint32_t>> sets;
  for (int k = 0; k < 40; ++k)
    sets.push_back(k % 2 ? std::vector<std::uint32_t>{0, 1} : std::vector<std::uint32_t>{2, 3});
  for (int k = 0; k < 5; ++k) sets.push_back({static_cast<std::uint32_t>(k % 4)});
  const auto data = sets_of(4, sets);
  const AnyModel knows = make_pairwise_field({-1, -1, -1, -1}, {{{0, 1, 3.0}, {2, 3, 3.0}}});
  const auto judged = judge_items(knows, data, &data);
  EXPECT_DOUBLE_EQ(judged.by_gain.reciprocal_rank.mean, 1);
  EXPECT_DOUBLE_EQ(judged.by_co_occurrence->reciprocal_rank.mean, 1);
  EXPECT_EQ(beats_popularity(judged), true);
  EXPECT_TRUE(against_popularity(judged).starts_with(
      "hidden items are ranked better than by popularity: mean reciprocal rank 1.0000 against 0."));
  const AnyModel nothing = make_flid({0, 0, 0, 0}, {}, 0);
  EXPECT_EQ(beats_popularity(judge_items(nothing, data, &data)), false);
  EXPECT_EQ(beats_popularity(judge_items(knows, data, nullptr)), std::nullopt);
  EXPECT_EQ(against_popularity(judge_items(knows, sets_of(4, {{0}}), &data)), "");
}

TEST(ItemJudgement, OfAllFoldsIsThatOfEachPartOfEveryFold) {
  const auto training = sets_of(4, {{0, 1}, {0, 1}, {2, 3}, {0, 2}, {0, 3}, {3}, {3}});
  const AnyModel model = make_pairwise_field({-1, 1, 0.5, 0}, {{{0, 2, 2.0}, {1, 3, -2.0}}});
  const auto held_out = sets_of(4, {{0, 1}, {1, 2, 3}});
  const std::vector<ItemJudgement> folds{
      judge_items(model, held_out, &training),
      judge_items(model, sets_of(4, {{0, 2}, {0, 3}, {2, 3}}), &training)};
  const auto by_hand = [&](const MakeItemScores& scores) {
    return predict_items(held_out, scores);
  };
  const ItemPrediction popular = by_hand(popularity_scores(training)),
                       together = by_hand(co_occurrence_scores(training)),
                       gain = by_hand(gain_scores(model));
  EXPECT_EQ(folds[0].by_gain.rank.mean, gain.rank.mean);
  EXPECT_EQ(folds[0].by_popularity->rank.mean, popular.rank.mean);
  EXPECT_EQ(folds[0].by_co_occurrence->rank.mean, together.rank.mean);
  EXPECT_NE(together.rank.mean, by_hand(co_occurrence_scores(held_out)).rank.mean)
      << "no leak shows";
  EXPECT_NE(popular.rank.mean, by_hand(popularity_scores(held_out)).rank.mean);
  EXPECT_EQ(folds[0].over_popularity->rank.mean, difference(gain, popular).rank.mean);
  EXPECT_EQ(folds[0].over_co_occurrence->rank.mean, difference(gain, together).rank.mean);
  const ItemJudgement all = pooled(folds);
  const auto mean = [](const ItemPrediction& found) { return found.reciprocal_rank.mean; };
  const auto expected = [&](auto member) {
    std::vector<ItemPrediction> parts;
    for (const ItemJudgement& fold : folds) parts.push_back(*(fold.*member));
    return mean(pooled(parts));
  };
  std::vector<double> means{mean(all.by_gain)};
  for (const auto member : {&ItemJudgement::by_popularity, &ItemJudgement::by_co_occurrence,
                            &ItemJudgement::over_popularity, &ItemJudgement::over_co_occurrence}) {
    means.push_back(mean(*(all.*member)));
    EXPECT_EQ(means.back(), expected(member));
  }
  std::ranges::sort(means);
  EXPECT_EQ(std::ranges::adjacent_find(means), means.end()) << "all different";
}

TEST(ItemJudgement, SetsOfPooledFoldsAreNumberedOneAfterAnother) {
  const auto training = sets_of(3, {{0, 1}, {2}});
  const AnyModel model = make_flid({1, 2, 3}, {}, 0);
  // Of a fold's sets those of one item are left out, and keep their numbers.
  const std::vector<ItemJudgement> folds{
      judge_items(model, sets_of(3, {{0}, {0, 1}, {2}}), &training),
      judge_items(model, sets_of(3, {{1, 2}, {0}, {0, 2}}), &training)};
  std::vector<Index> numbers;
  for (const SetScore& score : pooled(folds).by_gain.by_set) numbers.push_back(score.set);
  EXPECT_EQ(numbers, (std::vector<Index>{1, 3, 5}));
}

TEST(ItemJudgement, BesideAnotherModelIsThatOfTheModelAlone) {
  const auto training = sets_of(4, {{0, 1}, {0, 1}, {2, 3}, {0, 2}, {0, 3}, {3}, {3}});
  const auto held_out = sets_of(4, {{0, 1}, {1, 2, 3}, {0, 3}});
  const AnyModel first = make_flid({3, 2, 1, 0}, {}, 0);
  const AnyModel model = make_pairwise_field({-1, 1, 0.5, 0}, {{{0, 2, 2.0}, {1, 3, -2.0}}});
  const ItemJudgement alone = judge_items(model, held_out, &training);
  const ItemJudgement beside =
      judge_items_beside(judge_items(first, held_out, &training), model, held_out, {});
  EXPECT_EQ(beside.by_gain.rank.mean, alone.by_gain.rank.mean);
  EXPECT_EQ(beside.over_popularity->rank.mean, alone.over_popularity->rank.mean);
  EXPECT_EQ(beside.over_co_occurrence->rank.mean, alone.over_co_occurrence->rank.mean);
  EXPECT_NE(alone.over_popularity->rank.mean, alone.over_co_occurrence->rank.mean);
}

}  // namespace
}  // namespace surefield
