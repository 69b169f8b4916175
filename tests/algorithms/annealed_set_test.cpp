#include "surefield/algorithms/annealed_set.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <vector>

#include "surefield/models/pairwise_field/tracked_set.hpp"
#include "tests/support/log_z_reference.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/reference.hpp"

namespace surefield {
namespace {

double best_in(const PairwiseField& model, const Box& box) {
  const auto values = reference::all_values(model);
  double best = -kInfinity;
  for (std::size_t code = 0; code < values.size(); ++code) {
    bool inside = true;
    for (Index i = 0; i < model.size(); ++i)
      inside = inside && box[i].contains(static_cast<double>(code >> i & 1));
    if (inside) best = std::max(best, values[code]);
  }
  return best;
}

TEST(AnnealedSet, IsAlmostAlwaysTheBestSetOfAFewItemsAndKeepsToTheBox) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    const Index n = seed % 12;
    PairwiseField model = testing::random_pairwise(n, 0.6, seed);
    if (seed % 2)
      for (double& b : model.bias) b *= 3;
    const Box box = testing::random_fixed_box(n, seed);
    const auto set = annealed_set(TrackedSet(model), box, {.seed = seed});
    for (Index i = 0; i < n; ++i) EXPECT_TRUE(box[i].contains(set.contains(i) ? 1 : 0)) << i;
    const double best = best_in(model, box);
    ASSERT_LE(set.value(), best + 1e-12 * (1 + std::abs(best)));
    found += set.value() >= best - 1e-9 * (1 + std::abs(best));
  }
  EXPECT_GE(found, 190);
}

TEST(AnnealedSet, IsAFunctionOfItsSeedAndEndsWithItsBudget) {
  const PairwiseField model = testing::random_pairwise(40, 0.5, 7);
  const Box box = unit_box(40);
  const auto items = [&](const AnnealedSetOptions& options) {
    std::vector<bool> in;
    const auto set = annealed_set(model.empty_set(), box, options);
    for (Index i = 0; i < 40; ++i) in.push_back(set.contains(i));
    return in;
  };
  EXPECT_EQ(items({.seed = 3}), items({.seed = 3}));
  EXPECT_NE(items({.sweeps = 1, .seed = 3}), items({.sweeps = 1, .seed = 4}));
  const std::atomic<bool> stop{true};
  EXPECT_NO_THROW(items({.sweeps = std::size_t{1} << 40, .budget = Budget().stopped_by(stop)}));
}

// What cooling is for: a climb alone, from a random set, ends far lower (450), and so does one from a set that stayed hot (466 of 481).
TEST(AnnealedSet, CoolsPastTheSetsWhereAClimbEnds) {
  double climbed = 0, annealed = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const PairwiseField model = testing::random_pairwise(80, 0.3, seed);
    const auto value = [&](std::size_t sweeps) {
      const AnnealedSetOptions how{.sweeps = sweeps, .seed = seed};
      return annealed_set(TrackedSet(model), unit_box(80), how).value();
    };
    climbed += value(0);
    annealed += value(200);
  }
  EXPECT_GT(annealed, 1.05 * climbed);
}

TEST(AnnealedSet, ForcesItemsOutOfTheSetGivenAndIntoIt) {
  const PairwiseField model = make_pairwise_field({5, 5, -5}, {});
  TrackedSet given(model);
  given.add(1);
  Box box = unit_box(3);
  box.fix(1, 0);
  box.fix(2, 1);
  const auto set = annealed_set(given, box);
  EXPECT_TRUE(set.contains(0) && !set.contains(1) && set.contains(2));
}

// A box that was contracted holds neither 0 nor 1, and its ends still stand for out and in.
TEST(AnnealedSet, TakesTheEndsOfAContractedBoxForOutAndIn) {
  const PairwiseField model =
      make_pairwise_field({1, 1, 1, 1}, std::vector<Edge>{{0, 1, -3}, {1, 2, -3}, {2, 3, -3}});
  Box box = unit_box(4);
  for (Index i = 0; i < 4; ++i) box.low[i] = 0.01, box.high[i] = 0.99;
  box.high[0] = 0.4;  // out, so the best set is {1, 3}
  const auto set = annealed_set(TrackedSet(model), box);
  EXPECT_TRUE(!set.contains(0) && set.contains(1) && !set.contains(2) && set.contains(3));
  EXPECT_EQ(corner_of(set, box), (std::vector<double>{0.01, 0.99, 0.01, 0.99}));
  box.low[2] = 0.6;  // in
  EXPECT_TRUE(annealed_set(TrackedSet(model), box).contains(2));
}

TEST(AnnealedSet, ClimbsByMoreThanTheLeastGainAlone) {
  const PairwiseField model = make_pairwise_field({5, 0.5, -5}, {});
  const std::vector<Index> open{0, 1, 2};
  TrackedSet given(model);
  given.add(2);
  const auto some = climbed_set(given, open, 1, 10, {});
  EXPECT_TRUE(some.contains(0) && !some.contains(1) && !some.contains(2));
  EXPECT_TRUE(climbed_set(given, open, 0, 10, {}).contains(1));
  EXPECT_FALSE(climbed_set(given, open, 0, 0, {}).contains(0));
}

}  // namespace
}  // namespace surefield
