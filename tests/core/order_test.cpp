#include "surefield/core/order.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

std::vector<Index> list(std::span<const Index> order) { return {order.begin(), order.end()}; }

TEST(Order, NaturalIsTheSameEveryEpoch) {
  auto order = Order::natural(3);
  EXPECT_EQ(list(order.epoch(0)), (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(list(order.epoch(7)), (std::vector<Index>{0, 1, 2}));
}

TEST(Order, GivenListsAreTakenInTurnAndTheLastRepeats) {
  auto order = Order::given(2, {{1, 0}, {0, 1}});
  EXPECT_EQ(list(order.epoch(0)), (std::vector<Index>{1, 0}));
  EXPECT_EQ(list(order.epoch(1)), (std::vector<Index>{0, 1}));
  EXPECT_EQ(list(order.epoch(5)), (std::vector<Index>{0, 1}));
}

TEST(Order, ShuffledIsAPureFunctionOfSeedAndEpoch) {
  auto order = Order::shuffled(20, 5);
  const auto third = list(order.epoch(3));
  const auto first = list(order.epoch(1));
  EXPECT_NE(first, third);
  EXPECT_EQ(list(Order::shuffled(20, 5).epoch(3)), third);
  EXPECT_NE(list(Order::shuffled(20, 6).epoch(3)), third);
  auto sorted = third;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, list(Order::natural(20).epoch(0)));
}

TEST(Order, RefusesWhatIsNotAPermutation) {
  const auto refusal = [](std::vector<std::vector<Index>> lists) {
    return testing::refusal([&] { Order::given(2, lists); });
  };
  EXPECT_EQ(refusal({}), "order: no list of coordinates is given");
  EXPECT_EQ(refusal({{0}}), "order: a list has 1 coordinates, but there are 2");
  EXPECT_EQ(refusal({{0, 2}}), "order: coordinate 2 is not one of the 2");
  EXPECT_EQ(refusal({{1, 1}}), "order: coordinate 1 is listed twice");
}

}  // namespace
}  // namespace surefield
