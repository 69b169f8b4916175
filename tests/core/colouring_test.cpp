#include "surefield/core/colouring.hpp"

#include <gtest/gtest.h>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/core/order.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

TEST(Colouring, NoClassHoldsTwoNeighboursAndNoWaveTwoBlocksThatTouch) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const PairwiseField model = testing::random_pairwise(seed % 20, seed % 2 ? 0.3 : 0.08, seed);
    const auto found = colour_in_blocks(model.neighbours(), 1 + seed % 7);
    EXPECT_NO_THROW(Order::coloured(model.size(), found));
    std::vector<std::size_t> class_of(model.size()), block_of(model.size()), wave_of(model.size());
    std::size_t at = 0, c = 0, b = 0;
    for (std::size_t wave = 0; wave < found.wave_ends.size(); ++wave)
      for (; b < found.wave_ends[wave]; ++b)
        for (; c < found.block_ends[b]; ++c)
          for (; at < found.class_ends[c]; ++at) {
            const Index i = found.order[at];
            class_of[i] = c, block_of[i] = b, wave_of[i] = wave;
          }
    EXPECT_EQ(at, model.size());
    for (const auto& [from, to, weight] : model.edges()) {
      EXPECT_NE(class_of[from], class_of[to]);
      EXPECT_TRUE(block_of[from] == block_of[to] || wave_of[from] != wave_of[to]);
    }
  }
}

TEST(Colouring, AChainTakesTwoColoursByHand) {
  const std::vector<Edge> edges{{0, 1, -1}, {1, 2, -1}, {2, 3, -1}};
  const PairwiseField model = make_pairwise_field({0, 0, 0, 0}, edges);
  const auto whole = colour_in_blocks(model.neighbours());
  EXPECT_EQ(whole.order, (std::vector<Index>{0, 2, 1, 3}));
  EXPECT_EQ(whole.class_ends, (std::vector<std::size_t>{2, 4}));
  EXPECT_EQ(whole.block_ends, (std::vector<std::size_t>{2}));
  EXPECT_EQ(whole.wave_ends, (std::vector<std::size_t>{1}));
  // One a block: 0 and 2 do not touch, nor do 1 and 3.
  const auto single = colour_in_blocks(model.neighbours(), 1);
  EXPECT_EQ(single.order, (std::vector<Index>{0, 2, 1, 3}));
  EXPECT_EQ(single.block_ends, (std::vector<std::size_t>{1, 2, 3, 4}));
  EXPECT_EQ(single.wave_ends, (std::vector<std::size_t>{2, 4}));
}

// Blocks of 50 of a 20 x 20 grid start in the middle of a row.
TEST(Colouring, BlocksOfAGridTakeTwoColoursEachWhereverTheyStart) {
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < 400; ++i) {
    if (i % 20 != 19) edges.push_back({i, i + 1, -1});
    if (i + 20 < 400) edges.push_back({i, i + 20, -1});
  }
  const PairwiseField model = make_pairwise_field(std::vector<double>(400), edges);
  for (const Index block : {50, 64, 130}) {
    const auto found = colour_in_blocks(model.neighbours(), block);
    EXPECT_EQ(found.class_ends.size(), 2 * found.block_ends.size()) << block;
    EXPECT_EQ(found.wave_ends.size(), 2U) << block;
  }
}

TEST(Colouring, BlocksAreMultiplesOf64AndManyEnough) {
  EXPECT_EQ(block_for(0), 64U);
  EXPECT_EQ(block_for(1000), 64U);
  EXPECT_EQ(block_for(40000), 128U);
  EXPECT_EQ(block_for(100'000'000), 4096U);
}

// A part of a chain with copies of the nodes beyond it behind its own: the copies are nobody's to move.
TEST(Colouring, ArrangesAPartOfAModelByTheWavesOfTheWhole) {
  const std::vector<Edge> edges{{0, 1, -1}, {1, 2, -1}, {2, 3, -1}, {3, 4, -1}, {0, 5, -1}};
  const PairwiseField part =
      make_pairwise_field(std::vector<double>(6), edges);  // 4 and 5 are copies
  const std::vector<std::uint32_t> waves{2, 0};
  const auto found = arrange(part.neighbours(), 4, 2, waves, 4);
  EXPECT_EQ(found.order, (std::vector<Index>{2, 3, 0, 1}));
  EXPECT_EQ(found.class_ends, (std::vector<std::size_t>{1, 2, 3, 4}));
  EXPECT_EQ(found.block_ends, (std::vector<std::size_t>{2, 4}));
  EXPECT_EQ(found.wave_ends, (std::vector<std::size_t>{1, 1, 2, 2}));
}

TEST(Colouring, AnOrderOfEndsThatDoNotAddUpIsRefused) {
  using testing::refusal;
  EXPECT_EQ(refusal([] {
              Order::coloured(2, {{0, 1}, {1}, {1}, {1}});
            }),
            "order: the ends of its classes must ascend to 2");
  EXPECT_EQ(refusal([] {
              Order::coloured(2, {{0, 1}, {1, 2}, {1}, {1}});
            }),
            "order: the ends of its blocks must ascend to the 2 classes");
  EXPECT_EQ(refusal([] {
              Order::coloured(2, {{0, 1}, {1, 2}, {1, 2}, {1}});
            }),
            "order: the ends of its waves must ascend to the 2 blocks");
}

TEST(Colouring, SettlingAClassAtOnceEqualsSettlingItOneByOne) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const PairwiseField model = testing::random_pairwise(30, 0.1, seed);
    const auto found = colour_in_blocks(model.neighbours(), 8);
    Box box = unit_box(30);
    box.fix(3, 1);
    const auto run = [&](Order visits) {
      return coordinate_ascent(Elbo(model.at(box.low), 1.5), box, std::move(visits), {.epochs = 5})
          .point;
    };
    const auto together = run(Order::coloured(30, found));
    const auto one_by_one = run(Order::given(30, {found.order}));
    for (Index i = 0; i < 30; ++i) EXPECT_NEAR(together[i], one_by_one[i], 1e-14);
  }
}

}  // namespace
}  // namespace surefield
