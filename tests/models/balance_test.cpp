#include "surefield/models/balance.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/random_gibbs.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

std::vector<std::uint8_t> random_flips(Index n, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::uint8_t> flips(n);
  for (auto& flip : flips) flip = random.chance(0.5) ? 1 : 0;
  return flips;
}

/// G(S) = F(S xor flips) for every S.
template <class M>
void expect_flipped(const M& original, const M& result, Subset flips) {
  const Index n = original.size();
  for (std::uint64_t code = 0; code < std::uint64_t{1} << n; ++code) {
    const auto chosen = reference::subset(code, n);
    auto turned = chosen;
    for (Index i = 0; i < n; ++i) turned[i] ^= flips[i];
    ASSERT_NEAR(result.evaluate(chosen), original.evaluate(turned), 1e-10) << "set " << code;
  }
}

PairwiseField field_with(Index n, std::vector<Edge> edges) {
  return make_pairwise_field(std::vector<double>(n, 0.5), edges);
}

TEST(Balance, FlippedIsTheSameFunction) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const auto flips = random_flips(seed % 9, seed);
    const auto pairwise = testing::random_pairwise(seed % 9, 0.6, seed);
    expect_flipped(pairwise, flipped(pairwise, flips), flips);
    const auto gibbs = testing::random_gibbs(seed % 9, seed, seed);
    expect_flipped(gibbs, flipped(gibbs, flips), flips);
  }
}

TEST(Balance, OnePairByHand) {
  const auto model = make_pairwise_field({1, 2}, std::vector<Edge>{{0, 1, 3}}, 0.5);
  // 0.5 + (1 - y) + 2 z + 3 (1 - y) z = 1.5 - y + 5 z - 3 y z
  const auto one = flipped(model, std::vector<std::uint8_t>{1, 0});
  EXPECT_EQ(one.constant, 1.5);
  EXPECT_EQ(one.bias, (std::vector{-1.0, 5.0}));
  EXPECT_EQ(one.edges(), (std::vector<Edge>{{0, 1, -3}}));
  // 0.5 + (1 - y) + 2 (1 - z) + 3 (1 - y)(1 - z) = 6.5 - 4 y - 5 z + 3 y z
  const auto both = flipped(model, std::vector<std::uint8_t>{1, 1});
  EXPECT_EQ(both.constant, 6.5);
  EXPECT_EQ(both.bias, (std::vector{-4.0, -5.0}));
  EXPECT_EQ(both.edges(), (std::vector<Edge>{{0, 1, 3}}));
}

TEST(Balance, RandomBalancedFieldsBecomeSubmodular) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Index n = seed % 10;
    const auto hidden = flipped(testing::random_pairwise(n, 0.4, seed), random_flips(n, seed));
    const auto flips = balancing_flips(hidden);
    ASSERT_TRUE(flips) << "seed " << seed;
    const auto found = flipped(hidden, *flips);
    EXPECT_EQ(submodularity_violation(found), std::nullopt);
    expect_flipped(hidden, found, *flips);
    EXPECT_TRUE(frustrated_cycle(hidden).empty());
  }
}

TEST(Balance, RandomGibbsFieldsThatWereFlippedAreFound) {
  int turned = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Index n = seed % 9;
    const auto hidden =
        flipped(testing::random_submodular_gibbs(n, 5, seed), random_flips(n, seed + 100));
    turned += submodularity_violation(hidden) ? 1 : 0;
    const auto flips = balancing_flips(hidden);
    ASSERT_TRUE(flips) << "seed " << seed;
    const auto found = flipped(hidden, *flips);
    EXPECT_EQ(submodularity_violation(found), std::nullopt);
    expect_flipped(hidden, found, *flips);
  }
  EXPECT_GT(turned, 20);
}

// Among all flips of a small field: there are some that help if and only if they are found.
TEST(Balance, FindsFlipsExactlyWhereThereAreSome) {
  int found = 0;
  int none = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    constexpr Index kN = 4;
    Random random(seed);
    const auto pairwise =
        make_pairwise_field({0, 0, 0, 0}, testing::random_edges(kN, 0.7, -2, 2, random));
    const auto gibbs = testing::random_gibbs(kN, 3, seed);
    bool pairwise_helps = false;
    bool gibbs_helps = false;
    for (std::uint64_t code = 0; code < 1 << kN; ++code) {
      const auto flips = reference::subset(code, kN);
      pairwise_helps |= !submodularity_violation(flipped(pairwise, flips));
      gibbs_helps |= !submodularity_violation(flipped(gibbs, flips));
    }
    ASSERT_EQ(balancing_flips(pairwise).has_value(), pairwise_helps) << "seed " << seed;
    ASSERT_EQ(balancing_flips(gibbs).has_value(), gibbs_helps) << "seed " << seed;
    ++(pairwise_helps ? found : none);
    ++(gibbs_helps ? found : none);
  }
  EXPECT_GT(found, 50);
  EXPECT_GT(none, 50);
}

TEST(Balance, SubmodularFieldsAreLeftAlone) {
  const auto flips = balancing_flips(field_with(3, {{0, 1, -1}, {1, 2, -2}}));
  EXPECT_EQ(flips, (std::vector<std::uint8_t>{0, 0, 0}));
  EXPECT_EQ(balancing_flips(field_with(0, {})), std::vector<std::uint8_t>{});
}

TEST(Balance, AnAttractiveTriangleCannotBeFixed) {
  const auto triangle = field_with(3, {{0, 1, 1}, {1, 2, 1}, {0, 2, 1}});
  EXPECT_EQ(balancing_flips(triangle), std::nullopt);
  EXPECT_EQ(frustrated_cycle(triangle), (std::vector<Index>{1, 0, 2}));
  // Two positive couplings and a negative one can; so can the triangle if one coupling is 0.
  EXPECT_TRUE(balancing_flips(field_with(3, {{0, 1, 1}, {1, 2, 1}, {0, 2, -1}})));
  EXPECT_TRUE(balancing_flips(field_with(3, {{0, 1, 1}, {1, 2, 1}, {0, 2, 0}})));
}

TEST(Balance, TheCycleNamedIsFrustrated) {
  int seen = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Random random(seed);
    const auto model = make_pairwise_field(std::vector<double>(12, 0.0),
                                           testing::random_edges(12, 0.2, -2, 2, random));
    const auto cycle = frustrated_cycle(model);
    ASSERT_EQ(cycle.empty(), balancing_flips(model).has_value());
    if (cycle.empty()) continue;
    ++seen;
    ASSERT_GE(cycle.size(), 3U);
    int positive = 0;
    std::vector<int> visits(12, 0);
    for (Index k = 0; k < cycle.size(); ++k) {
      ASSERT_EQ(++visits[cycle[k]], 1);
      const auto [a, b] = std::minmax(cycle[k], cycle[(k + 1) % cycle.size()]);
      double coupling = 0;
      for (const auto& [from, to, weight] : model.edges())
        if (from == a && to == b) coupling = weight;
      ASSERT_NE(coupling, 0) << a << "-" << b << " is no edge";
      positive += coupling > 0 ? 1 : 0;
    }
    EXPECT_EQ(positive % 2, 1) << "seed " << seed;
  }
  EXPECT_GT(seen, 20);
}

TEST(Balance, AGibbsFieldMayBeFrustratedBeyondItsPairs) {
  // Pair 0-1 repels or attracts as 2 decides: 1 - 2 [2], mean 0. No flip helps, and no cycle of
  // means says why.
  const auto model =
      make_gibbs_field({0, 0, 0}, std::vector<Monomial>{{{0, 1}, 1}, {{0, 1, 2}, -2}});
  EXPECT_EQ(balancing_flips(model), std::nullopt);
  EXPECT_TRUE(frustrated_cycle(model).empty());
}

TEST(Balance, FlippingTwiceLeavesNoResidue) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto model = testing::random_submodular_gibbs(7, 6, seed);
    const auto flips = random_flips(7, seed);
    EXPECT_EQ(submodularity_violation(flipped(flipped(model, flips), flips)), std::nullopt);
  }
}

// What cancels to 1 of 1e12 is a coefficient like any other: {0, 1, 2} attracts by that.
TEST(Balance, NoTermIsLostThatHugeOnesCancelTo) {
  const auto model = make_gibbs_field(
      {0, 0, 50}, std::vector<Monomial>{{{0, 1}, -1e12}, {{0, 1, 2}, 1'000'000'000'001}});
  const auto found = flipped(model, std::vector<std::uint8_t>{0, 0, 1});
  EXPECT_EQ(found.terms(), (std::vector<Monomial>{{{0, 1}, 1}, {{0, 1, 2}, -1'000'000'000'001}}));
  EXPECT_EQ(found.inherited_error, 0);
  EXPECT_EQ(submodularity_violation(found),
            "pair 0-1 has interaction 1 at its largest, which must be <= 0 for a submodular field");
  EXPECT_EQ(balancing_flips(model), std::nullopt);
}

// A violation of 1e-12 of the terms is one.
TEST(Balance, ATripleThatAttractsByOneIn1e12IsNoSubmodularField) {
  const auto model = make_gibbs_field(
      {1e12, 1e12, 0},
      std::vector<Monomial>{
          {{0, 1}, -1e12}, {{0, 2}, -1e12}, {{1, 2}, -1e12}, {{0, 1, 2}, 1'000'000'000'001}});
  EXPECT_EQ(submodularity_violation(model),
            "pair 0-1 has interaction 1 at its largest, which must be <= 0 for a submodular field");
}

// Flipping rounds every number once: the values of both stay within what both claim.
TEST(Balance, FlippedFieldsAreWithinTheirFacts) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Index n = 1 + seed % 6;
    Random random(seed);
    std::vector<double> bias(n);
    for (double& b : bias) b = std::exp2(random.uniform(-60, 60));
    std::vector<Monomial> terms;
    for (Index t = 0; n > 1 && t < 6; ++t)
      terms.push_back({testing::random_variables(n, 2 + random.below(n - 1), random),
                       std::exp2(random.uniform(-60, 60)) * (random.chance(0.5) ? 1 : -1)});
    const auto model = make_gibbs_field(bias, terms, 0.1);
    const auto flips = random_flips(n, seed);
    const auto found = flipped(model, flips);
    const double allowed = facts_of(found).value_error + facts_of(model).value_error;
    for (std::uint64_t code = 0; code < std::uint64_t{1} << n; ++code) {
      const auto chosen = reference::subset(code, n);
      auto turned = chosen;
      for (Index i = 0; i < n; ++i) turned[i] ^= flips[i];
      EXPECT_LE(std::abs(found.evaluate(chosen) - model.evaluate(turned)), allowed) << seed;
    }
  }
}

TEST(Balance, RefusesTooManyFlipsInOneMonomial) {
  std::vector<std::uint32_t> all(21);
  for (std::uint32_t i = 0; i < 21; ++i) all[i] = i;
  const auto model = make_gibbs_field(std::vector<double>(21, 0.0),
                                      std::vector<Monomial>{{{0, 1}, -1}, {all, -1}});
  EXPECT_EQ(testing::refusal([&] { flipped(model, std::vector<std::uint8_t>(21, 1)); }),
            "flips: term 1 has 21 flipped variables, more than the limit of 20");
}

}  // namespace
}  // namespace surefield
