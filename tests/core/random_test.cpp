#include "surefield/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace surefield {
namespace {

// From a separate implementation of xoshiro256++ and splitmix64 in Python. The streams are part of
// every reproducible result: they must never change.
TEST(Random, StreamsAreFrozen) {
  const auto first_four = [](std::uint64_t seed) {
    Random random(seed);
    return std::vector<std::uint64_t>{random.bits(), random.bits(), random.bits(), random.bits()};
  };
  EXPECT_EQ(first_four(0), (std::vector<std::uint64_t>{0x53175d61490b23df, 0x61da6f3dc380d507,
                                                       0x5c0fdf91ec9a7bfc, 0x02eebf8c3bbe5e1a}));
  EXPECT_EQ(first_four(1), (std::vector<std::uint64_t>{0xcfc5d07f6f03c29b, 0xbf424132963fe08d,
                                                       0x19a37d5757aaf520, 0xbf08119f05cd56d6}));
  EXPECT_EQ(first_four(std::numeric_limits<std::uint64_t>::max()),
            (std::vector<std::uint64_t>{0x56ccf8ce948e27b2, 0xe68588432e5a5b90, 0xe3e9b5a48119ca8b,
                                        0x460f19495532ae73}));
}

TEST(Random, KeyedUniformsAreFrozenAndPure) {
  constexpr auto kLast = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(keyed_uniform(1, 0, 0), 0x1.906e90fc7e4e0p-2);
  EXPECT_EQ(keyed_uniform(1, 0, 1), 0x1.8232da9c538eep-2);
  EXPECT_EQ(keyed_uniform(1, 1, 0), 0x1.b639cb014e5bcp-3);
  EXPECT_EQ(keyed_uniform(2, 0, 0), 0x1.f13f4409f9974p-2);
  EXPECT_EQ(keyed_uniform(kLast, kLast, kLast), 0x1.c92599bad2e31p-1);
  EXPECT_EQ(keyed_uniform(1, 0, 0), 0x1.906e90fc7e4e0p-2);
}

TEST(Random, KeyedUniformsAreUniformAndUncorrelatedAlongEveryArgument) {
  // 1e4 draws: standard error of a mean 0.0029, of a correlation 0.01. Four of them.
  for (int axis = 0; axis < 3; ++axis) {
    const auto draw = [&](std::uint64_t k) {
      return axis == 0   ? keyed_uniform(k, 3, 4)
             : axis == 1 ? keyed_uniform(5, k, 4)
                         : keyed_uniform(5, 3, k);
    };
    double sum = 0;
    double squares = 0;
    double lagged = 0;
    for (std::uint64_t k = 0; k < 10000; ++k) {
      const double a = draw(k) - 0.5;
      ASSERT_TRUE(a >= -0.5 && a < 0.5);
      sum += a;
      squares += a * a;
      lagged += a * (draw(k + 1) - 0.5);
    }
    EXPECT_NEAR(sum / 1e4, 0, 0.012);
    EXPECT_NEAR(squares / 1e4, 1.0 / 12, 0.003);
    EXPECT_NEAR(lagged / squares, 0, 0.04);
  }
}

TEST(Random, UniformIsTheTop53Bits) {
  Random bits(9);
  Random uniform(9);
  for (int k = 0; k < 100; ++k) {
    const double u = uniform.uniform();
    EXPECT_EQ(u, static_cast<double>(bits.bits() >> 11) * 0x1p-53);
    EXPECT_TRUE(u >= 0 && u < 1);
  }
  Random random(1);
  for (int k = 0; k < 1000; ++k) {
    const double u = random.uniform(-3, 5);
    ASSERT_TRUE(u >= -3 && u < 5);
  }
}

TEST(Random, BelowIsFairAndInRange) {
  Random random(2);
  std::vector<int> count(7, 0);
  for (int k = 0; k < 70000; ++k) ++count.at(random.below(7));
  for (const int c : count) EXPECT_NEAR(c, 10000, 400);  // standard error 93
  EXPECT_EQ(random.below(1), 0U);
  // Just above 2^63 half of all draws are redrawn; without that small numbers would come up twice
  // as often.
  constexpr std::uint64_t kBound = (std::uint64_t{1} << 63) + 1;
  int low = 0;
  for (int k = 0; k < 10000; ++k) {
    const auto draw = random.below(kBound);
    ASSERT_LT(draw, kBound);
    low += draw < kBound / 2;
  }
  EXPECT_NEAR(low, 5000, 200);  // standard error 50
}

TEST(Random, ChanceAtTheEnds) {
  Random random(3);
  for (int k = 0; k < 1000; ++k) {
    ASSERT_FALSE(random.chance(0));
    ASSERT_TRUE(random.chance(1));
  }
}

TEST(Random, NormalHasItsMoments) {
  Random random(4);
  constexpr int kDraws = 40000;
  double sum = 0;
  double squares = 0;
  double fourth = 0;
  for (int k = 0; k < kDraws; ++k) {
    const double z = random.normal();
    ASSERT_TRUE(std::isfinite(z));
    sum += z;
    squares += z * z;
    fourth += z * z * z * z;
  }
  EXPECT_NEAR(sum / kDraws, 0, 0.02);      // standard error 0.005
  EXPECT_NEAR(squares / kDraws, 1, 0.03);  // 0.0071
  EXPECT_NEAR(fourth / kDraws, 3, 0.2);    // sqrt(96 / 40000) = 0.049
}

TEST(Random, PermutationsArePermutationsAndFair) {
  Random random(5);
  EXPECT_TRUE(permutation(0, random).empty());
  EXPECT_EQ(permutation(1, random), (std::vector<Index>{0}));
  EXPECT_EQ(natural_order(3), (std::vector<Index>{0, 1, 2}));
  std::vector<int> first(4, 0);
  for (int k = 0; k < 4000; ++k) {
    auto order = permutation(4, random);
    ++first[order[0]];
    std::sort(order.begin(), order.end());
    ASSERT_EQ(order, natural_order(4));
  }
  for (const int c : first) EXPECT_NEAR(c, 1000, 110);  // standard error 27
}

}  // namespace
}  // namespace surefield
