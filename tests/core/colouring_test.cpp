#include "surefield/models/pairwise_field/colouring.hpp"

#include <gtest/gtest.h>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/core/order.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/random_pairwise.hpp"

namespace surefield {
namespace {

TEST(Colouring, NoClassHoldsTwoNeighbours) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const PairwiseField model = testing::random_pairwise(seed % 20, 0.3, seed);
    const auto [order, ends] = colour_in_blocks(model, 1 + seed % 7);
    EXPECT_NO_THROW(Order::coloured(model.size(), order, ends));
    std::vector<std::size_t> class_of(model.size());
    std::size_t at = 0;
    for (std::size_t c = 0; c < ends.size(); ++c)
      for (; at < ends[c]; ++at) class_of[order[at]] = c;
    for (const auto& [from, to, weight] : model.edges()) EXPECT_NE(class_of[from], class_of[to]);
  }
}

TEST(Colouring, AChainTakesTwoColoursByHand) {
  const std::vector<Edge> edges{{0, 1, -1}, {1, 2, -1}, {2, 3, -1}};
  const auto [order, ends] = colour_in_blocks(make_pairwise_field({0, 0, 0, 0}, edges));
  EXPECT_EQ(order, (std::vector<Index>{0, 2, 1, 3}));
  EXPECT_EQ(ends, (std::vector<std::size_t>{2, 4}));
}

TEST(Colouring, SettlingAClassAtOnceEqualsSettlingItOneByOne) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const PairwiseField model = testing::random_pairwise(30, 0.1, seed);
    const auto [order, ends] = colour_in_blocks(model, 8);
    Box box = unit_box(30);
    box.fix(3, 1);
    const auto run = [&](Order visits) {
      return coordinate_ascent(Elbo(model.at(box.low), 1.5), box, std::move(visits), {.epochs = 5})
          .point;
    };
    const auto together = run(Order::coloured(30, order, ends));
    const auto one_by_one = run(Order::given(30, {order}));
    for (Index i = 0; i < 30; ++i) EXPECT_NEAR(together[i], one_by_one[i], 1e-14);
  }
}

}  // namespace
}  // namespace surefield
