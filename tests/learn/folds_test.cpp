#include "surefield/learn/folds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

using testing::refusal;

TEST(Folds, EverySetIsHeldOutOnceAndSizesDifferByAtMostOne) {
  for (const Index sets : {2U, 7U, 10U, 103U})
    for (const Index folds : {Index{2}, Index{3}, Index{7}, sets}) {
      if (folds > sets) continue;
      const auto held_out = fold_indices(sets, folds, sets + folds);
      ASSERT_EQ(held_out.size(), folds);
      std::set<Index> seen;
      Index least = sets;
      Index most = 0;
      for (const auto& fold : held_out) {
        EXPECT_TRUE(std::is_sorted(fold.begin(), fold.end()));
        seen.insert(fold.begin(), fold.end());
        least = std::min(least, fold.size());
        most = std::max(most, fold.size());
      }
      EXPECT_EQ(seen.size(), sets);
      EXPECT_LE(most - least, 1U);
    }
}

TEST(Folds, TheSeedDecides) {
  EXPECT_EQ(fold_indices(50, 5, 3), fold_indices(50, 5, 3));
  EXPECT_NE(fold_indices(50, 5, 3), fold_indices(50, 5, 4));
}

TEST(Folds, BothPartsTogetherAreTheData) {
  SetCollection data{.items = 3, .sets = {{0}, {1}, {2}, {0, 1}, {}}, .names = {"a", "b", "c"}};
  for (Index fold = 0; fold < 2; ++fold) {
    const auto indices = fold_indices(5, 2, 9)[fold];
    const Fold parts = fold_of(data, 2, fold, 9);
    ASSERT_EQ(parts.held_out.sets.size(), indices.size());
    for (Index k = 0; k < indices.size(); ++k)
      EXPECT_EQ(parts.held_out.sets[k], data.sets[indices[k]]);
    auto all = parts.training.sets;
    all.insert(all.end(), parts.held_out.sets.begin(), parts.held_out.sets.end());
    EXPECT_TRUE(std::is_permutation(all.begin(), all.end(), data.sets.begin(), data.sets.end()));
    EXPECT_EQ(parts.training.items, 3U);
    EXPECT_EQ(parts.held_out.names, data.names);
  }
}

TEST(Folds, RefusesWhatCannotBeCut) {
  EXPECT_EQ(refusal([] { fold_indices(10, 1, 1); }),
            "folds: the number of folds is 1, which must be at least 2");
  EXPECT_EQ(refusal([] { fold_indices(3, 4, 1); }),
            "folds: the number of folds is 4, more than the 3 sets there are");
  const SetCollection data{.items = 1, .sets = {{0}, {0}}, .names = {}};
  EXPECT_EQ(refusal([&] { fold_of(data, 2, 2, 1); }),
            "folds: fold 2 was asked for, but there are 2, numbered from 0");
}

}  // namespace
}  // namespace surefield
