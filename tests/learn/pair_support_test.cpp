#include "surefield/learn/pair_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "surefield/core/error.hpp"
#include "surefield/core/random.hpp"

namespace surefield {
namespace {

DistinctSets weighted(const std::vector<std::vector<std::uint32_t>>& sets, Index items) {
  return distinct_sets(flat_sets({.items = items, .sets = sets, .names = {}}));
}

using PairsKept = std::set<std::pair<Index, Index>>;

PairsKept pairs_in(const PairSupport& support) {
  PairsKept pairs;
  for (Index i = 0; i < support.items(); ++i)
    for (auto e = support.start[i]; e < support.start[i + 1]; ++e)
      pairs.emplace(std::min<Index>(i, support.neighbour[e]),
                    std::max<Index>(i, support.neighbour[e]));
  return pairs;
}

/// By the definition, over all pairs.
PairsKept pairs_by_definition(const std::vector<std::vector<std::uint32_t>>& sets, Index items,
                              double least) {
  PairsKept pairs;
  const auto has = [](const auto& set, Index i) { return std::ranges::find(set, i) != set.end(); };
  for (Index i = 0; i < items; ++i)
    for (Index j = i + 1; j < items; ++j) {
      double met = 0, first = 0, second = 0;
      for (const auto& set : sets) {
        met += has(set, i) && has(set, j);
        first += has(set, i);
        second += has(set, j);
      }
      if (met >= least || first * second >= least * static_cast<double>(sets.size()))
        pairs.emplace(i, j);
    }
  return pairs;
}

TEST(PairSupport, KeepsWhatItsDefinitionSays) {
  Random random(3);
  const Index items = 12;
  std::vector<std::vector<std::uint32_t>> sets(60);
  for (auto& set : sets)
    for (std::uint32_t i = 0; i < items; ++i)
      if (random.uniform() < 0.6 / (1 + 0.6 * i)) set.push_back(i);
  for (const double least : {0.0, 0.5, 1.0, 2.0, 3.0, 5.0, 100.0}) {
    const PairSupport support = pair_support(weighted(sets, items), items, least);
    const PairsKept pairs = pairs_in(support);
    EXPECT_EQ(pairs, pairs_by_definition(sets, items, least)) << least;
    EXPECT_EQ(pairs.size(), support.pairs()) << least;
  }
  EXPECT_EQ(pair_support(weighted(sets, items), items, 0).pairs(), items * (items - 1) / 2);
}

TEST(PairSupport, NumbersEveryPairOnceFromBothEnds) {
  const PairSupport support = pair_support(weighted({{0, 2}, {1, 2}, {0, 3}}, 4), 4, 1);
  // Met once: 0-2, 0-3, 1-2. Expected: 0 and 2 are in two sets of three each, 4/3; the others less.
  EXPECT_EQ(pairs_in(support), (PairsKept{{0, 2}, {0, 3}, {1, 2}}));
  EXPECT_EQ(support.neighbour, (std::vector<std::uint32_t>{2, 3, 2, 0, 1, 0}));
  EXPECT_EQ(support.pair, (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 1}));
}

TEST(PairSupport, KeepsAPairThatShouldHaveMetAndNeverDid) {
  std::vector<std::vector<std::uint32_t>> sets;
  for (int k = 0; k < 10; ++k) sets.push_back({static_cast<std::uint32_t>(k % 2)});
  // c_0 = c_1 = 5 of 10 sets: 2.5 meetings expected, none seen.
  EXPECT_EQ(pair_support(weighted(sets, 2), 2, 2.5).pairs(), 1U);
  EXPECT_EQ(pair_support(weighted(sets, 2), 2, 2.6).pairs(), 0U);
}

TEST(PairSupport, RefusesANegativeNumberAndTooLittleMemory) {
  const auto sets = weighted({{0, 1}}, 2);
  try {
    pair_support(sets, 2, -1);
    FAIL() << "a negative number was accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "pairs: the least number of sets is -1, which must be finite and >= 0");
  }
  EXPECT_THROW(pair_support(sets, 2, 0, Budget().with_bytes(1)), TooMuch);
}

}  // namespace
}  // namespace surefield
