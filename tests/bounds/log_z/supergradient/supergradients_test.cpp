#include "surefield/bounds/log_z/supergradient/supergradients.hpp"

#include <gtest/gtest.h>

#include "tests/support/all_families.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

constexpr Supergradient kSupergradients[] = {Supergradient::kBar, Supergradient::kGrow,
                                             Supergradient::kShrink};

// Every kind at every set of every family lies above log Z, and the best A of bar is the best.
TEST(Supergradients, EverySetGivesAnUpperBound) {
  int checked = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const Index n = seed % 6;
    const double beta = seed % 3 == 0 ? 0.3 : seed % 3 == 1 ? 1 : 2.5;
    const Box box = seed % 2 == 0 ? unit_box(n) : testing::random_fixing(n, seed);
    testing::for_each_family(n, seed, [&](const char* name, const auto& model) {
      const double exact = testing::log_z_in(model, box, beta);
      const Supergradients bounds(model, &box, beta);
      double least_bar = kInfinity;
      for (std::uint64_t code = 0; code < std::uint64_t{1} << n; ++code)
        for (const auto kind : kSupergradients) {
          const auto bound = bounds.at(kind, reference::subset(code, n));
          ASSERT_GE(bound.log_z_upper, exact) << name << " seed " << seed;
          if (kind == Supergradient::kBar) least_bar = std::min(least_bar, bound.log_z_upper);
          ++checked;
        }
      const auto bar = bounds.bar();
      EXPECT_TRUE(bar.best) << name << " seed " << seed;
      EXPECT_GE(bar.log_z_upper, exact);
      EXPECT_NEAR(bar.log_z_upper, least_bar, testing::rounding_of(model, beta)) << name << seed;
      for (const auto kind : kSupergradients) {
        const auto found = bounds.search(kind);
        EXPECT_GE(found.log_z_upper, exact) << name << " seed " << seed;
        EXPECT_LE(found.log_z_upper,
                  bounds.at(kind, bar.set).log_z_upper + testing::rounding_of(model, beta));
        EXPECT_EQ(found.log_z_upper, bounds.at(kind, found.set).log_z_upper);
      }
    });
  }
  EXPECT_GT(checked, 100000);
}

// F = x_0 + x_1 - 2 x_0 x_1, A = {0}: F(A) = 1.
//   bar     s_0 = F(0 | {1}) = -1,    s_1 = F(1 | empty) = 1:   1 + sp(1) + sp(1)
//   grow    s_0 = -1,                 s_1 = F(1 | {0}) = -1:    1 + sp(1) + sp(-1)
//   shrink  s_0 = F(0 | empty) = 1,   s_1 = 1:                  1 + sp(-1) + sp(1)
TEST(Supergradients, TwoItemsByHand) {
  const auto model = make_pairwise_field({1, 1}, std::vector<Edge>{{0, 1, -2}});
  const Supergradients bounds(model);
  const std::vector<std::uint8_t> first{1, 0};
  EXPECT_NEAR(bounds.at(Supergradient::kBar, first).log_z_upper, 1 + 2 * softplus(1), 1e-9);
  EXPECT_NEAR(bounds.at(Supergradient::kGrow, first).log_z_upper, 2 + 2 * softplus(-1), 1e-9);
  EXPECT_NEAR(bounds.at(Supergradient::kShrink, first).log_z_upper, 2 + 2 * softplus(-1), 1e-9);
}

TEST(Supergradients, ModularIsExact) {
  const auto model = make_pairwise_field({0.5, -2, 3}, {}, 0.25);
  const Supergradients bounds(model, nullptr, 2);
  const double exact = 2 * 0.25 + softplus(1) + softplus(-4) + softplus(6);
  for (const auto kind : kSupergradients)
    EXPECT_NEAR(bounds.search(kind).log_z_upper, exact, 1e-10);
}

TEST(Supergradients, BeyondTheRangeOfADoubleThereIsNoBound) {
  const auto model = make_pairwise_field({100, -100}, std::vector<Edge>{{0, 1, -100}});
  const Supergradients bounds(model, nullptr, 1e308);
  for (const auto kind : kSupergradients) EXPECT_EQ(bounds.search(kind).log_z_upper, kInfinity);
}

TEST(Supergradients, RefusesWithTheReason) {
  const auto attracting = make_pairwise_field({0, 0}, std::vector<Edge>{{0, 1, 1}});
  EXPECT_EQ(testing::refusal([&] { Supergradients{attracting}; }),
            "supergradient bound: " + submodularity_violation(attracting).value());
  const auto model = make_pairwise_field({0, 0}, {});
  EXPECT_EQ(testing::refusal([&] { Supergradients(model, nullptr, 0); }),
            "supergradient bound: the inverse temperature is 0, which must be finite and > 0");
  Box box = unit_box(2);
  box.high[1] = 0.5;
  EXPECT_EQ(testing::refusal([&] { Supergradients(model, &box); }),
            "supergradient bound: coordinate 1 has the interval [0, 0.5], which must be [0, 1], "
            "[0, 0] or [1, 1]");
  const Supergradients bounds(model);
  EXPECT_EQ(
      testing::refusal([&] { bounds.at(Supergradient::kBar, std::vector<std::uint8_t>(3, 0)); }),
      "supergradient bound: the set has 3 items, which must be 2");
}

}  // namespace
}  // namespace surefield
