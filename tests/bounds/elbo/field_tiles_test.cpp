#include "surefield/bounds/elbo/field_tiles.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/core/numeric.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/balanced_field.hpp"
#include "tests/support/quad_truth.hpp"

namespace surefield {
namespace {

/// By the formula on top of the header, constant aside.
double sum_of_tiles(const FieldTiles& field, const std::vector<double>& x) {
  double sum = 0;
  for (const FieldTile& tile : field.tiles()) {
    for (std::size_t k = 0; k < tile.node.size(); ++k)
      sum += tile.bias[k] * x[tile.node[k]] + tile.share[k] * entropy(x[tile.node[k]]);
    for (const auto& [from, to, weight] : tile.edges)
      sum += weight * x[tile.node[from]] * x[tile.node[to]];
  }
  return sum;
}

/// What the tiles miss biases and entropies by, an entropy being at most log 2.
testing::Quad missed(const FieldTiles& field, const PairwiseField& model) {
  std::vector<testing::Quad> bias(model.bias.begin(), model.bias.end()), share(model.size(), 1);
  for (const FieldTile& tile : field.tiles()) {
    for (std::size_t k = 0; k < tile.node.size(); ++k) {
      bias[tile.node[k]] -= tile.bias[k];
      share[tile.node[k]] -= tile.share[k];
    }
  }
  testing::Quad sum = 0;
  for (Index i = 0; i < model.size(); ++i)
    sum += testing::size_of(bias[i]) + testing::size_of(share[i]) * std::log(2.0L);
  return sum;
}

TEST(FieldTiles, AddUpToTheFieldHoweverItIsShared) {
  Index shared = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = random.below(12);
    const PairwiseField model = testing::balanced_field(n, std::exp(random.uniform(-3, 3)), random);
    std::vector<double> point(n);
    for (double& x : point) x = random.chance(0.2) ? random.chance(0.5) : random.uniform();
    FieldTiles field(model, graph_tiles(model.neighbours(), 1 + random.below(5)), point);
    shared += field.shared();
    double scale = 1 + static_cast<double>(n);
    for (const double b : model.bias) scale += std::abs(b);
    for (const double w : model.coupling) scale += std::abs(w);
    for (int step = 0; step < 4; ++step) {
      std::vector<double> x(n);
      for (double& u : x) u = random.uniform();
      const double whole = Elbo(model.at(x)).value() - model.constant;
      const double tiles = sum_of_tiles(field, x);
      EXPECT_NEAR(tiles, whole, 1e-11 * scale);
      EXPECT_GE(field.missing(), missed(field, model));
      EXPECT_LE(field.missing(), 1e-11 * scale);
      std::vector<std::vector<double>> values;
      for (const FieldTile& tile : field.tiles()) {
        values.emplace_back();
        for (std::size_t k = 0; k < tile.node.size(); ++k)
          values.back().push_back(random.uniform());
      }
      field.agree(values, 0.3);
    }
  }
  EXPECT_GT(shared, 200U);
}

// Two nodes, one edge, a tile each: the edge is the first node's, so the second has a copy there.
TEST(FieldTiles, OneEdgeByHand) {
  const std::vector<Edge> edges{{0, 1, -2}};
  const PairwiseField model = make_pairwise_field({0.5, 1.5}, edges);
  FieldTiles field(model, {.of_node = {0, 1}, .count = 2}, std::vector<double>{0.25, 0.5});
  ASSERT_EQ(field.tiles().size(), 2U);
  EXPECT_EQ(field.tiles()[0].node, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(field.tiles()[1].node, (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(field.shared(), 1U);
  // All couplings of node 1 are in the first tile, and so is its entropy: H' = 0 at 1/2, so what makes 1/2 stationary there is
  // 2 * 0.25 = 0.5; the rest of 1.5 goes by the shares of entropy, to the same tile.
  EXPECT_EQ(field.tiles()[0].share, (std::vector<double>{1, 1}));
  EXPECT_EQ(field.tiles()[0].bias, (std::vector<double>{0.5, 1.5}));
  EXPECT_EQ(field.tiles()[1].bias, (std::vector<double>{0}));
  EXPECT_EQ(field.tiles()[1].share, (std::vector<double>{0}));
  const std::vector<std::vector<double>> values{{0.1, 0.2}, {0.6}};
  EXPECT_EQ(field.mean(values), (std::vector<double>{0.1, 0.4}));
  field.agree(values, 0.25);  // the sum of |coupling| is 2: 0.25 * 2 * 0.2 from one to the other
  EXPECT_NEAR(field.tiles()[0].bias[1], 1.6, 1e-15);
  EXPECT_NEAR(field.tiles()[1].bias[0], -0.1, 1e-15);
}

}  // namespace
}  // namespace surefield
