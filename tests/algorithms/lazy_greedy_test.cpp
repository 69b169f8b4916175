#include "surefield/algorithms/lazy_greedy.hpp"

#include <gtest/gtest.h>

#include "surefield/models/any_model.hpp"
#include "tests/support/random_coverage.hpp"
#include "tests/support/random_facility.hpp"

namespace surefield {
namespace {

/// The definition: all gains anew at every step, the lowest of equal ones.
std::vector<Index> plain_greedy(const AnyModel& model, std::size_t most) {
  AnySet set = model.empty_set();
  std::vector<Index> taken;
  while (taken.size() < most) {
    double best = 0;
    Index which = model.size();
    for (Index i = 0; i < model.size(); ++i)
      if (!set.contains(i) && set.gain(i) > best) best = set.gain(i), which = i;
    if (which == model.size()) break;
    set.add(which);
    taken.push_back(which);
  }
  return taken;
}

TEST(LazyGreedy, TakesWhatPlainGreedyTakesWithFewerGains) {
  std::size_t asked = 0, plain = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const Index n = seed % 30;
    const AnyModel model = seed % 2 ? AnyModel(testing::random_facility(n, 4, seed))
                                    : AnyModel(testing::random_coverage(n, 6, seed, false));
    std::vector<Index> open(n), taken;
    for (Index i = 0; i < n; ++i) open[i] = i;
    AnySet set = model.empty_set();
    const std::size_t most = seed % 7;
    const std::size_t moved = lazy_greedy(
        open, most, [&](Index i) { return ++asked, set.gain(i); },
        [&](Index i) { taken.push_back(i), set.add(i); });
    const auto wanted = plain_greedy(model, most);
    plain += n * (wanted.size() + 1);
    EXPECT_EQ(moved, taken.size());
    EXPECT_EQ(taken, wanted);
  }
  EXPECT_LT(asked, plain / 2);
}

}  // namespace
}  // namespace surefield
