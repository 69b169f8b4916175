// What torture.cpp has found to be wrong, each by the smallest problem that shows it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "surefield/api/agree.hpp"
#include "surefield/api/best_set.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/api/log_z.hpp"
#include "surefield/bounds/elbo/edge_part.hpp"
#include "surefield/learn/held_out.hpp"
#include "surefield/models/concave_over_modular/bernstein_quadrature.hpp"
#include "surefield/models/coverage/coverage.hpp"
#include "tests/torture/outside_models.hpp"
#include "tests/torture/truth.hpp"

namespace surefield::torture {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

TEST(Mended, TheQuadratureOfARatioEndsWhereTheSquareOfANodeIsNoDouble) {
  const Concave ratio{Concave::Kind::kRatio};
  const auto rule = bernstein_quadrature(ratio, 1e200, 1e299, 1e-10);
  for (const double y : {1e200, 1e250, 1e299}) EXPECT_NEAR(rule(y), ratio(y), 1e-10);
}

TEST(Mended, AProductOfTermsThatUnderflowsIsNotTakenAtItsWord) {
  // 0.6 of three times the smallest double is 1.8 times that, and no double.
  constexpr double kLeast = std::numeric_limits<double>::denorm_min();
  const AnyModel model =
      make_term_model(1, {{.kind = OneTerm::Kind::kBest, .w = 3 * kLeast, .members = {{0, 0.6}}}});
  const auto found = best_set(make_problem(model));
  EXPECT_LE(found.lower, kLeast);
  EXPECT_GE(found.upper, 2 * kLeast);
}

TEST(Mended, ARootOfPartsWithoutAFiniteBoundIsSplitAllTheSame) {
  const std::vector<double> cost{
      -1.4121786586553915e+307, 0, 2.3476554514200164e+307, -3.4464788532989407e+307,
      8.2710933323606595e+306,  0, 5.171771159291631e+307};
  const std::vector<std::vector<Entry>> concepts{{{0, 0.026781622063169697},
                                                  {1, 0.35509115969316596},
                                                  {2, 0.53775361970614266},
                                                  {3, 0.28635404148277166},
                                                  {4, 1e-300},
                                                  {5, 0.5},
                                                  {6, 1.0000000000000001e-17}},
                                                 {{0, 1e-300},
                                                  {1, 0.44791526988679875},
                                                  {2, 0.88450513082360116},
                                                  {3, 0.17035271340826064},
                                                  {4, 0.52236414553598876},
                                                  {5, 0.5},
                                                  {6, 0.26800830378077145}}};
  const AnyModel model =
      make_coverage(cost, {3.3598577010528765e+307, 1.3419429588053114e+307}, concepts);
  Box box = unit_box(7);
  for (const Index i : {2, 5}) box.fix(i, 0.5);
  box.fix(3, 0.95597692385965261);
  box.low[6] = std::numeric_limits<double>::denorm_min();
  const auto found = infer(make_problem(model, {}, box), {.certify = 60, .effort = 40});
  EXPECT_GE(found.upper_bound.value_or(kInfinity), found.elbo);
}

TEST(Mended, WhatAFlipRoundsIsNotForgottenWhenModelsCancel) {
  const auto first =
      make_pairwise_field({999999999999.95276, 1000000000000},
                          std::vector<Edge>{{0, 1, 1000000000000.25}}, 1000000000000.9514);
  const auto second =
      make_pairwise_field({-1000000000000.5859, -1000000000000.3558},
                          std::vector<Edge>{{0, 1, -1000000000000.0001}}, -1000000000000.1758);
  const auto found = agree(make_problem(AnyModel(first)), make_problem(AnyModel(second)));
  const Truth a{AnyModel(first)}, b{AnyModel(second)};
  auto sums = a.values;
  for (std::size_t code = 0; code < sums.size(); ++code) sums[code] += b.values[code];
  const long double truth = quad_log_z(sums, unit_box(2), 1).log_z;
  EXPECT_LE(*found.both.lower, truth);
  EXPECT_GE(*found.both.upper, truth);
}

TEST(Mended, AFlidAndAFacilityThatCancelAreAddedExactly) {
  // The FLID's item costs 2^-60 - 1, which rounds to -1, and the other's 1: 2^-60 is left.
  const auto flid = make_flid({1, 0}, {0x1p-60, 0}, 1);
  const auto facility = make_facility_location({1, 0}, std::vector<std::vector<Entry>>{});
  const auto found = agree(make_problem(AnyModel(flid)), make_problem(AnyModel(facility)),
                           {.inverse_temperature = 0x1p60});
  const Truth a{AnyModel(flid)}, b{AnyModel(facility)};
  auto sums = a.values;
  for (std::size_t code = 0; code < sums.size(); ++code) sums[code] += b.values[code];
  const long double truth = quad_log_z(sums, unit_box(2), 0x1p60).log_z;
  EXPECT_LE(*found.both.lower, truth);
  EXPECT_GE(*found.both.upper, truth);
}

TEST(Mended, EnumerationCountsTheLargestValueOfAFunctionOfWhichNothingIsKnown) {
  // Not submodular by one value, 10^15 times the others, of a set far from none and from all: the
  // value of a set that a sum of gains reaches by way of it is off.
  std::vector<double> values(32, 0.1);
  values[0b11000] = -1e15 / 3;
  values[0b11001] = 5;
  const AnyModel model(TableModel{5, values});
  const auto found = log_z(make_problem(model), {.goal = LogZGoal::kExact});
  const long double truth = quad_log_z(model, unit_box(5), 1).log_z;
  ASSERT_TRUE(found.is_bounded());
  EXPECT_LE(*found.lower, truth);
  EXPECT_GE(*found.upper, truth);
}

TEST(Mended, APartOfInfiniteNumbersIsNotBisected) {
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < 7; ++i)
    for (std::uint32_t j = i + 1; j < 7; ++j) edges.push_back({i, j, -kLargest / 4});
  const Problem problem =
      make_problem(AnyModel(make_pairwise_field(std::vector<double>(7, kLargest / 6), edges)));
  const Result found = infer(problem, {.budget = Budget().within(1)});
  EXPECT_LT(found.seconds, 3);
  EXPECT_FALSE(found.upper_bound);
}

TEST(Mended, WhatIsBeyondADoubleHasNoCertificateAndNoCrash) {
  const auto model =
      make_coverage({kLargest / 9, 0, kLargest / 4}, {kLargest / 7, 0},
                    std::vector<std::vector<Entry>>{{{0, 1}, {1, 0.7}, {2, 0.01}}, {{1, 0.5}}});
  for (const auto certify : {std::optional<double>{}, std::optional<double>{0.05}}) {
    InferOptions how{.inverse_temperature = 2.5};
    how.certify = certify;
    const Result found = infer(make_problem(AnyModel(model)), how);
    EXPECT_FALSE(found.certified_global);
  }
}

TEST(Mended, AProductThatUnderflowsIsAnError) {
  const Facts facts = AnyModel(make_pairwise_field({}, {}, 5e-324)).facts().times(2.5);
  EXPECT_GE(facts.value_error, 5e-324);  // 2.5 units are 2, or 3
  EXPECT_EQ(AnyModel(make_pairwise_field({0}, {})).facts().times(2.5).magnitude, 0);
}

TEST(Mended, ATermThatUnderflowsIsAnError) {
  const auto tiny = make_pairwise_field({}, {}, 1e-200);
  const Facts facts = AnyModel(make_weighted_sum(0, {{1e-200, AnyModel(tiny)}})).facts();
  EXPECT_GE(facts.value_error, 5e-324);  // F is 1e-400, and computed as 0
  EXPECT_GE(facts.times(0.3).value_error, 5e-324);
}

TEST(Mended, MarginalsOfAnIllConditionedDeterminantAreAsGoodAsItsLogarithm) {
  for (const double large : {1e5, 1e10, 1e15, 1e17, 1e100, 1e250}) {
    Eigen::MatrixXd kernel(2, 2);  // the second item explains most of the first
    const double cross = std::sqrt(large) * 1.5;
    kernel << 2.3, cross, cross, large;
    const AnyModel model(make_log_det(kernel, 2));
    const auto found = log_z(make_problem(model), {.goal = LogZGoal::kExact, .marginals = true});
    ASSERT_TRUE(found.marginals_exact);
    const auto truth = quad_log_z(model, unit_box(2), 1);
    for (Index i = 0; i < 2; ++i) {
      EXPECT_LE(found.marginals[i].low, truth.marginals[i]) << large;
      EXPECT_GE(found.marginals[i].high, truth.marginals[i]) << large;
    }
  }
}

TEST(Mended, WhatAdding1ToALargeDiagonalLosesIsPartOfLogZ) {
  Eigen::MatrixXd kernel(2, 2);  // I + L rounds to L, of a condition at which that is 3e-5 of log Z
  kernel << 0x1p55, 0x1p55 - 0x1p14, 0x1p55 - 0x1p14, 0x1p55;
  const AnyModel model(make_log_det(kernel, 2));
  const auto found = log_z(make_problem(model), {.goal = LogZGoal::kExact, .marginals = true});
  const auto truth = quad_log_z(model, unit_box(2), 1);
  EXPECT_EQ(found.lower_method, "determinant");
  EXPECT_LE(*found.lower, truth.log_z);
  EXPECT_GE(*found.upper, truth.log_z);
  EXPECT_LT(found.width(), 1e-10);
}

TEST(Mended, ValuesThatAreAllRoundingAreNoDrift) {
  // 1e12 - 1e12 in several ways: the ELBO is 1.9, known to 0.01.
  const double w = 1e12;
  const auto model = make_gibbs_field(
      {w, 999999999999.91675, -999999999999.40344},
      std::vector<Monomial>{{{0, 1}, -w}, {{0, 2}, -w}, {{1, 2}, -w}, {{0, 1, 2}, w}}, w);
  Box box = unit_box(3);
  box.low = {5e-324, 5e-324, 1 - 0x1p-53};
  for (const auto start : {"low", "high", "middle", "random"}) {
    InferOptions how{.algorithm = "coordinate-ascent"};
    how.start = start;
    EXPECT_NE(infer(make_problem(AnyModel(model), {}, box), how).status, Status::kFailed) << start;
  }
}

TEST(Mended, LinesThatAreOneButForRoundingAreBalancedWithoutACrash) {
  const std::vector<double> slopes{-1.6398717010119814, -1.8998138307775714, 0,
                                   1.2298568487768193,  -1.7398356945034925, -1.5106249303803267};
  std::vector<OneTerm> terms;
  for (std::uint32_t i = 0; i < 6; ++i)
    terms.push_back({OneTerm::Kind::kLinear, slopes[i], {{i, 0}}});
  const AnyModel model(make_term_model(6, terms));
  Box box = unit_box(6);
  box.fix(1, 0.3494684448012868);
  box.fix(5, 0.5);
  box.low[4] = 5e-324;
  for (const std::string name : {"bscb", "bscb-multiepoch"}) {
    EXPECT_NE(infer(make_problem(model, {}, box), {.algorithm = name}).status, Status::kFailed);
    EXPECT_NE(infer(make_problem(model), {.algorithm = name}).status, Status::kFailed);
  }
}

TEST(Mended, TheMeanOfTheLargestNumbersIsANumber) {
  const MeanEstimate mean = mean_of(std::vector{kLargest, kLargest, kLargest / 2});
  EXPECT_NEAR(mean.mean / kLargest, 2.5 / 3, 1e-15);
  EXPECT_EQ(mean.standard_error, kInfinity);
}

TEST(Mended, ALikelihoodBeyondADoubleHasEndsThatHold) {
  const HeldOutLikelihood found{.support = Support::kAllSets,
                                .value = {.count = 1, .mean = -kLargest, .standard_error = 0},
                                .log_normaliser = {kLargest, kLargest},
                                .empty_sets_left_out = 0};
  EXPECT_EQ(found.log_likelihood(), (Interval{-kInfinity, -kLargest}));
}

}  // namespace
}  // namespace surefield::torture
