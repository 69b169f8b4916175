#include "surefield/bounds/log_z/hoelder/forest_tiles.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/api/generate.hpp"
#include "surefield/core/numeric.hpp"
#include "tests/support/log_z_reference.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

double by_tiles(const PairwiseField& model, const Box& box, Index tile, const ForestOptions& how) {
  const RowsInMemory rows(model, box);
  const ForestTiles tiles(rows, tile);
  ExactSum sum;
  for (Index t = 0; t < tiles.count(); ++t) sum.add(tiles.upper(t, how));
  return ForestTiles::total(sum, model.constant, model.inherited_error, how.beta);
}

TEST(ForestTiles, TwoTilesByHand) {
  // Items 0 | 1 with bias a and coupling w; each is a tile. Fields with the other at 1/2: a + w / 2.
  const auto bound = [](double a, double w) {
    return by_tiles(make_pairwise_field({a, a}, std::vector<Edge>{{0, 1, w}}), unit_box(2), 1, {});
  };
  EXPECT_NEAR(bound(1, -3), 2 * softplus(1), 1e-12);          // unlikely: dropped
  EXPECT_NEAR(bound(2, -3), 3 + 2 * softplus(2 - 3), 1e-12);  // likely: 3 (1 - x - y)
  EXPECT_NEAR(bound(1, 3), softplus(1 + 3) + softplus(1), 1e-12);
}

TEST(ForestTiles, AreNeverBelowTheTruth) {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 1 + seed % 10;
    const PairwiseField model = testing::random_field_of_any_sign(
        n, seed % 4 == 0 ? 0.9 : 0.35, std::pow(10, random.uniform(-4, 3)), seed);
    const double beta = random.uniform(0.1, 3);
    const Box box = testing::random_fixed_box(n, seed);
    const auto truth = testing::exact_by_definition(model, box, beta);
    const double slack = 1e-13 * testing::scale_of(truth, beta);  // of the truth itself
    bool all_fixed = true;
    for (Index i = 0; i < n; ++i) all_fixed = all_fixed && box[i].is_point();
    for (const Index tile : {1, 2, 3}) {
      const ForestOptions how{.beta = beta, .rounds = seed % 5, .budget = {}};
      const double found = by_tiles(model, box, tile, how);
      ASSERT_GE(found, truth.log_z - slack) << tile;
      if (all_fixed) {
        ASSERT_NEAR(found, truth.log_z, 1e3 * slack);  // nothing is left to bound
      }
    }
  }
}

TEST(ForestTiles, CountTheRoundingOfManyEdgesBetweenTiles) {
  // Item 0 alone in its tile, fixed out of 10^5 that are in: its bias loses 0.1 so many times. The truth has the same sum, exactly.
  constexpr std::uint32_t kOthers = 100000;
  std::vector<Edge> edges;
  for (std::uint32_t k = 1; k <= kOthers; ++k) edges.push_back({0, k, -0.1});
  std::vector<double> bias(kOthers + 1, 0.0);
  bias[0] = 10000;
  Box box = unit_box(kOthers + 1);
  for (Index i = 1; i <= kOthers; ++i) box.fix(i, 1);
  const double truth = static_cast<double>(std::log1p(std::exp(10000 - 100000 * 0.1L)));
  const double found = by_tiles(make_pairwise_field(bias, edges), box, 1, {.rounds = 0});
  EXPECT_GE(found, truth);
  EXPECT_LE(found, truth + 1e-4);
}

// The last sum: what one item adds to a constant a million times as large.
TEST(ForestTiles, CountTheRoundingOfALargeConstant) {
  for (int k = 0; k < 40; ++k) {
    const double bias = 0.1 * k - 2, constant = (k % 2 ? 1 : -1) * (1e6 + 0.3 * k);
    const long double truth = constant + std::log1p(std::exp(static_cast<long double>(bias)));
    const double found =
        by_tiles(make_pairwise_field({bias}, {}, constant), unit_box(1), 1, {.rounds = 0});
    EXPECT_GE(found, truth);
    EXPECT_LE(found, truth + 1e-8);
  }
}

TEST(ForestTiles, OfAGridAreNearlyAsTightAsTheWhole) {
  const AnyModel any =
      generate("hard-grid", {.items = 64 * 64, .groups = {}, .density = {}, .seed = 1});
  const PairwiseField& model = *any.as<PairwiseField>();
  const Box box = unit_box(model.size());
  const ForestOptions how{.rounds = 10, .budget = Budget().with_threads(2)};
  const double whole = forest_bound(model, &box, how).log_z_upper;
  const double tiles = forest_bound_by_tiles(model, box, how, 16 * 64);
  EXPECT_EQ(tiles, by_tiles(model, box, 16 * 64, {.rounds = 10, .budget = {}}));  // one thread
  EXPECT_NE(tiles, whole);
  EXPECT_LT(tiles, whole * 1.01);
  EXPECT_NEAR(forest_bound_by_tiles(model, box, how), whole, 1e-12 * whole);  // one tile
  EXPECT_EQ(forest_bound_by_tiles(model, box, how, 64), whole);  // half of the edges between tiles
}

TEST(ForestTiles, RefuseWhatTheyCannotBound) {
  const PairwiseField model = make_pairwise_field({1, 2}, std::vector<Edge>{{0, 1, 1}});
  const Box box = unit_box(2);
  const RowsInMemory rows(model, box);
  EXPECT_EQ(testing::refusal([&] { ForestTiles(rows, 1).upper(0, {.beta = -1}); }),
            "forests: tiles need an inverse temperature > 0, not -1");
}

}  // namespace
}  // namespace surefield
