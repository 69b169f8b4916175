#include "surefield/learn/empty_chance.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/core/random.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

Flid random_model(Index items, Index dimensions, Random& random) {
  std::vector<double> utility(items);
  std::vector<double> weights(items * dimensions);
  for (double& u : utility) u = random.uniform(-2, 1);
  for (double& w : weights) w = random.uniform(0.1, 2);
  return make_flid(utility, weights, dimensions);
}

double log_z_of(const Flid& model) { return reference::log_z(reference::all_values(model)); }

TEST(EmptyChance, MovesNothingButTheEmptySet) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    const Index dimensions = 1 + seed % 4;
    const Flid before = random_model(6, dimensions, random);
    const double log_rest = std::log(std::expm1(log_z_of(before)));
    const double chance = random.uniform(0.005, 0.05);
    const auto [after, raised] = with_empty_chance(before, log_rest, chance);
    EXPECT_NEAR(std::exp(-log_z_of(after)), chance, 1e-9) << "seed " << seed;
    for (unsigned mask = 1; mask < 64; ++mask) {
      std::vector<std::uint8_t> set(6);
      for (Index i = 0; i < 6; ++i) set[i] = mask >> i & 1U;
      EXPECT_NEAR(after.evaluate(set) - before.evaluate(set), raised, 1e-12);
    }
    EXPECT_FALSE(submodularity_violation(after));
  }
}

TEST(EmptyChance, LeavesCoherenceAsItIs) {
  const Fldc before = make_fldc({0.2, -1, -0.5}, {1, 0.5, 0.2, 0.4, 0.3, 2}, 2, {0.5, 1, 0.1}, 1);
  const double log_rest = std::log(std::expm1(reference::log_z(reference::all_values(before))));
  const auto [after, raised] = with_empty_chance(before, log_rest, 0.02);
  EXPECT_NEAR(std::exp(-reference::log_z(reference::all_values(after))), 0.02, 1e-9);
  for (std::size_t code = 1; code < 8; ++code)
    EXPECT_NEAR(
        after.evaluate(reference::subset(code, 3)) - before.evaluate(reference::subset(code, 3)),
        raised, 1e-12);
}

TEST(EmptyChance, LowersOnlyAsFarAsWeightsStayNonNegative) {
  // Column minima 0.5 and 0.25: F can fall by 0.75 and no further.
  const Flid before = make_flid({0.0, 0.0}, {0.5, 1.25, 2, 0.25}, 2);
  const auto [after, raised] = with_empty_chance(before, 0.0, 0.999);
  EXPECT_DOUBLE_EQ(raised, -0.75);
  EXPECT_DOUBLE_EQ(after.weight(0, 0), 0);
  EXPECT_DOUBLE_EQ(after.weight(0, 1), 1);
  EXPECT_DOUBLE_EQ(after.weight(1, 0), 1.5);
  EXPECT_DOUBLE_EQ(after.weight(1, 1), 0);
  EXPECT_DOUBLE_EQ(after.utility[0], -0.75);
}

TEST(EmptyChance, WithoutDimensionsNothingCanMove) {
  const Flid before = make_flid({0.5}, {}, 0);
  EXPECT_EQ(with_empty_chance(before, 0.5, 0.01).raised, 0);
  EXPECT_EQ(testing::refusal([&] { with_empty_chance(before, 0, 0); }),
            "flid: the chance of the empty set is 0, which must be > 0 and < 1");
}

}  // namespace
}  // namespace surefield
