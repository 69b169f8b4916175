#include "surefield/bounds/spectral/set_annealing.hpp"

#include <gtest/gtest.h>

#include "tests/bounds/spectral/random_signed_field.hpp"
#include "tests/support/reference.hpp"

namespace surefield {
namespace {

TEST(SetAnnealing, FindsTheBestSetOfSmallFieldsMostOfTheTime) {
  int found = 0;
  constexpr int kCases = 100;
  for (std::uint64_t seed = 1; seed <= kCases; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 1 + random.below(9);
    const PairwiseField field = testing::random_signed_field(n, random, 1);
    const auto values = reference::all_values(field);
    double best = values[0];
    for (const double value : values) best = std::max(best, value);
    Random first(1), second(1);
    const std::vector<double> start(n, 0);
    const auto x = annealed_set(field, unit_box(n), start, 300, first);
    EXPECT_EQ(x, annealed_set(field, unit_box(n), start, 300, second));
    std::vector<std::uint8_t> in;
    for (const double u : x) {
      EXPECT_TRUE(u == 0 || u == 1);
      in.push_back(u == 1);
    }
    found += field.evaluate(in) >= best - 1e-9;
  }
  EXPECT_GE(found, kCases * 9 / 10);
}

TEST(SetAnnealing, StaysInTheBoxAndGoesUphillWithoutCouplings) {
  Random random(3);
  const PairwiseField field = testing::random_signed_field(6, random, 1);
  Box box = unit_box(6);
  box.fix(2, 0.25);
  box.low[4] = 0.5;
  require_inside(box, annealed_set(field, box, box.low, 100, random));
  const PairwiseField alone = make_pairwise_field({1, -1}, {});
  EXPECT_EQ(annealed_set(alone, unit_box(2), {0, 1}, 100, random), (std::vector<double>{1, 0}));
}

}  // namespace
}  // namespace surefield
