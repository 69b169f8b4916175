// The truth is the sum over all sets but the empty one in long double, with F from the parameters:
// nothing is subtracted, so nothing cancels.
#include "surefield/learn/non_empty_log_z.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "surefield/core/random.hpp"
#include "surefield/learn/held_out.hpp"
#include "surefield/models/families.hpp"
#include "tests/support/learning_data.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

using Long = long double;
using testing::refusal;
using testing::sets_of;

/// F(S) = constant + sum u_i - sum_{i < j} c_ij [both in S]: submodular where all c >= 0.
struct Pairs {
  Index n;
  Long constant;
  std::vector<double> u, c;

  Long value(std::uint64_t code) const {
    Long sum = constant;
    for (Index i = 0; i < n; ++i)
      if ((code >> i) & 1) {
        sum += u[i];
        for (Index j = i + 1; j < n; ++j)
          if ((code >> j) & 1) sum -= c[i * n + j];
      }
    return sum;
  }
  Long log_non_empty() const {
    Long most = value(1);
    for (std::uint64_t code = 1; code < std::uint64_t{1} << n; ++code)
      most = std::max(most, value(code));
    Long sum = 0;
    for (std::uint64_t code = 1; code < std::uint64_t{1} << n; ++code)
      sum += std::exp(value(code) - most);
    return most + std::log(sum);
  }
  Long log_z() const {
    const Long rest = log_non_empty();
    return rest > constant ? rest + std::log1p(std::exp(constant - rest))
                           : constant + std::log1p(std::exp(rest - constant));
  }
};

Pairs random_pairs(Random& random, bool submodular) {
  Pairs pairs{.n = 1 + random.below(7), .constant = 0, .u = {}, .c = {}};
  if (random.chance(0.5)) pairs.constant = random.uniform(-100, 100);
  const double centre = random.uniform(-40, 40);
  const double spread = std::exp(random.uniform(-5, 3));
  for (Index i = 0; i < pairs.n; ++i) pairs.u.push_back(centre + spread * random.normal());
  const double strength = std::exp(random.uniform(-10, 4));
  for (Index k = 0; k < pairs.n * pairs.n; ++k)
    pairs.c.push_back(strength * random.uniform(submodular ? 0 : -1, 1));
  return pairs;
}

/// As a double below or above a number that is not one.
double below(Long x) {
  return std::nextafter(static_cast<double>(x), -std::numeric_limits<double>::infinity());
}
double above(Long x) {
  return std::nextafter(static_cast<double>(x), std::numeric_limits<double>::infinity());
}

/// What a program in double would compute, and by how much that is truly off.
struct Computed {
  double empty;
  std::vector<double> gains;
  double error = 0;
  explicit Computed(const Pairs& pairs) : empty(static_cast<double>(pairs.constant)) {
    for (Index i = 0; i < pairs.n; ++i) {
      gains.push_back((empty + pairs.u[i]) - empty);  // rounds as gains do
      error = std::max(error, static_cast<double>(std::abs(Long{gains[i]} - pairs.u[i])));
    }
    error = std::max(error, static_cast<double>(std::abs(Long{empty} - pairs.constant)));
  }
  /// All off by as much as is said, each to a side of its own or all to one.
  void move(double by, Random& random) {
    const double side = random.chance(0.5) ? 1 : -1;
    empty += (random.chance(0.5) ? 1 : -1) * by;
    const bool together = random.chance(0.5);
    for (double& gain : gains) gain += (together || random.chance(0.5) ? side : -side) * by;
    error = (error + by) * (1 + 1e-9) + 1e-13;  // gains round once more
  }
  NearEmpty near() const { return {.empty = empty, .gains = gains, .error = error}; }
};

TEST(NonEmptyLogZ, HoldsTheTruthOnThousandsOfModels) {
  Random random(1);
  for (int trial = 0; trial < 6000; ++trial) {
    SCOPED_TRACE(trial);
    const bool submodular = trial % 2 == 0;
    const Pairs pairs = random_pairs(random, submodular);
    const Long truth = pairs.log_non_empty();
    Computed computed(pairs);
    const bool moved = trial % 5 == 0;
    if (moved) computed.move(std::exp(random.uniform(-25, -5)), random);
    const double slack = trial % 3 == 0 ? std::exp(random.uniform(-30, 1)) : 0;
    const Interval log_z{below(pairs.log_z()) - slack, above(pairs.log_z()) + slack};
    Claim claim = non_empty_log_z(log_z, computed.near());
    ASSERT_TRUE(claim.is_bounded());
    ASSERT_LE(Long{claim.low()->value}, truth);
    ASSERT_GE(Long{claim.high()->value}, truth);
    if (!submodular) continue;
    const End product = non_empty_log_z_if_submodular(computed.near(), Basis::kProved);
    ASSERT_GE(Long{product.value}, truth);
    claim.at_most(product);
    // Of tight bounds of log Z nearly nothing is lost, however little mass is not on the empty set.
    if (slack == 0 && !moved) {
      ASSERT_LE(claim.width(), 2e-6);
    }
  }
}

TEST(NonEmptyLogZ, TheLowerEndOfAWideIntervalIsThatOfTheSingleItems) {
  // Z = 1 + e^-5 + e^-5 + e^-10; bounds that begin at 0 = F(empty) say nothing about Z - 1, but the
  // two items alone weigh 2 e^-5.
  const std::vector<double> gains{-5, -5};
  const Claim claim = non_empty_log_z({0, 0.1}, {.empty = 0, .gains = gains, .error = 0});
  EXPECT_NEAR(claim.low()->value, std::log(2) - 5, 1e-12);
  EXPECT_EQ(claim.low()->method, "single items");
  EXPECT_NEAR(claim.high()->value, std::log(std::expm1(0.1)), 1e-13);
  EXPECT_EQ(claim.high()->method, "log Z less the empty set");
}

TEST(NonEmptyLogZ, NothingOverflowsOrUnderflows) {
  for (const double gain : {-1e300, -800.0, -745.5, 0.0, 800.0, 1e5}) {
    SCOPED_TRACE(gain);
    const std::vector<double> gains(3, gain);
    const NearEmpty near{.empty = 0, .gains = gains, .error = 0};
    const End product = non_empty_log_z_if_submodular(near, Basis::kProved);
    EXPECT_TRUE(std::isfinite(product.value));
    EXPECT_GE(product.value, gain + std::log(3));
    const double log_z = 3 * std::max(0.0, gain) + 3 * std::log1p(std::exp(-std::abs(gain)));
    const Claim claim = non_empty_log_z({std::max(0.0, log_z), std::max(1e-300, log_z)}, near);
    EXPECT_TRUE(claim.is_bounded());
    EXPECT_GE(product.value, claim.low()->value);
  }
  const std::vector<double> gains{1};
  const NearEmpty unknown{
      .empty = 0, .gains = gains, .error = std::numeric_limits<double>::infinity()};
  const Claim claim = non_empty_log_z({1, 2}, unknown);
  EXPECT_FALSE(claim.low());
  EXPECT_NEAR(claim.high()->value, 2, 1e-12);  // a part of Z is at most Z
}

TEST(NonEmptyLogZ, RefusesALogZThatCannotBe) {
  const std::vector<double> gains{1};
  const NearEmpty near{.empty = 3, .gains = gains, .error = 0};
  EXPECT_THROW(non_empty_log_z({1, 2}, near), Contradiction);    // e^3 is part of Z
  EXPECT_THROW(non_empty_log_z({3, 3.5}, near), Contradiction);  // and so is e^4
  EXPECT_EQ(refusal([] {
              non_empty_log_z({0, 0}, {});
            }),
            "held-out likelihood: the model has no items, so there is no set but the empty one");
}

// One item of bias b: given that a set is not empty, it is the item, with log-likelihood 0.
TEST(NonEmptyLogZ, OneItemIsCertainHoweverUnlikelyItWas) {
  for (double b = -60; b <= 60; b += 0.1) {
    SCOPED_TRACE(b);
    const double log_z = b > 0 ? b + std::log1p(std::exp(-b)) : std::log1p(std::exp(b));
    for (const AnyModel& model : {AnyModel(make_flid({b}, {}, 0)),
                                  AnyModel(make_pairwise_field({b}, std::span<const Edge>()))}) {
      const auto found =
          held_out_likelihood(model, sets_of(1, {{0}}), {log_z, log_z}, Support::kNonEmptySets);
      EXPECT_LE(found.log_likelihood().low, 0);
      EXPECT_GE(found.log_likelihood().low, -1e-9 * (1 + std::abs(b)));
      EXPECT_GE(found.log_likelihood().high, 0);
      EXPECT_LE(found.log_likelihood().high, 1e-9 * (1 + std::abs(b)));
    }
  }
}

// F({0}) = -80.25, F({1}) = -80.5, F({0, 1}) = -35: not submodular, and e^-35 is lost in Z = 1 +
// e^-35. The likelihood of {0} and {0, 1} is (-80.25 - 35) / 2 + 35 = -22.625.
TEST(NonEmptyLogZ, WhatRoundingHidesIsNotClaimed) {
  const AnyModel model = make_pairwise_field({-80.25, -80.5}, std::vector<Edge>{{0, 1, 125.75}});
  const double log_z = std::log1p(std::exp(-35.0));
  const auto found =
      held_out_likelihood(model, sets_of(2, {{0}, {0, 1}}), {log_z, log_z}, Support::kNonEmptySets);
  EXPECT_LE(found.log_likelihood().low, -22.625);
  EXPECT_GE(found.log_likelihood().high, -22.625);
  EXPECT_LE(found.log_likelihood().high, -22.624);
}

}  // namespace
}  // namespace surefield
