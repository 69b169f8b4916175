#include "surefield/bounds/elbo/centred_shares.hpp"

#include <gtest/gtest.h>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/bounds/elbo/branch_and_bound.hpp"
#include "surefield/bounds/elbo/term_parts.hpp"
#include "surefield/core/random.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/global_search.hpp"
#include "tests/support/random_any_model.hpp"
#include "tests/support/random_box.hpp"
#include "tests/support/random_coverage.hpp"
#include "tests/support/random_flid.hpp"

namespace surefield {
namespace {

Eigen::MatrixXd coupled(double a) { return Eigen::MatrixXd{{0, a}, {a, 0}}; }

TEST(ShareCentre, SharesAlikeWhereNothingTellsPartsApart) {
  ShareCentre centre(3, {{{0, 1}, coupled(0)}, {{0, 1}, coupled(0)}});
  ASSERT_TRUE(centre.move({}));
  for (const auto& part : centre.shares())
    for (const double c : part) EXPECT_NEAR(c, 0.5, 1e-3);
  ShareCentre alone(1, {{{0}, Eigen::MatrixXd::Zero(1, 1)}});
  ASSERT_TRUE(alone.move({}));
  EXPECT_NEAR(alone.shares()[0][0], 1, 1e-12);
}

TEST(ShareCentre, OutweighsCurvatureWhereItCan) {
  // c_1 c_2 > a^2 in both parts: a + a' <= 1 is possible, more is not.
  for (const double a : {-0.3, 0.45})
    for (const double b : {0.0, 0.5, 0.9}) {
      ShareCentre centre(2, {{{0, 1}, coupled(a)}, {{1, 0}, coupled(b)}});
      const bool inside = centre.move({});
      EXPECT_EQ(inside, std::abs(a) + b < 1);
      const auto c = centre.shares();
      EXPECT_NEAR(c[0][0] + c[1][1], 1, 1e-9);
      EXPECT_NEAR(c[0][1] + c[1][0], 1, 1e-9);
      if (inside) {
        EXPECT_GT(c[0][0] * c[0][1], a * a);
        EXPECT_GT(c[1][0] * c[1][1], b * b);
      } else {
        EXPECT_GE(centre.total(), std::abs(a) + b - 1e-9);
      }
    }
}

TEST(ShareCentre, MeetsItsCutsOrSaysSo) {
  ShareCentre centre(2, {{{0, 1}, coupled(0)}, {{0, 1}, coupled(0)}});
  const Eigen::Vector2d first(1, 0);
  centre.cut(0, first, 0.8);
  ASSERT_TRUE(centre.move({}));
  EXPECT_GT(centre.shares()[0][0], 0.8);
  EXPECT_NEAR(centre.shares()[0][1], 0.5, 0.02);
  centre.cut(1, first, 0.15);
  ASSERT_TRUE(centre.move({}));
  EXPECT_GT(centre.shares()[0][0], 0.8);
  EXPECT_GT(centre.shares()[1][0], 0.15);
  centre.cut(1, first, 0.4);
  EXPECT_FALSE(centre.move({}));
  EXPECT_GE(centre.total(), 1.2 - 1e-9);
}

TEST(CentredShares, EveryBoundHoldsAndMostClose) {
  int closed = 0;
  constexpr int kSeeds = 60;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 1 + random.below(4);
    const double beta = seed % 3 == 0 ? 3 : 1;
    const AnyModel model = seed % 4 == 0
                               ? AnyModel(testing::random_coverage(n, 4, seed, seed % 8 == 0))
                               : AnyModel(testing::random_flid(n, 1 + random.below(4), seed));
    const auto dual = term_parts(model, beta).value().dual;
    const Box box = random.chance(0.5) ? unit_box(n) : testing::random_box(n, random);
    const double best =
        testing::global_maximum([&](std::span<const double> x) { return dual.value(x); }, box);
    Report found;
    found.value = -kInfinity;
    for (const auto& start : {box.low, box.high}) {
      Report other = coordinate_ascent(Elbo(model.at(start), beta), box, Order::natural(n));
      if (other.value > found.value) found = std::move(other);
    }
    const double wanted = 1e-6 * std::abs(found.value) + 1e-9;
    std::size_t seen = 0;
    const auto result =
        centred_shares(dual, box, found.point, found.value, {.iterations = 20, .wanted = wanted},
                       Budget(), [&](const DualProgress& now) {
                         ++seen;
                         EXPECT_GE(now.bound, best);
                         require_inside(box, now.mean);
                         return true;
                       });
    EXPECT_EQ(result.iterations, seen);
    EXPECT_GE(result.bound, best);
    closed += result.bound - found.value <= wanted;
    PerPart x;  // the multipliers are those of the bound
    EXPECT_LE(dual.bound(result.multipliers, box, 1e-9, x), result.bound + 1e-8);
  }
  EXPECT_GE(closed, kSeeds * 2 / 3);
}

TEST(CentredShares, CloseTheRootInFewerRoundsThanTheDescent) {
  std::size_t with = 0, without = 0, closed = 0, closed_without = 0;
  for (const std::uint64_t seed : {1, 4}) {
    SCOPED_TRACE(seed);
    const Index n = 24;
    Random random(seed);
    std::vector<double> utility(n), weights(n * 8);
    for (double& u : utility) u = random.uniform(0, 2);
    for (double& w : weights) w = random.uniform(0, 3);
    const Flid model = make_flid(utility, weights, 8);
    const Elbo objective(model.at(std::vector<double>(n, 0.5)), 1.0);
    const auto run = [&](std::size_t rounds, unsigned threads, std::size_t& iterations) {
      const auto dual = term_parts(model).value().dual;  // anew: parts keep their grids
      return branch_and_bound(objective, dual, unit_box(n),
                              {.relative_gap = 1e-6,
                               .nodes = 1,
                               .root_iterations = 100,
                               .centred_rounds = rounds,
                               .budget = Budget().with_threads(threads)},
                              [&](const BranchAndBoundProgress&) { return ++iterations > 0; });
    };
    std::size_t again = 0, mine = 0, bare = 0;
    const auto centred = run(40, 1, mine), same = run(40, 3, again), plain = run(0, 1, bare);
    with += mine, without += bare;
    EXPECT_EQ(again, mine);
    EXPECT_EQ(*centred.report.upper_bound, *same.report.upper_bound);
    EXPECT_EQ(centred.report.point, same.report.point);
    EXPECT_GE(*centred.report.upper_bound, plain.report.value);
    EXPECT_GE(*plain.report.upper_bound, centred.report.value);
    closed += centred.report.status == Status::kConverged;
    closed_without += plain.report.status == Status::kConverged;
  }
  EXPECT_LT(with, without);
  EXPECT_EQ(closed, 2u);
  EXPECT_LT(closed_without, closed);
}

}  // namespace
}  // namespace surefield
