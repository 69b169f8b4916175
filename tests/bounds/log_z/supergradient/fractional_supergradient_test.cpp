#include "surefield/bounds/log_z/supergradient/fractional_supergradient.hpp"

#include <gtest/gtest.h>

#include "surefield/bounds/log_z/supergradient/supergradients.hpp"
#include "tests/support/all_families.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

constexpr FractionalKind kKinds[] = {FractionalKind::kGrowing, FractionalKind::kShrinking};

TEST(FractionalSupergradient, EveryPointGivesAnUpperBound) {
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    const Index n = seed % 6;
    const double beta = seed % 3 == 0 ? 0.3 : seed % 3 == 1 ? 1 : 2.5;
    const Box box = seed % 2 == 0 ? unit_box(n) : testing::random_fixing(n, seed);
    testing::for_each_exact_family(n, seed, [&](const char* name, const auto& model) {
      const double exact = testing::log_z_in(model, box, beta);
      Random random(seed);
      for (const auto kind : kKinds) {
        const FractionalSupergradient bound(model, &box, kind, beta);
        for (int trial = 0; trial < 5; ++trial) {
          std::vector<double> y(n);
          for (double& v : y)
            v = random.chance(0.2) ? 0 : random.chance(0.2) ? 1 : random.uniform();
          ASSERT_GE(bound.at(y).log_z_upper, exact) << name << " seed " << seed;
        }
      }
    });
  }
}

// Minimising never makes it worse, stays valid, and the value returned is that of the point
// returned.
TEST(FractionalSupergradient, MinimisesToAValidBound) {
  double fractional = 0;
  double discrete = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Index n = seed % 7;
    const double beta = seed % 2 == 0 ? 1 : 2;
    const Box box = seed % 2 == 0 ? unit_box(n) : testing::random_fixing(n, seed);
    testing::for_each_exact_family(n, seed, [&](const char* name, const auto& model) {
      const double exact = testing::log_z_in(model, box, beta);
      const auto found = fractional_bound(model, &box, {.beta = beta, .sweeps = 4});
      ASSERT_GE(found.log_z_upper, exact) << name << " seed " << seed;
      double start = kInfinity;
      double again = kInfinity;
      for (const auto kind : kKinds) {
        const FractionalSupergradient bound(model, &box, kind, beta);
        again = std::min(again, bound.at(found.point).log_z_upper);
        for (const double from : {0.0, 0.5})
          start = std::min(start, bound.at(bound.corner(from)).log_z_upper);
      }
      EXPECT_LE(found.log_z_upper, start);
      EXPECT_LE(again, found.log_z_upper);
      for (Index i = 0; i < n; ++i) EXPECT_TRUE(box[i].contains(found.point[i]));
    });
    const auto model = testing::random_flid(7, 3, seed);
    fractional += fractional_bound(model).log_z_upper;
    discrete += Supergradients(model).search(Supergradient::kGrow).log_z_upper;
  }
  EXPECT_LT(fractional, discrete);  // on average, as published bounds of this kind do
}

TEST(FractionalSupergradient, AtACornerItIsTheDiscreteBound) {
  const auto model = testing::random_pairwise(5, 0.7, 3);
  const Supergradients discrete(model);
  const FractionalSupergradient growing(model, nullptr, FractionalKind::kGrowing, 1);
  const FractionalSupergradient shrinking(model, nullptr, FractionalKind::kShrinking, 1);
  for (std::uint64_t code = 0; code < 32; ++code) {
    const auto chosen = reference::subset(code, 5);
    const std::vector<double> y(chosen.begin(), chosen.end());
    EXPECT_NEAR(growing.at(y).log_z_upper, discrete.at(Supergradient::kGrow, chosen).log_z_upper,
                1e-8);
    EXPECT_NEAR(shrinking.at(y).log_z_upper,
                discrete.at(Supergradient::kShrink, chosen).log_z_upper, 1e-8);
  }
}

// F = x_0, beta = 2, y = 1/4: 2/4 + log(e^{2 3/4} + e^{-2 1/4}) = log(1 + e^2).
TEST(FractionalSupergradient, OneItemByHand) {
  const auto model = make_pairwise_field({1}, {});
  const FractionalSupergradient bound(model, nullptr, FractionalKind::kGrowing, 2);
  EXPECT_NEAR(bound.at({0.25}).log_z_upper, std::log(1 + std::exp(2)), 1e-10);
}

TEST(FractionalSupergradient, BeyondTheRangeOfADoubleThereIsNoBound) {
  const auto model = make_pairwise_field({100, -100}, std::vector<Edge>{{0, 1, -100}});
  EXPECT_EQ(fractional_bound(model, nullptr, {.beta = 1e308}).log_z_upper, kInfinity);
}

TEST(FractionalSupergradient, RefusesWithTheReason) {
  const auto attracting = make_pairwise_field({0, 0}, std::vector<Edge>{{0, 1, 1}});
  EXPECT_EQ(testing::refusal([&] { fractional_bound(attracting); }),
            "fractional bound: " + submodularity_violation(attracting).value());
  const auto kernel = make_log_det(testing::random_kernel(3, 1), 2);
  EXPECT_EQ(testing::refusal([&] { fractional_bound(kernel); }),
            "fractional bound: the multilinear extension of this model is estimated by sampling, "
            "which proves nothing");
  const auto model = make_pairwise_field({0, 0}, {});
  const FractionalSupergradient bound(model, nullptr, FractionalKind::kGrowing, 1);
  EXPECT_EQ(testing::refusal([&] {
              bound.at({0.5, 2});
            }),
            "fractional bound: coordinate 1 is 2, which must lie in [0, 1]");
  EXPECT_EQ(testing::refusal([&] { fractional_bound(model, nullptr, {.beta = -1}); }),
            "fractional bound: the inverse temperature is -1, which must be finite and > 0");
  Box box = unit_box(2);
  box.low[0] = 0.5;
  EXPECT_EQ(testing::refusal([&] { fractional_bound(model, &box); }),
            "fractional bound: coordinate 0 has the interval [0.5, 1], which must be [0, 1], [0, "
            "0] or [1, 1]");
}

}  // namespace
}  // namespace surefield
