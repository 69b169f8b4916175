#include "surefield/api/recommend.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "surefield/api/infer.hpp"
#include "surefield/api/log_z.hpp"
#include "tests/support/all_families.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/set_truth.hpp"

namespace surefield {
namespace {

/// Three fields that attract, so that the problem is flipped, and one of every family.
std::vector<AnyModel> models_of(Index n, std::uint64_t seed) {
  std::vector<AnyModel> models;
  testing::for_each_family(n, seed, [&](const char*, auto model) { models.emplace_back(model); });
  Random random(seed);
  std::vector<double> bias(n);
  std::vector<Edge> chain;
  for (double& b : bias) b = random.uniform(-2, 1);
  for (std::uint32_t i = 0; i + 1 < n; ++i) chain.push_back({i, i + 1, random.uniform(0.1, 2)});
  models.emplace_back(make_pairwise_field(bias, chain));
  return models;
}

TEST(ExactAnswer, IsTheSumOverSetsInEveryFamily) {
  std::size_t checked = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (const auto& model : models_of(seed % 8, seed)) {
      SCOPED_TRACE(::testing::Message() << kind_of(model) << ", seed " << seed);
      const double beta = seed % 2 ? 1 : 0.6;
      const Box box = testing::random_fixing(seed % 8, seed + 1);
      const auto truth = testing::set_truth(model, box, beta);
      const LogZResult found =
          log_z(make_problem(model, {}, box),
                {.goal = LogZGoal::kExact, .inverse_temperature = beta, .marginals = true});
      if (truth.rounding > 1e-7) continue;  // beyond six digits nothing is exact
      ASSERT_TRUE(found.exact);
      EXPECT_NEAR(found.value, truth.log_z, truth.rounding);
      ASSERT_EQ(found.marginals.size(), truth.marginals.size());
      for (Index i = 0; i < truth.marginals.size(); ++i)
        EXPECT_NEAR(found.marginals[i].low, truth.marginals[i], 10 * truth.rounding);
      ++checked;
    }
  EXPECT_GT(checked, 10U * 13U);
}

TEST(ExactAnswer, GivesUpAtItsLimits) {
  const LogZOptions cheap{.goal = LogZGoal::kExact, .budget = Budget().with_operations(1e8)};
  EXPECT_TRUE(log_z(make_problem(testing::random_coverage(18, 3, 1)), cheap).exact);
  EXPECT_FALSE(log_z(make_problem(testing::random_coverage(60, 40, 3)), cheap).exact);
  const LogZResult flid = log_z(make_problem(testing::random_flid(25, 4, 1)), cheap);
  EXPECT_EQ(flid.method(), "best items");
}

TEST(GreedyCompletion, TakesTheLargestGainOfTheDefinitionUntilNoneIsLeft) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Index n = seed % 9;
    for (const auto& model : models_of(n, seed)) {
      SCOPED_TRACE(::testing::Message() << kind_of(model) << ", seed " << seed);
      const Box box = testing::random_fixing(n, seed + 7);
      std::vector<std::uint8_t> set(n);
      for (Index i = 0; i < n; ++i) set[i] = box.low[i] > 0;
      const Completion found = greedy_completion(make_problem(model, {}, box));
      double value = evaluate(model, set);
      const double rounding = testing::set_truth(model, box, 1).rounding;
      EXPECT_NEAR(found.start_value, value, rounding);
      const auto gain = [&](Index i) {
        auto with = set;
        with[i] = 1;
        return evaluate(model, with) - value;
      };
      for (Index i = 0; i < n; ++i)
        if (!set[i]) {
          EXPECT_NEAR(found.gains[i], gain(i), rounding);
        }
      for (const auto& [item, stated] : found.steps) {
        ASSERT_TRUE(!set[item] && box.high[item] > 0);
        EXPECT_NEAR(stated, gain(item), rounding);
        for (Index i = 0; i < n; ++i)
          if (!set[i] && box.high[i] > 0) {
            EXPECT_LE(gain(i), stated + rounding);
          }
        set[item] = 1;
        value = evaluate(model, set);
      }
      for (Index i = 0; i < n; ++i)
        if (!set[i] && box.high[i] > 0) {
          EXPECT_LE(gain(i), rounding);
        }
      EXPECT_NEAR(found.end_value, value, rounding);
    }
  }
}

TEST(Recommend, RanksByTheMarginalsGivenWhatIsHad) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed)
    for (const auto& model : models_of(7, seed)) {
      SCOPED_TRACE(::testing::Message() << kind_of(model) << ", seed " << seed);
      Box box = unit_box(7);
      box.fix(2, 1), box.fix(5, 1), box.fix(0, 0);
      const auto truth = testing::set_truth(model, box, 1);
      const RecommendResult found =
          recommend(make_problem(model), {.have = {5, 2, 5}, .out = {0}, .count = 3});
      if (truth.rounding > 1e-7) continue;
      EXPECT_TRUE(found.exact);
      EXPECT_EQ(found.have, (std::vector<Index>{2, 5}));
      EXPECT_EQ(found.out, (std::vector<Index>{0}));
      EXPECT_EQ(found.left, 4U);
      ASSERT_EQ(found.suggestions.size(), 3U);
      for (const Suggestion& one : found.suggestions)
        EXPECT_NEAR(one.marginal, truth.marginals[one.item], 10 * truth.rounding);
      for (const Index i : {1, 3, 4, 6})  // what is not suggested is no more probable
        EXPECT_LE(truth.marginals[i], found.suggestions[0].marginal + 10 * truth.rounding);
    }
}

TEST(Recommend, ExplainsByTheChangeOfMarginals) {
  for (const std::string method : {"exact", "mean-field"})
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const Flid model = testing::random_flid(7, 3, seed);
      const RecommendResult found =
          recommend(make_problem(model),
                    {.have = {1}, .count = 2, .method = method, .explain = true, .effects = 100});
      EXPECT_EQ(found.exact, method == "exact");
      for (const Suggestion& one : found.suggestions) {
        Box box = unit_box(7);
        box.fix(1, 1);
        const auto before = testing::set_truth(model, box, 1).marginals;
        box.fix(one.item, 1);
        const auto after = testing::set_truth(model, box, 1).marginals;
        double last = -1;
        for (const Effect& effect : one.replaces) {
          EXPECT_LT(effect.change(), 0);
          EXPECT_GE(effect.change(), last);  // the largest fall first
          last = effect.change();
          if (!found.exact) continue;
          EXPECT_NEAR(effect.before, before[effect.item], 1e-7);
          EXPECT_NEAR(effect.after, after[effect.item], 1e-7);
        }
        for (const Effect& effect : one.complements) EXPECT_GT(effect.change(), 0);
        if (!found.exact) continue;
        std::size_t changed = 0;
        for (Index i = 0; i < 7; ++i)
          changed += i != 1 && i != one.item && std::abs(after[i] - before[i]) > 1e-6;
        EXPECT_EQ(one.replaces.size() + one.complements.size(), changed);
      }
    }
}

TEST(Recommend, ACopyOfWhatIsHadIsReplacedByIt) {
  // Items 0 and 1 serve the same customer, item 2 another: with 0 had, 1 is worth nothing more.
  const std::vector<double> weights{2, 0, 2, 0, 0, 2};
  const Problem problem = make_problem(make_flid({2, 2, 2}, weights, 2), {"cot", "bed", "pram"});
  const RecommendResult found = recommend(problem, {.have = {0}, .explain = true});
  ASSERT_EQ(found.suggestions.size(), 2U);
  EXPECT_EQ(found.suggestions[0].item, 2U);
  EXPECT_DOUBLE_EQ(found.suggestions[0].gain, 2);  // u = 2, a customer of its own
  EXPECT_DOUBLE_EQ(found.suggestions[1].gain, 0);  // 2 - 2 + max(2, 2) - 2
  EXPECT_NEAR(found.suggestions[0].marginal, std::exp(2) / (1 + std::exp(2)), 1e-12);
  EXPECT_NEAR(found.suggestions[1].marginal, 0.5, 1e-12);
  ASSERT_EQ(found.completion.steps.size(), 1U);
  EXPECT_EQ(found.completion.steps[0].item, 2U);
  // Nothing had: putting the cot in lowers the bed, and only the bed.
  const RecommendResult fresh = recommend(problem, {.count = 3, .explain = true});
  for (const Suggestion& one : fresh.suggestions)
    if (one.item == 0) {
      ASSERT_EQ(one.replaces.size(), 1U);
      EXPECT_EQ(one.replaces[0].item, 1U);
      EXPECT_TRUE(one.complements.empty());
    }
}

TEST(Recommend, MeanFieldComesWithItsCertificate) {
  const Problem problem = make_problem(testing::random_flid(60, 12, 5));
  const RecommendResult found = recommend(problem, {.have = {3}, .method = "mean-field"});
  EXPECT_FALSE(found.exact);
  EXPECT_EQ(found.method, "mean field");
  ASSERT_TRUE(found.result.upper_bound);
  EXPECT_LE(found.result.elbo, *found.result.upper_bound);
  EXPECT_EQ(found.suggestions.size(), 5U);
  EXPECT_TRUE(
      std::ranges::is_sorted(found.suggestions, std::ranges::greater{}, &Suggestion::marginal));
}

// Items by themselves: P(i in S) = sigmoid(beta u_i), whatever the method.
TEST(Recommend, TheInverseTemperatureIsHeardByBothMethods) {
  const std::vector<double> utility{1.5, -0.5, 0.25};
  const Problem problem = make_problem(make_flid(utility, {}, 0));
  for (const std::string method : {"exact", "mean-field"})
    for (const double beta : {0.25, 1.0, 3.0}) {
      SCOPED_TRACE(method);
      const RecommendResult found =
          recommend(problem, {.inverse_temperature = beta, .method = method});
      ASSERT_EQ(found.suggestions.size(), 3U);
      for (const Suggestion& one : found.suggestions)
        EXPECT_NEAR(one.marginal, 1 / (1 + std::exp(-beta * utility[one.item])), 1e-9);
      EXPECT_EQ(found.result.inverse_temperature, beta);
    }
}

// F = u_0 + u_1 - c [both]. Mean field solves x_0 = sigmoid(beta (u_0 - c x_1)) and the other way
// round; with item 0 put in, x_1 = sigmoid(beta (u_1 - c)).
TEST(Recommend, MeanFieldAndItsExplanationsAreAtTheInverseTemperature) {
  const double u0 = 1.2, u1 = 0.7, c = 1.1;
  const auto sigmoid_of = [](double z) { return 1 / (1 + std::exp(-z)); };
  const Problem problem =
      make_problem(make_pairwise_field({u0, u1}, std::vector<Edge>{{0, 1, -c}}));
  for (const double beta : {0.3, 1.0, 1.7}) {
    SCOPED_TRACE(beta);
    const RecommendResult found =
        recommend(problem, {.inverse_temperature = beta, .method = "mean-field", .explain = true});
    const auto& x = found.result.marginals;
    EXPECT_NEAR(x[0], sigmoid_of(beta * (u0 - c * x[1])), 1e-7);
    EXPECT_NEAR(x[1], sigmoid_of(beta * (u1 - c * x[0])), 1e-7);
    ASSERT_EQ(found.suggestions[0].item, 0U);
    ASSERT_EQ(found.suggestions[0].replaces.size(), 1U);
    EXPECT_NEAR(found.suggestions[0].replaces[0].before, x[1], 1e-12);
    EXPECT_NEAR(found.suggestions[0].replaces[0].after, sigmoid_of(beta * (u1 - c)), 1e-7);
  }
}

TEST(Recommend, NothingLeftAndLittleLeftAreSoundAnswers) {
  const Problem problem = make_problem(testing::random_flid(3, 2, 1));
  const RecommendResult all = recommend(problem, {.have = {0, 1, 2}, .explain = true});
  EXPECT_TRUE(all.suggestions.empty());
  EXPECT_TRUE(all.completion.steps.empty());
  EXPECT_EQ(all.left, 0U);
  EXPECT_EQ(recommend(problem, {.have = {0}, .count = 50}).suggestions.size(), 2U);
  const RecommendResult none = recommend(make_problem(make_flid({}, {}, 0)), {});
  EXPECT_TRUE(none.suggestions.empty());
  EXPECT_TRUE(none.have.empty());
}

TEST(Recommend, RefusesWhatCannotBe) {
  Box box = unit_box(3);
  box.fix(2, 0);
  const Problem problem = make_problem(make_flid({0, 0, 0}, {}, 0), {"cot", "bed", "pram"}, box);
  const auto message_of = [&](const RecommendOptions& options) {
    return testing::refusal([&] { recommend(problem, options); });
  };
  EXPECT_EQ(message_of({.have = {3}}),
            "recommend: there is no item 3; there are 3, counted from 0");
  EXPECT_EQ(message_of({.have = {0, 1}, .out = {1}}),
            "recommend: item 'bed' is both in the basket and out of it");
  EXPECT_EQ(message_of({.have = {2}}),
            "recommend: item 'pram' is to be in, but is bounded to [0, 0] already");
  EXPECT_EQ(message_of({.method = "guess"}),
            "recommend: the method 'guess' is not known; there are auto, exact, mean-field, gain");
  EXPECT_EQ(message_of({.inverse_temperature = -1}),
            "recommend: the inverse temperature is -1, which must be finite and > 0");
  const Problem large = make_problem(testing::random_coverage(60, 40, 1));
  EXPECT_EQ(testing::refusal([&] { recommend(large, {.method = "exact"}); }),
            "recommend: no exact method applies to this coverage of 60 items; --method mean-field "
            "does");
}

TEST(RecommendByGain, IsTheChanceOfTheItemIfNothingElseIsPutIn) {
  // 0 attracts 1, both repel 2: no flips mend that. By enumeration of the two sets an item is in or
  // out of.
  const PairwiseField field =
      make_pairwise_field({-0.5, 0.25, 0.75, -1}, {{{0, 1, 1.5}, {0, 2, -1}, {1, 2, -2}}});
  const Problem problem = make_problem(field, {}, {}, {.no_guarantee = true});
  ASSERT_FALSE(problem.is_submodular());
  for (const double beta : {1.0, 0.5}) {
    const RecommendResult found = recommend(
        problem, {.have = {0}, .inverse_temperature = beta, .method = "gain", .explain = true});
    EXPECT_FALSE(found.exact);
    EXPECT_EQ(found.method, "gain");
    const auto truth = [&](std::vector<std::uint8_t> rest, Index i) {
      const double without = beta * field.evaluate(rest);
      rest[i] = 1;
      const double with = beta * field.evaluate(rest);
      return std::exp(with) / (std::exp(with) + std::exp(without));
    };
    ASSERT_EQ(found.suggestions.size(), 3U);
    EXPECT_EQ(found.result.marginals[0], 1);
    for (const Index i : {1U, 2U, 3U})
      EXPECT_NEAR(found.result.marginals[i], truth({1, 0, 0, 0}, i), 1e-12);
    EXPECT_EQ(found.suggestions[0].item, 1U);  // gains 1.75, -0.25, -1
    ASSERT_EQ(found.suggestions[0].replaces.size(), 1U);
    EXPECT_EQ(found.suggestions[0].replaces[0].item, 2U);
    EXPECT_NEAR(found.suggestions[0].replaces[0].after, truth({1, 1, 0, 0}, 2), 1e-12);
    EXPECT_FALSE(found.result.upper_bound);
    EXPECT_NE(found.result.guarantee.find("pair 0-1 has coupling 1.5"), std::string::npos);
  }
}

TEST(RecommendByGain, IsForModelsOfAnySignWhereNothingExactIsCheap) {
  Random random(5);
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < 40; ++i)
    for (std::uint32_t j = i + 1; j < 40; ++j) edges.push_back({i, j, random.uniform(-1, 1)});
  const PairwiseField field = make_pairwise_field(std::vector<double>(40, -1.0), edges);
  const Problem problem = make_problem(field, {}, {}, {.no_guarantee = true});
  EXPECT_EQ(recommend(problem, {.have = {1}}).method, "gain");
  EXPECT_EQ(recommend(problem, {.have = {1}, .method = "mean-field"}).method, "mean field");
  EXPECT_EQ(recommend(make_problem(testing::random_coverage(60, 40, 1)), {}).method, "mean field");
}

// By mean field it is inference on the box of the basket, with the proof that goes with it or without.
TEST(Recommend, ByMeanFieldIsInferenceOnWhatTheBasketLeaves) {
  for (const auto& model : models_of(8, 3)) {
    SCOPED_TRACE(kind_of(model));
    Box box = unit_box(8);
    box.fix(2, 1);
    box.fix(5, 0);
    const Problem left = make_problem(model, {}, box);
    if (!left.is_submodular()) continue;
    for (const bool proof : {true, false}) {
      const Result one = recommend(make_problem(model), {.have = {2},
                                                         .out = {5},
                                                         .inverse_temperature = 1.5,
                                                         .method = "mean-field",
                                                         .proof = proof,
                                                         .seed = 7})
                             .result;
      const Result two = infer(left, {.inverse_temperature = 1.5, .seed = 7, .quick_proof = proof});
      EXPECT_EQ(one.elbo, two.elbo);
      EXPECT_EQ(one.marginals, two.marginals);
      EXPECT_EQ(one.upper_bound, two.upper_bound);
      EXPECT_EQ(one.log_z_lower, two.log_z_lower);
      EXPECT_EQ(one.log_z_upper, two.log_z_upper);
      EXPECT_EQ(one.set_marginals.has_value(), two.set_marginals.has_value());
      EXPECT_EQ(one.basis, two.basis);
    }
  }
}

}  // namespace
}  // namespace surefield
