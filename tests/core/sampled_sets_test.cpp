#include "surefield/core/sampled_sets.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/support/state_laws.hpp"

namespace surefield {
namespace {

TEST(SampledSets, FollowThePointWhateverTheWay) {
  for (const Index n : {0, 1, 5, 63, 64, 65, 130}) {
    Random random(n + 1);
    std::vector<double> x(n, 0.5);
    SampledSets sets(20, 7, x);
    for (int move = 0; move < 60; ++move) {
      if (n > 0) {
        const Index i = random.below(n);
        const SampledSets before = sets;
        std::set<Index> reported;
        sets.set(i, x[i] = testing::random_coordinate(random),
                 [&](Index k) { reported.insert(k); });
        for (Index k = 0; k < 20; ++k)
          ASSERT_EQ(before.contains(k, i) != sets.contains(k, i), reported.contains(k));
      }
      std::vector<std::uint8_t> chosen(n);
      for (Index k = 0; k < 20; ++k) {
        sets.write(k, chosen);
        for (Index i = 0; i < n; ++i) {
          ASSERT_EQ(sets.contains(k, i), keyed_uniform(7, k, i) < x[i])
              << "set " << k << ", element " << i;
          ASSERT_EQ(chosen[i], sets.contains(k, i));
          ASSERT_EQ(sets.coordinate(i), x[i]);
        }
      }
    }
  }
}

TEST(SampledSets, CornersAreSure) {
  const SampledSets sets(1000, 3, std::vector{0.0, 1.0});
  for (Index k = 0; k < 1000; ++k) {
    ASSERT_FALSE(sets.contains(k, 0));
    ASSERT_TRUE(sets.contains(k, 1));
  }
}

TEST(SampledSets, HaveTheRightFrequenciesAndAreIndependent) {
  constexpr Index kSamples = 20000;
  const SampledSets sets(kSamples, 5, std::vector{0.3, 0.6});
  double first = 0;
  double second = 0;
  double both = 0;
  for (Index k = 0; k < kSamples; ++k) {
    first += sets.contains(k, 0);
    second += sets.contains(k, 1);
    both += sets.contains(k, 0) && sets.contains(k, 1);
  }
  // A standard error is at most 0.0035: four of them.
  EXPECT_NEAR(first / kSamples, 0.3, 0.014);
  EXPECT_NEAR(second / kSamples, 0.6, 0.014);
  EXPECT_NEAR(both / kSamples, 0.18, 0.014);
}

TEST(SampledSets, TwinsAreTheFirstEqualSet) {
  for (const Index n : {0, 1, 3, 70}) {
    const SampledSets sets(50, 2, std::vector<double>(n, n == 70 ? 0.001 : 0.5));
    const auto twins = sets.twins();
    ASSERT_EQ(twins.size(), 50U);
    const auto equal = [&](Index a, Index b) {
      for (Index i = 0; i < n; ++i)
        if (sets.contains(a, i) != sets.contains(b, i)) return false;
      return true;
    };
    for (Index k = 0; k < 50; ++k) {
      Index first = 0;
      while (!equal(first, k)) ++first;
      ASSERT_EQ(twins[k], first);
    }
  }
}

}  // namespace
}  // namespace surefield
