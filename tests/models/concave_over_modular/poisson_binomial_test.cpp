#include "surefield/models/concave_over_modular/poisson_binomial.hpp"

#include <gtest/gtest.h>

#include "surefield/core/random.hpp"
#include "tests/support/state_laws.hpp"

namespace surefield {
namespace {

/// P(Y = k) for k < cap and P(Y >= cap), by enumeration of all tosses but `skip`.
std::vector<double> by_enumeration(const std::vector<std::uint32_t>& steps, std::uint32_t cap,
                                   const std::vector<double>& x, Index skip) {
  std::vector<double> mass(cap + 1, 0);
  for (std::size_t code = 0; code < (std::size_t{1} << x.size()); ++code) {
    if (skip < x.size() && (code >> skip & 1)) continue;
    double probability = 1;
    std::uint64_t sum = 0;
    for (Index i = 0; i < x.size(); ++i) {
      if (i == skip) continue;
      const bool in = code >> i & 1;
      probability *= in ? x[i] : 1 - x[i];
      if (in) sum += steps[i];
    }
    mass[std::min<std::uint64_t>(sum, cap)] += probability;
  }
  return mass;
}

void expect_relative(double got, double expected) {
  EXPECT_NEAR(got, expected, 1e-14 * expected) << "relative accuracy";
}

TEST(PoissonBinomial, TwoCoinsByHand) {
  const std::vector<std::uint32_t> steps{1, 2};
  const PoissonBinomial sum(steps, 3, std::vector{0.5, 0.25});
  ASSERT_EQ(sum.pmf().size(), 3U);
  EXPECT_DOUBLE_EQ(sum.pmf()[0], 0.375);  // 0.5 * 0.75
  EXPECT_DOUBLE_EQ(sum.pmf()[1], 0.375);
  EXPECT_DOUBLE_EQ(sum.pmf()[2], 0.125);  // 0.5 * 0.25
  EXPECT_DOUBLE_EQ(sum.overflow(), 0.125);
  EXPECT_EQ(sum.without(0), (std::vector{0.75, 0.0, 0.25}));
  EXPECT_EQ(sum.without(1), (std::vector{0.5, 0.5}));
}

TEST(PoissonBinomial, NoCoins) {
  const PoissonBinomial sum({}, 2, {});
  ASSERT_EQ(sum.pmf().size(), 1U);
  EXPECT_EQ(sum.pmf()[0], 1);
  EXPECT_EQ(sum.overflow(), 0);
}

TEST(PoissonBinomial, EveryProbabilityIsRightToRelativeRoundingAfterManyMoves) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random(seed);
    const Index n = 1 + random.below(9);
    const auto cap = static_cast<std::uint32_t>(1 + random.below(12));
    std::vector<std::uint32_t> steps(n);
    for (auto& step : steps)
      step = random.chance(0.1) ? 4000000000U : static_cast<std::uint32_t>(1 + random.below(5));
    std::vector<double> x(n);
    for (double& v : x) v = testing::random_coordinate(random);
    PoissonBinomial sum(steps, cap, x);
    for (int move = 0; move < 40; ++move) {
      const Index i = random.below(n);
      x[i] = testing::random_coordinate(random);
      sum.set(i, x[i]);
    }
    const auto all = by_enumeration(steps, cap, x, n);
    for (std::uint32_t k = 0; k < cap; ++k)
      expect_relative(k < sum.pmf().size() ? sum.pmf()[k] : 0, all[k]);
    expect_relative(sum.overflow(), all[cap]);
    for (Index i = 0; i < n; ++i) {
      const auto got = sum.without(i);
      const auto rest = by_enumeration(steps, cap, x, i);
      ASSERT_LE(got.size(), cap);
      for (std::uint32_t k = 0; k < cap; ++k) expect_relative(k < got.size() ? got[k] : 0, rest[k]);
    }
  }
}

TEST(PoissonBinomial, DoesNotExplodeWithManyCoinsOfEitherKind) {
  // n coins at 1/2 are a binomial; taking one out again by division would lose everything.
  constexpr Index n = 300;
  const std::vector<std::uint32_t> steps(n, 1);
  std::vector<double> x(n, 0.5);
  PoissonBinomial sum(steps, 200, x);
  for (Index i = 0; i < n; ++i) sum.set(i, i % 2 ? 1e-9 : 1 - 1e-9);
  for (Index i = 0; i < n; ++i) sum.set(i, 0.5);
  double choose = std::exp2(-300.0);  // C(300, k) 2^-300
  for (Index k = 0; k < 200; ++k) {
    EXPECT_NEAR(sum.pmf()[k] / choose, 1, 1e-12) << k;
    choose *= static_cast<double>(n - k) / static_cast<double>(k + 1);
  }
  const auto rest = sum.without(17);
  double fewer = std::exp2(-299.0);
  for (Index k = 0; k < 200; ++k) {
    EXPECT_NEAR(rest[k] / fewer, 1, 1e-12) << k;
    fewer *= static_cast<double>(n - 1 - k) / static_cast<double>(k + 1);
  }
}

TEST(PoissonBinomial, TableSizeIsWhatTheTreeHolds) {
  // 4 leaves of 2, two nodes of 3, a root of min(4, 5): 8 + 6 + 4.
  EXPECT_EQ(PoissonBinomial::table_size(std::vector<std::uint32_t>{1, 1, 1, 1}, 4), 18);
  EXPECT_EQ(PoissonBinomial::table_size(std::vector<std::uint32_t>{9, 9}, 4),
            3);  // steps above the cap need no room
}

}  // namespace
}  // namespace surefield
