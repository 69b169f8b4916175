#include "surefield/models/facility_location/affine_forest.hpp"

#include <gtest/gtest.h>

#include "surefield/core/random.hpp"
#include "tests/support/state_laws.hpp"

namespace surefield {
namespace {

/// Lists of every length up to 70 and around the powers of 4 beyond, each holding items 0, 1, ...
/// in random order.
AffineForest many_lengths(Index items, Random& random) {
  std::vector<std::vector<Entry>> lists;
  for (Index length = 0; length <= items; length += length < 70 || length > 250 ? 1 : 61) {
    std::vector<Entry> list(length);
    double weight = -3;
    for (Index rank = 0; const Index item : permutation(length, random)) {
      weight += random.chance(0.3) ? 0 : random.uniform();
      list[rank++] = {static_cast<std::uint32_t>(item), weight};
    }
    lists.push_back(list);
  }
  return {items, lists};
}

/// By the recursion itself, from the whole list.
double value_of(std::span<const Entry> list, const std::vector<double>& x) {
  double e = 0;
  for (const auto& [item, weight] : list) e = (1 - x[item]) * e + x[item] * weight;
  return e;
}

TEST(AffineForest, TreesOfEveryLengthFollowTheirLists) {
  constexpr Index kItems = 259;
  Random random(1);
  const AffineForest forest = many_lengths(kItems, random);
  std::vector<double> x(kItems);
  for (double& v : x) v = testing::random_coordinate(random) * random.uniform();
  std::vector<AffineBlock> blocks;
  std::vector<double> values;
  forest.build(x, blocks, values);
  for (int move = 0; move < 300; ++move) {
    const Index i = move < 5 ? static_cast<Index>(move) : random.below(kItems);
    const double v = testing::random_coordinate(random);
    const auto old = x;
    x[i] = v;
    for (const AffineLeaf& leaf : forest.of_item(i)) {
      auto low = x;
      auto high = x;
      low[i] = 0;
      high[i] = 1;
      const auto list = forest.of_list(leaf.list);
      ASSERT_EQ(list[leaf.rank], (Entry{static_cast<std::uint32_t>(i), leaf.weight}));
      const double scale = 3 + list.back().value;
      ASSERT_NEAR(derivative(blocks.data(), leaf), value_of(list, high) - value_of(list, low),
                  1e-14 * scale)
          << "list of " << leaf.leaves;
      values[leaf.list] = replace(blocks.data(), leaf, v);
      ASSERT_NEAR(values[leaf.list], value_of(list, x), 1e-14 * scale) << "list of " << leaf.leaves;
    }
  }
  // However it was reached, a tree is the one built at its point, to the last bit.
  std::vector<AffineBlock> fresh_blocks;
  std::vector<double> fresh_values;
  forest.build(x, fresh_blocks, fresh_values);
  ASSERT_EQ(values, fresh_values);
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (std::uint32_t k = 0; k < 4; ++k) {
      ASSERT_EQ(blocks[b].slope[k], fresh_blocks[b].slope[k]);
      ASSERT_EQ(blocks[b].shift[k], fresh_blocks[b].shift[k]);
    }
  // All derivatives at once are the sum of the single ones.
  std::vector<double> gradient(kItems, 0);
  forest.add_gradient(blocks, gradient);
  for (Index i = 0; i < kItems; ++i) {
    double sum = 0;
    for (const AffineLeaf& leaf : forest.of_item(i)) sum += derivative(blocks.data(), leaf);
    ASSERT_NEAR(gradient[i], sum, 1e-12) << i;
  }
}

TEST(AffineForest, ThreeItemsByHand) {
  const std::vector<std::vector<Entry>> lists{{{2, 1.0}, {0, 2.0}, {1, 4.0}}};
  const AffineForest forest(3, lists);
  std::vector<AffineBlock> blocks;
  std::vector<double> values;
  forest.build(std::vector{0.5, 0.25, 0.75}, blocks, values);
  // Ascending: item 2 (w 1, x 3/4), item 0 (w 2, x 1/2), item 1 (w 4, x 1/4).
  EXPECT_DOUBLE_EQ(values[0], 2.03125);  // e = 0.75, then 0.375 + 1 = 1.375, then 1.03125 + 1
  const auto slope = [&](Index i) { return derivative(blocks.data(), forest.of_item(i)[0]); };
  EXPECT_DOUBLE_EQ(slope(2), 0.375);   // (1 - 0) (1 - 1/2) (1 - 1/4)
  EXPECT_DOUBLE_EQ(slope(0), 0.9375);  // (2 - 0.75) (1 - 1/4)
  EXPECT_DOUBLE_EQ(slope(1), 2.625);   // 4 - 1.375
}

}  // namespace
}  // namespace surefield
