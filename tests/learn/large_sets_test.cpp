#include "surefield/learn/large_sets.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/core/random.hpp"
#include "surefield/learn/pairwise_fit.hpp"

namespace surefield {
namespace {

/// Most sets are small, some are three times as large: more varied than independent items are.
SetCollection sets_of_varied_sizes(Index items, std::uint64_t seed) {
  Random random(seed);
  SetCollection data{.items = items, .sets = {}, .names = {}};
  while (data.sets.size() < 600) {
    const double rate = random.chance(0.2) ? 0.3 : 0.04;
    std::vector<std::uint32_t> set;
    for (std::uint32_t i = 0; i < items; ++i)
      if (random.chance(rate)) set.push_back(i);
    if (!set.empty()) data.sets.push_back(std::move(set));
  }
  return data;
}

double largest(const SetCollection& data) {
  std::size_t most = 0;
  for (const auto& set : data.sets) most = std::max(most, set.size());
  return static_cast<double>(most);
}

TEST(LargeSets, AreSeenByMeanFieldFromAllItems) {
  // Twenty items at -2 each and 190 couplings of 0.5: all in is worth -40 + 95 = 55, none in 0.
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < 20; ++i)
    for (std::uint32_t j = i + 1; j < 20; ++j) edges.push_back({i, j, 0.5});
  const auto all_attract = make_pairwise_field(std::vector<double>(20, -2.0), edges);
  EXPECT_NEAR(size_beyond(all_attract, 10), 20, 0.1);
  EXPECT_EQ(size_beyond(all_attract, 20), 0);  // sets as large were seen
  EXPECT_EQ(size_beyond(make_pairwise_field(std::vector<double>(20, -2.0), {}), 3), 0);
  EXPECT_EQ(size_beyond(make_pairwise_field({}, {}), 0), 0);
}

TEST(LargeSets, AreKeptBackWithoutChangingARanking) {
  const SetCollection data = sets_of_varied_sizes(60, 4);
  const auto as_learned = fit_pairwise(data, {.penalty = 30, .sizes_seen = false});
  ASSERT_GT(as_learned.beyond, largest(data));  // what is to be mended
  EXPECT_EQ(as_learned.shift.coupling, 0);
  const auto mended = fit_pairwise(data, {.penalty = 30});
  EXPECT_EQ(mended.beyond, 0);
  EXPECT_TRUE(mended.shift.enough);
  EXPECT_GT(mended.shift.coupling, 0);
  EXPECT_LT(mended.shift.coupling, 0.3);
  EXPECT_GT(mended.shift.bias, 0);
  // Every gain over a set S differs by t - d |S|, whatever the item.
  for (Index k = 0; k < 20; ++k) {
    auto first = as_learned.model.empty_set();
    auto second = mended.model.empty_set();
    for (const auto i : data.sets[k]) {
      first.add(i);
      second.add(i);
    }
    const double expected =
        mended.shift.bias - mended.shift.coupling * static_cast<double>(data.sets[k].size());
    for (Index j = 0; j < 60; ++j)
      if (!first.contains(j)) {
        EXPECT_NEAR(second.gain(j) - first.gain(j), expected, 1e-12);
      }
  }
}

TEST(LargeSets, AreLeftWhereSomePairsHaveNoCoupling) {
  // To lower some couplings and not others would change rankings: that is said instead.
  const SetCollection data = sets_of_varied_sizes(60, 4);
  const auto found = fit_pairwise(data, {.penalty = 30, .least_pair = 9});
  ASSERT_LT(found.pairs, 60 * 59 / 2);
  EXPECT_EQ(found.shift.coupling, 0);
  EXPECT_GT(found.beyond, largest(data));
}

TEST(LargeSets, TheBiasIsTheBestForThePseudoLikelihood) {
  const SetCollection data = sets_of_varied_sizes(40, 7);
  const auto sets = distinct_sets(flat_sets(data));
  const PairSupport support = pair_support(sets, 40, 0);
  const PseudoLikelihood loss(sets, support, 1, true);
  auto theta = loss.start();
  for (Index k = 40; k < theta.size(); ++k) theta[k] = 0.25;
  for (Index i = 0; i < 40; ++i) theta[i] -= 1;
  ASSERT_GT(size_beyond(field_of(theta, support), largest(data)), 0);
  const SizeShift shift = keep_to_sizes_seen(theta, loss, support, largest(data));
  ASSERT_GT(shift.coupling, 0);
  std::vector<double> gradient(theta.size());
  const auto at = [&](double more) {
    auto moved = theta;
    for (Index i = 0; i < 40; ++i) moved[i] += more;
    return loss(moved, gradient, 0);
  };
  EXPECT_LE(at(0), at(0.02));
  EXPECT_LE(at(0), at(-0.02));
  // To a tenth the smallest: a fifth less is not enough.
  for (Index k = 0; k < theta.size(); ++k)
    theta[k] += k < 40 ? -0.2 * shift.bias : 0.2 * shift.coupling;
  EXPECT_GT(size_beyond(field_of(theta, support), largest(data)), 0);
}

TEST(LargeSets, NothingIsMovedWhereNothingHasTo) {
  Random random(3);
  SetCollection data{.items = 12, .sets = {}, .names = {}};
  for (int k = 0; k < 200; ++k) {
    data.sets.emplace_back();
    for (std::uint32_t i = 0; i < 12; ++i)
      if (random.chance(0.3)) data.sets.back().push_back(i);
  }
  EXPECT_EQ(fit_pairwise(data, {.penalty = 30}).shift.coupling, 0);
  EXPECT_EQ(fit_pairwise(data, {.penalty = 30, .repulsive = true}).shift.coupling, 0);
}

}  // namespace
}  // namespace surefield
