#include "surefield/learn/pseudo_likelihood.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/core/random.hpp"

namespace surefield {
namespace {

using Sets = std::vector<std::vector<std::uint32_t>>;

Sets random_sets(Index items, Index count, double rate, std::uint64_t seed) {
  Random random(seed);
  Sets sets(count);
  for (auto& set : sets)
    for (std::uint32_t i = 0; i < items; ++i)
      if (random.uniform() < rate) set.push_back(i);
  return sets;
}

DistinctSets distinct(const Sets& sets, Index items) {
  return distinct_sets(flat_sets({.items = items, .sets = sets, .names = {}}));
}

std::vector<double> random_point(Index size, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> theta(size);
  for (double& part : theta) part = random.uniform(-1.5, 1);
  return theta;
}

/// As the head comment says, from values of the field on whole sets.
long double loss_by_definition(const Sets& sets, const PairwiseField& field, double smoothing,
                               bool given_non_empty) {
  const Index n = field.size();
  long double sum = 0;
  for (const auto& set : sets)
    for (Index i = 0; i < n; ++i) {
      std::vector<std::uint8_t> with(n, 0), without(n, 0);
      for (const auto j : set) with[j] = without[j] = 1;
      const bool there = with[i] != 0;
      with[i] = 1;
      without[i] = 0;
      if (given_non_empty && there && set.size() == 1) continue;
      const long double a = std::exp(static_cast<long double>(field.evaluate(with)));
      const long double b = std::exp(static_cast<long double>(field.evaluate(without)));
      sum -= std::log((there ? a : b) / (a + b));
    }
  for (Index i = 0; i < n; ++i) {
    const long double p = 1 / (1 + std::exp(-static_cast<long double>(field.bias[i])));
    sum -= smoothing * (std::log(p) + std::log(1 - p));
  }
  return sum;
}

TEST(PseudoLikelihood, IsWhatItsDefinitionSays) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed)
    for (const double rate : {0.05, 0.4})  // few and many neighbours a set: both ways of a row
      for (const double least : {0.0, 1.0, 3.0})
        for (const bool non_empty : {false, true}) {
          const Index n = 9;
          const Sets sets = random_sets(n, 40, rate, seed);
          const DistinctSets data = distinct(sets, n);
          const PairSupport support = pair_support(data, n, least);
          const PseudoLikelihood loss(data, support, 0.7, non_empty);
          const auto theta = random_point(loss.parameters(), seed);
          std::vector<double> gradient(theta.size());
          double squares = 0;
          for (Index k = n; k < theta.size(); ++k) squares += theta[k] * theta[k];
          const auto truth = static_cast<double>(
              loss_by_definition(sets, field_of(theta, support), 0.7, non_empty));
          EXPECT_NEAR(loss(theta, gradient, 5), truth + 2.5 * squares, 1e-10 * truth)
              << seed << ' ' << rate << ' ' << least;
          EXPECT_NEAR(
              loss.mean_loss(theta) * 40,
              static_cast<double>(loss_by_definition(sets, field_of(theta, support), 0, non_empty)),
              1e-10 * truth);
        }
}

/// Every row sampled.
ControlPlan controls_of(Index items, double rare, Index controls) {
  return {.rare = rare, .controls = controls, .sampled = std::vector<std::uint8_t>(items, 1)};
}

TEST(PseudoLikelihood, ControlsThatAreAllSetsAreExact) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed)
    for (const bool non_empty : {false, true}) {
      const Index n = 7;
      const Sets sets = random_sets(n, 40, 0.25, seed);
      const DistinctSets data = distinct(sets, n);
      const PairSupport support = pair_support(data, n, 1);
      const PseudoLikelihood loss(data, support, 0.7, non_empty, controls_of(n, 9, 40));
      const auto theta = random_point(loss.parameters(), seed);
      std::vector<double> gradient(theta.size());
      const auto truth =
          static_cast<double>(loss_by_definition(sets, field_of(theta, support), 0.7, non_empty));
      EXPECT_NEAR(loss(theta, gradient, 0), truth, 1e-10 * truth) << seed;
    }
}

TEST(PseudoLikelihood, ControlsEstimateItsGradient) {
  // Item 0 in half of the sets, the others rarer and rarer: frequent neighbours by controls, rare ones by all.
  const Index n = 60;
  Random random(3);
  Sets sets(8000);
  for (auto& set : sets)
    for (std::uint32_t i = 0; i < n; ++i)
      if (random.chance(0.5 / (1.0 + i))) set.push_back(i);
  const DistinctSets data = distinct(sets, n);
  const PairSupport support = pair_support(data, n, 2);
  const PseudoLikelihood all(data, support, 1, true),
      some(data, support, 1, true, control_plan(data, support, 0));
  ASSERT_TRUE(all.is_exact());
  ASSERT_FALSE(some.is_exact());
  EXPECT_TRUE(control_plan(data, support, 1e9).sampled.empty());
  auto theta = all.start();
  for (Index k = n; k < theta.size(); ++k) theta[k] = random.uniform(-0.5, 0.5);
  std::vector<double> truth(theta.size()), found(theta.size());
  const double value = all(theta, truth, 1);
  EXPECT_NEAR(some(theta, found, 1), value, 0.02 * value);
  EXPECT_NE(some(theta, found, 1), value);
  // In units of the standard deviation that all sets have, were the items independent.
  const auto second = all.curvature(0);
  double squares = 0;
  for (Index k = 0; k < theta.size(); ++k)
    squares += (found[k] - truth[k]) * (found[k] - truth[k]) / second[k];
  EXPECT_LT(squares / static_cast<double>(theta.size()), 1);
}

TEST(PseudoLikelihood, GradientIsThatOfDifferences) {
  for (const double rate : {0.05, 0.4})
    for (const double least : {0.0, 2.0})
      for (const ControlPlan& plan : {ControlPlan{}, controls_of(8, 6, 10)}) {
        const Index n = 8;
        const DistinctSets data = distinct(random_sets(n, 50, rate, 11), n);
        const PairSupport support = pair_support(data, n, least);
        const PseudoLikelihood loss(data, support, 1, true, plan);
        auto theta = random_point(loss.parameters(), 5);
        std::vector<double> gradient(theta.size()), other(theta.size());
        loss(theta, gradient, 3);
        for (Index k = 0; k < theta.size(); ++k) {
          const double at = theta[k];
          theta[k] = at + 1e-5;
          const double above = loss(theta, other, 3);
          theta[k] = at - 1e-5;
          const double below = loss(theta, other, 3);
          theta[k] = at;
          EXPECT_NEAR(gradient[k], (above - below) / 2e-5, 1e-5) << k << ' ' << rate;
        }
      }
}

TEST(PseudoLikelihood, PatternsOfFewNeighboursSayWhatTheSetsSay) {
  // A chain with a chord: at most three neighbours, who stand in many more sets than they have patterns.
  const Index n = 9;
  for (const bool non_empty : {false, true}) {
    const Sets sets = random_sets(n, 400, 0.25, 6);
    const DistinctSets data = distinct(sets, n);
    std::vector<std::vector<std::uint32_t>> partners(n);
    for (std::uint32_t i = 0; i + 1 < n; ++i) partners[i].push_back(i + 1);
    partners[1].push_back(5);
    const PairSupport support = support_of(partners);
    const PseudoLikelihood loss(data, support, 0.7, non_empty);
    EXPECT_LE(loss.operations(), 50.0 * 9 * 7);  // a pattern costs 50, a row has at most 7
    auto theta = random_point(loss.parameters(), 8);
    std::vector<double> gradient(theta.size()), other(theta.size());
    double squares = 0;
    for (Index k = n; k < theta.size(); ++k) squares += theta[k] * theta[k];
    const auto truth =
        static_cast<double>(loss_by_definition(sets, field_of(theta, support), 0.7, non_empty));
    EXPECT_NEAR(loss(theta, gradient, 5), truth + 2.5 * squares, 1e-11 * truth);
    for (Index k = 0; k < theta.size(); ++k) {
      const double at = theta[k];
      theta[k] = at + 1e-5;
      const double above = loss(theta, other, 5);
      theta[k] = at - 1e-5;
      const double below = loss(theta, other, 5);
      theta[k] = at;
      EXPECT_NEAR(gradient[k], (above - below) / 2e-5, 1e-5) << k;
    }
  }
}

TEST(PseudoLikelihood, TwoItemsByHand) {
  // {0}, {0, 1}, {}: at b = 0, w = 1. Fields of 0: 0, 1, 0; of 1: 1, 1, 0.
  const DistinctSets data = distinct({{0}, {0, 1}, {}}, 2);
  const PairSupport support = pair_support(data, 2, 0);
  const PseudoLikelihood loss(data, support, 0, false);
  std::vector<double> gradient(3);
  const double one = std::log1p(std::exp(1.0)), half = std::log(2.0), s = 1 / (1 + std::exp(-1.0));
  // item 0: in, in, out; item 1: out, in, out
  EXPECT_DOUBLE_EQ(loss({{0.0, 0.0, 1.0}}, gradient, 0),
                   half + (one - 1) + half + one + (one - 1) + half);
  EXPECT_NEAR(gradient[0], (0.5 - 1) + (s - 1) + 0.5, 1e-15);
  EXPECT_NEAR(gradient[1], s + (s - 1) + 0.5, 1e-15);
  EXPECT_NEAR(gradient[2], (s - 1) + s + (s - 1), 1e-15);  // 0 given 1 once, 1 given 0 twice
}

TEST(PseudoLikelihood, HasTheSameBitsOnEveryNumberOfThreads) {
  const Index n = 300;
  const DistinctSets data = distinct(random_sets(n, 200, 0.02, 7), n);
  const PairSupport support = pair_support(data, n, 1);
  const PseudoLikelihood loss(data, support, 1, true);
  const auto theta = random_point(loss.parameters(), 9);
  std::vector<double> gradient(theta.size());
  const double value = loss(theta, gradient, 2);
  for (const unsigned threads : {2U, 8U}) {
    std::vector<double> other(theta.size());
    EXPECT_EQ(loss(theta, other, 2, Budget().with_threads(threads)), value);
    EXPECT_EQ(other, gradient);
  }
}

TEST(PseudoLikelihood, IsTheSameHoweverOftenItIsAsked) {
  // What rows work on is kept between evaluations: nothing of one may be left in the next, of exact rows or of sampled ones.
  const Index n = 300;
  const DistinctSets data = distinct(random_sets(n, 200, 0.02, 7), n);
  const PairSupport support = pair_support(data, n, 1);
  for (const double most_work : {1e8, 1.0}) {
    SCOPED_TRACE(most_work);
    const auto plan = control_plan(data, support, most_work);
    const PseudoLikelihood loss(data, support, 1, true, plan);
    ASSERT_EQ(loss.is_exact(), most_work > 1);
    std::vector<double> gradient(loss.parameters()), other(loss.parameters());
    for (const std::uint64_t seed : {9, 10, 9}) {
      const auto theta = random_point(loss.parameters(), seed);
      const double value = loss(theta, gradient, 2);
      EXPECT_EQ(PseudoLikelihood(data, support, 1, true, plan)(theta, other, 2), value);
      EXPECT_EQ(other, gradient);
    }
  }
}

TEST(PseudoLikelihood, StaysFiniteFarOut) {
  const DistinctSets data = distinct({{0, 1}, {1}, {}}, 2);
  const PairSupport support = pair_support(data, 2, 0);
  const PseudoLikelihood loss(data, support, 1, false);
  std::vector<double> gradient(3);
  // Fields of item 0: -500, -500, -1000, of item 1: 0, -500, -500... by softplus(z) - x z.
  const double far = loss({{-1000.0, -500.0, 500.0}}, gradient, 0);
  // item 0: {0,1} h = -500 in: 500; {1} h = -500 out: 0; {} h = -1000: 0; smoothing: 1000
  // item 1: {0,1} h = 0 in: log 2; {1} h = -500 in: 500; {} h = -500: 0; smoothing: 500
  EXPECT_NEAR(far, 500 + 1000 + std::log(2.0) + 500 + 500, 1e-9);
  const double high = loss({{2000.0, 0.0, 0.0}}, gradient, 0);
  // item 0: in 0; out 2000 twice; smoothing 2000. item 1: log 2 for three sets and two of smoothing.
  EXPECT_NEAR(high, 6000 + 5 * std::log(2.0), 1e-9);
}

}  // namespace
}  // namespace surefield
