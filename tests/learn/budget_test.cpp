// Training and evaluation under a budget: a deadline or a stop ends them soon, with what they have
// and a status that says so; threads change nothing.
#include "surefield/core/budget.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/api/fit.hpp"
#include "surefield/learn/calibration.hpp"
#include "surefield/learn/item_prediction.hpp"
#include "tests/support/learning_data.hpp"
#include "tests/support/processor_time.hpp"
#include "tests/support/random_flid.hpp"

namespace surefield {
namespace {

SetCollection sparse_sets(Index items, Index sets, std::uint64_t seed) {
  Random random(seed);
  SetCollection data = testing::sets_of(items, {});
  for (Index k = 0; k < sets; ++k) {
    auto& set = data.sets.emplace_back();
    for (std::uint32_t i = 0; i < items; ++i)
      if (random.chance(4 / static_cast<double>(items))) set.push_back(i);
    if (set.empty()) set.push_back(static_cast<std::uint32_t>(random.below(items)));
  }
  return data;
}

/// What would take minutes.
FitOptions endless(const FitRow& row) {
  FitOptions options;
  options.model = row.model;
  options.method = row.method;
  options.nce.dimensions = 10;
  options.nce.epochs = options.nce.patience = 10'000'000;
  options.likelihood.iterations = options.dpp.iterations = options.pairwise.iterations = 10'000'000;
  options.pairwise.tolerance = 0;
  options.likelihood.starts = 1'000'000;
  options.likelihood.progress = options.dpp.tolerance = 0;
  return options;
}

TEST(TrainingBudget, ADeadlineEndsEveryMethodWithTheBestSoFar) {
  const SetCollection data = sparse_sets(50, 3000, 1);
  for (const auto& row : fit_table()) {
    SCOPED_TRACE(row.method);
    for (const double seconds : {0.0, 0.2}) {
      FitOptions options = endless(row);
      options.budget = Budget().within(seconds).with_threads(2);
      const double before = testing::processor_seconds();
      const FitResult found = fit(data, options);
      EXPECT_LT(testing::processor_seconds() - before, 2 * (seconds + 1));  // 0.1 rather than 1
      // A field of small treewidth may be there before the deadline.
      if (row.model != "modular" && (row.model != "thin" || seconds == 0)) {
        EXPECT_EQ(found.status, Status::kInterrupted);
      }
      EXPECT_TRUE(std::isfinite(evaluate(found.model, std::vector<std::uint8_t>(50, 1))));
      EXPECT_TRUE(row.model == "pairwise" || std::isfinite(found.log_z_estimate.value()));
    }
  }
}

TEST(TrainingBudget, WhatIsReturnedIsBetterThanTheStart) {
  const SetCollection data = sparse_sets(8, 300, 2);
  std::atomic<bool> stop{false};
  FitOptions options = endless({"dpp", "likelihood", ""});
  options.nce.dimensions = 2;
  std::vector<double> seen;
  options.budget = Budget().stopped_by(stop);
  options.observer = [&](const FitProgress& now) {
    seen.push_back(now.objective);
    if (seen.size() == 20) stop = true;
    return true;
  };
  const FitResult found = fit(data, options);
  EXPECT_EQ(found.status, Status::kInterrupted);
  EXPECT_EQ(seen.size(), 20U);
  EXPECT_GT(*std::ranges::max_element(seen), seen.front());
}

TEST(TrainingBudget, ABudgetThatIsNotSpentChangesNoBit) {
  const SetCollection data = sparse_sets(6, 100, 3);
  for (const auto& row : fit_table()) {
    SCOPED_TRACE(row.method);
    FitOptions options;
    options.model = row.model;
    options.method = row.method;
    options.nce.dimensions = 2;
    options.nce.epochs = 10;
    options.likelihood.log_z = LogZMethod::kExact;
    options.likelihood.iterations = options.dpp.iterations = 30;
    const std::vector<std::uint8_t> all(6, 1);
    const double plain = evaluate(fit(data, options).model, all);
    for (const unsigned threads : {1U, 2U, 8U}) {
      options.budget = Budget().within(1000).with_threads(threads);
      EXPECT_EQ(evaluate(fit(data, options).model, all), plain);
    }
  }
}

TEST(EvaluationBudget, AStopLeavesTheSetsJudgedByThen) {
  const SetCollection data = sparse_sets(10, 2000, 4);
  std::atomic<bool> stop{false};
  std::atomic<int> calls{0};
  const MakeItemScores scores = [&]() -> ItemScores {
    return [&](std::span<const std::uint32_t>, std::span<double> out) {
      if (++calls == 1000) stop = true;
      for (Index j = 0; j < out.size(); ++j) out[j] = static_cast<double>(j);
    };
  };
  const ItemPrediction all = predict_items(data, scores);
  EXPECT_TRUE(all.complete);
  stop = false;
  calls = 0;
  const ItemPrediction some = predict_items(data, scores, {.budget = Budget().stopped_by(stop)});
  EXPECT_FALSE(some.complete);
  EXPECT_GT(some.sets, 0U);
  EXPECT_LT(some.sets, all.sets);
  EXPECT_EQ(some.rank.count, some.sets);
  EXPECT_LE(some.hidden_items, 1000U);
  // On one thread they are the first ones.
  SetCollection first = data;
  first.sets.resize(some.sets + [&] {
    Index small = 0;
    Index used = 0;
    for (const auto& set : data.sets) {
      if (used == some.sets) break;
      set.size() >= 2 ? ++used : ++small;
    }
    return small;
  }());
  stop = false;
  EXPECT_EQ(predict_items(first, scores).rank.mean, some.rank.mean);
}

TEST(EvaluationBudget, ThreadsChangeNoBit) {
  const SetCollection data = sparse_sets(12, 1000, 5);
  const AnyModel model = testing::random_flid(12, 3, 2);
  const ItemPrediction one = predict_items(data, gain_scores(model));
  for (const unsigned threads : {2U, 8U}) {
    const ItemPrediction many =
        predict_items(data, gain_scores(model), {.budget = Budget().with_threads(threads)});
    EXPECT_EQ(one.rank.mean, many.rank.mean);
    EXPECT_EQ(one.reciprocal_rank.standard_error, many.reciprocal_rank.standard_error);
    EXPECT_EQ(one.hits[0].rate.mean, many.hits[0].rate.mean);
  }
}

TEST(EvaluationBudget, CalibrationCountsTheSetsItSaw) {
  const SetCollection data = sparse_sets(4, 5000, 6);
  const std::vector<double> marginals(4, 0.5);
  EXPECT_TRUE(calibrate(marginals, data).complete);
  const Calibration some = calibrate(marginals, data, 10, Budget().within(0));
  EXPECT_FALSE(some.complete);
  EXPECT_EQ(some.sets, 1024U);
  SetCollection first = data;
  first.sets.resize(1024);
  EXPECT_EQ(calibrate(marginals, first).items[2].observed, some.items[2].observed);
}

}  // namespace
}  // namespace surefield
