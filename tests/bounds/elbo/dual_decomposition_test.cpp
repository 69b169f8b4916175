#include "surefield/bounds/elbo/dual_decomposition.hpp"

#include <gtest/gtest.h>

#include "surefield/bounds/elbo/dual_descent.hpp"
#include "surefield/bounds/elbo/term_parts.hpp"
#include "surefield/core/random.hpp"
#include "surefield/models/families.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/global_search.hpp"
#include "tests/support/random_box.hpp"
#include "tests/support/random_flid.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

/// w x_a x_b, w <= 0, at two corners of a grid: a part without a gradient of its own.
class CoarseEdge {
 public:
  CoarseEdge(std::uint32_t a, std::uint32_t b, double w) : members_{a, b}, w_(w) {}
  std::span<const std::uint32_t> members() const { return members_; }
  double value(std::span<const double> x) const { return w_ * x[0] * x[1]; }
  /// w x_a x_b <= w (low_a x_b + low_b x_a - low_a low_b): separable, so closed form.
  double bound(std::span<const double> theta, std::span<const double> c,
               std::span<const double> low, std::span<const double> high, double,
               std::span<double> x) const {
    double sum = -w_ * low[0] * low[1];
    for (int k = 0; k < 2; ++k) {
      const double slope = theta[k] + w_ * low[1 - k];
      x[k] = std::clamp(sigmoid(slope / c[k]), low[k], high[k]);
      sum += slope * x[k] + c[k] * entropy(x[k]);
    }
    return sum + 1e-12;
  }

 private:
  std::vector<std::uint32_t> members_;
  double w_;
};
static_assert(DualPart<CoarseEdge>);

TEST(DualDecomposition, IsTheSameFunctionAsTheElbo) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    const Index n = random.below(7);
    const double beta = random.uniform(0.2, 3);
    const Flid a = testing::random_flid(n, 2, seed), b = testing::random_flid(n, 3, seed + 100);
    const auto dual = term_parts(make_weighted_sum(n, {{1, a}, {1, b}}), beta).value().dual;
    std::vector<double> x(n), g(n), h(n);
    for (double& u : x) u = random.chance(0.1) ? 1 : random.chance(0.1) ? 0 : random.uniform();
    const Elbo first(a.at(x), beta), second(b.at(x), beta);
    double entropies = 0;
    for (const double u : x) entropies += entropy(u);
    EXPECT_NEAR(dual.value(x), first.value() + second.value() - entropies, 1e-10);
    first.state().gradient(g);
    second.state().gradient(h);
    const auto z = dual.slopes(x);
    for (Index i = 0; i < n; ++i) EXPECT_NEAR(z[i], beta * (g[i] + h[i]), 1e-10);
  }
}

TEST(DualDecomposition, EveryMultiplierGivesABound) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = random.below(5);
    const Flid model = testing::random_flid(n, 1 + random.below(3), seed);
    const auto dual = term_parts(model).value().dual;
    const Box box = testing::random_box(n, random);
    const double best =
        testing::global_maximum([&](std::span<const double> x) { return dual.value(x); }, box);
    std::vector<double> y(n);
    for (Index i = 0; i < n; ++i) y[i] = random.uniform(box.low[i], box.high[i]);
    auto multipliers = dual.tangent(y, dual.shares(y));
    PerPart x;
    EXPECT_GE(dual.bound(multipliers, box, 1e-3, x), best);
    // Sums that do not add up are made up for.
    for (auto& part : multipliers.theta)
      for (double& theta : part) theta += random.normal();
    for (auto& part : multipliers.c)
      for (double& c : part) c *= random.uniform();
    EXPECT_GE(dual.bound(multipliers, box, 1e-3, x), best);
    EXPECT_EQ(dual.bound(multipliers, box, 1e-3, x),
              dual.bound(multipliers, box, 1e-3, x, {Budget().with_threads(3)}));
  }
}

TEST(DualDecomposition, MinimiseNeverFallsBelowTheBestAndMostlyReachesIt) {
  int reached = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 1 + random.below(4);
    const Flid model = testing::random_flid(n, 1 + random.below(3), seed);
    const auto dual = term_parts(model).value().dual;
    const Box box = testing::random_box(n, random);
    const auto value = [&](std::span<const double> x) { return dual.value(x); };
    const double best = testing::global_maximum(value, box);
    std::vector<double> y(n, 0.5);
    double at_y = -kInfinity;
    for (int start = 0; start < 6; ++start) {
      std::vector<double> x(n);
      for (Index i = 0; i < n; ++i) x[i] = random.uniform(box.low[i], box.high[i]);
      for (int epoch = 0; epoch < 60; ++epoch)
        for (Index i = 0; i < n; ++i) x[i] = box[i].clamp(sigmoid(dual.slopes(x)[i]));
      if (value(x) > at_y) at_y = value(x), y = x;
    }
    const auto result =
        minimise(dual, box, y, at_y, dual.tangent(y, dual.shares(y)), {.iterations = 40});
    EXPECT_GE(result.bound, best);
    for (Index i = 0; i < n; ++i) EXPECT_TRUE(box[i].contains(result.mean[i]));
    PerPart x;
    EXPECT_NEAR(dual.bound(result.multipliers, box, 1e-7, x), result.bound, 0.02);
    ++all;
    reached += result.bound <= best + 1e-5;
  }
  EXPECT_GE(reached, 0.9 * all);
}

TEST(DualDecomposition, AgreesWithThePartsByHand) {
  // One part: P = max x + H(x) = softplus(1) for item 0, and item 1 in no part: softplus(-2).
  std::vector<MaxPart> parts;
  parts.emplace_back(std::vector<std::uint32_t>{0}, std::vector{2.0});
  const DualDecomposition<MaxPart> dual(std::move(parts), {-1.0, -2.0});
  const std::vector<double> y{sigmoid(1), sigmoid(-2)};
  const auto multipliers = dual.tangent(y, dual.shares(y));
  EXPECT_DOUBLE_EQ(multipliers.c[0][0], 1);
  EXPECT_DOUBLE_EQ(multipliers.theta[0][0], -1);
  PerPart x;
  EXPECT_NEAR(dual.bound(multipliers, unit_box(2), 1e-9, x), softplus(1) + softplus(-2), 1e-8);
}

TEST(DualDecomposition, TakesPartsOfAnyType) {
  const std::vector<CoarseEdge> edges{{0, 1, -2.0}, {1, 2, -1.0}};
  const DualDecomposition<CoarseEdge> dual(edges, {1.0, 1.0, 0.5});
  const Box box = unit_box(3);
  const std::vector<double> y{0.6, 0.3, 0.5};
  const double best =
      testing::global_maximum([&](std::span<const double> x) { return dual.value(x); }, box, 15);
  EXPECT_NEAR(dual.slopes(y)[1], 1 - 2 * 0.6 - 0.5, 1e-14);
  const auto result = minimise(dual, box, y, best, dual.tangent(y, dual.shares(y)));
  EXPECT_GE(result.bound, best);
  EXPECT_LE(result.bound, best + 1);
}

TEST(DualDecomposition, RefusesWhatDoesNotFit) {
  const auto part = [](std::vector<std::uint32_t> members) {
    return std::vector<MaxPart>{MaxPart(members, std::vector<double>(members.size(), 1.0))};
  };
  EXPECT_EQ(testing::refusal([&] {
              DualDecomposition<MaxPart>(part({0, 3}), {1.0, 2.0});
            }),
            "dual decomposition: part 0 holds item 3, but there are 2 items");
  EXPECT_EQ(testing::refusal([&] {
              DualDecomposition<MaxPart>(part({1, 1}), {1.0, 2.0});
            }),
            "dual decomposition: part 0 holds item 1 twice");
  EXPECT_EQ(testing::refusal([&] {
              DualDecomposition<MaxPart>(part({1}), {1.0, kInfinity});
            }),
            "dual decomposition: the linear term of item 1 is inf, which must be finite");
  EXPECT_EQ(testing::refusal([&] {
              DualDecomposition<MaxPart>(part({1}), {1.0, 2.0}, kInfinity);
            }),
            "dual decomposition: the constant is inf, which must be finite");
  EXPECT_EQ(testing::refusal([&] { term_parts(testing::random_flid(2, 1, 1), 0); }),
            "dual decomposition: the inverse temperature is 0, which must be finite and > 0");
}

}  // namespace
}  // namespace surefield
