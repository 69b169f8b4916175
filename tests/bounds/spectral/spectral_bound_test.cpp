#include "surefield/bounds/spectral/spectral_bound.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "surefield/bounds/spectral/mixing.hpp"
#include "surefield/bounds/spectral/spectral_newton.hpp"
#include "surefield/bounds/spectral/spectral_root.hpp"
#include "surefield/models/graph_cut/graph_cut.hpp"
#include "tests/bounds/spectral/random_signed_field.hpp"
#include "tests/support/best_field_elbo.hpp"
#include "tests/support/log_z_reference.hpp"
#include "tests/support/quad_log_z.hpp"
#include "tests/support/random_box.hpp"

namespace surefield {
namespace {

struct SpectralTruth {
  long double log_z, best_set;
};

SpectralTruth spectral_truth(const PairwiseField& field, const Box& box) {
  const auto exact = testing::quad_log_z(field, box, 1);
  long double best = -kInfinity;
  for (std::size_t code = 0; code < exact.values.size(); ++code) {
    bool inside = true;
    for (Index i = 0; i < field.size(); ++i)
      inside = inside && box[i].contains(static_cast<double>(code >> i & 1));
    if (inside) best = std::max(best, static_cast<long double>(exact.values[code]));
  }
  return {exact.log_z - exact.slack(), best};
}

TEST(SpectralBound, OfSetsIsNeverBelowEnumeration) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = random.below(seed % 10 == 0 ? 11 : 7);
    const double scale = testing::random_scale(random);
    const PairwiseField field = testing::random_signed_field(n, random, scale);
    const Box box = testing::random_fixed_box(n, seed);
    const auto [log_z, best_set] = spectral_truth(field, box);
    const Quadratic quadratic = free_quadratic(field, box, false);
    const double sets = spectral_root(quadratic, SpectralKind::kBestSet).bound;
    const double upper = spectral_log_z(field, box);
    EXPECT_GE(upper, log_z);
    EXPECT_GE(sets, best_set);
    EXPECT_TRUE(std::isfinite(upper) && std::isfinite(sets));
    // Any z and d will do: the bound holds far from the best ones too.
    const auto free = static_cast<Eigen::Index>(quadratic.size());
    Eigen::VectorXd z(free), d = dominant_point(quadratic).d;
    for (double& entry : z) entry = random.uniform(-1, 2);
    EXPECT_GE(spectral_bound(quadratic, SpectralKind::kLogZ, z, d), log_z);
    EXPECT_GE(spectral_bound(quadratic, SpectralKind::kBestSet, z, d), best_set);
    // The search ends below where it began.
    z.setConstant(0.5);
    EXPECT_LE(upper, spectral_bound(quadratic, SpectralKind::kLogZ, z, d) + 1e-6 * scale);
  }
}

TEST(SpectralBound, OfTheElboIsNeverBelowManyAscents) {
  for (std::uint64_t seed = 1; seed <= 1200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = random.below(seed % 20 == 0 ? 9 : 6);
    const PairwiseField field =
        testing::random_signed_field(n, random, testing::random_scale(random));
    const Box box = random.chance(0.4) ? unit_box(n) : testing::random_box(n, random);
    const double best = testing::best_field_elbo(field, box, seed);
    const double error = 1e-15 * (1 + std::abs(best));  // of the value itself
    const Quadratic quadratic = free_quadratic(field, box, true, random.chance(0.3) ? 0.2 : 0);
    const SpectralRoot root = spectral_root(quadratic, SpectralKind::kElbo);
    EXPECT_GE(root.bound, best - error);
    EXPECT_TRUE(std::isfinite(root.bound));
    const auto free = static_cast<Eigen::Index>(quadratic.size());
    Eigen::VectorXd z(free);
    for (double& entry : z) entry = random.uniform(-1, 2);
    EXPECT_GE(spectral_bound(quadratic, SpectralKind::kElbo, z, dominant_point(quadratic).d),
              best - error);
    // Vectors and the eigenvalue below, where the interval is all of [0, 1] or not.
    MixingResult mixed = mix(quadratic, SpectralKind::kElbo, {.sweeps = 20});
    if (free == 0) continue;
    const double least = least_eigenvalue(quadratic.couplings, mixed.d, seed);
    mixed.d.array() += std::max(0.0, -least) * 1.01 + 1e-6 * mixed.d.cwiseAbs().mean() + 1e-12;
    EXPECT_GE(spectral_bound(quadratic, SpectralKind::kElbo, mixed.z, mixed.d), best - error);
  }
}

TEST(SpectralBound, ByHand) {
  // F = 2 x y with d = 2, z = 1/2: A = (2 -2; -2 2) is singular, a touch more makes it definite. Az = 0, so l = 0, and the
  // bound of the best set is 1 + 1 = 2 = F({x, y}); of log Z it is 2 log(1 + e), above log(3 + e^2).
  const PairwiseField field = make_pairwise_field({0, 0}, std::vector<Edge>{{0, 1, 2}});
  const Quadratic quadratic = free_quadratic(field, unit_box(2), false);
  const Eigen::VectorXd z = Eigen::VectorXd::Constant(2, 0.5);
  const Eigen::VectorXd d = Eigen::VectorXd::Constant(2, 2 + 1e-9);
  EXPECT_NEAR(spectral_bound(quadratic, SpectralKind::kBestSet, z, d), 2, 1e-8);
  EXPECT_NEAR(spectral_bound(quadratic, SpectralKind::kLogZ, z, d), 2 * std::log1p(std::exp(1)),
              1e-8);
  EXPECT_EQ(spectral_bound(quadratic, SpectralKind::kLogZ, z, Eigen::VectorXd::Constant(2, 1.9)),
            kInfinity);
}

PairwiseField unit_cut(Index n, const std::vector<Edge>& edges) {
  return make_graph_cut(std::vector<double>(n, 0), edges, false).field;
}

TEST(SpectralBound, IsTheSemidefiniteBoundOfACut) {
  // Theory: n/2 (1 - cos of the angle pi (n - 1)/n) for an odd cycle, n^2/4 for a complete graph.
  std::vector<Edge> cycle, complete;
  for (std::uint32_t i = 0; i < 7; ++i) cycle.push_back({i, (i + 1) % 7, 1});
  for (std::uint32_t i = 0; i < 9; ++i)
    for (std::uint32_t j = i + 1; j < 9; ++j) complete.push_back({i, j, 1});
  const double of_cycle = 3.5 * (1 + std::cos(std::numbers::pi / 7));
  const auto bound = [](const PairwiseField& field) {
    return spectral_root(free_quadratic(field, unit_box(field.size()), false),
                         SpectralKind::kBestSet, {.precision = 1e-6})
        .bound;
  };
  EXPECT_NEAR(bound(unit_cut(7, cycle)), of_cycle, 1e-4);
  EXPECT_GE(bound(unit_cut(7, cycle)), of_cycle - 1e-12);
  EXPECT_NEAR(bound(unit_cut(9, complete)), 81.0 / 4, 1e-4);
}

TEST(SpectralBound, VectorsFindWhatNewtonFinds) {
  Random random(7);
  const PairwiseField field = testing::random_signed_field(40, random, 1);
  for (const auto kind : {SpectralKind::kElbo, SpectralKind::kLogZ, SpectralKind::kBestSet}) {
    const Quadratic quadratic = free_quadratic(field, unit_box(40), kind == SpectralKind::kElbo);
    MixingResult mixed = mix(quadratic, kind, {.progress = 1e-8});
    mixed.d.array() += std::max(0.0, -least_eigenvalue(quadratic.couplings, mixed.d, 1)) + 1e-9;
    const double vectors = spectral_bound(quadratic, kind, mixed.z, mixed.d);
    SpectralBarrier barrier(quadratic, kind);
    const auto found = spectral_newton(barrier, dominant_point(quadratic));
    const double newton = spectral_bound(quadratic, kind, found.z, found.point.d);
    EXPECT_NEAR(vectors, newton, 0.05 * std::abs(newton));
  }
}

TEST(SpectralBound, WhatIsBeyondADoubleHasNoBound) {
  const PairwiseField field = make_pairwise_field({1e308, 1e308}, std::vector<Edge>{{0, 1, 1e308}});
  EXPECT_EQ(spectral_log_z(field, unit_box(2)), kInfinity);
}

TEST(SpectralBound, HoldsWhereTheSumsOfAzLoseTheirSmallTerms) {
  // A star of items that are best in: item 0 with 2000 couplings of 0.4 ulp of 2^20, then one of 2^20. With d the sums of the couplings and z = 1 the bound is
  // F(all) itself, but the sum d_0 - w_01 - w_02 ... rounds back to d_0 two thousand times.
  constexpr std::uint32_t kSmall = 2000;
  constexpr double kBig = 0x1p20, kUlp = 0x1p-32, kWeak = 0.4 * kUlp, kMore = 0x1p-10;
  std::vector<Edge> edges;
  Eigen::VectorXd d = Eigen::VectorXd::Constant(kSmall + 2, kWeak + kMore);
  for (std::uint32_t j = 1; j <= kSmall; ++j) edges.push_back({0, j, kWeak});
  edges.push_back({0, kSmall + 1, kBig});
  d[0] = kBig + kSmall * 0.4 * kUlp + kMore, d[kSmall + 1] = kBig + kMore;
  const PairwiseField field = make_pairwise_field(std::vector<double>(kSmall + 2, 1), edges);
  const Quadratic quadratic = free_quadratic(field, unit_box(kSmall + 2), false);
  const Eigen::VectorXd z = Eigen::VectorXd::Constant(kSmall + 2, 1);
  const double bound = spectral_bound(quadratic, SpectralKind::kBestSet, z, d);
  const long double all = kBig + kSmall + 2 + static_cast<long double>(kSmall) * kWeak;
  EXPECT_GE(static_cast<long double>(bound), all);
  EXPECT_LE(bound, all + 1e-3L);
}

TEST(SpectralBarrier, GradientsAreThoseOfDifferences) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 1 + random.below(6);
    const PairwiseField field = testing::random_signed_field(n, random, 1);
    const auto kind = static_cast<SpectralKind>(seed % 3);
    const Quadratic quadratic = free_quadratic(field, unit_box(n), false);
    SpectralBarrier barrier(quadratic, kind);
    const SpectralPoint at = dominant_point(quadratic);
    const double weight = 0.3 * at.d.mean();
    Eigen::VectorXd slope_l, slope_d, ignored_l, ignored_d;
    ASSERT_TRUE(barrier.move(at));
    const double size = std::abs(barrier.value(weight, slope_l, slope_d));
    const auto value_at = [&](const SpectralPoint& point) {
      EXPECT_TRUE(barrier.move(point));
      return barrier.value(weight, ignored_l, ignored_d);
    };
    for (Eigen::Index i = 0; i < at.d.size(); ++i) {
      const double step = 1e-4 * at.d.minCoeff(), off = 1e-4 + 1e-14 * size / step;
      SpectralPoint up = at, down = at;
      up.l[i] += step, down.l[i] -= step;
      EXPECT_NEAR((value_at(up) - value_at(down)) / (2 * step), slope_l[i], off);
      up = at, down = at;
      up.d[i] += step, down.d[i] -= step;
      EXPECT_NEAR((value_at(up) - value_at(down)) / (2 * step), slope_d[i], off);
    }
  }
}

}  // namespace
}  // namespace surefield
