#include "surefield/core/crew.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace surefield {
namespace {

/// Does every task itself, the last first, and says that somebody was told to stop.
class Backwards final : public Crew {
 public:
  std::size_t size() const override { return 1; }
  bool answers() const override { return true; }
  bool share(const Tasks& tasks) override {
    std::vector<std::string> results(tasks.count);
    for (std::size_t t = tasks.count; t-- > 0;) {
      results[t] = tasks.run(t);
      if (tasks.done) tasks.done();
    }
    for (std::size_t t = 0; t < tasks.count; ++t) tasks.keep(t, results[t]);
    return false;
  }
  void lead(const Budget&, const std::function<void(Helpers*)>& search, const Answerers&) override {
    search(nullptr);
  }
};

std::vector<double> third_and_number(std::size_t t) {
  return {static_cast<double>(t) / 3, static_cast<double>(t)};
}

TEST(Crew, ResultsAreInTheOrderOfTheTasksWhoeverDoesThem) {
  Backwards crew;
  std::atomic<int> done = 0;
  const auto alone = in_order(9, Budget(), nullptr, third_and_number, [&] { ++done; });
  const auto threads = in_order(9, Budget().with_threads(2), nullptr, third_and_number);
  const auto shared = in_order(9, Budget(), &crew, third_and_number, [&] { ++done; });
  EXPECT_EQ(done, 18);
  EXPECT_EQ(alone.results.at(8), (std::vector<double>{8.0 / 3, 8}));
  EXPECT_EQ(alone.results, threads.results);
  EXPECT_EQ(alone.results, shared.results);
  EXPECT_TRUE(alone.complete);
  EXPECT_FALSE(shared.complete);
  EXPECT_TRUE(in_order(0, Budget(), nullptr, third_and_number).results.empty());
}

TEST(Crew, ABudgetThatIsSpentIsNotComplete) {
  const std::atomic<bool> stop = true;
  const auto all = in_order(3, Budget().stopped_by(stop), nullptr, third_and_number);
  EXPECT_FALSE(all.complete);
  EXPECT_EQ(all.results.size(), 3);
}

}  // namespace
}  // namespace surefield
