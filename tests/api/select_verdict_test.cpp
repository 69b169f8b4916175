// The verdict from measures written by hand: three folds, so three likelihoods and three agreements a candidate.
#include "surefield/api/select_verdict.hpp"

#include "gtest/gtest.h"
#include "surefield/core/numeric.hpp"

namespace surefield {
namespace {

using Measures = std::vector<std::vector<Interval>>;

/// One value for all folds: nothing varies, so that unequal candidates are told apart.
std::vector<Interval> flat(double value) { return std::vector<Interval>(3, {value, value}); }
/// Nothing is known of one fold.
std::vector<Interval> partly_unknown() { return {{-1, -1}, {-kInfinity, kInfinity}, {-1, -1}}; }

SelectResult of_rows(Index rows, const Measures& agreement, const Measures& likelihood,
                     bool complete = true) {
  SelectResult result;
  for (Index d = 0; d < rows; ++d) {
    result.rows.push_back({.dimensions = d, .agreement = {}, .likelihood = {}});
    if (is_known(agreement[d]))
      result.rows.back().agreement = summarise(agreement[d], pair_places(3));
    if (is_known(likelihood[d]))
      result.rows.back().likelihood = summarise(likelihood[d], fold_places(3));
  }
  result.folds = 3;
  result.complete = complete;
  decide(result, agreement, likelihood);
  return result;
}

TEST(SelectVerdict, BothMeasuresMustLeaveTheWinner) {
  const SelectResult one = of_rows(2, {flat(-3), flat(-2)}, {flat(-6), flat(-5)});
  EXPECT_TRUE(one.decided);
  EXPECT_EQ(one.winner, 1u);
  EXPECT_EQ(one.verdict, "D = 1 by posterior agreement and held-out likelihood");

  const SelectResult apart = of_rows(2, {flat(-2), flat(-3)}, {flat(-6), flat(-5)});
  EXPECT_FALSE(apart.decided);
  EXPECT_TRUE(apart.left.empty());
  EXPECT_EQ(apart.winner, 1u) << "where they contradict, likelihood leaves it";
  EXPECT_EQ(apart.verdict,
            "cannot tell: posterior agreement speaks for D = 0, held-out likelihood for D = 1");
}

TEST(SelectVerdict, EqualOnesLeaveThePlainest) {
  const SelectResult result = of_rows(2, {flat(-2), flat(-2)}, {flat(-5), flat(-5)});
  EXPECT_FALSE(result.decided);
  EXPECT_EQ(result.winner, 0u);
  EXPECT_EQ(result.verdict,
            "cannot tell D = 0 from D = 1 apart by posterior agreement and held-out likelihood; "
            "the plainest is D = 0");
}

TEST(SelectVerdict, WhatIsNotKnownRulesNothingOut) {
  const SelectResult result = of_rows(2, {flat(-2), partly_unknown()}, {flat(-5), flat(-4)});
  EXPECT_EQ(result.left, std::vector<Index>{1});
  EXPECT_NE(result.verdict.find("; no certified value of D = 1"), std::string::npos)
      << result.verdict;
}

TEST(SelectVerdict, OneRowIsTheOnlyOneOnlyIfNothingWasLeftOut) {
  EXPECT_EQ(of_rows(1, {flat(-2)}, {flat(-5)}).verdict, "D = 0 was the only one to try");
  const SelectResult early[] = {of_rows(1, {flat(-2)}, {flat(-5)}, false),
                                of_rows(2, {flat(-2), flat(-3)}, {flat(-5), flat(-6)}, false)};
  for (const SelectResult& result : early) {
    EXPECT_FALSE(result.decided);
    EXPECT_EQ(result.left, std::vector<Index>{0});
    EXPECT_EQ(
        result.verdict,
        "stopped early; of what was compared, D = 0 leads by posterior agreement and held-out "
        "likelihood");
  }
}

}  // namespace
}  // namespace surefield
