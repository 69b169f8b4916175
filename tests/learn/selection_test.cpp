#include "surefield/learn/selection.hpp"

#include <cmath>

#include "gtest/gtest.h"
#include "surefield/core/random.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

using testing::refusal;

std::vector<Interval> points(std::initializer_list<double> values, double width = 0) {
  std::vector<Interval> intervals;
  for (const double value : values) intervals.push_back({value - width / 2, value + width / 2});
  return intervals;
}

// One value a fold: the jackknife is the usual standard error. Values 1, 2, 6: mean 3, squares 4 +
// 1 + 9 = 14, variance 14/2 = 7, standard error sqrt(7/3).
TEST(Selection, TheJackknifeOfFoldsIsTheStandardErrorOfTheMean) {
  const auto summary = summarise(points({1, 2, 6}, 0.5), fold_places(3));
  EXPECT_DOUBLE_EQ(summary.mean.low, 2.75);
  EXPECT_DOUBLE_EQ(summary.mean.high, 3.25);
  EXPECT_NEAR(*summary.standard_error, std::sqrt(7.0 / 3), 1e-15);
}

// Pairs (0,1) = 1, (0,2) = 4, (1,2) = 7. Without fold 0: 7; without 1: 4; without 2: 1. Mean 4,
// squares 18, times 2/3: 12.
TEST(Selection, AFoldLeavesWithEveryPairItIsIn) {
  const auto summary = summarise(points({1, 4, 7}), pair_places(3));
  EXPECT_DOUBLE_EQ(summary.mean.low, 4);
  EXPECT_NEAR(*summary.standard_error, std::sqrt(12.0), 1e-14);
}

// Two folds make one pair, and leaving one out leaves nothing: no lead is certain.
TEST(Selection, TooFewFoldsTellNothing) {
  EXPECT_FALSE(summarise(points({3}), fold_places(1)).standard_error);
  EXPECT_FALSE(summarise(points({3}), pair_places(2)).standard_error);
  const std::vector<std::vector<Interval>> candidates{points({1}), points({1000})};
  EXPECT_EQ(choose(candidates, pair_places(2)).best, 1u);
  EXPECT_EQ(choose(candidates, pair_places(2)).rivals, std::vector<Index>{0});
}

TEST(Selection, AClearLeadHasNoRivals) {
  const std::vector<std::vector<Interval>> candidates{
      points({1.0, 1.1, 0.9}), points({5.0, 5.1, 4.9}), points({3.0, 3.2, 2.8})};
  const Choice choice = choose(candidates, fold_places(3));
  EXPECT_EQ(choice.best, 1u);
  EXPECT_TRUE(choice.rivals.empty());
}

// The differences are the same in every fold although the values are not: paired, they are told
// apart.
TEST(Selection, ComparesFoldByFold) {
  const std::vector<std::vector<Interval>> candidates{points({1, 10, 100}), points({2, 11, 101})};
  EXPECT_TRUE(choose(candidates, fold_places(3)).rivals.empty());
}

// The same with intervals of width 1.2 each: the midpoints differ by 1, half the widths add up to
// 1.2.
TEST(Selection, WideIntervalsCannotBeToldApart) {
  const std::vector<std::vector<Interval>> candidates{points({1, 10, 100}, 1.2),
                                                      points({2, 11, 101}, 1.2)};
  const Choice choice = choose(candidates, fold_places(3));
  EXPECT_EQ(choice.best, 1u);
  EXPECT_EQ(choice.rivals, std::vector<Index>{0});
}

TEST(Selection, EqualCandidatesAreRivalsAndTheFirstIsNamed) {
  const std::vector<std::vector<Interval>> candidates{points({1, 2}), points({1, 2})};
  const Choice choice = choose(candidates, fold_places(2));
  EXPECT_EQ(choice.best, 0u);
  EXPECT_EQ(choice.rivals, std::vector<Index>{1});
}

// Candidates of the same law: the one in front is called better for sure about as rarely as two
// standard errors say.
TEST(Selection, NoiseIsRarelyTakenForALead) {
  Random random(5);
  int claims = 0;
  for (int run = 0; run < 400; ++run) {
    std::vector<std::vector<Interval>> candidates(2);
    for (auto& values : candidates)
      for (int k = 0; k < 10; ++k) {
        const double value = random.normal();
        values.push_back({value, value});
      }
    claims += choose(candidates, fold_places(10)).rivals.empty() ? 1 : 0;
  }
  EXPECT_GT(claims, 4);   // a test that never claims anything is no test
  EXPECT_LT(claims, 60);  // 5 % of a t with 9 degrees is 7.7 %: 31 of 400
}

TEST(Selection, RefusesWhatItCannotCompare) {
  EXPECT_EQ(refusal([&] { summarise({}, {}); }), "selection: there is no value to compare");
  EXPECT_EQ(refusal([&] {
              summarise(points({1, 2}), fold_places(3));
            }),
            "selection: 2 values for 3 places; there must be one each");
  const std::vector<Interval> reversed{{2, 1}};
  EXPECT_EQ(refusal([&] { summarise(reversed, fold_places(1)); }),
            "selection: a value between 2 and 1; it must be finite, and the lower end not "
            "above the upper");
  EXPECT_EQ(refusal([&] { choose({}, fold_places(1)); }), "selection: there is no candidate");
}

}  // namespace
}  // namespace surefield
