#include "surefield/core/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

TEST(Parallel, EveryIndexIsDoneOnceOnAnyNumberOfThreads) {
  for (const unsigned threads : {0U, 1U, 2U, 8U, 4'000'000'000U})
    for (const std::size_t count : {0U, 1U, 2U, 1000U}) {
      std::vector<std::atomic<int>> done(count);
      for_each_index(count, threads, [&](std::size_t r) { ++done[r]; });
      for (const auto& times : done) EXPECT_EQ(times, 1);
    }
}

TEST(Parallel, OneThreadGoesInOrder) {
  std::vector<std::size_t> order;
  for_each_index(5, 1U, [&](std::size_t r) { order.push_back(r); });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

// Index 3 takes its time to fail, 700 is there at once: the message is that of 3 all the same.
TEST(Parallel, TheFirstFailureInOrderComesOutOnAnyNumberOfThreads) {
  for (const unsigned threads : {1U, 2U, 8U})
    for (int times = 0; times < 20; ++times) {
      const auto work = [](std::size_t r) {
        if (r == 3) std::this_thread::sleep_for(std::chrono::milliseconds(2));
        if (r == 3 || r >= 700) fail("index ", r);
      };
      EXPECT_EQ(testing::refusal([&] { for_each_index(1000, threads, work); }), "index 3");
    }
}

TEST(Parallel, ABudgetThatIsSpentBeginsNothingMore) {
  for (const unsigned threads : {1U, 2U, 8U}) {
    std::atomic<bool> stop{false};
    std::atomic<int> done{0};
    const Budget budget = Budget().with_threads(threads).stopped_by(stop);
    EXPECT_TRUE(for_each_index(100, budget, [&](std::size_t) { ++done; }));
    EXPECT_EQ(done, 100);
    done = 0;
    const bool all = for_each_index(100, budget, [&](std::size_t) {
      if (++done == 5) stop = true;
    });
    EXPECT_FALSE(all);
    EXPECT_GE(done, 5);
    EXPECT_LE(done, 5 + static_cast<int>(threads));              // those begun before the stop
    EXPECT_TRUE(for_each_index(0, budget, [](std::size_t) {}));  // nothing was left out
  }
}

TEST(Parallel, ParallelWorkInsideParallelWorkEnds) {
  std::atomic<int> done{0};
  for_each_index(8, 8U, [&](std::size_t) {
    for_each_index(8, 8U, [&](std::size_t) { with_threads(8, [&] { ++done; }); });
  });
  EXPECT_EQ(done, 64);
}

}  // namespace
}  // namespace surefield
