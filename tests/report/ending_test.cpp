// Which exit code follows from which ending: each reason alone, and none.
#include "surefield/report/ending.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace surefield {
namespace {

using Reasons = std::vector<std::string>;

void expect_short(const Ending& ending, const std::string& reason) {
  EXPECT_EQ(shortfalls(ending), Reasons{reason});
  EXPECT_EQ(exit_code(ending), 1) << reason;
}
void expect_done(const Ending& ending) {
  EXPECT_EQ(shortfalls(ending), Reasons{});
  EXPECT_EQ(exit_code(ending), 0);
}

TEST(Ending, NothingAskedForAndNothingWrongIsDone) {
  expect_done({});
  expect_done({.status = Status::kConverged});
}

TEST(Ending, EachReasonAloneMakesItShort) {
  expect_short({.status = Status::kFailed}, "failed");
  expect_short({.status = Status::kInterrupted}, "interrupted");
  expect_short({.status = Status::kEpochLimit}, "epoch-limit");
  expect_short({.interrupted = true}, "interrupted");
  expect_short({.gap = {{2e-6, 1e-6}}}, "the relative gap is 2e-06, more than the 1e-06 asked for");
  expect_short({.gap = {{INFINITY, 1}}}, "no bound of the optimum is proved, so there is no gap");
  expect_short({.gap = {{NAN, 1}}}, "no bound of the optimum is proved, so there is no gap");
  expect_short({.width = {{0.5, 0.25}}}, "the interval is 0.5 wide, wider than the 0.25 asked for");
  expect_short({.width = {{INFINITY, 1}}},
               "the interval is wider than asked for: it has not both ends");
  expect_short({.missing = {"1 of 2 files are not on the page"}},
               "1 of 2 files are not on the page");
}

TEST(Ending, WhatWasAskedForAndReachedIsDone) {
  expect_done({.status = Status::kEpochLimit, .epochs_asked = true});
  expect_done({.gap = {{1e-6, 1e-6}}});
  expect_done({.width = {{0.25, 0.25}}});
}

TEST(Ending, OneReasonIsSaidOnceAndSeveralAllOfThem) {
  expect_short({.status = Status::kInterrupted, .interrupted = true}, "interrupted");
  const Ending all{.status = Status::kFailed,
                   .interrupted = true,
                   .gap = {{1, 0}},
                   .width = {{1, 0}},
                   .missing = {"a", "b"}};
  EXPECT_EQ(shortfalls(all).size(), 6U);
}

TEST(Ending, ADistanceNeedsBothEnds) {
  EXPECT_EQ(distance(1.0, 3.5), 2.5);
  EXPECT_EQ(distance(std::nullopt, 3.5), INFINITY);
  EXPECT_EQ(distance(1.0, std::nullopt), INFINITY);
}

}  // namespace
}  // namespace surefield
