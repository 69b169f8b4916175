#include "surefield/api/family_choice.hpp"

#include <gtest/gtest.h>

#include "surefield/api/fit.hpp"
#include "surefield/core/random.hpp"
#include "surefield/report/family_report.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

/// Pairs 0-1, 2-3, 4-5 that come together, or every item by itself.
SetCollection couples(bool together, std::uint64_t seed) {
  Random random(seed);
  SetCollection data{.items = 6, .sets = {}, .names = {}};
  while (data.sets.size() < 300) {
    std::vector<std::uint32_t> set;
    for (std::uint32_t i = 0; i < 6; i += 2) {
      const bool first = random.chance(0.3 + 0.05 * i);
      const bool second = together ? (random.chance(0.9) ? first : !first) : random.chance(0.4);
      if (first) set.push_back(i);
      if (second) set.push_back(i + 1);
    }
    if (!set.empty()) data.sets.push_back(std::move(set));
  }
  return data;
}

FitOptions quick_fit() {
  FitOptions how;
  how.nce.dimensions = 2;
  how.concepts = 2;
  how.nce.epochs = 10;
  return how;
}

TEST(FamilyChoice, TakesCouplingsWhereItemsComeTogether) {
  const FitOptions how = quick_fit();
  const FamilyChoice choice = choose_family(couples(true, 1), {.fit = &how});
  EXPECT_EQ(choice.winner, "pairwise");
  EXPECT_EQ(choice.leader, "pairwise");
  ASSERT_EQ(choice.rows.size(), 4U);
  EXPECT_TRUE(choice.verdict.starts_with(
      "pairwise: hidden items are ranked better than by popularity: mean reciprocal rank 0."))
      << choice.verdict;
  EXPECT_EQ(choice.rows[3].behind.mean, 0);
  EXPECT_GT(choice.rows[0].behind.mean, 2 * choice.rows[0].behind.standard_error);
  // Items by themselves rank as popularity does, but for ties.
  EXPECT_NEAR(choice.rows[0].hidden.over_popularity->reciprocal_rank.mean, 0, 0.02);
  EXPECT_NE(family_text(choice).find("co-occurrence"), std::string::npos);
  EXPECT_NE(family_json(choice).find("\"winner\": \"pairwise\""), std::string::npos);
  EXPECT_TRUE(family_csv(choice).starts_with("model,mean_reciprocal_rank,hit_rate_at_5,"));
}

TEST(FamilyChoice, TakesThePlainestWhereNothingIsToBeKnown) {
  FitOptions how = quick_fit(), compared = how;
  compared.nce.noise_ratio /= 4;  // as `auto` compares
  const FamilyChoice choice = choose_family(couples(false, 3), {.fit = &compared});
  EXPECT_EQ(choice.winner, "modular");
  EXPECT_TRUE(
      choice.verdict.starts_with("modular: hidden items are ranked no better than by popularity"))
      << choice.verdict;
  how.model = "auto";
  const FitResult found = fit(couples(false, 3), how);
  EXPECT_EQ(found.model_name, "modular");
  ASSERT_TRUE(found.choice);
  EXPECT_EQ(found.choice->verdict, choice.verdict);
}

TEST(FamilyChoice, HasTheSameAnswerOnEveryNumberOfThreads) {
  FitOptions how = quick_fit();
  const FamilyChoice one = choose_family(couples(true, 3), {.fit = &how});
  how.budget = Budget().with_threads(3);
  const FamilyChoice three = choose_family(couples(true, 3), {.fit = &how});
  EXPECT_EQ(three.verdict, one.verdict);
  for (Index k = 0; k < 4; ++k)
    EXPECT_EQ(three.rows[k].hidden.by_gain.ndcg.mean, one.rows[k].hidden.by_gain.ndcg.mean);
}

TEST(FamilyChoice, SetsOfOneItemLeaveThePlainest) {
  const FitOptions how = quick_fit();
  const SetCollection data{.items = 2, .sets = {{0}, {1}, {0}, {1}}, .names = {}};
  const FamilyChoice choice = choose_family(data, {.fit = &how, .folds = 2});
  EXPECT_EQ(choice.winner, "modular");
  EXPECT_EQ(choice.verdict,
            "modular: there are too few sets of two items to tell it from popularity");
}

TEST(FamilyChoice, SaysWhatItRefusesAndEndsWhenTold) {
  FitOptions how = quick_fit();
  const auto refused = [&](std::vector<std::string> families) {
    return testing::refusal(
        [&] { choose_family(couples(true, 1), {.fit = &how, .families = families}); });
  };
  EXPECT_EQ(refused({"modular", "modular"}), "families: 'modular' is named twice");
  EXPECT_EQ(refused({"magic"}), "families: there is no model 'magic' to learn");
  EXPECT_EQ(refused({"auto"}), "families: 'auto' is the comparison itself");
  how.observer = [](const FitProgress&) { return false; };
  const FamilyChoice told = choose_family(couples(true, 1), {.fit = &how});
  EXPECT_FALSE(told.complete);
  EXPECT_EQ(told.winner, "modular");
}

}  // namespace
}  // namespace surefield
