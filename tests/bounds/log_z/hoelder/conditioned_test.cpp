#include "surefield/bounds/log_z/hoelder/conditioned.hpp"

#include <gtest/gtest.h>

#include "tests/support/all_families.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

TEST(Conditioned, BracketsLogZOnEveryFamily) {
  for (std::uint64_t seed = 1; seed <= 240; ++seed) {
    const Index n = seed % 7;
    const double beta = seed % 3 == 0 ? 0.3 : seed % 3 == 1 ? 1 : 2.5;
    const Box box = seed % 2 == 0 ? unit_box(n) : testing::random_fixing(n, seed);
    testing::for_each_exact_family(n, seed, [&](const char* name, const auto& model) {
      const double exact = testing::log_z_in(model, box, beta);
      for (const Index items : {Index{0}, Index{2}, Index{9}}) {
        ConditionedOptions options{.beta = beta, .items = items};
        options.ascent.epochs = 50;
        options.hoelder.iterations = 10;
        const auto lower = conditioned_lower_bound(model, &box, options);
        ASSERT_LE(lower.bound, exact) << name << " seed " << seed;
        ASSERT_LE(lower.items.size(), std::min(items, n));
        if (items == 9) {  // every item settled: log Z itself
          EXPECT_NEAR(lower.bound, exact, testing::rounding_of(model, beta))
              << name << " seed " << seed;
          continue;
        }
        const auto upper = conditioned_upper_bound(model, &box, options);
        ASSERT_GE(upper.bound, exact) << name << " seed " << seed;
      }
    });
  }
}

TEST(Conditioned, MoreItemsTightenBothSides) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto model = testing::random_flid(12, 4, seed);
    double lower = -kInfinity;
    double upper = kInfinity;
    for (const Index items : {Index{0}, Index{2}, Index{4}}) {
      const ConditionedOptions options{.items = items};
      const double below = conditioned_lower_bound(model, nullptr, options).bound;
      const double above = conditioned_upper_bound(model, nullptr, options).bound;
      EXPECT_GT(below, lower);
      EXPECT_LT(above, upper);
      lower = below;
      upper = above;
    }
    const double exact = testing::log_z_in(model, unit_box(12), 1);
    EXPECT_LE(lower, exact);
    EXPECT_GE(upper, exact);
  }
}

// A chain 0 - 1 - 2, and 3 apart: settling the middle makes mean field exact.
TEST(Conditioned, TheMiddleOfAChainIsChosen) {
  const auto model = make_pairwise_field({1, 1.5, 1, 0}, std::vector<Edge>{{0, 1, -2}, {1, 2, -2}});
  const ConditionedOptions options{.items = 1};
  const auto lower = conditioned_lower_bound(model, nullptr, options);
  EXPECT_EQ(lower.items, std::vector<Index>{1});
  EXPECT_NEAR(lower.bound, testing::log_z_in(model, unit_box(4), 1), 1e-9);
}

TEST(Conditioned, TheNumberOfThreadsChangesNothing) {
  const auto model = testing::random_flid(14, 3, 7);
  ConditionedOptions options{.items = 5};
  const double lower = conditioned_lower_bound(model, nullptr, options).bound;
  const double upper = conditioned_upper_bound(model, nullptr, options).bound;
  for (int run = 0; run < 3; ++run) {
    options.budget = Budget().with_threads(2);
    EXPECT_EQ(conditioned_lower_bound(model, nullptr, options).bound, lower);
    EXPECT_EQ(conditioned_upper_bound(model, nullptr, options).bound, upper);
  }
}

TEST(Conditioned, BeyondTheRangeOfADoubleThereIsNoBound) {
  const auto model = make_pairwise_field({100, -100}, std::vector<Edge>{{0, 1, -100}});
  EXPECT_EQ(conditioned_lower_bound(model, nullptr, {.beta = 1e308}).bound, -kInfinity);
}

TEST(Conditioned, RefusesWithTheReason) {
  const auto model = make_pairwise_field({0, 0}, {});
  EXPECT_EQ(testing::refusal([&] { conditioned_lower_bound(model, nullptr, {.items = 21}); }),
            "conditioned bound: the number of items is 21, which must be at most 20");
  EXPECT_EQ(testing::refusal([&] { conditioned_upper_bound(model, nullptr, {.beta = 0}); }),
            "conditioned bound: the inverse temperature is 0, which must be finite and > 0");
  const auto kernel = make_log_det(testing::random_kernel(3, 1), 2);
  EXPECT_EQ(testing::refusal([&] { conditioned_lower_bound(kernel); }),
            "conditioned bound: the multilinear extension of this model is estimated by sampling, "
            "which proves nothing");
  Box box = unit_box(2);
  box.low[0] = 0.5;
  EXPECT_EQ(testing::refusal([&] { conditioned_lower_bound(model, &box); }),
            "conditioned bound: coordinate 0 has the interval [0.5, 1], which must be [0, 1], [0, "
            "0] or [1, 1]");
}

TEST(Conditioned, TheErrorOfTheValuesGrowsWithTheInverseTemperature) {
  PairwiseField field = make_pairwise_field({1, 2, -1}, std::vector<Edge>{{0, 1, -1}});
  const auto lower = [&] {
    ConditionedOptions how;
    how.beta = 8;
    how.items = 2;
    return conditioned_lower_bound(field, nullptr, how).bound;
  };
  const double plain = lower();
  field.inherited_error = 0.125;
  EXPECT_LE(lower(), plain - 1);
}

}  // namespace
}  // namespace surefield
