// What is held out is not seen: every front door that trains and judges, against its parts put
// together by hand, bit for bit, on data where a set that leaks shows.
#include <gtest/gtest.h>

#include <cmath>

#include "surefield/api/agree.hpp"
#include "surefield/api/cross_validation.hpp"
#include "surefield/api/evaluate.hpp"
#include "surefield/api/family_choice.hpp"
#include "surefield/api/fit.hpp"
#include "surefield/api/select.hpp"
#include "surefield/learn/held_out.hpp"
#include "surefield/learn/modular_non_empty.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/split_vocabulary.hpp"

namespace surefield {
namespace {

using testing::refusal;
using testing::split_vocabulary;

/// Mean log p(S | S not empty) of items by themselves, each as often among sets that are not empty as in the
/// training sets and once more, from the definition: by counting and iteration, in long double.
long double modular_likelihood(const SetCollection& training, const SetCollection& judged) {
  std::vector<long double> share;
  for (Index i = 0; i < training.items; ++i) {
    long double with = 1;
    long double without = 1;
    for (const auto& set : training.sets)
      ++(std::find(set.begin(), set.end(), i) == set.end() ? without : with);
    share.push_back(with / (with + without));
  }
  long double none = 0;  // the chance of the empty set: the least root of the equation
  for (int step = 0; step < 100000; ++step) {
    long double next = 1;
    for (const long double f : share) next *= 1 - f * (1 - none);
    if (next == none) break;
    none = next;
  }
  std::vector<long double> u;
  for (const long double f : share)
    u.push_back(std::log(f * (1 - none)) - std::log1p(-f * (1 - none)));
  long double sum = 0;
  for (const auto& set : judged.sets) {
    sum += std::log(none) - std::log(1 - none);
    for (const auto i : set) sum += u[i];
  }
  return sum / static_cast<long double>(judged.sets.size());
}

SelectOptions quick() {
  SelectOptions options;
  options.dimensions = {0, 1};
  options.folds = 3;
  options.training.epochs = 10;
  options.training.starts = 1;
  options.seed = 5;
  return options;
}

/// Fold k of all, counted from 0, through the front door.
FoldFit fold_by_front_door(const SetCollection& data, Index folds, Index k,
                           const FitOptions& options, const LogZOptions& log_z) {
  auto found = cross_validate(
      data,
      {.fit = options, .folds = folds, .fold = k + 1, .width = log_z.width, .seed = options.seed});
  return std::move(found.at(0));
}

TEST(Leak, SelectTrainsOutsideTheFoldAndJudgesInsideIt) {
  for (const bool empty : {false, true}) {
    SCOPED_TRACE(empty);
    const SelectOptions options = quick();
    const SetCollection data = split_vocabulary(60, 3, options.seed, empty);
    const SelectResult found = select_model(data, options);
    ASSERT_EQ(found.rows.size(), 2U);
    for (const SelectRow& row : found.rows) {
      SCOPED_TRACE(row.dimensions);
      std::vector<Problem> problems;
      std::vector<Fold> folds;
      for (Index k = 0; k < 3; ++k) {
        folds.push_back(fold_of(data, 3, k, options.seed));
        NceOptions training = options.training;
        training.dimensions = row.dimensions;
        training.seed = options.seed + k;
        problems.push_back(make_problem(row.dimensions == 0
                                            ? fit_items_alone(folds[k].training)
                                            : fit_flid_nce(folds[k].training, training).model));
      }
      const AgreePairs pairs = agree_pairs(
          problems, {.width = options.width, .seconds = options.seconds, .seed = options.seed});
      std::vector<Interval> agreement, likelihood;
      for (const auto& pair : pairs.rows)
        agreement.push_back({pair.bounds.pa_lower.value(), pair.bounds.pa_upper.value()});
      for (Index k = 0; k < 3; ++k)
        likelihood.push_back(
            held_out_likelihood(problems[k].model, folds[k].held_out,
                                {pairs.log_z[k].lower.value(), pairs.log_z[k].upper.value()},
                                empty ? Support::kAllSets : Support::kNonEmptySets)
                .log_likelihood());
      ASSERT_TRUE(row.likelihood && row.agreement);
      EXPECT_EQ(row.likelihood->mean, summarise(likelihood, fold_places(3)).mean);
      if (empty) {  // else over the non-empty sets
        EXPECT_EQ(row.agreement->mean, summarise(agreement, pair_places(3)).mean);
      }
    }
  }
}

TEST(Leak, SelectsLikelihoodOfItemsByThemselvesIsThatOfTheDefinition) {
  const SelectOptions options = quick();
  const SetCollection data = split_vocabulary(60, 3, options.seed);
  const SelectResult found = select_model(data, options);
  long double honest = 0;
  long double trained_on_all = 0;
  long double judged_on_all = 0;
  for (Index k = 0; k < 3; ++k) {
    const Fold fold = fold_of(data, 3, k, options.seed);
    honest += modular_likelihood(fold.training, fold.held_out) / 3;
    trained_on_all += modular_likelihood(data, fold.held_out) / 3;
    judged_on_all += modular_likelihood(fold.training, data) / 3;
  }
  const Interval mean = found.rows[0].likelihood.value().mean;
  EXPECT_LE(mean.low, static_cast<double>(honest));
  EXPECT_GE(mean.high, static_cast<double>(honest));
  EXPECT_LT(mean.high - mean.low, 1e-6);
  EXPECT_GT(trained_on_all, honest + 1);  // a leak would show
  EXPECT_GT(judged_on_all, honest + 1);
}

/// F of every set of one or two items, which tells models apart.
std::vector<double> values_of_small_sets(const AnyModel& model) {
  std::vector<double> values;
  const Index n = size_of(model);
  for (Index i = 0; i < n; ++i)
    for (Index j = i; j < n; ++j) {
      std::vector<std::uint8_t> chosen(n, 0);
      chosen[i] = chosen[j] = 1;
      values.push_back(evaluate(model, chosen));
    }
  return values;
}

TEST(Leak, AFoldIsLearnedFromTheOthersByEveryMethod) {
  const SetCollection data = split_vocabulary(60, 3, 7);
  for (const auto& row : fit_table()) {
    SCOPED_TRACE(row.method);
    FitOptions options;
    options.model = row.model;
    options.method = row.method;
    options.nce.dimensions = 1;
    options.nce.epochs = 10;
    options.likelihood.starts = 1;
    if (row.method == "samples") options.likelihood.iterations = 5;
    options.seed = 7;
    for (Index k = 0; k < 3; ++k) {
      const FoldFit found = fold_by_front_door(data, 3, k, options, {});
      const Fold fold = fold_of(data, 3, k, 7);
      const FitResult by_hand = fit(fold.training, options);
      EXPECT_EQ(found.fit.sets, 40U);
      EXPECT_EQ(values_of_small_sets(found.fit.model), values_of_small_sets(by_hand.model));
      EXPECT_NE(values_of_small_sets(found.fit.model),
                values_of_small_sets(fit(data, options).model));
      const auto judged = fold_likelihood(by_hand, fold.held_out, {.goal = LogZGoal::kWidth});
      ASSERT_TRUE(found.held_out && judged);
      EXPECT_EQ(found.held_out->sets, 20U);
      EXPECT_EQ(found.held_out->lower, judged->lower);
      EXPECT_EQ(found.held_out->upper, judged->upper);
      EXPECT_EQ(found.held_out->lower_not_empty, judged->lower_not_empty);
      ASSERT_TRUE(found.hidden);
      const ItemJudgement hidden = judge_items(by_hand.model, fold.held_out, &fold.training);
      EXPECT_EQ(found.hidden->by_gain.rank.mean, hidden.by_gain.rank.mean);
      EXPECT_EQ(found.hidden->by_popularity->rank.mean, hidden.by_popularity->rank.mean);
      EXPECT_EQ(found.hidden->by_co_occurrence->rank.mean, hidden.by_co_occurrence->rank.mean);
      // Its own item, which the training sets do not hold, is the least likely of all.
      const auto values = values_of_small_sets(found.fit.model);
      double alone = 0;
      double least_other = kInfinity;
      for (Index i = 0, at = 0; i < data.items; at += data.items - i, ++i)
        (i == k ? alone : least_other) = i == k ? values[at] : std::min(least_other, values[at]);
      EXPECT_LT(alone, least_other - 0.5);
    }
  }
}

TEST(Leak, AFoldOfItemsByThemselvesHasTheLikelihoodOfTheDefinition) {
  const SetCollection data = split_vocabulary(60, 3, 7);
  FitOptions options;
  options.model = "modular";
  options.seed = 7;
  for (Index k = 0; k < 3; ++k) {
    const Fold fold = fold_of(data, 3, k, 7);
    const auto truth = static_cast<double>(modular_likelihood(fold.training, fold.held_out));
    const FoldFit found = fold_by_front_door(data, 3, k, options, {});
    EXPECT_NEAR(*found.held_out->lower_not_empty, truth, 1e-7);
    EXPECT_NEAR(*found.held_out->upper_not_empty, truth, 1e-7);
  }
}

TEST(Leak, FoldsByAnotherSeedAreOtherFolds) {
  const SetCollection data = split_vocabulary(60, 3, 7);
  FitOptions options;
  options.model = "modular";
  options.seed = 7;
  const FoldFit first = fold_by_front_door(data, 3, 0, options, {});
  EXPECT_EQ(fold_by_front_door(data, 3, 0, options, {}).held_out->lower, first.held_out->lower);
  options.seed = 8;
  EXPECT_NE(fold_by_front_door(data, 3, 0, options, {}).held_out->lower, first.held_out->lower);
}

TEST(Leak, MoreFoldsThanSetsAreRefused) {
  const SetCollection data = split_vocabulary(6, 3, 1);
  EXPECT_EQ(refusal([&] { fold_by_front_door(data, 7, 0, {.model = "modular"}, {}); }),
            "folds: the number of folds is 7, more than the 6 sets there are");
  EXPECT_EQ(refusal([&] { fold_by_front_door(data, 3, 3, {.model = "modular"}, {}); }),
            "fit: fold is 4, which must be from 1 to 3");
  SelectOptions options = quick();
  options.folds = 7;
  EXPECT_EQ(refusal([&] { select_model(data, options); }),
            "folds: the number of folds is 7, more than the 6 sets there are");
  // As many as sets: one set each is held out.
  options.folds = 6;
  EXPECT_EQ(select_model(data, options).rows.size(), 2U);
}

// Training sets hold 0 three times, 1 twice, 2 once; the sets to judge by hold 3 and 4 only. Given
// one of these the other has no training set, and 0, 1 and 2 are before it: rank 4 of 4.
TEST(Leak, PopularityIsThatOfTheTrainingSets) {
  const SetCollection training{.items = 5, .sets = {{0}, {0, 1}, {0, 1, 2}}, .names = {}};
  const SetCollection held_out{.items = 5, .sets = {{3, 4}, {3, 4}}, .names = {}};
  const AnyModel model = make_flid({0, 0, 0, 0, 0}, {}, 0);
  const Evaluation found = evaluate_model(model, held_out, &training);
  ASSERT_TRUE(found.hidden.by_popularity);
  EXPECT_EQ(found.hidden.by_popularity->rank.mean, 4);
  EXPECT_EQ(found.hidden.by_popularity->hits[0].rate.mean, 0);
  EXPECT_EQ(found.hidden.by_gain.rank.mean, 2.5);  // all equal: (1 + 2 + 3 + 4) / 4
  const Evaluation leaked = evaluate_model(model, held_out, &held_out);
  EXPECT_EQ(leaked.hidden.by_popularity->rank.mean, 1);
}

// Families are learned outside a fold and judged inside it, and so are the baselines beside them.
TEST(Leak, TheChoiceOfAFamilyIsItsPartsByHand) {
  const SetCollection data = split_vocabulary(60, 3, 5);
  FitOptions how;
  how.seed = 2;
  const FamilyChoice found =
      choose_family(data, {.fit = &how, .families = {"modular"}, .folds = 3, .seed = 5});
  std::vector<ItemJudgement> judged;
  for (Index k = 0; k < 3; ++k) {
    const Fold fold = fold_of(data, 3, k, 5);
    how.model = "modular";
    judged.push_back(judge_items(fit(fold.training, how).model, fold.held_out, &fold.training));
  }
  const ItemJudgement all = pooled(judged), &one = found.rows.at(0).hidden;
  EXPECT_EQ(one.by_gain.reciprocal_rank.mean, all.by_gain.reciprocal_rank.mean);
  ASSERT_TRUE(one.by_popularity && all.by_popularity);
  EXPECT_EQ(one.by_popularity->rank.mean, all.by_popularity->rank.mean);
  EXPECT_EQ(one.by_gain.hidden_items, all.by_gain.hidden_items);
}

}  // namespace
}  // namespace surefield
