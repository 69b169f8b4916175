#include "surefield/bounds/elbo/max_part.hpp"

#include <gtest/gtest.h>

#include "surefield/bounds/elbo/dual_part.hpp"
#include "surefield/core/box.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"
#include "tests/support/global_search.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

static_assert(DualPart<MaxPart>);

struct Instance {
  std::vector<std::uint32_t> members;
  std::vector<double> weight, theta, c;
  Box box;

  /// The objective of the part in its own order: theta and c are taken as given in that order.
  double value(const MaxPart& part, std::span<const double> x) const {
    double sum = part.value(x);
    for (std::size_t k = 0; k < x.size(); ++k) sum += theta[k] * x[k] + c[k] * entropy(x[k]);
    return sum;
  }
};

Instance random_instance(std::uint64_t seed) {
  Random random(seed);
  const Index n = random.below(5);
  const double scale = seed % 7 == 0 ? 1e3 : seed % 7 == 1 ? 1e-3 : 1;
  Instance it;
  it.box = unit_box(n);
  for (Index k = 0; k < n; ++k) {
    it.members.push_back(static_cast<std::uint32_t>(10 * k));
    const double w = random.chance(0.2) ? 0 : random.chance(0.25) ? 2 : random.uniform(0, 4);
    it.weight.push_back(scale * w);
    it.theta.push_back(scale * random.normal() * 2);
    it.c.push_back(random.chance(0.15) ? 0 : random.chance(0.1) ? 1e-9 : random.uniform(0, 0.6));
    if (random.chance(0.4)) {
      it.box.low[k] = random.uniform(0, 1);
      it.box.high[k] = random.chance(0.3) ? it.box.low[k] : random.uniform(it.box.low[k], 1);
    }
  }
  return it;
}

TEST(MaxPart, IsNeverBelowTheMaximumAndCloseToIt) {
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    SCOPED_TRACE(seed);
    const Instance it = random_instance(seed);
    const MaxPart part(it.members, it.weight);
    std::vector<double> x(it.weight.size());
    const auto value = [&](std::span<const double> y) { return it.value(part, y); };
    const double best = testing::global_maximum(value, it.box);
    double scale = 1;
    for (const double w : it.weight) scale = std::max(scale, w);
    for (const double precision : {1e-1, 1e-3, 1e-6}) {
      const double bound = part.bound(it.theta, it.c, it.box.low, it.box.high, precision, x);
      EXPECT_GE(bound, best);
      EXPECT_LE(bound, it.value(part, x) + precision + 1e-10 * scale);
      for (Index k = 0; k < x.size(); ++k) EXPECT_TRUE(it.box[k].contains(x[k]));
    }
    // A fresh part and one with the notes of other calls agree to the precision.
    const double again =
        MaxPart(it.members, it.weight).bound(it.theta, it.c, it.box.low, it.box.high, 1e-6, x);
    EXPECT_NEAR(part.bound(it.theta, it.c, it.box.low, it.box.high, 1e-6, x), again,
                2e-6 + 1e-10 * scale);
  }
}

TEST(MaxPart, StaysAboveRandomPointsOfLargeInstances) {
  Random random(3);
  for (int trial = 0; trial < 10; ++trial) {
    const Index n = 40;
    Instance it;
    it.box = unit_box(n);
    for (Index k = 0; k < n; ++k) {
      it.members.push_back(static_cast<std::uint32_t>(k));
      it.weight.push_back(random.uniform(0, 3));
      it.theta.push_back(random.uniform(-1, 0.2));
      it.c.push_back(random.uniform(0.02, 0.5));
    }
    const MaxPart part(it.members, it.weight);
    std::vector<double> x(n), g(n);
    const double bound = part.bound(it.theta, it.c, it.box.low, it.box.high, 1e-3, x);
    for (int start = 0; start < 40; ++start) {  // coordinate ascent, the strongest local search
      for (double& u : x) u = random.chance(0.3) ? random.uniform() : random.uniform(0, 0.1);
      for (int epoch = 0; epoch < 20; ++epoch)
        for (Index k = 0; k < n; ++k) {
          part.gradient(x, g);
          x[k] = sigmoid((it.theta[k] + g[k]) / it.c[k]);
        }
      EXPECT_GE(bound, it.value(part, x));
    }
  }
}

TEST(MaxPart, TwoItemsByHand) {
  // One item of weight 2 with c = 1, theta = -1: max_x x + H(x) = softplus(1). A second of weight 0
  // with theta = 1/2, c = 1/4 is on its own: softplus(2) / 4.
  const std::vector<std::uint32_t> members{4, 7};
  const MaxPart part(members, std::vector{2.0, 0.0});
  EXPECT_EQ(std::vector(part.members().begin(), part.members().end()),
            (std::vector<std::uint32_t>{7, 4}));
  std::vector<double> x(2);
  const double bound = part.bound(std::vector{0.5, -1.0}, std::vector{0.25, 1.0},
                                  std::vector{0.0, 0.0}, std::vector{1.0, 1.0}, 1e-9, x);
  EXPECT_NEAR(bound, softplus(1) + softplus(2) / 4, 1e-9);
  EXPECT_NEAR(x[0], sigmoid(2), 1e-6);
  EXPECT_NEAR(x[1], sigmoid(1), 1e-6);
  EXPECT_DOUBLE_EQ(part.value(std::vector{0.5, 0.25}), 0.5);  // 0.25 * 2, the other adds nothing
}

TEST(MaxPart, GradientIsTheDifferenceOfTheEnds) {
  Random random(5);
  const MaxPart part(std::vector<std::uint32_t>{0, 1, 2, 3}, std::vector{1.0, 3.0, 1.0, 0.0});
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> x(4), g(4);
    for (double& u : x) u = random.chance(0.2) ? 1 : random.uniform();
    part.gradient(x, g);
    for (Index k = 0; k < 4; ++k) {
      auto high = x, low = x;
      high[k] = 1, low[k] = 0;
      EXPECT_NEAR(g[k], part.value(high) - part.value(low), 1e-14);
    }
  }
}

TEST(MaxPart, HandlesNoMembersAndHugeWeights) {
  const MaxPart none({}, {});
  EXPECT_EQ(none.bound({}, {}, {}, {}, 1e-3, {}), 0);
  const MaxPart huge(std::vector<std::uint32_t>{0, 1}, std::vector{1e300, 1e-300});
  std::vector<double> x(2);
  const double bound = huge.bound(std::vector{0.0, -1e299}, std::vector{0.5, 0.5},
                                  std::vector{0.0, 0.0}, std::vector{1.0, 1.0}, 1e-3, x);
  EXPECT_GE(bound, 9e299);
  EXPECT_LE(bound, 9.1e299);
}

/// 0, 1, tiny, nearly 1, or uniform.
std::vector<double> random_chances(Index n, Random& random) {
  std::vector<double> chance(n);
  for (double& p : chance) {
    const Index kind = random.below(8);
    p = kind == 0   ? 0
        : kind == 1 ? 1
        : kind == 2 ? 1e-300
        : kind == 3 ? 1e-9
        : kind == 4 ? 1 - 0x1p-53
                    : random.uniform();
  }
  return chance;
}

/// E max over all sets of items that are chosen and count, by enumeration.
double expected_maximum(std::span<const double> weight, std::span<const double> chance,
                        std::span<const double> x) {
  double sum = 0;
  for (std::size_t set = 0; set < std::size_t{1} << weight.size(); ++set) {
    double probability = 1, most = 0;
    for (std::size_t k = 0; k < weight.size(); ++k) {
      const bool counts = (set >> k & 1) != 0;
      probability *= counts ? chance[k] * x[k] : 1 - chance[k] * x[k];
      if (counts) most = std::max(most, weight[k]);
    }
    sum += probability * most;
  }
  return sum;
}

TEST(MaxPart, WithChancesIsTheExpectedMaximum) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Instance it = random_instance(seed);
    const auto chance = random_chances(it.weight.size(), random);
    const MaxPart part(it.members, it.weight, chance);
    const Index n = it.weight.size();
    std::vector<double> x(n), g(n);
    for (double& u : x) u = random.chance(0.2) ? 1 : random.chance(0.2) ? 0 : random.uniform();
    double scale = 1;
    for (const double w : it.weight) scale = std::max(scale, w);
    EXPECT_NEAR(part.value(x), expected_maximum(part.weights(), part.chances(), x), 1e-14 * scale);
    part.gradient(x, g);
    for (Index k = 0; k < n; ++k) {
      auto high = x, low = x;
      high[k] = 1, low[k] = 0;
      EXPECT_NEAR(g[k], part.value(high) - part.value(low), 1e-14 * scale);
    }
  }
}

TEST(MaxPart, WithChancesIsNeverBelowTheMaximumAndCloseToIt) {
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed + 1000);
    Instance it = random_instance(seed);
    if (seed % 2 == 0)  // a concept
      for (double& w : it.weight) w = it.weight[0];
    const MaxPart part(it.members, it.weight, random_chances(it.weight.size(), random));
    std::vector<double> x(it.weight.size());
    const double best = testing::global_maximum(
        [&](std::span<const double> y) { return it.value(part, y); }, it.box);
    double scale = 1;
    for (const double w : it.weight) scale = std::max(scale, w);
    for (const double precision : {1e-1, 1e-3, 1e-6}) {
      const double bound = part.bound(it.theta, it.c, it.box.low, it.box.high, precision, x);
      EXPECT_GE(bound, best);
      EXPECT_LE(bound, it.value(part, x) + precision + 1e-10 * scale);
      for (Index k = 0; k < x.size(); ++k) EXPECT_TRUE(it.box[k].contains(x[k]));
    }
  }
}

TEST(MaxPart, FiveItemsWithChances) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Instance it;
    it.box = unit_box(5);
    for (std::uint32_t k = 0; k < 5; ++k) {
      it.members.push_back(k);
      it.weight.push_back(seed % 2 == 0 ? 3 : random.uniform(0, 4));
      it.theta.push_back(random.uniform(-2, 0.3));
      it.c.push_back(random.uniform(0.02, 0.5));
    }
    const MaxPart part(it.members, it.weight, random_chances(5, random));
    std::vector<double> x(5);
    const double bound = part.bound(it.theta, it.c, it.box.low, it.box.high, 1e-6, x);
    EXPECT_GE(bound, testing::global_maximum(
                         [&](std::span<const double> y) { return it.value(part, y); }, it.box));
    EXPECT_LE(bound, it.value(part, x) + 1e-6 + 1e-9);
  }
}

TEST(MaxPart, AConceptOfTwoItemsByHand) {
  // w = 2, p = 1/2 for both: m(x) = 2 (1 - (1 - x_1 / 2) (1 - x_2 / 2)) = x_1 + x_2 - x_1 x_2 / 2.
  const MaxPart part(std::vector<std::uint32_t>{0, 1}, std::vector{2.0, 2.0},
                     std::vector{0.5, 0.5});
  EXPECT_DOUBLE_EQ(part.value(std::vector{1.0, 1.0}), 1.5);
  EXPECT_DOUBLE_EQ(part.value(std::vector{0.5, 0.25}), 0.6875);  // 0.75 - 0.125 / 2
  std::vector<double> x(2);
  part.gradient(std::vector{0.5, 0.25}, x);
  EXPECT_DOUBLE_EQ(x[0], 0.875);  // 1 - 0.25 / 2
  EXPECT_DOUBLE_EQ(x[1], 0.75);   // 1 - 0.5 / 2
  // No entropy, theta = -3/4: the corners have 0, 1/4, 1/4 and 3/2 - 3/2 = 0.
  const std::vector<double> theta{-0.75, -0.75}, none{0, 0}, zero{0, 0}, one{1, 1};
  EXPECT_NEAR(part.bound(theta, none, zero, one, 1e-9, x), 0.25, 2e-9);
  EXPECT_NEAR(part.value(x) - 0.75 * (x[0] + x[1]), 0.25, 2e-9);
  // x_1 = 1 and c_2 = 1: 1 - 3/4 + max_u (1/2 - 3/4) u + H(u) = 1/4 + softplus(-1/4).
  EXPECT_NEAR(part.bound(theta, one, std::vector{1.0, 0.0}, one, 1e-9, x), 0.25 + softplus(-0.25),
              2e-9);
}

TEST(MaxPart, ItemsThatNeverCountAddNothing) {
  const MaxPart part(std::vector<std::uint32_t>{0, 1}, std::vector{1.0, 5.0},
                     std::vector{1.0, 0.0});
  std::vector<double> x(2);  // as in TwoItemsByHand: softplus(1 - 1/2) + softplus(2) / 4
  const double bound = part.bound(std::vector{-0.5, 0.5}, std::vector{1.0, 0.25},
                                  std::vector{0.0, 0.0}, std::vector{1.0, 1.0}, 1e-9, x);
  EXPECT_NEAR(bound, softplus(0.5) + softplus(2) / 4, 2e-9);
}

TEST(MaxPart, RefusesBadWeights) {
  const std::vector<std::uint32_t> members{3, 5};
  EXPECT_EQ(testing::refusal([&] { MaxPart(members, std::vector{1.0}); }),
            "max part: 2 members but 1 weights");
  EXPECT_EQ(testing::refusal([&] {
              MaxPart(members, std::vector{1.0, -2.0});
            }),
            "max part: item 5 has weight -2, which must be finite and >= 0");
  EXPECT_EQ(testing::refusal([&] {
              MaxPart(members, std::vector{kInfinity, 2.0});
            }),
            "max part: item 3 has weight inf, which must be finite and >= 0");
  const std::vector weight{1.0, 2.0};
  EXPECT_EQ(testing::refusal([&] { MaxPart(members, weight, std::vector{1.0}); }),
            "max part: 2 members but 1 chances");
  EXPECT_EQ(testing::refusal([&] {
              MaxPart(members, weight, std::vector{1.0, 1.5});
            }),
            "max part: item 5 has chance 1.5, which must be in [0, 1]");
  EXPECT_EQ(testing::refusal([&] {
              MaxPart(members, weight, std::vector{-0.5, 1.0});
            }),
            "max part: item 3 has chance -0.5, which must be in [0, 1]");
}

TEST(MaxPart, LeavesWholeLayersWhereThePrecisionIsOutOfReach) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 5;
    std::vector<std::uint32_t> members(n);
    std::vector<double> weight(n), theta(n), c(n, 0.6), x(n), y(n);
    for (Index k = 0; k < n; ++k) members[k] = static_cast<std::uint32_t>(k);
    for (double& w : weight) w = random.uniform(0, 4.5);
    const Box box = unit_box(n);
    const MaxPart part(members, weight);
    for (int call = 0; call < 4; ++call) {  // grids of one call are where the next begins
      for (double& t : theta) t = 0.3 * random.normal();
      const double again = part.bound(theta, c, box.low, box.high, 1e-12, x);
      const double fresh = MaxPart(members, weight).bound(theta, c, box.low, box.high, 1e-9, y);
      EXPECT_NEAR(again, fresh, 1e-6);
    }
  }
}

}  // namespace
}  // namespace surefield
