#include "surefield/learn/held_out.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/core/random.hpp"
#include "surefield/models/families.hpp"
#include "tests/support/learning_data.hpp"
#include "tests/support/random_flid.hpp"
#include "tests/support/random_kernel.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

using testing::refusal;
using testing::sets_of;

TEST(MeanEstimate, ThreeNumbersByHand) {
  // Mean 3; deviations -2, 0, 2; standard error sqrt(8 / (3 * 2)).
  const MeanEstimate estimate = mean_of(std::vector{1.0, 3.0, 5.0});
  EXPECT_EQ(estimate.count, 3U);
  EXPECT_DOUBLE_EQ(estimate.mean, 3);
  EXPECT_DOUBLE_EQ(estimate.standard_error, std::sqrt(8.0 / 6));
}

TEST(MeanEstimate, OneNumberHasNoKnownError) {
  EXPECT_EQ(mean_of(std::vector{2.0}).standard_error, kInfinity);
  EXPECT_EQ(mean_of({}).count, 0U);
  EXPECT_EQ(mean_of({}).mean, 0);
}

TEST(HeldOut, TwoItemsByHand) {
  // u = (0, 0), no dimensions: Z = 4, every set has probability 1/4, and 1/3 given that it is not
  // empty.
  const AnyModel model = make_flid({0, 0}, {}, 0);
  const auto data = sets_of(2, {{0}, {1}, {0, 1}, {}});
  const Interval log_z{std::log(4.0), std::log(4.0)};
  const auto all = held_out_likelihood(model, data, log_z, Support::kAllSets);
  EXPECT_EQ(all.value.count, 4U);
  EXPECT_EQ(all.empty_sets_left_out, 0U);
  EXPECT_DOUBLE_EQ(all.log_likelihood().low, -std::log(4.0));
  EXPECT_DOUBLE_EQ(all.log_likelihood().high, -std::log(4.0));
  const auto given = held_out_likelihood(model, data, log_z, Support::kNonEmptySets);
  EXPECT_EQ(given.value.count, 3U);
  EXPECT_EQ(given.empty_sets_left_out, 1U);
  EXPECT_NEAR(given.log_likelihood().low, -std::log(3.0), 1e-14);
  // P(i in S) = 1/2; given non-empty, two of three sets hold i.
  const auto marginals = marginals_given_non_empty(model, std::vector{0.5, 0.5}, log_z);
  EXPECT_NEAR(marginals[0], 2.0 / 3, 1e-14);
}

TEST(HeldOut, ASetSeenCountsWithoutWhatItsValueMayBeOff) {
  // One item: Z less the empty set is e^7 alone, which the wide log Z given does not say.
  const AnyModel model = make_flid({7}, {}, 0);
  const double off = model.facts().value_error + model.facts().gain_error;
  ASSERT_GT(off, 0);
  const auto found = held_out_likelihood(model, sets_of(1, {{0}}), {1, 9}, Support::kNonEmptySets);
  EXPECT_EQ(found.log_normaliser.low, 7 - off);
}

TEST(HeldOut, AnIllConditionedKernelCostsNothingNearTheEmptySet) {
  // L = 1 1' + eps I of three items: det of k of them is eps^(k - 1) (eps + k). All sets but the empty one add up to
  // 3 (1 + eps) + 3 eps (2 + eps) + eps^2 (3 + eps), though larger blocks are all but singular.
  const double eps = 0x1p-45;
  Eigen::MatrixXd kernel = Eigen::MatrixXd::Ones(3, 3);
  kernel.diagonal().array() += eps;
  const AnyModel model = make_log_det(kernel);
  const double rest = 3 * (1 + eps) + 3 * eps * (2 + eps) + eps * eps * (3 + eps);
  const Interval found = log_z_of_non_empty_sets(model, {std::log1p(rest), std::log1p(rest)});
  EXPECT_NEAR(found.low, std::log(rest), 1e-14);
  EXPECT_NEAR(found.high, std::log(rest), 1e-14);
  EXPECT_LE(found.low, std::log(rest));
  EXPECT_GE(found.high, std::log(rest));
}

template <class M>
void check_against_enumeration(const M& model, std::uint64_t seed) {
  SCOPED_TRACE(seed);
  const Index n = model.size();
  const auto values = reference::all_values(model);
  const double log_z = reference::log_z(values);
  Random random(seed);
  SetCollection data = sets_of(n, {});
  double sum_all = 0;
  double sum_given = 0;
  Index non_empty = 0;
  double mass = 0;
  for (std::size_t code = 1; code < values.size(); ++code) mass += std::exp(values[code] - log_z);
  for (Index k = 0; k < 300; ++k) {
    const std::uint64_t code = random.below(values.size());
    auto& set = data.sets.emplace_back();
    for (std::uint32_t i = 0; i < n; ++i)
      if ((code >> i) & 1) set.push_back(i);
    sum_all += values[code] - log_z;
    if (code != 0) sum_given += values[code] - log_z - std::log(mass), ++non_empty;
  }
  const AnyModel any = model;
  const Interval wide{log_z - 0.2, log_z + 0.3};
  for (const unsigned threads : {1U, 2U, 8U}) {
    const auto all = held_out_likelihood(any, data, wide, Support::kAllSets, threads);
    const double mean = sum_all / 300;
    EXPECT_NEAR(all.log_likelihood().low, mean - 0.3, 1e-9);
    EXPECT_NEAR(all.log_likelihood().high, mean + 0.2, 1e-9);
    const auto given = held_out_likelihood(any, data, wide, Support::kNonEmptySets, threads);
    const double mean_given = sum_given / static_cast<double>(non_empty);
    EXPECT_LE(given.log_likelihood().low, mean_given);
    EXPECT_GE(given.log_likelihood().high, mean_given);
    const auto point = held_out_likelihood(any, data, {log_z, log_z}, Support::kNonEmptySets);
    EXPECT_NEAR(point.log_likelihood().low, mean_given, 1e-8);
    EXPECT_EQ(held_out_likelihood(any, data, wide, Support::kAllSets, 1).value.mean,
              all.value.mean);
  }
}

TEST(HeldOut, ContainsTheLikelihoodByEnumeration) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    check_against_enumeration(testing::random_flid(1 + seed % 7, seed % 4, seed), seed);
    check_against_enumeration(make_log_det(testing::random_kernel(1 + seed % 6, seed)), seed);
  }
}

TEST(HeldOut, NonEmptyNormaliserIsFiniteWhereTheIntervalReachesDownToTheEmptySet) {
  // Z = 1 + e^-5 + e^-5 + e^-10; an interval that begins at 0 = F(empty) says nothing about Z - 1,
  // but the two items alone weigh 2 e^-5.
  const AnyModel model = make_flid({-5, -5}, {}, 0);
  const Interval rest = log_z_of_non_empty_sets(model, {0, 0.1});
  EXPECT_NEAR(rest.low, std::log(2) - 5, 1e-9);
  EXPECT_LE(rest.low, std::log(2) - 5);
  // The items add up to no more than a product: Z - 1 <= (1 + e^-5)^2 - 1.
  EXPECT_NEAR(rest.high, std::log(2 * std::exp(-5) + std::exp(-10)), 1e-9);
}

TEST(HeldOut, ASpentBudgetJudgesBySomeOfTheSetsAndSaysSo) {
  const AnyModel model = make_flid({0, 0}, {}, 0);
  const auto data = sets_of(2, {{0}, {1}, {0, 1}});
  const Interval log_z{std::log(4.0), std::log(4.0)};
  for (const Support support : {Support::kAllSets, Support::kNonEmptySets}) {
    const auto none = held_out_likelihood(model, data, log_z, support, Budget().within(0));
    EXPECT_FALSE(none.complete);
    EXPECT_EQ(none.value.count, 0U);
    EXPECT_EQ(none.log_likelihood(), (Interval{-kInfinity, kInfinity}));
    const auto all = held_out_likelihood(model, data, log_z, support, Budget().with_threads(8));
    EXPECT_TRUE(all.complete);
    EXPECT_EQ(all.value.count, 3U);
  }
}

TEST(HeldOut, SaysWhatItRefuses) {
  const AnyModel model = make_flid({0, 0}, {}, 0);
  const AnyModel none = make_flid({}, {}, 0);
  EXPECT_EQ(refusal([&] { values_of(model, sets_of(3, {{0}})); }),
            "held-out sets: they are of 3 items, the model of 2, which must be the same");
  EXPECT_EQ(refusal([&] {
              values_of(model, sets_of(2, {{0}, {2}}));
            }),
            "held-out sets: set 1 holds item 2, which must be below 2");
  EXPECT_EQ(refusal([&] {
              held_out_likelihood(model, sets_of(2, {}), {1, 1}, Support::kAllSets);
            }),
            "held-out likelihood: there is no set to judge by");
  EXPECT_EQ(refusal([&] {
              held_out_likelihood(model, sets_of(2, {{}}), {1, 1}, Support::kNonEmptySets);
            }),
            "held-out likelihood: there is no non-empty set to judge by");
  EXPECT_EQ(refusal([&] {
              held_out_likelihood(model, sets_of(2, {{0}}), {2, 1}, Support::kAllSets);
            }),
            "held-out likelihood: log Z is given as [2, 1], which must be a bounded interval");
  EXPECT_EQ(refusal([&] {
              log_z_of_non_empty_sets(none, {0, 0});
            }),
            "held-out likelihood: the model has no items, so there is no set but the empty one");
}

TEST(HeldOut, TheErrorOfTheValuesMovesTheNormaliserOutwards) {
  PairwiseField field = make_pairwise_field({1, 2, -1}, std::vector<Edge>{{0, 1, -1}});
  const auto normaliser = [&] { return log_z_of_non_empty_sets(field, {5, 5}); };
  const Interval plain = normaliser();
  field.inherited_error = 0.125;
  EXPECT_LE(normaliser().low, plain.low - 0.1);
  EXPECT_GE(normaliser().high, plain.high + 0.1);
}

}  // namespace
}  // namespace surefield
