#include "surefield/core/graph_tiles.hpp"

#include <gtest/gtest.h>

#include "surefield/core/random.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

PairwiseField tiled_grid(std::uint32_t side) {
  std::vector<Edge> edges;
  for (std::uint32_t k = 0; k < side * side; ++k) {
    if ((k + 1) % side != 0) edges.push_back({k, k + 1, -1});
    if (k + side < side * side) edges.push_back({k, k + side, -1});
  }
  return make_pairwise_field(std::vector<double>(std::size_t{side} * side, 0), edges);
}

void expect_tiles(const GraphTiles& tiles, Index n, Index size) {
  ASSERT_EQ(tiles.of_node.size(), n);
  std::vector<Index> count(tiles.count, 0);
  for (const std::uint32_t t : tiles.of_node) {
    ASSERT_LT(t, tiles.count);
    ++count[t];
  }
  for (const Index c : count) {
    EXPECT_GE(c, 1U);
    EXPECT_LE(c, size);
  }
}

TEST(GraphTiles, EveryNodeOfAnyGraphIsInATileNoLargerThanAllowed) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = random.below(40);
    std::vector<Edge> edges;  // many components where there are few
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = 0; j < i; ++j)
        if (random.chance(2 * random.uniform() / static_cast<double>(n)))
          edges.push_back({i, j, 1});
    const PairwiseField model = make_pairwise_field(std::vector<double>(n, 0), edges);
    const Index size = 1 + random.below(12);
    expect_tiles(graph_tiles(model.neighbours(), size), n, size);
  }
}

TEST(GraphTiles, TilesOfAGridTouchFewOthers) {
  constexpr std::uint32_t kSide = 64;
  const PairwiseField model = tiled_grid(kSide);
  const auto tiles = graph_tiles(model.neighbours(), 256);
  expect_tiles(tiles, kSide * kSide, 256);
  EXPECT_EQ(tiles.count, 16U);
  std::size_t between = 0;
  for (const Edge& edge : model.edges())
    between += tiles.of_node[edge.from] != tiles.of_node[edge.to];
  // Squares of 16 x 16 would have 6 lines of 64 between them; strips of 4 rows, in the order of memory, 15.
  EXPECT_LT(between, 2 * 6 * kSide);
}

TEST(GraphTiles, RefusesTilesOfNothing) {
  const PairwiseField model = tiled_grid(2);
  EXPECT_EQ(testing::refusal([&] { graph_tiles(model.neighbours(), 0); }),
            "tiles: the size is 0, which must be >= 1");
  EXPECT_EQ(graph_tiles(Neighbours{}, 3).count, 0U);
}

}  // namespace
}  // namespace surefield
