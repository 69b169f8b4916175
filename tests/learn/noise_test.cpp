#include "surefield/learn/noise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "surefield/core/numeric.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

FlatSets flat(Index items, std::vector<std::vector<std::uint32_t>> sets) {
  return flat_sets({.items = items, .sets = std::move(sets), .names = {}});
}

TEST(NoiseSets, ThreeItemsByHand) {
  // N = 4 sets that are not empty; item 0 in all of them, 1 in one, 2 in none.
  const NoiseSets noise(flat(3, {{0}, {0, 1}, {0}, {}, {0}}), 3);
  EXPECT_DOUBLE_EQ(noise.marginal(0), 0.8);  // (4 + 1) / 4, capped at 4 / 5
  EXPECT_DOUBLE_EQ(noise.marginal(1), 0.5);  // (1 + 1) / 4
  EXPECT_DOUBLE_EQ(noise.marginal(2), 0.25);
  // q_0 = 0.2 * 0.5 * 0.75 = 0.075, so P({1}) = 0.2 * 0.5 * 0.75 / 0.925
  const std::vector<std::uint32_t> one{1};
  EXPECT_NEAR(noise.log_probability(one), std::log(0.075 / 0.925), 1e-14);
  EXPECT_NEAR(noise.log_z_without_empty(), std::log(1 / 0.075 - 1), 1e-14);
}

TEST(NoiseSets, ProbabilitiesAddUpToOneAndDrawsFollowThem) {
  const NoiseSets noise(flat(4, {{0, 1}, {1}, {1, 3}, {0}, {1, 2}, {1}, {3}}), 4);
  std::map<std::vector<std::uint32_t>, double> probability;
  double total = 0;
  for (unsigned mask = 1; mask < 16; ++mask) {
    std::vector<std::uint32_t> set;
    for (std::uint32_t i = 0; i < 4; ++i)
      if (mask >> i & 1U) set.push_back(i);
    total += probability[set] = std::exp(noise.log_probability(set));
  }
  EXPECT_NEAR(total, 1, 1e-14);

  constexpr int kDraws = 100000;
  Random random(5);
  std::map<std::vector<std::uint32_t>, int> drawn;
  std::vector<std::uint32_t> set;
  for (int k = 0; k < kDraws; ++k) {
    noise.draw(random, set);
    ++drawn[set];
  }
  double chi_square = 0;  // 14 degrees of freedom: above 42 once in 10000
  for (const auto& [which, p] : probability)
    chi_square += std::pow(drawn[which] - kDraws * p, 2) / (kDraws * p);
  EXPECT_LT(chi_square, 42);
  EXPECT_EQ(drawn.size(), 15U);
}

TEST(NoiseSets, RefusesDataWithoutAFrequency) {
  EXPECT_EQ(testing::refusal([] {
              NoiseSets(flat(2, {{}, {}}), 2);
            }),
            "noise: all 2 sets are empty, so no item has a frequency");
}

}  // namespace
}  // namespace surefield
