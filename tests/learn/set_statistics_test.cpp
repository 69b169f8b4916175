#include "surefield/learn/set_statistics.hpp"

#include <gtest/gtest.h>

#include "surefield/learn/flat_sets.hpp"
#include "surefield/report/set_statistics_text.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

using testing::refusal;

TEST(SetStatistics, FiveSetsByHand) {
  const SetCollection data{.items = 4, .sets = {{2, 0}, {0}, {}, {0, 2}, {2, 1, 0}}, .names = {}};
  const SetStatistics found = set_statistics(data);
  EXPECT_EQ(found.sets, 5U);
  EXPECT_EQ(found.items, 4U);
  EXPECT_DOUBLE_EQ(found.mean_size, 1.6);  // (2 + 1 + 0 + 2 + 3) / 5
  EXPECT_DOUBLE_EQ(found.median_size, 2);  // of 0 1 2 2 3
  EXPECT_EQ(found.largest_size, 3U);
  EXPECT_EQ(found.empty_sets, 1U);
  EXPECT_EQ(found.distinct_sets, 4U);  // {2, 0} and {0, 2} are one
  EXPECT_EQ(found.never_seen, 1U);
  EXPECT_EQ(found.counts, (std::vector<Index>{4, 1, 3, 0}));
  EXPECT_EQ(found.by_frequency, (std::vector<Index>{0, 2, 1, 3}));
  EXPECT_EQ(found.sets_of_size, (std::vector<Index>{1, 1, 2, 1}));
  const std::string text = set_statistics_text(found, {}, 1, 2);
  EXPECT_EQ(text,
            "sets: 5, distinct: 4, items: 4; size 1.60 mean, 2 median, 3 largest\n"
            "empty sets: 1\nitems in no set: 1\nmost frequent:\n   80.00 %  item 1\n"
            "   60.00 %  item 3\n");
}

TEST(SetStatistics, TheMedianOfAnEvenNumberIsBetween) {
  const SetCollection data{.items = 3, .sets = {{0}, {0, 1}}, .names = {}};
  EXPECT_DOUBLE_EQ(set_statistics(data).median_size, 1.5);
}

TEST(FlatSets, NamesTheSetItRefuses) {
  SetCollection data{.items = 3, .sets = {{0}, {1, 3}}, .names = {}};
  EXPECT_EQ(refusal([&] { flat_sets(data); }),
            "sets: set 1 holds item 3, but there are 3 items, numbered from 0");
  data.sets[1] = {2, 1, 2};
  EXPECT_EQ(refusal([&] { flat_sets(data); }),
            "sets: set 1 holds item 2 twice, but each may be there once");
  data.sets.clear();
  EXPECT_EQ(refusal([&] { flat_sets(data); }), "sets: there is no set, but at least one is needed");
  data.items = 0;
  EXPECT_EQ(refusal([&] { flat_sets(data); }),
            "sets: there is no item, but at least one is needed");
}

TEST(FlatSets, DistinctSetsAreCounted) {
  const SetCollection data{.items = 3, .sets = {{1}, {0, 1}, {}, {1}, {1, 0}}, .names = {}};
  const DistinctSets distinct = distinct_sets(flat_sets(data));
  ASSERT_EQ(distinct.sets.size(), 3U);
  EXPECT_EQ(distinct.times, (std::vector<double>{1, 2, 2}));  // {}, {0, 1}, {1}
  EXPECT_EQ(distinct.sets[1].size(), 2U);
}

}  // namespace
}  // namespace surefield
