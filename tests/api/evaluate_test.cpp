#include "surefield/api/evaluate.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "surefield/api/generate.hpp"
#include "surefield/api/registries.hpp"
#include "surefield/api/set_marginals.hpp"
#include "surefield/models/families.hpp"
#include "surefield/report/evaluation_report.hpp"
#include "tests/support/processor_time.hpp"
#include "tests/support/random_flid.hpp"
#include "tests/support/random_kernel.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

template <class M>
std::vector<double> marginals_by_enumeration(const M& model) {
  const auto values = reference::all_values(model);
  const double log_z = reference::log_z(values);
  std::vector<double> marginals(model.size(), 0);
  for (std::size_t code = 0; code < values.size(); ++code)
    for (Index i = 0; i < model.size(); ++i)
      if ((code >> i) & 1) marginals[i] += std::exp(values[code] - log_z);
  return marginals;
}

template <class M>
void check_marginals(const M& model, const std::string& method) {
  const auto truth = marginals_by_enumeration(model);
  const Problem problem = make_problem(model);
  const auto found = set_marginals(
      problem, log_z(problem, {.compare = false, .estimates = false, .marginals = true}));
  EXPECT_EQ(found.method, method);
  ASSERT_EQ(found.values.size(), truth.size());
  EXPECT_LE(found.error, 1e-9);
  for (Index i = 0; i < truth.size(); ++i) EXPECT_NEAR(found.values[i], truth[i], 2e-9);
}

TEST(SetMarginals, AreExactWhereAMethodIs) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    check_marginals(testing::random_flid(7, 3, seed), "best items");
    check_marginals(make_log_det(testing::random_kernel(6, seed)), "determinant");
    // An attractive pair: flipped inside, told in the user's variables.
    check_marginals(
        make_pairwise_field({0.3, -0.2, 0.1}, std::vector<Edge>{{0, 1, 0.7}, {1, 2, -1}}),
        "elimination");
    const std::vector<std::vector<Entry>> concepts{{{0, 0.5}}, {{0, 0.3}, {1, 0.9}}};
    check_marginals(make_coverage({0.5, 0.2}, {1, 2}, concepts), "elimination");
  }
}

TEST(SetMarginals, AreCertifiedWhereOnlyBranchAndBoundReaches) {
  // Forty items of ten needs are past the exact method; their needs are nearly independent.
  const auto made = generate_registries({.items = 40, .sets = 1, .seed = 4});
  const Problem problem = make_problem(made.truth);
  const LogZOptions how{.goal = LogZGoal::kWidth, .width = 0.02, .exact = false, .marginals = true};
  const auto found = set_marginals(problem, log_z(problem, how));
  EXPECT_EQ(found.method, "branch and bound");
  EXPECT_GT(found.error, 0);
  EXPECT_LT(found.error, 0.01);
  double size = 0;
  for (const double p : found.values) size += p;
  EXPECT_NEAR(size, 3, 0.5);
}

TEST(SetMarginals, AreMeanFieldInsideWhatIsProvedOrWithoutAnything) {
  const Flid model = testing::random_flid(5, 2, 3);
  const Problem problem = make_problem(model);
  const auto truth = marginals_by_enumeration(model);
  LogZResult wide;
  wide.marginals_method = "branch and bound";
  for (const double p : truth) wide.marginals.push_back({std::max(0.0, p - 0.05), p});
  const auto moved = set_marginals(problem, wide);
  EXPECT_EQ(moved.method, "mean field, moved into the intervals of branch and bound");
  EXPECT_LE(moved.error, 0.05 + 1e-12);
  for (Index i = 0; i < 5; ++i) EXPECT_TRUE(wide.marginals[i].contains(moved.values[i])) << i;
  const auto alone = set_marginals(problem, LogZResult{});
  EXPECT_EQ(alone.method, "mean field");
  EXPECT_EQ(alone.error, kInfinity);
  EXPECT_EQ(alone.values.size(), 5U);
}

TEST(LogZ, StopsAtAnExactValueWhereAskedTo) {
  const Problem problem = make_problem(testing::random_flid(6, 2, 1));
  const auto found = log_z(problem, {.compare = false});
  EXPECT_TRUE(found.exact);
  for (const auto& value : found.values) EXPECT_EQ(value.side, Side::kExact) << value.method;
  EXPECT_GT(log_z(problem, {}).values.size(), found.values.size());
}

TEST(Evaluate, ATrueModelIsCalibratedAndBeatsPopularity) {
  const RegistryOptions options{.items = 16, .sets = 4000, .dimensions = 4, .seed = 8};
  const auto made = generate_registries(options);
  const AnyModel model = made.truth;
  const auto found =
      evaluate_model(model, made.data, &made.data,
                     {.support = Support::kNonEmptySets, .budget = Budget().with_threads(2)});
  EXPECT_TRUE(found.log_z_exact);
  ASSERT_TRUE(found.over_all_sets && found.over_non_empty_sets && found.calibration);
  EXPECT_GT(found.over_non_empty_sets->log_likelihood().low,
            found.over_all_sets->log_likelihood().high);
  EXPECT_LT(found.calibration->mean_square_z, 2.5);
  EXPECT_LT(found.calibration->expected_error, 0.01);
  EXPECT_GT(found.hidden.by_gain.hits[1].rate.mean, found.hidden.by_popularity->hits[1].rate.mean);

  // Empty sets are no part of what is calibrated for non-empty ones.
  SetCollection padded = made.data;
  padded.sets.resize(made.data.sets.size() + 1000);
  const auto same = evaluate_model(model, padded, nullptr, {.support = Support::kNonEmptySets});
  EXPECT_EQ(same.empty_sets, 1000U);
  EXPECT_EQ(same.calibration->sets, made.data.sets.size());
  EXPECT_DOUBLE_EQ(same.calibration->expected_error, found.calibration->expected_error);

  // No model is better on the data than the truth by more than chance.
  std::vector<double> utility = made.truth.utility;
  for (double& u : utility) u += 0.3;
  const AnyModel other = make_flid(utility, made.truth.weights, 4);
  const auto worse = evaluate_model(other, made.data);
  EXPECT_LT(worse.over_non_empty_sets->log_likelihood().high,
            found.over_non_empty_sets->log_likelihood().low);
  EXPECT_FALSE(worse.hidden.by_popularity);
}

TEST(Evaluate, LikelihoodByHandAndSameBitsOnTwoThreads) {
  // u = (log 2, log 3): Z = 12; p({0}) = 2/12, p({0, 1}) = 6/12, p(empty) = 1/12.
  const AnyModel model = make_flid({std::log(2), std::log(3)}, {}, 0);
  SetCollection data;
  data.items = 2;
  data.sets = {{0}, {1, 0}, {}};
  const auto found = evaluate_model(model, data);
  EXPECT_EQ(found.empty_sets, 1U);
  EXPECT_DOUBLE_EQ(found.mean_size, 1);
  const double all = (std::log(2.0 / 12) + std::log(6.0 / 12) + std::log(1.0 / 12)) / 3;
  EXPECT_NEAR(found.over_all_sets->log_likelihood().low, all, 1e-12);
  const double given = (std::log(2.0 / 11) + std::log(6.0 / 11)) / 2;
  EXPECT_NEAR(found.over_non_empty_sets->log_likelihood().high, given, 1e-10);
  EXPECT_NEAR(found.calibration->items[0].predicted, 2.0 / 3, 1e-12);

  auto one = found;
  auto two = evaluate_model(model, data, nullptr, {.budget = Budget().with_threads(2)});
  one.seconds = two.seconds = 0;
  EXPECT_EQ(evaluation_json(one), evaluation_json(two));
}

// log Z of a held-out likelihood is the one of log_z to the width asked for.
TEST(Evaluate, LogZIsAsWideAsAllowed) {
  const AnyModel model = generate("flid", {.items = 50, .groups = 8, .seed = 3});
  const Problem problem = make_problem(model, {}, {}, {.no_guarantee = true});
  const SetCollection data{.items = 50, .sets = {{0, 3}, {7}}, .names = {}};
  std::vector<double> widths;
  for (const double width : {0.1, 0.01}) {
    const Evaluation found = evaluate_model(model, data, nullptr, {.width = width});
    const LogZResult by_hand =
        log_z(problem, {.goal = LogZGoal::kWidth, .width = width, .marginals = true});
    EXPECT_EQ(found.log_z_lower, by_hand.lower);
    EXPECT_EQ(found.log_z_upper, by_hand.upper);
    widths.push_back(*found.log_z_upper - *found.log_z_lower);
  }
  EXPECT_LE(widths[1], 0.01);
  EXPECT_GT(widths[0], widths[1]);
}

TEST(Evaluate, ADeadlineOrAStopEndsAllOfIt) {
  const Index n = 3000;
  Random random(2);
  SetCollection data;
  data.items = n;
  for (int k = 0; k < 20000; ++k)
    data.sets.push_back({static_cast<std::uint32_t>(random.below(n / 2)),
                         static_cast<std::uint32_t>(n / 2 + random.below(n / 2))});
  const AnyModel model = make_flid(std::vector<double>(n, -7.0), {}, 0);
  const std::atomic<bool> stop{true};
  for (const bool stopped : {false, true}) {
    EvaluateOptions how;
    if (stopped)
      how.budget = Budget().stopped_by(stop);
    else
      how.seconds = 0.3;
    how.budget = how.budget.with_threads(2);
    const double before = testing::processor_seconds();
    const auto found = evaluate_model(model, data, &data, how);
    EXPECT_LT(testing::processor_seconds() - before, 3);  // 0.6 rather than 3; all of it: 10
    EXPECT_FALSE(found.is_complete());
    EXPECT_LT(found.hidden.by_gain.sets, data.sets.size());
  }
}

void expect_same(const ItemPrediction& found, const ItemPrediction& truth) {
  EXPECT_EQ(found.sets, truth.sets);
  EXPECT_EQ(found.sets_left_out, truth.sets_left_out);
  EXPECT_EQ(found.hidden_items, truth.hidden_items);
  EXPECT_EQ(found.reciprocal_rank.mean, truth.reciprocal_rank.mean);
  EXPECT_EQ(found.reciprocal_rank.standard_error, truth.reciprocal_rank.standard_error);
  EXPECT_EQ(found.rank.mean, truth.rank.mean);
  EXPECT_EQ(found.hits[1].rate.mean, truth.hits[1].rate.mean);
}

TEST(Evaluate, RanksAsManyItemsAsAreAllowedAndNoOthers) {
  const auto made =
      generate_registries({.items = 16, .sets = 300, .dimensions = 4, .seed = 3}).data;
  const AnyModel model = testing::random_flid(16, 2, 5);
  double entries = 0;
  for (const auto& set : made.sets) entries += static_cast<double>(set.size());
  const auto limited = [&](double most) {
    return evaluate_model(model, made, &made, {.most_ranked = most});
  };
  const std::string sampled = "a sample of all";
  // 1. Every item in turn: 16 ranked for each.
  const Evaluation all = limited(16 * entries);
  expect_same(all.hidden.by_gain, predict_items(made, gain_scores(model)));
  EXPECT_EQ(evaluation_text(all).find(sampled), std::string::npos);
  // 2. One less, and of every set one item is hidden.
  const Evaluation one = limited(16 * entries - 1);
  expect_same(one.hidden.by_gain, predict_items(made, gain_scores(model), {.one_by_seed = 1}));
  EXPECT_LT(one.hidden.by_gain.hidden_items, all.hidden.by_gain.hidden_items);
  EXPECT_EQ(one.hidden.by_gain.sets, all.hidden.by_gain.sets);
  EXPECT_EQ(evaluation_text(one).find(sampled), std::string::npos);
  // 3. Of 300 sets 75 and no more: every fourth, for the baselines too.
  const Evaluation some = limited(16 * 75 + 15);
  SetCollection fourth = made;
  fourth.sets.clear();
  for (Index k = 0; k < 300; k += 4) fourth.sets.push_back(made.sets[k]);
  const ItemPredictionOptions hide{.one_by_seed = 1};
  expect_same(some.hidden.by_gain, predict_items(fourth, gain_scores(model), hide));
  expect_same(*some.hidden.by_popularity, predict_items(fourth, popularity_scores(made), hide));
  expect_same(*some.hidden.by_co_occurrence,
              predict_items(fourth, co_occurrence_scores(made), hide));
  EXPECT_TRUE(some.is_complete());
  EXPECT_NE(evaluation_text(some).find(sampled), std::string::npos);
  // All else is of all sets.
  EXPECT_EQ(some.over_all_sets->log_likelihood().low, all.over_all_sets->log_likelihood().low);
  EXPECT_EQ(some.calibration->sets, 300U);
}

TEST(Evaluate, SecondsTakeThePlaceOfTheLimit) {
  const auto made = generate_registries({.items = 12, .sets = 60, .dimensions = 3, .seed = 3}).data;
  const AnyModel model = testing::random_flid(12, 2, 5);
  const auto found = evaluate_model(model, made, nullptr, {.seconds = 1000, .most_ranked = 12});
  expect_same(found.hidden.by_gain, predict_items(made, gain_scores(model)));
}

TEST(Evaluate, OnlyEmptySetsOrOneSetAreAnswered) {
  const AnyModel model = make_flid({0.5, -1}, {}, 0);
  SetCollection data;
  data.items = 2;
  data.sets = {{}};
  const auto found = evaluate_model(model, data, nullptr, {.support = Support::kNonEmptySets});
  EXPECT_FALSE(found.over_non_empty_sets);
  EXPECT_FALSE(found.calibration);
  EXPECT_EQ(found.hidden.by_gain.sets, 0U);
  const auto json = nlohmann::json::parse(evaluation_json(found));
  EXPECT_TRUE(json["log_likelihood_non_empty_sets"].is_null());
  EXPECT_TRUE(json["calibration"].is_null());
  EXPECT_TRUE(json["log_likelihood_all_sets"]["standard_error"].is_null());
  EXPECT_TRUE(json["prediction_by_gain"]["mean_rank"].is_null());
  EXPECT_EQ(evaluation_text(found).find("nan"), std::string::npos);
  EXPECT_EQ(evaluation_csv(found).find("inf"), std::string::npos);
}

TEST(Evaluate, SaysWhatItRefuses) {
  const AnyModel model = make_flid({0.5, -1}, {}, 0);
  SetCollection data;
  data.items = 3;
  data.sets = {{2}};
  EXPECT_EQ(testing::refusal([&] { evaluate_model(model, data); }),
            "evaluate: the sets are of 3 items, the model of 2, which must be the same");
  SetCollection none;
  none.items = 2;
  EXPECT_EQ(testing::refusal([&] { evaluate_model(model, none); }),
            "evaluate: there is no set to judge by");
  none.sets = {{0}};
  EXPECT_EQ(testing::refusal([&] { evaluate_model(model, none, &data); }),
            "evaluate: the training sets are of 3 items, the model of 2, which must be the same");
}

}  // namespace
}  // namespace surefield
