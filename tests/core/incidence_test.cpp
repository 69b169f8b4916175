#include "surefield/core/incidence.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace surefield {
namespace {

std::vector<Entry> copy(std::span<const Entry> entries) { return {entries.begin(), entries.end()}; }

TEST(Incidence, ReadsTheSameFromEitherSide) {
  // Three groups over four items: one in order, one empty, one out of order; item 3 is in none,
  // item 0 twice in the last.
  const std::vector<std::vector<Entry>> groups{
      {{0, 1.5}, {2, 2.5}}, {}, {{2, -1}, {0, 4}, {0, 5}, {1, 0}}};
  const Incidence table(4, groups);
  EXPECT_EQ(table.items(), 4U);
  EXPECT_EQ(table.groups(), 3U);
  EXPECT_EQ(table.entries(), 6U);
  for (Index g = 0; g < 3; ++g) EXPECT_EQ(copy(table.of_group(g)), groups[g]);
  EXPECT_EQ(copy(table.of_item(0)), (std::vector<Entry>{{0, 1.5}, {2, 4}, {2, 5}}));
  EXPECT_EQ(copy(table.of_item(1)), (std::vector<Entry>{{2, 0}}));
  EXPECT_EQ(copy(table.of_item(2)), (std::vector<Entry>{{0, 2.5}, {2, -1}}));
  EXPECT_TRUE(table.of_item(3).empty());
}

TEST(Incidence, MayBeEmpty) {
  const Incidence nothing;
  EXPECT_EQ(nothing.items(), 0U);
  EXPECT_EQ(nothing.groups(), 0U);
  EXPECT_EQ(nothing.entries(), 0U);
  const Incidence no_groups(3, {});
  EXPECT_EQ(no_groups.items(), 3U);
  EXPECT_TRUE(no_groups.of_item(2).empty());
}

#ifdef SUREFIELD_ASSERTIONS
TEST(Incidence, AnIndexBeyondTheItemsIsABug) {
  const std::vector<std::vector<Entry>> groups{{{2, 1}}};
  EXPECT_THROW(Incidence(2, groups), std::logic_error);
}
#endif

}  // namespace
}  // namespace surefield
