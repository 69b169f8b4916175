#include "surefield/bounds/elbo/star_part.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/bounds/elbo/dual_part.hpp"
#include "surefield/bounds/elbo/edge_part.hpp"
#include "surefield/core/box.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"
#include "tests/support/global_search.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

static_assert(DualPart<StarPart>);

struct Star {
  std::vector<std::uint32_t> leaves;
  std::vector<double> weight, theta, c;
  Box box;

  StarPart part() const { return {7, leaves, weight}; }
  double value(std::span<const double> x) const {
    double sum = part().value(x);
    for (std::size_t k = 0; k < x.size(); ++k) sum += theta[k] * x[k] + c[k] * entropy(x[k]);
    return sum;
  }
};

Star random_star(std::uint64_t seed) {
  Random random(seed);
  const Index leaves = random.below(4);
  const double scale = seed % 7 == 0 ? 1e3 : seed % 7 == 1 ? 1e-3 : 1;
  Star star;
  star.box = unit_box(leaves + 1);
  for (Index k = 0; k <= leaves; ++k) {
    star.theta.push_back(scale * random.normal() * 3);
    star.c.push_back(random.chance(0.15) ? 0 : random.chance(0.1) ? 1e-9 : random.uniform(0, 0.6));
    if (random.chance(0.4)) {
      star.box.low[k] = random.uniform(0, 1);
      star.box.high[k] = random.chance(0.3) ? star.box.low[k] : random.uniform(star.box.low[k], 1);
    }
    if (k == leaves) break;
    star.leaves.push_back(static_cast<std::uint32_t>(10 + k));
    star.weight.push_back(scale * random.uniform(-6, random.chance(0.3) ? 6 : 0));
  }
  return star;
}

TEST(StarPart, IsNeverBelowTheMaximumAndCloseToIt) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    const Star star = random_star(seed);
    const StarPart part = star.part();
    std::vector<double> x(star.theta.size());
    const double best =
        testing::global_maximum([&](std::span<const double> y) { return star.value(y); }, star.box);
    double scale = 1;
    for (const double w : star.weight) scale = std::max(scale, std::abs(w));
    for (const double precision : {1e-1, 1e-3, 1e-6, 1e-9}) {
      const double bound =
          part.bound(star.theta, star.c, star.box.low, star.box.high, precision, x);
      EXPECT_GE(bound, best);
      EXPECT_LE(bound, star.value(x) + precision + 1e-10 * scale) << precision;
      for (Index k = 0; k < x.size(); ++k) EXPECT_TRUE(star.box[k].contains(x[k]));
    }
  }
}

TEST(StarPart, OfOneLeafIsAnEdge) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    const double w = random.uniform(-8, 8);
    const std::vector<double> theta{random.normal(), random.normal()};
    const std::vector<double> c{random.uniform(0.01, 1), random.uniform(0.01, 1)};
    const std::vector<double> low{0, 0}, high{1, 1};
    std::vector<double> x(2);
    const double edge = edge_peaks({w, theta[0], theta[1], c[0], c[1], {0, 1}, {0, 1}}).bound();
    const StarPart star(0, std::vector<std::uint32_t>{1}, std::vector{w});
    EXPECT_NEAR(star.bound(theta, c, low, high, 1e-9, x), edge, 3e-9) << seed;
  }
}

TEST(StarPart, ByHand) {
  // -4 t (x + y) + 2 t + x + y, no entropy but in t: t = 0 takes both leaves, 2; t = 1 takes none,
  // 2. Between, leaves are in while 1 > 4 t, so t < 1/4: 2 - 6 t + H(t), greatest at t = s(-6): 2 +
  // log(1 + e^-6); or out: 2 t + H(t), greatest at s(2): log(1 + e^2) = 2.126928.
  const StarPart star(0, std::vector<std::uint32_t>{1, 2}, std::vector{-4.0, -4.0});
  const std::vector<double> theta{2, 1, 1}, c{1, 0, 0}, low(3, 0), high(3, 1);
  std::vector<double> x(3);
  EXPECT_NEAR(star.bound(theta, c, low, high, 1e-9, x), std::log1p(std::exp(2.0)), 2e-9);
  EXPECT_NEAR(x[0], sigmoid(2), 1e-3);
  EXPECT_EQ(x[1], 0);
  std::vector<double> g(3);
  star.gradient(std::vector{0.5, 0.25, 1.0}, g);
  EXPECT_EQ(g, (std::vector{-5.0, -2.0, -2.0}));
  EXPECT_EQ(star.value(std::vector{0.5, 0.25, 1.0}), -2.5);
}

TEST(StarPart, Refuses) {
  const std::vector<std::uint32_t> leaves{1, 2};
  EXPECT_EQ(testing::refusal([&] { StarPart(0, leaves, std::vector{1.0}); }),
            "star part: 2 leaves but 1 weights");
  EXPECT_EQ(testing::refusal([&] {
              StarPart(0, leaves, std::vector{1.0, kInfinity});
            }),
            "star part: the edge 0-2 has weight inf, which must be finite");
}

// Near 0 and 1 entropy has peaks within a billionth: no value of the shortest intervals of the centre is above the bound, though
// nothing between their ends is looked at.
TEST(StarPart, IsNeverBelowOnIntervalsTooShortToCut) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double width = std::pow(10, random.uniform(-10, -8)), peak = width * random.uniform();
    const bool above = random.chance(0.5);
    const double weight = random.uniform(-5, 5), pull = random.uniform(-2, 2);
    const StarPart star(0, std::vector<std::uint32_t>{1}, std::vector{weight});
    // The leaf is worth softplus(pull + weight t); its slope in t is taken off the centre's.
    const double end = above ? 1 : 0;
    const double slope = weight * sigmoid(pull + weight * end);
    const double theta = (above ? -1 : 1) * std::log(peak) - slope;
    const std::vector<double> low{above ? 1 - width : 0, 0}, high{above ? 1 : width, 1};
    std::vector<double> x(2);
    const double bound =
        star.bound(std::vector{theta, pull}, std::vector{1.0, 1.0}, low, high, 1e-13, x);
    for (int k = 0; k <= 200; ++k) {
      const double t = low[0] + (high[0] - low[0]) * k / 200;
      const double value = theta * t + entropy(t) + std::log1p(std::exp(pull + weight * t));
      EXPECT_GE(bound, value - 1e-14) << t;
    }
    EXPECT_LE(bound, star.value(x) + theta * x[0] + pull * x[1] + entropy(x[0]) + entropy(x[1]) +
                         30 * width);
  }
}

}  // namespace
}  // namespace surefield
