#include "surefield/api/family_choice.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "surefield/api/fit.hpp"
#include "surefield/api/registries.hpp"
#include "surefield/core/random.hpp"
#include "surefield/learn/folds.hpp"
#include "surefield/report/family_report.hpp"
#include "tests/support/reference.hpp"
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
  EXPECT_EQ(choice.winner, "thin");  // as good as pairwise, and plainer
  ASSERT_EQ(choice.rows.size(), 6U);
  EXPECT_TRUE(choice.verdict.starts_with(
      "thin: hidden items are ranked better than by popularity: mean reciprocal rank 0."))
      << choice.verdict;
  EXPECT_NE(choice.verdict.find("; held-out sets are more likely than by items by themselves: +"),
            std::string::npos)
      << choice.verdict;
  for (const FamilyRow& row : choice.rows) {
    if (row.model == choice.leader) {
      EXPECT_EQ(row.behind.mean, 0);
    }
  }
  EXPECT_GT(choice.rows[0].behind.mean, 2 * choice.rows[0].behind.standard_error);
  // Items by themselves rank as popularity does, but for ties.
  EXPECT_NEAR(choice.rows[0].hidden.over_popularity->reciprocal_rank.mean, 0, 0.02);
  EXPECT_NE(family_text(choice).find("co-occurrence"), std::string::npos);
  EXPECT_NE(family_json(choice).find("\"winner\": \"thin\""), std::string::npos);
  EXPECT_TRUE(family_csv(choice).starts_with("model,mean_reciprocal_rank,hit_rate_at_5,"));
}

TEST(FamilyChoice, OfManySetsJudgesAsManyAsTellFamiliesApart) {
  const FitOptions how = quick_fit();
  const SetCollection data = couples(true, 1);
  // 100 held-out sets a fold: two folds of 70 each do.
  const FamilyChoice choice =
      choose_family(data, {.fit = &how, .families = {"modular", "pairwise"}, .enough = 140});
  EXPECT_EQ(choice.judged, 140U);
  EXPECT_EQ(choice.winner, "pairwise");
  ASSERT_TRUE(choice.rows[1].penalty);
  const Index all = choice.rows[1].hidden.by_gain.hidden_items;
  EXPECT_GT(all, choice.rows[1].hidden.by_gain.sets);
  // Ranking six items for each of 140 sets and no more: one item of each is hidden.
  const FamilyChoice one = choose_family(
      data,
      {.fit = &how, .families = {"modular", "pairwise"}, .enough = 140, .most_ranked = 6 * 140});
  EXPECT_EQ(one.judged, 140U);
  EXPECT_EQ(one.rows[1].hidden.by_gain.hidden_items, one.rows[1].hidden.by_gain.sets);
  EXPECT_EQ(one.rows[0].hidden.by_popularity->reciprocal_rank.mean,
            one.rows[1].hidden.by_popularity->reciprocal_rank.mean);
  // Enough is never more than there are.
  EXPECT_EQ(choose_family(data, {.fit = &how, .families = {"modular"}}).judged, 300U);
}

TEST(FamilyChoice, ADeadlineLeavesFamiliesOutAndSaysSo) {
  FitOptions how = quick_fit();
  how.model = "auto";
  how.budget = Budget().within(0);
  const FitResult found = fit(couples(true, 1), how);
  ASSERT_TRUE(found.choice);
  EXPECT_TRUE(found.choice->complete);
  EXPECT_EQ(found.status, Status::kInterrupted);
  EXPECT_FALSE(found.choice->unfinished.empty());
  EXPECT_EQ(found.notes.back(),
            "pairwise was not compared: time ran out; --model pairwise learns it");
  EXPECT_EQ(size_of(found.model), 6U);
}

TEST(FamilyChoice, WhatCannotBePaidIsLeftOutBeforeItBeginsAndThatIsSaid) {
  FitOptions how = quick_fit();
  how.model = "auto";
  how.nce.epochs = 100;
  how.nce.noise_ratio = 1e9;  // 10^12 operations an epoch and more
  const FitResult found = fit(couples(true, 1), how);
  ASSERT_TRUE(found.choice);
  for (const FamilyRow& row : found.choice->rows) EXPECT_NE(row.model.substr(0, 2), "fl");
  EXPECT_EQ(found.choice->rows.size(), 4U);
  const auto said = [&](const std::string& note) { return std::ranges::count(found.notes, note); };
  // 6 x 10^10 operations: items by themselves take none of their sixth, so flid has a fifth, of which each of three folds has a third;
  // dpp states none, thin takes little of the third that it has, and half is left for fldc.
  EXPECT_EQ(
      said(
          "flid was not compared: 5 epochs are more than 4e+09 operations; --model flid learns it"),
      1);
  EXPECT_EQ(
      said(
          "fldc was not compared: 5 epochs are more than 1e+10 operations; --model fldc learns it"),
      1);
  EXPECT_NE(found.status, Status::kInterrupted);
  // Concepts that cost too much do not take the flid with them.
  how.nce.noise_ratio = quick_fit().nce.noise_ratio;
  how.concepts = 100'000'000;
  const FitResult flid = fit(couples(true, 1), how);
  EXPECT_EQ(flid.choice->rows.size(), 5U);
  EXPECT_EQ(flid.choice->rows[1].model, "flid");
}

TEST(FamilyChoice, WhatOneFamilyTakesOfTheWorkIsGoneForTheNext) {
  // A flid takes all its epochs in three folds; an fldc of very many concepts, the last, would have what that leaves, a third a fold.
  const SetCollection data = couples(true, 1);
  FitOptions how = quick_fit();
  how.nce.patience = how.nce.epochs;
  how.concepts = 100'000'000;
  double taken = 0;
  for (Index k = 0; k < 3; ++k)
    taken += static_cast<double>(how.nce.epochs) *
             nce_operations(fold_of(data, 3, k, 1).training, how.nce);
  const FamilyChoice choice =
      choose_family(data, {.fit = &how, .families = {"flid", "fldc"}, .work = {4 * taken, 5}});
  ASSERT_EQ(choice.rows.size(), 1U);
  ASSERT_EQ(choice.unpaid.size(), 1U);
  EXPECT_EQ(choice.unpaid[0].first, "fldc");
  EXPECT_EQ(choice.unpaid[0].second,
            fmt::format("5 epochs are more than {:.2g} operations", (4 * taken - taken) / 3));
}

TEST(FamilyChoice, TheBarRunsOnceOverAllTrainings) {
  FitOptions how = quick_fit();
  how.model = "auto";
  double last = 0, least_late = 1;
  how.observer = [&](const FitProgress& now) {
    const double share = static_cast<double>(now.done) / static_cast<double>(now.most);
    EXPECT_LE(share, 1);
    if (last > 0.9) least_late = std::min(least_late, share);
    last = std::max(last, share);
    return true;
  };
  fit(couples(true, 1), how);
  EXPECT_GT(last, 0.9);
  EXPECT_GT(least_late, 0.8);  // it does not begin anew with every family
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
  for (Index k = 0; k < 6; ++k) {
    EXPECT_EQ(three.rows[k].over_items, one.rows[k].over_items);
    EXPECT_EQ(three.rows[k].hidden.by_gain.ndcg.mean, one.rows[k].hidden.by_gain.ndcg.mean);
  }
}

/// log p(S | S not empty) a held-out set, by all sets of six items.
double likelihood_by_enumeration(const AnyModel& model, const SetCollection& held_out) {
  const std::vector<double> values = reference::all_values(model);
  double z = 0;
  for (std::size_t code = 1; code < values.size(); ++code) z += std::exp(values[code]);
  double sum = 0;
  for (const auto& set : held_out.sets) {
    std::size_t code = 0;
    for (const auto i : set) code |= std::size_t{1} << i;
    sum += values[code] - std::log(z);
  }
  return sum;
}

TEST(FamilyChoice, LikelihoodsAreThoseOfEnumeration) {
  const FitOptions how = quick_fit();
  const SetCollection data = couples(true, 5);
  const FamilyChoice choice = choose_family(data, {.fit = &how, .folds = 2});
  double items = 0;
  for (const FamilyRow& row : choice.rows) {
    double sum = 0;
    for (Index k = 0; k < 2; ++k) {
      const Fold fold = fold_of(data, 2, k, 1);
      FitOptions one = how;
      one.model = row.model;
      sum += likelihood_by_enumeration(fit(fold.training, one).model, fold.held_out);
    }
    const double truth = sum / static_cast<double>(data.sets.size());
    if (row.model == "modular") items = truth;
    EXPECT_LE(row.likelihood.low, truth + 1e-9) << row.model;
    EXPECT_GE(row.likelihood.high, truth - 1e-9) << row.model;
    EXPECT_LE(row.over_items.low, truth - items + 1e-9) << row.model;
    EXPECT_GE(row.over_items.high, truth - items - 1e-9) << row.model;
    EXPECT_LT(row.likelihood.width(), 1e-8) << row.model;
  }
}

// Of 60 items log Z of a learned field is an interval, and so is a likelihood; its middle is as far from either end.
TEST(FamilyChoice, ALikelihoodIsAnIntervalWhereLogZIs) {
  const SetCollection data =
      generate_registries({.items = 60, .sets = 150, .dimensions = 5, .seed = 1}).data;
  FitOptions how = quick_fit();
  const FamilyChoice choice =
      choose_family(data, {.fit = &how, .families = {"modular", "flid", "pairwise"}});
  double widest = 0;
  for (const FamilyRow& row : choice.rows) {
    EXPECT_LE(row.over_items.low, row.over_items.high) << row.model;
    EXPECT_NEAR(row.likelihood.width(), row.over_items.width(), 1e-12) << row.model;
    widest = std::max(widest, row.over_items.width());
  }
  EXPECT_GT(widest, 1e-9);
}

TEST(FamilyChoice, OfEqualRanksTheMoreLikelyWins) {
  // Of two items the hidden one is always the first of one, whatever the model; but they come together or not at all,
  // which items by themselves cannot say.
  SetCollection data{.items = 2, .sets = {}, .names = {}};
  for (int k = 0; k < 30; ++k) {
    data.sets.push_back({0, 1});
    data.sets.emplace_back();
    if (k % 10 == 0) data.sets.push_back({0});
    if (k % 10 == 5) data.sets.push_back({1});
  }
  const FitOptions how = quick_fit();
  const FamilyChoice choice = choose_family(data, {.fit = &how, .families = {"modular", "thin"}});
  EXPECT_EQ(choice.rows[1].behind.mean, 0);
  EXPECT_EQ(choice.winner, "thin");
  EXPECT_GT(choice.rows[1].over_items.low, 0.2);
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
