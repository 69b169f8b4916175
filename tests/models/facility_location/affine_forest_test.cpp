#include "surefield/models/facility_location/affine_forest.hpp"

#include <gtest/gtest.h>

#include "surefield/core/random.hpp"
#include "surefield/models/facility_location/affine_paths.hpp"
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
  AffineMaps maps;
  std::vector<double> values;
  forest.build(x, maps, values);
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
      ASSERT_NEAR(derivative(forest, maps, {&leaf, 1}, 0.0),
                  value_of(list, high) - value_of(list, low), 1e-14 * scale)
          << "list of " << list.size();
      replace(forest, maps, {&leaf, 1}, v, values);
      ASSERT_NEAR(values[leaf.list], value_of(list, x), 1e-14 * scale) << "list of " << list.size();
    }
  }
  // However it was reached, a tree is the one built at its point, to the last bit.
  AffineMaps fresh_maps;
  std::vector<double> fresh_values;
  forest.build(x, fresh_maps, fresh_values);
  ASSERT_EQ(values, fresh_values);
  for (std::size_t k = 0; k < maps.size(); ++k) {
    ASSERT_EQ(maps[k].slope, fresh_maps[k].slope);
    ASSERT_EQ(maps[k].shift, fresh_maps[k].shift);
  }
  // All derivatives at once are the sum of the single ones.
  std::vector<double> gradient(kItems, 0);
  forest.add_gradient(maps, gradient);
  for (Index i = 0; i < kItems; ++i) {
    ASSERT_NEAR(gradient[i], derivative(forest, maps, forest.of_item(i), 0.0), 1e-12) << i;
  }
}

/// Trees that are gone up side by side have the bits of each alone, in lists of one length and of many, in one lane and in two.
template <class T>
void check_paths_abreast(const AffineForest& forest, Index items, Random& random) {
  std::vector<double> x(items);
  for (double& v : x) v = testing::random_coordinate(random);
  AffineMaps built;
  std::vector<double> start;
  forest.build(x, built, start);
  AffineMapsOf<T> abreast(built.size());
  for (std::size_t k = 0; k < built.size(); ++k)
    abreast[k] = {T{} + built[k].slope, T{} + built[k].shift};
  std::vector<double> values(forest.lists());
  std::vector<T> lanes(forest.lists());
  for (int move = 0; move < 60; ++move) {
    const Index i = random.below(items);
    double sum = 0.25;
    for (const AffineLeaf& leaf : forest.of_item(i))
      sum = derivative(forest, built, {&leaf, 1}, sum);
    const T together = derivative(forest, abreast, forest.of_item(i), T{} + 0.25);
    ASSERT_EQ(reinterpret_cast<const double&>(together), sum);
    const double v = testing::random_coordinate(random);
    for (const AffineLeaf& leaf : forest.of_item(i)) replace(forest, built, {&leaf, 1}, v, values);
    replace(forest, abreast, forest.of_item(i), v, lanes);
    for (Index d = 0; d < values.size(); ++d)
      ASSERT_EQ(reinterpret_cast<const double&>(lanes[d]), values[d]);
  }
}

TEST(AffineForest, PathsAbreastHaveTheBitsOfEachAlone) {
  Random random(2);
  const AffineForest mixed = many_lengths(90, random);
  check_paths_abreast<double>(mixed, 90, random);
  check_paths_abreast<TwoLanes>(mixed, 90, random);
  for (const Index items : {1, 2, 4, 5, 17, 70, 300}) {
    std::vector<std::vector<Entry>> lists(13);  // twice five abreast and three alone
    for (auto& list : lists)
      for (double weight = 0; const Index item : permutation(items, random))
        list.push_back({static_cast<std::uint32_t>(item), weight += random.uniform()});
    const AffineForest alike(items, lists);
    check_paths_abreast<double>(alike, items, random);
    check_paths_abreast<TwoLanes>(alike, items, random);
  }
}

TEST(AffineForest, ThreeItemsByHand) {
  const std::vector<std::vector<Entry>> lists{{{2, 1.0}, {0, 2.0}, {1, 4.0}}};
  const AffineForest forest(3, lists);
  AffineMaps maps;
  std::vector<double> values;
  forest.build(std::vector{0.5, 0.25, 0.75}, maps, values);
  // Ascending: item 2 (w 1, x 3/4), item 0 (w 2, x 1/2), item 1 (w 4, x 1/4).
  EXPECT_DOUBLE_EQ(values[0], 2.03125);  // e = 0.75, then 0.375 + 1 = 1.375, then 1.03125 + 1
  const auto slope = [&](Index i) { return derivative(forest, maps, forest.of_item(i), 0.0); };
  EXPECT_DOUBLE_EQ(slope(2), 0.375);   // (1 - 0) (1 - 1/2) (1 - 1/4)
  EXPECT_DOUBLE_EQ(slope(0), 0.9375);  // (2 - 0.75) (1 - 1/4)
  EXPECT_DOUBLE_EQ(slope(1), 2.625);   // 4 - 1.375
}

}  // namespace
}  // namespace surefield
