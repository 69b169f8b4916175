// Models that were once answered wrongly: huge numbers that cancel, near violations, ill-conditioned
// kernels, boxes below an ulp. The truth is by definition in quadruple precision, or by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "surefield/api/agree.hpp"
#include "surefield/api/best_set.hpp"
#include "surefield/api/evaluate.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/api/log_z.hpp"
#include "surefield/api/sample.hpp"
#include "surefield/models/families.hpp"
#include "tests/support/quad_log_z.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

Box all_of(Index n, std::initializer_list<Index> in = {}) {
  Box box = unit_box(n);
  for (const Index i : in) box.fix(i, 1);
  return box;
}

/// Every method, and every goal, on its side of the truth.
void expect_true(const AnyModel& model, const Box& box, long double truth) {
  const Problem problem = make_problem(model, {}, box, {.no_guarantee = true});
  for (const LogZGoal goal : {LogZGoal::kAll, LogZGoal::kWidth, LogZGoal::kExact, LogZGoal::kQuick})
    for (const Index enumerable : {Index{24}, Index{0}}) {
      const LogZResult found =
          log_z(problem, {.goal = goal, .enumerable = enumerable, .estimates = false});
      EXPECT_EQ(found.failure, "");
      const long double slack = 1e-15L * (1 + std::abs(truth));
      if (found.lower) {
        EXPECT_LE(*found.lower, truth + slack) << found.lower_method;
      }
      if (found.upper) {
        EXPECT_GE(*found.upper, truth - slack) << found.upper_method;
      }
      for (const LogZValue& row : found.values)
        if (row.side == Side::kExact) {
          EXPECT_LE(std::abs(row.value - truth), row.error + slack) << row.method;
        }
    }
}

GibbsField cancelling(double last) {
  return make_gibbs_field({0, 0, 50}, std::vector<Monomial>{{{0, 1}, -1e12}, {{0, 1, 2}, last}});
}

TEST(Extremes, FlipsDropNoTermHoweverSmallBesideWhatCancelled) {
  const AnyModel model = cancelling(1000000000001);
  const auto truth = testing::quad_log_z(model, unit_box(3), 1).log_z;
  EXPECT_NEAR(static_cast<double>(truth), 51.743668381, 1e-9);
  expect_true(model, unit_box(3), truth);
  const LogZResult found =
      log_z(make_problem(model, {}, {}, {.no_guarantee = true}), {.goal = LogZGoal::kExact});
  EXPECT_LE(found.width(), 0.1) << "and it is still of use";
}

TEST(Extremes, AViolationOfATrillionthIsAViolation) {
  const AnyModel model = make_gibbs_field(
      {1e12, 1e12, 0},
      std::vector<Monomial>{
          {{0, 1}, -1e12}, {{0, 2}, -1e12}, {{1, 2}, -1e12}, {{0, 1, 2}, 1000000000001}});
  EXPECT_FALSE(model.facts().is_submodular());
  const auto truth = testing::quad_log_z(model, all_of(3, {2}), 1);
  EXPECT_NEAR(static_cast<double>(truth.log_z), 1.743668381, 1e-9);
  expect_true(model, all_of(3, {2}), truth.log_z);
  const Problem problem = make_problem(model, {}, all_of(3, {2}), {.no_guarantee = true});
  EXPECT_FALSE(sample(problem, {.count = 1}).exact);
}

TEST(Extremes, TheLikelihoodOverNonEmptySetsDoesNotCancel) {
  const AnyModel model = make_pairwise_field({-80.25, -80.5}, std::vector<Edge>{{0, 1, 125.75}});
  SetCollection sets;
  sets.items = 2;
  sets.sets = {{0}, {0, 1}};
  const Evaluation found = evaluate_model(model, sets);
  // F({0}) = -80.25, F({0, 1}) = -35; log(Z - 1) = -35 to rounding.
  const double truth = (-80.25 - 35) / 2 + 35;
  EXPECT_LE(found.over_non_empty_sets->log_likelihood().low, truth + 1e-9);
  EXPECT_GE(found.over_non_empty_sets->log_likelihood().high, truth - 1e-9);
}

TEST(Extremes, BisectionEndsBelowAnUlp) {
  const Problem narrow = make_problem(make_pairwise_field({1, 0}, std::vector<Edge>{{0, 1, -4}}),
                                      {}, {{0.4, 0}, {0.4000000000000001, 1}});
  for (const double epsilon : {1e-3, 1e-16, 1e-300}) {
    const Result found = infer(narrow, {.algorithm = "bscb", .epsilon = epsilon});
    EXPECT_NE(found.status, Status::kFailed);
    EXPECT_NE(found.guarantee.find("up to the tolerance"), std::string::npos) << found.guarantee;
  }
}

TEST(Extremes, MarginsKnowTheWeightsOfHyperedgesAndOfSums) {
  const AnyModel cut = make_hypergraph_cut({0, 0}, {{1000000000000000.1, {0}, {0}},
                                                    {0.3, {0}, {0}},
                                                    {3333333333333333.3, {0}, {0}},
                                                    {0.7, {0, 1}, {0, 1}},
                                                    {123456789012345.67, {0}, {0}}});
  expect_true(cut, unit_box(2), testing::quad_log_z(cut, unit_box(2), 1).log_z);
  const std::vector<std::vector<Entry>> one_each{{{0, 1.0}}, {{1, 1.0}}};
  const std::vector<Edge> edges{{0, 2, -1428571428571428.5}, {1, 2, -476190476190476.2}};
  const AnyModel sum = make_weighted_sum(
      3, {{0.3, make_coverage({0, 0, 0}, {3333333333333333, 1111111111111111}, one_each)},
          {0.7, make_pairwise_field({0, 0, 0}, edges)}});
  expect_true(sum, all_of(3, {2}), testing::quad_log_z(sum, all_of(3, {2}), 1).log_z);
}

TEST(Extremes, AgreementOfACoarseQuadratureIsNotClaimedFromItsRawElbo) {
  const double tolerance = 0.01;
  const std::vector<std::vector<Entry>> group{{{0, 0.77}, {1, 0.27}, {2, 0.005}}};
  const AnyModel rough = make_concave_over_modular(
      {-129.7, -40.5, -0.85}, {{293.2, {Concave::Kind::kRatio, 0}}}, group, tolerance);
  const AnyModel flat = make_pairwise_field({0, 0, 0}, {});
  const auto log_z_of = [](const AnyModel& m) {
    return testing::quad_log_z(m, unit_box(3), 1).log_z;
  };
  const long double truth = log_z_of(rough) - log_z_of(rough) - log_z_of(flat);
  const AgreeResult found =
      agree(make_problem(rough), make_problem(flat), {.seconds = 0, .exact = false});
  ASSERT_TRUE(found.bounds.pa_lower);
  EXPECT_LE(*found.bounds.pa_lower, truth);
  EXPECT_GE(*found.bounds.pa_upper, truth);
}

TEST(Extremes, ADeterminantCarriesItsCondition) {
  // 1e13 [[1, c], [c, 1]]: det = 1e26 (1 - c^2), of which a double keeps few digits.
  Eigen::MatrixXd kernel(2, 2);
  const double c = 1 - 1e-13;
  kernel << 1e13, 1e13 * c, 1e13 * c, 1e13;
  const AnyModel model = make_log_det(kernel, 2);
  for (const double beta : {1.0, 0.5}) {
    const auto truth = testing::quad_log_z(model, all_of(2, {0, 1}), beta);
    const LogZResult found = log_z(make_problem(model, {}, all_of(2, {0, 1})),
                                   {.inverse_temperature = beta, .estimates = false});
    EXPECT_EQ(found.failure, "");
    if (found.lower) {
      EXPECT_LE(*found.lower, truth.log_z + truth.slack());
    }
    if (found.upper) {
      EXPECT_GE(*found.upper, truth.log_z - truth.slack());
    }
  }
  EXPECT_TRUE(log_z(make_problem(model, {}, all_of(2, {0, 1})), {.goal = LogZGoal::kExact}).exact)
      << "in quadruple precision it has digits enough";
}

TEST(Extremes, OneItemOfNegativeWeightPaysIt) {
  const AnyModel model = make_flid({0}, {-3}, 1);  // F({0}) = 0 + 3 - 3
  expect_true(model, unit_box(1), std::log(2.0L));
  EXPECT_NEAR(log_z(make_problem(model), {}).value, std::log(2), 1e-12);
}

TEST(Extremes, NumbersNearTheEndOfADoubleAreAnsweredOrRefused) {
  const AnyModel model = make_flid({-1e308, 0.16}, {0.18, 0.73}, 1);
  const Result found = infer(make_problem(model), {.certify = 1});
  EXPECT_NE(found.status, Status::kFailed);
  const auto truth = testing::quad_log_z(model, unit_box(2), 1).log_z;
  if (found.log_z_upper) {
    EXPECT_GE(*found.log_z_upper, truth);
  }
  expect_true(model, unit_box(2), truth);
}

TEST(Extremes, ABoxWhoseComplementIsNoDoubleIsRefusedWhereItMustBeFlipped) {
  EXPECT_EQ(testing::refusal([] {
              make_problem(make_pairwise_field({0, 5}, std::vector<Edge>{{0, 1, 1}}), {},
                           {{0, 0}, {1, 1e-300}});
            }),
            "box: item 1 is bounded to [0, 1e-300], but it must be flipped to make the model "
            "log-submodular, and the complement of that interval is not a pair of doubles");
}

TEST(Extremes, AThousandEqualFactorsRoundTheSameWay) {
  const Index n = 1000;
  std::vector<Entry> all;
  for (std::uint32_t i = 0; i < n; ++i) all.push_back({i, 3e-4});
  const AnyModel model = make_coverage(std::vector<double>(n, 259.21512205670996), {1e6},
                                       std::vector<std::vector<Entry>>{all});
  const Result found = infer(make_problem(model, {}, all_of(n, {})), {});
  EXPECT_NE(found.status, Status::kFailed);
  // The point with all items in: F = 1e6 (1 - (1 - 3e-4)^1000) - 259215.12..., in long double.
  const long double at_top =
      1e6L * (1 - std::pow(1 - static_cast<long double>(3e-4), 1000)) - 1000 * 259.21512205670996L;
  EXPECT_GE(*found.upper_bound, at_top);
}

/// A field that hides what it is: no terms, no facts, no check.
struct Plain {
  PairwiseField inner;
  Index size() const { return inner.size(); }
  double evaluate(Subset chosen) const { return inner.evaluate(chosen); }
  auto at(std::span<const double> x) const& { return inner.at(x); }
  auto empty_set() const& { return inner.empty_set(); }
};

/// The same, and it says that it is submodular.
struct PlainAndChecked : Plain {};
std::optional<std::string> submodularity_violation(const PlainAndChecked&) { return std::nullopt; }

/// The same, and it says what it is made of.
struct PlainWithTerms : Plain {
  void show_terms(TermVisitor& visitor, double weight) const { inner.show_terms(visitor, weight); }
};

/// The same, and it says how far it can be off.
struct PlainWithFacts : Plain {};
Facts facts_of(const PlainWithFacts& model) {
  Facts facts = facts_of(model.inner);
  facts.submodularity = Submodularity::kAssumed;
  return facts;
}

/// The same, and it says that it is not submodular.
struct PlainAndRefuted : Plain {};
std::optional<std::string> submodularity_violation(const PlainAndRefuted&) { return "it says so"; }

TEST(Extremes, WhatRestsOnGuessedErrorsIsNotCalledProved) {
  const Plain plain{make_pairwise_field({1, 2, -1}, std::vector<Edge>{{0, 1, -1}, {1, 2, -0.5}})};
  const LogZResult by_sets = log_z(make_problem(AnyModel(plain)), {.goal = LogZGoal::kExact});
  EXPECT_TRUE(by_sets.exact);
  EXPECT_EQ(by_sets.basis, Basis::kAssumesSubmodular) << "its errors are guessed from two sets";
  EXPECT_EQ(infer(make_problem(AnyModel(plain)), {.algorithm = "coordinate-ascent"}).basis,
            Basis::kAssumesSubmodular);
  EXPECT_EQ(best_set(make_problem(AnyModel(plain))).basis, Basis::kAssumesSubmodular);
  const PlainAndChecked checked{plain};
  EXPECT_EQ(log_z(make_problem(AnyModel(checked)), {.goal = LogZGoal::kExact}).basis,
            Basis::kAssumesRounding);
  EXPECT_EQ(log_z(make_problem(AnyModel(plain.inner)), {.goal = LogZGoal::kExact}).basis,
            Basis::kProved);
  // Mean field's lower end of log Z takes the model's values for what they are: by whoever brings no
  // errors, and by sums of such.
  const AnyModel with_terms{PlainWithTerms{plain}}, refuted{PlainAndRefuted{plain}};
  const auto mean_field = [](const AnyModel& model) {
    return infer(make_problem(model, {}, {}, {.no_guarantee = true}),
                 {.algorithm = "coordinate-ascent"});
  };
  for (const AnyModel& model : {AnyModel(checked), with_terms, refuted,
                                AnyModel(make_weighted_sum(3, {{2, with_terms}}))}) {
    const Result found = mean_field(model);
    ASSERT_TRUE(found.log_z_lower);
    EXPECT_EQ(found.basis, Basis::kAssumesRounding);
  }
  EXPECT_EQ(mean_field(AnyModel(make_weighted_sum(3, {{2, AnyModel(plain)}}))).basis,
            Basis::kAssumesSubmodular);
  EXPECT_EQ(mean_field(AnyModel(plain.inner)).basis, Basis::kProved);
  const Result said = infer(make_problem(AnyModel(checked)), {});
  EXPECT_NE(said.guarantee.find("; the upper bound is proved up to rounding by "),
            std::string::npos)
      << said.guarantee;
}

// The bounds of 30 items are those of a submodular function; of the two that both allow, the sum is over sets.
TEST(Extremes, AnAgreementRestsOnTheWeakestOfItsThreeParts) {
  std::vector<Edge> ring;
  for (std::uint32_t i = 0; i < 30; ++i) ring.push_back({i, (i + 1) % 30, -1});
  const PlainWithFacts plain{{make_pairwise_field(std::vector<double>(30, 0.5), ring)}};
  Box two_free = unit_box(30);
  for (Index i = 2; i < 30; ++i) two_free.fix(i, 0);
  const Problem first = make_problem(AnyModel(plain));
  const Problem second = make_problem(AnyModel(plain.inner), {}, two_free);
  for (const AgreeResult& found :
       {agree(first, second, {.seconds = 0.2}), agree(second, first, {.seconds = 0.2})}) {
    EXPECT_EQ(found.both.basis, Basis::kProved);
    EXPECT_EQ(found.bounds.basis, Basis::kAssumesSubmodular);
  }
  EXPECT_EQ(agree(second, second).bounds.basis, Basis::kProved);
}

/// Its points are those of another field: what mean field proves is above what the sets allow.
struct TwoFaced {
  PairwiseField sets, points;
  Index size() const { return sets.size(); }
  double evaluate(Subset chosen) const { return sets.evaluate(chosen); }
  auto at(std::span<const double> x) const& { return points.at(x); }
  auto empty_set() const& { return sets.empty_set(); }
};
Facts facts_of(const TwoFaced& model) { return facts_of(model.points); }

TEST(Extremes, EndsThatExcludeEachOtherFailAndClaimNothing) {
  const std::vector<Edge> edges{{0, 1, -1}, {1, 2, -0.5}};
  const TwoFaced model{make_pairwise_field({1, 2, -1}, edges),
                       make_pairwise_field({21, 22, 19}, edges)};
  const Problem problem = make_problem(AnyModel(model));
  const Result found = infer(problem, {.certify = 1});
  EXPECT_EQ(found.status, Status::kFailed);
  EXPECT_FALSE(found.upper_bound || found.log_z_lower || found.log_z_upper || found.elbo_lower);
  EXPECT_FALSE(found.certified_global || found.log_z_exact);
  EXPECT_EQ(found.guarantee, "none: the run failed");
  ASSERT_FALSE(found.notes.empty());
  EXPECT_TRUE(found.notes.back().starts_with("contradiction: the best ELBO is at least 60.5"))
      << found.notes.back();
  EXPECT_TRUE(found.notes.back().ends_with("(an upper bound of log Z); nothing is certified"))
      << found.notes.back();
  const LogZResult log_z_found = log_z(problem, {.goal = LogZGoal::kAll, .marginals = true});
  EXPECT_NE(log_z_found.failure.find("mean field"), std::string::npos) << log_z_found.failure;
  EXPECT_FALSE(log_z_found.exact || log_z_found.marginals_exact);
  EXPECT_FALSE(log_z_found.lower || log_z_found.upper);
  EXPECT_TRUE(log_z_found.marginals.empty());
  EXPECT_THROW(log_z_found.sound(), Contradiction);
}

TEST(Extremes, ABlackBoxIsAssumedToBeSubmodularAndSaysSo) {
  const AnyModel honest = make_black_box(
      6, [](Subset s) { return std::sqrt(static_cast<double>(std::count(s.begin(), s.end(), 1))); },
      50);
  const LogZResult found = log_z(make_problem(honest), {.goal = LogZGoal::kWidth, .exact = false});
  EXPECT_EQ(found.basis, Basis::kAssumesSubmodular);
  // 0.1 |S| + 5 [0 and 1 in S] of 60 items: 200 draws seldom meet the pair, the bounds must.
  const AnyModel liar = make_black_box(
      60,
      [](Subset s) {
        double sum = s[0] && s[1] ? 5 : 0;
        for (const auto v : s) sum += 0.1 * v;
        return sum;
      },
      20);
  const Problem problem = make_problem(liar, {}, {}, {.no_guarantee = true});
  const LogZResult caught =
      log_z(problem, {.goal = LogZGoal::kWidth, .width = 1e-3, .budget = Budget().within(5)});
  const double truth =
      58 * std::log1p(std::exp(0.1)) + std::log(1 + 2 * std::exp(0.1) + std::exp(5.2));
  EXPECT_TRUE(!caught.failure.empty() || !problem.is_submodular() || !caught.is_bounded() ||
              (*caught.lower <= truth && truth <= *caught.upper))
      << *caught.lower << " to " << *caught.upper << ", true " << truth;
}

}  // namespace
}  // namespace surefield
