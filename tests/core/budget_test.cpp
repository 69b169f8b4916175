#include "surefield/core/budget.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

TEST(Budget, WithoutLimitsIsNeverSpent) {
  const Budget budget;
  EXPECT_FALSE(budget.spent() || budget.stopped() || budget.has_deadline());
  EXPECT_TRUE(std::isinf(budget.seconds_left()));
  EXPECT_EQ(budget.threads(), 1U);
  EXPECT_EQ(budget.with_threads(8).threads(), 8U);
}

TEST(Budget, EndsAtTheEarliestDeadline) {
  EXPECT_TRUE(Budget().within(0).spent());
  EXPECT_FALSE(Budget().within(1000).spent());
  EXPECT_TRUE(Budget().within(1000).within(0).spent()) << "a part cannot outlast the whole";
  EXPECT_TRUE(Budget().within(0).within(1000).spent());
  EXPECT_LE(Budget().within(100).part(0.5).seconds_left(), 50);
  EXPECT_FALSE(Budget().part(0.5).has_deadline());
  EXPECT_FALSE(Budget().within(1e300).spent()) << "longer than a clock can say";
  EXPECT_EQ(testing::refusal([] { Budget().within(-1); }), "seconds: it is -1, which must be >= 0");
  EXPECT_EQ(testing::refusal([] { Budget().within(std::nan("")); }),
            "seconds: it is nan, which must be >= 0");
  EXPECT_EQ(testing::refusal([] { Budget().with_threads(0); }),
            "threads: there are 0, but it takes at least 1");
}

TEST(Budget, IsEndedByAFlagOrAnAnswerOfNoForGood) {
  std::atomic<bool> flag = false;
  const Budget flagged = Budget().stopped_by(flag);
  const Budget copy = flagged.within(100).with_threads(2);
  EXPECT_FALSE(copy.spent());
  flag = true;
  EXPECT_TRUE(copy.spent() && copy.stopped() && flagged.spent()) << "copies share the stop";

  bool answer = true;
  int asked = 0;
  const Budget asking = Budget().asking([&] { return ++asked, answer; });
  for (int k = 0; k < 1000; ++k) EXPECT_FALSE(asking.spent());
  EXPECT_LT(asked, 100) << "a question every few milliseconds, not every call";
  answer = false;
  while (!asking.spent()) std::this_thread::yield();
  answer = true;
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(asking.spent() && asking.stopped());
  EXPECT_TRUE(Budget().asking([] { return false; }).asking([] { return true; }).spent());
  EXPECT_TRUE(Budget().asking([] { return true; }).asking([] { return false; }).spent());
}

TEST(Budget, RefusesBeforeTheWorkIsDone) {
  const Budget budget = Budget().with_bytes(1e9).with_operations(1e6);
  budget.require({.operations = 1e6, .bytes = 1e9}, "tables");
  EXPECT_EQ(testing::refusal([&] { budget.require({.bytes = 2e9}, "tables"); }),
            "tables: it would take about 2 GB of memory, more than the 1 GB allowed");
  EXPECT_EQ(testing::refusal([&] { budget.require({.operations = 2e6}, "sums"); }),
            "sums: it would take about 2e+06 operations, more than the 1e+06 allowed");
  EXPECT_EQ(testing::refusal([&] { Budget().within(1).require({.operations = 1e12}, "sums"); }),
            "sums: it would take about 1000 seconds, more than the time left");
  EXPECT_THROW(budget.require({.bytes = std::nan("")}, "tables"), TooMuch);
}

TEST(Ticks, AskEverySoManyCallsAndRemember) {
  std::atomic<bool> flag = true;
  const Budget budget = Budget().stopped_by(flag);
  Ticks ticks(budget, 3);
  EXPECT_FALSE(ticks.spent());
  EXPECT_FALSE(ticks.spent());
  EXPECT_TRUE(ticks.spent());
  flag = false;
  EXPECT_TRUE(ticks.spent());
}

}  // namespace
}  // namespace surefield
