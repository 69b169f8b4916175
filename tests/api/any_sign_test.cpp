// Models that are not submodular: every claim that is made all the same, against enumeration.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/api/algorithm_table.hpp"
#include "surefield/api/evaluate.hpp"
#include "surefield/api/fit.hpp"
#include "surefield/api/generate.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/core/random.hpp"
#include "surefield/io/formats.hpp"
#include "surefield/models/gibbs_field/gibbs_field.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/set_truth.hpp"

namespace surefield {
namespace {

/// `attracting`: the share of couplings above 0. Few of them are the ones that a pass may not notice.
PairwiseField field_of_both_signs(Index n, std::uint64_t seed, double attracting = 0.5) {
  Random random(seed);
  std::vector<double> bias(n);
  for (double& b : bias) b = random.uniform(-2, 1);
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = i + 1; j < n; ++j)
      edges.push_back({i, j, random.uniform(0, 2) * (random.chance(attracting) ? 1 : -1)});
  return make_pairwise_field(std::move(bias), edges);
}

/// The best ELBO that many random starts find: the truth is at least that.
double best_of_many_starts(const PairwiseField& field, std::uint64_t seed) {
  Random random(seed);
  double best = -kInfinity;
  for (int k = 0; k < 40; ++k) {
    std::vector<double> x(field.size());
    for (double& part : x) part = random.uniform();
    best = std::max(best, coordinate_ascent(Elbo(field.at(x)), unit_box(field.size()),
                                            Order::natural(field.size()))
                              .value);
  }
  return best;
}

TEST(AnySign, NoAlgorithmClaimsWhatIsNotSo) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const PairwiseField field = field_of_both_signs(8, seed, seed % 2 ? 0.1 : 0.5);
    const Problem problem = make_problem(field, {}, {}, {.no_guarantee = true});
    if (problem.is_submodular()) continue;
    const double log_z = testing::set_truth(field, unit_box(8), 1).log_z;
    const double best = best_of_many_starts(field, seed);
    for (const AlgorithmRow& row : algorithm_table())
      for (const bool certify : {false, true}) {
        SCOPED_TRACE(::testing::Message() << row.name << ", seed " << seed);
        InferOptions how{.algorithm = std::string(row.name)};
        if (certify) how.certify = 0.05;
        const Result found = infer(problem, how);
        ASSERT_NE(found.status, Status::kFailed) << found.notes.front();
        EXPECT_TRUE(found.guarantee.starts_with("none: the model is not submodular: pair "));
        EXPECT_LE(*found.elbo_lower, log_z);
        if (found.upper_bound) {
          EXPECT_GE(*found.upper_bound, best - 1e-9);
        }
        if (found.log_z_lower) {
          EXPECT_LE(*found.log_z_lower, log_z + 1e-9);
        }
        if (found.log_z_upper) {
          EXPECT_GE(*found.log_z_upper, log_z - 1e-9);
        }
        if (found.certified_global) {
          EXPECT_GE(found.elbo, best - 1e-5 * std::max(1.0, std::abs(best)));
        }
      }
  }
}

TEST(AnySign, DifferencesAreCertifiedAndHoldTheBestOfManyStarts) {
  const auto fldc = generate("fldc", {.items = 20, .groups = {}, .density = {}, .seed = 1});
  // Triples that like to be together, pairs that do not.
  const std::vector<Monomial> terms{
      {{0, 1, 2}, 2.5}, {{1, 2, 3}, 1.5}, {{0, 4}, -2}, {{2, 4}, -1}, {{0, 3}, -0.7}};
  const AnyModel gibbs = make_gibbs_field({0.5, -1, 0.2, -0.4, 0.3}, terms);
  for (const AnyModel& model : {fldc, gibbs}) {
    SCOPED_TRACE(model.kind());
    const Problem problem = make_problem(model, {}, {}, {.no_guarantee = true});
    ASSERT_FALSE(problem.is_submodular());
    const Result found = infer(problem, {.inverse_temperature = 5, .certify = 60});
    EXPECT_TRUE(found.certified_global);
    EXPECT_THAT(found.guarantee,
                ::testing::EndsWith("is proved by branch and bound over boxes of a difference"));
    Random random(1);
    for (int start = 0; start < 50; ++start) {
      std::vector<double> x(model.size());
      for (double& v : x) v = random.uniform(0, 1);
      EXPECT_LE(coordinate_ascent(Elbo(model.at(x), 5), unit_box(model.size()),
                                  Order::natural(model.size()), {.epochs = 1000})
                    .value,
                *found.upper_bound);
    }
  }
}

TEST(AnySign, APassThatMeetsNoRisingGainProvesNothing) {
  // 0 and 1 attract each other, nine others repel both: with all in, the slope of 0 is -3 + 8 - 9, below
  // its -3 with none in, so no line of a pass looks wrong; its losses would bound the best ELBO by 0.3.
  // F({0, 1}) = -6 + 8 = 2.
  std::vector<double> bias(11, -5.0);
  bias[0] = bias[1] = -3;
  std::vector<Edge> edges{{0, 1, 8}};
  for (std::uint32_t k = 2; k < 11; ++k)
    for (const std::uint32_t i : {0U, 1U}) edges.push_back({i, k, -1});
  const Problem problem =
      make_problem(make_pairwise_field(bias, edges), {}, {}, {.no_guarantee = true});
  ASSERT_FALSE(problem.is_submodular());
  for (const AlgorithmRow& row : algorithm_table()) {
    InferOptions how{.algorithm = std::string(row.name)};
    const Result found = infer(problem, how);
    EXPECT_GE(found.upper_bound.value_or(2), 2) << row.name;
    EXPECT_GE(found.log_z_upper.value_or(2), 2) << row.name;
  }
}

TEST(AnySign, BestCutsNoBoxBySlopesThatMayRise) {
  // 2 or 3, never both; each repels 0 and 1 a little, which attract each other. Between the ends of
  // the box the slope of 0 falls, by 8 * 0.02 - 2 * 0.5 * 0.96: that would put it below 0.05 for good.
  // F({0, 1, 2}) = -6 + 8 + 4 - 1 = 5, F({2}) = 4.
  const PairwiseField field = make_pairwise_field(
      {-3, -3, 4, 4},
      std::vector<Edge>{
          {0, 1, 8}, {2, 3, -8}, {0, 2, -0.5}, {1, 2, -0.5}, {0, 3, -0.5}, {1, 3, -0.5}});
  const Problem problem = make_problem(field, {}, {}, {.no_guarantee = true});
  ASSERT_FALSE(problem.is_submodular());
  EXPECT_GT(infer(problem, {}).elbo, 5);
  InferOptions from_above{.algorithm = "coordinate-ascent"};
  from_above.start = "high";
  from_above.contract = true;
  EXPECT_GT(infer(problem, from_above).elbo, 5);
}

// Cut by slopes as if they fell, the box of this field loses its optimum of 3.6399.
TEST(AnySign, ACertificateCutsNoBoxBySlopesThatMayRise) {
  const std::vector<Edge> edges{{0, 1, -7}, {0, 2, 1.2}, {1, 2, -1.7}};
  const Problem problem =
      make_problem(make_pairwise_field({2, 3.5, -0.6}, edges), {}, {}, {.no_guarantee = true});
  const Result found = infer(problem, {.certify = 5});
  EXPECT_EQ(found.status, Status::kConverged);
  EXPECT_NEAR(found.elbo, 3.639994, 1e-6);
  ASSERT_TRUE(found.upper_bound);
  EXPECT_GE(*found.upper_bound, found.elbo);
  EXPECT_LT(*found.upper_bound, found.elbo + 1e-4);
}

TEST(AnySign, BestIsAsGoodAsTheBestOfItsStarts) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const PairwiseField field = field_of_both_signs(8, seed);
    const Problem problem = make_problem(field, {}, {}, {.no_guarantee = true});
    const double value = infer(problem, {}).elbo;
    for (const double v : {0.0, 0.5, 1.0}) {
      const auto from = coordinate_ascent(Elbo(field.at(std::vector<double>(8, v))), unit_box(8),
                                          Order::natural(8));
      EXPECT_GE(value, from.value - 1e-6) << seed << ' ' << v;
    }
  }
}

TEST(AnySign, EvaluationIsThatOfEnumeration) {
  const PairwiseField field = field_of_both_signs(7, 3);
  const AnyModel model = field;
  Random random(9);
  SetCollection data{.items = 7, .sets = {}, .names = {}};
  for (int k = 0; k < 60; ++k) {
    data.sets.emplace_back();
    for (std::uint32_t i = 0; i < 7; ++i)
      if (random.chance(0.4)) data.sets.back().push_back(i);
  }
  const Evaluation found = evaluate_model(model, data, &data);
  const double log_z = testing::set_truth(field, unit_box(7), 1).log_z;
  double sum = 0;
  double reciprocal = 0;
  Index judged = 0;
  for (const auto& set : data.sets) {
    std::vector<std::uint8_t> chosen(7, 0);
    for (const auto i : set) chosen[i] = 1;
    sum += field.evaluate(chosen);
    if (set.size() < 2) continue;
    ++judged;
    for (const auto hidden : set) {
      chosen[hidden] = 0;
      std::vector<double> value(7, -kInfinity);
      for (Index j = 0; j < 7; ++j)
        if (!chosen[j]) {
          chosen[j] = 1;
          value[j] = field.evaluate(chosen);
          chosen[j] = 0;
        }
      double rank = 1;
      for (Index j = 0; j < 7; ++j) rank += value[j] > value[hidden] + 1e-12;
      reciprocal += 1 / rank / static_cast<double>(set.size());
      chosen[hidden] = 1;
    }
  }
  ASSERT_TRUE(found.over_all_sets);
  EXPECT_NEAR(found.over_all_sets->log_likelihood().low, sum / 60 - log_z, 1e-9);
  EXPECT_NEAR(found.hidden.by_gain.reciprocal_rank.mean, reciprocal / static_cast<double>(judged),
              1e-12);
  ASSERT_TRUE(found.hidden.over_co_occurrence);
}

TEST(AnySign, ALearnedFieldIsWrittenAndReadBack) {
  Random random(4);
  SetCollection data{.items = 5, .sets = {}, .names = {"a", "b", "c", "d", "e, f"}};
  for (int k = 0; k < 80; ++k) {
    data.sets.emplace_back();
    for (std::uint32_t i = 0; i < 5; ++i)
      if (random.chance(0.3)) data.sets.back().push_back(i);
    if (k % 3 == 0) data.sets.back() = {0, 1};
  }
  FitOptions how;
  how.model = "pairwise";
  how.pairwise.penalty = 3;
  const FitResult found = fit(data, how);
  const auto* field = found.model.as<PairwiseField>();
  ASSERT_NE(field, nullptr);
  ASSERT_TRUE(submodularity_violation(*field));  // 0 and 1 come together
  const std::string text = model_text(
      {.model = found.model, .items = found.items, .box = unit_box(5)}, format_named("json"));
  const ModelFile back = parse_model(text, "learned.json", {});
  const auto* same = back.model.as<PairwiseField>();
  ASSERT_NE(same, nullptr);
  EXPECT_EQ(back.items, data.names);
  EXPECT_EQ(same->bias, field->bias);
  EXPECT_EQ(same->neighbour, field->neighbour);
  EXPECT_EQ(same->coupling, field->coupling);
  how.pairwise.repulsive = true;
  EXPECT_FALSE(submodularity_violation(fit(data, how).model));
}

}  // namespace
}  // namespace surefield
