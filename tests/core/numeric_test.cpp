#include "surefield/core/numeric.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "surefield/core/random.hpp"

namespace surefield {
namespace {

// Relative error against a long double, in units of 2^-53.
double ulps(double value, long double truth) {
  if (static_cast<long double>(value) == truth) return 0;
  return static_cast<double>(std::abs((value - truth) / truth)) * 0x1p53;
}

TEST(Numeric, SigmoidKeepsItsDigitsAtBothEnds) {
  EXPECT_EQ(sigmoid(0), 0.5);
  EXPECT_EQ(sigmoid(kInfinity), 1);
  EXPECT_EQ(sigmoid(-kInfinity), 0);
  EXPECT_EQ(sigmoid(1e300), 1);
  EXPECT_EQ(sigmoid(-1e300), 0);
  for (const double z : {-700.0, -40.0, -3.0, -1e-9, 1e-9, 3.0, 30.0})
    EXPECT_LE(ulps(sigmoid(z), 1 / (1 + std::exp(-static_cast<long double>(z)))), 4) << z;
  EXPECT_GT(sigmoid(-744), 0);  // subnormal, not flushed
}

TEST(Numeric, Softplus) {
  EXPECT_EQ(softplus(0), std::log(2.0));
  EXPECT_EQ(softplus(kInfinity), kInfinity);
  EXPECT_EQ(softplus(-kInfinity), 0);
  EXPECT_EQ(softplus(1e300), 1e300);
  EXPECT_DOUBLE_EQ(softplus(-50), std::exp(-50));
  for (const double z : {-30.0, -1.0, 0.5, 20.0})
    EXPECT_LE(ulps(softplus(z), std::log1p(std::exp(static_cast<long double>(z)))), 4) << z;
}

TEST(Numeric, LogitInvertsSigmoidAndDoesNotCancelAtOneHalf) {
  EXPECT_EQ(logit(0), -kInfinity);
  EXPECT_EQ(logit(1), kInfinity);
  EXPECT_EQ(logit(0.5), 0);
  for (const double z : {-700.0, -20.0, -1.0, -1e-3, 1e-6, 2.0, 20.0})
    EXPECT_NEAR(logit(sigmoid(z)), z, 1e-7 * std::abs(z) + 1e-16 / sigmoid(-z)) << z;
  for (const double u :
       {1e-300, 0.1, 0.25, 0.2500001, 0.5 - 1e-12, 0.5 + 1e-12, 0.7, 0.75, 0.9, 1 - 1e-10})
    EXPECT_LE(ulps(logit(u), std::log(static_cast<long double>(u)) -
                                 std::log1p(-static_cast<long double>(u))),
              u > 0.4 && u < 0.6 ? 1e5 : 4)  // there the long double cancels, to 1e-19 of 1e-12
        << u;
  EXPECT_DOUBLE_EQ(logit(0.5 + 0x1p-40), 0x1p-38);  // 4 h + O(h^3)
  EXPECT_DOUBLE_EQ(logit(0.5 - 0x1p-40), -0x1p-38);
}

TEST(Numeric, EntropyIsZeroAtTheEndsAndAccurateNearThem) {
  EXPECT_EQ(entropy(0), 0);
  EXPECT_EQ(entropy(1), 0);
  EXPECT_DOUBLE_EQ(entropy(0.5), std::log(2));
  EXPECT_EQ(x_log_x(0), 0);
  for (const double u : {1e-300, 1e-20, 1e-5, 0.3, 0.9, 1 - 1e-10}) {
    const auto v = static_cast<long double>(u);
    EXPECT_LE(ulps(entropy(u), -v * std::log(v) - (1 - v) * std::log1p(-v)), 4) << u;
  }
}

TEST(Numeric, RelativeEntropyExcess) {
  EXPECT_EQ(relative_entropy_excess(0), 0);
  EXPECT_EQ(relative_entropy_excess(-1), 1);  // 0 log 0 + 1
  EXPECT_EQ(relative_entropy_excess(kInfinity), kInfinity);
  EXPECT_DOUBLE_EQ(relative_entropy_excess(1e-9), 5e-19 * (1 - 1e-9 / 3));
  for (const double r : {-0.9, -0.5, -0.1, -0.0999, -0.01, 0.02, 0.0999, 0.1, 0.11, 1.0, 50.0}) {
    const auto s = static_cast<long double>(r);
    EXPECT_LE(ulps(relative_entropy_excess(r), (1 + s) * std::log1p(s) - s), 60) << r;
  }
}

TEST(Numeric, DivergenceByLogit) {
  EXPECT_EQ(bernoulli_divergence(0.5, 0), 0);
  EXPECT_DOUBLE_EQ(bernoulli_divergence(0, 3), softplus(3));   // -log(1 - p)
  EXPECT_DOUBLE_EQ(bernoulli_divergence(1, 3), softplus(-3));  // -log p
  EXPECT_DOUBLE_EQ(bernoulli_divergence(1, -600), 600);
  EXPECT_EQ(bernoulli_divergence(0, -kInfinity), 0);
  EXPECT_EQ(bernoulli_divergence(1, kInfinity), 0);
  EXPECT_EQ(bernoulli_divergence(0.5, kInfinity), kInfinity);
  EXPECT_EQ(bernoulli_divergence(0.5, -kInfinity), kInfinity);
  EXPECT_NEAR(bernoulli_divergence(1, -744.4), 744.4,
              0.5);  // p is subnormal: few digits, no overflow
  const double tiny = bernoulli_divergence(0.5 + 1e-8, 0);  // h^2 / (2 p q) = 2 h^2
  EXPECT_NEAR(tiny, 2e-16, 1e-22);
}

TEST(Numeric, DivergenceOfProbabilities) {
  EXPECT_EQ(bernoulli_divergence_of(0.3, 0.3), 0);
  EXPECT_EQ(bernoulli_divergence_of(0, 0), 0);
  EXPECT_EQ(bernoulli_divergence_of(1, 1), 0);
  EXPECT_EQ(bernoulli_divergence_of(0.5, 0), kInfinity);
  EXPECT_EQ(bernoulli_divergence_of(0.5, 1), kInfinity);
  EXPECT_DOUBLE_EQ(bernoulli_divergence_of(0, 0.75), std::log(4));
  EXPECT_DOUBLE_EQ(bernoulli_divergence_of(1, 0.25), std::log(4));
  EXPECT_TRUE(std::isfinite(bernoulli_divergence_of(0.5, 1e-320)));
  Random random(1);
  for (int trial = 0; trial < 1000; ++trial) {
    const double u = random.uniform();
    const double p = random.uniform();
    const auto v = static_cast<long double>(u);
    const auto q = static_cast<long double>(p);
    const long double truth = v * std::log(v / q) + (1 - v) * std::log((1 - v) / (1 - q));
    ASSERT_NEAR(bernoulli_divergence_of(u, p), static_cast<double>(truth),
                1e-14 * static_cast<double>(truth) + 1e-18);
  }
}

TEST(Numeric, LogAddAndLogSumExp) {
  EXPECT_DOUBLE_EQ(log_add(std::log(2), std::log(3)), std::log(5));
  EXPECT_EQ(log_add(-kInfinity, 4), 4);
  EXPECT_EQ(log_add(4, -kInfinity), 4);
  EXPECT_EQ(log_add(-kInfinity, -kInfinity), -kInfinity);
  EXPECT_EQ(log_add(kInfinity, kInfinity), kInfinity);
  EXPECT_EQ(log_add(1e300, -1e300), 1e300);
  EXPECT_EQ(log_sum_exp({}), -kInfinity);
  EXPECT_EQ(log_sum_exp(std::vector{-kInfinity, -kInfinity}), -kInfinity);
  EXPECT_EQ(log_sum_exp(std::vector{kInfinity, 1.0}), kInfinity);
  EXPECT_DOUBLE_EQ(log_sum_exp(std::vector{1000.0, 1000.0, -1e300}), 1000 + std::log(2));
}

TEST(Numeric, CompensatedSumLosesNothing) {
  CompensatedSum sum;
  for (const double term : {1.0, 1e100, 1.0, -1e100}) sum.add(term);
  EXPECT_EQ(sum.value(), 2);
  CompensatedSum infinite;
  infinite.add(1);
  infinite.add(-kInfinity);
  EXPECT_EQ(infinite.value(), -kInfinity);
  EXPECT_EQ(CompensatedSum().value(), 0);
}

}  // namespace
}  // namespace surefield
