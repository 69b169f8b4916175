#include "surefield/models/concave_over_modular/gauss_rule.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/core/random.hpp"

namespace surefield {
namespace {

double moment(const std::vector<Atom>& atoms, int power) {
  double sum = 0;
  for (const auto& [at, mass] : atoms) sum += mass * std::pow(at, power);
  return sum;
}

TEST(GaussRule, TwoPointsOfThreeByHand) {
  // 1, 1, 1 at 0, 1/2, 1: symmetric, so 1/2 -+ d with 3/2 each, and 2 / 4 = 3 d^2.
  const auto rule = gauss_rule({{0, 1}, {0.5, 1}, {1, 1}}, 2);
  ASSERT_EQ(rule.size(), 2U);
  EXPECT_NEAR(rule[0].at, 0.5 - std::sqrt(1.0 / 6), 1e-15);
  EXPECT_NEAR(rule[1].at, 0.5 + std::sqrt(1.0 / 6), 1e-15);
  EXPECT_NEAR(rule[0].mass, 1.5, 1e-14);
  EXPECT_NEAR(rule[1].mass, 1.5, 1e-14);
}

TEST(GaussRule, MeetsTheFirstMomentsAndNoMore) {
  Random random(3);
  std::vector<Atom> atoms;
  for (int j = 0; j < 100; ++j) atoms.push_back({random.uniform(), random.uniform()});
  for (int n = 1; n <= 9; ++n) {
    const auto rule = gauss_rule(atoms, static_cast<Index>(n));
    ASSERT_EQ(rule.size(), static_cast<Index>(n));
    for (int power = 0; power < 2 * n; ++power)
      EXPECT_NEAR(moment(rule, power), moment(atoms, power), 1e-12)
          << n << " points, power " << power;
    EXPECT_LT(moment(rule, 2 * n), moment(atoms, 2 * n) * (1 - 1e-12)) << n << " points";
  }
}

TEST(GaussRule, AMeasureOfFewPointsIsItsOwnRule) {
  const auto one = gauss_rule({{0.25, 2}}, 5);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_DOUBLE_EQ(one[0].at, 0.25);
  EXPECT_DOUBLE_EQ(one[0].mass, 2);
  const auto zero = gauss_rule({{0, 3}}, 2);
  ASSERT_EQ(zero.size(), 1U);
  EXPECT_EQ(zero[0].at, 1e-14);  // never 0
}

}  // namespace
}  // namespace surefield
