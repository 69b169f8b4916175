#include "surefield/bounds/log_z/exact/elimination.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/bounds/log_z/exact/term_tables.hpp"
#include "tests/support/random_gibbs.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

/// log Z and the marginals over the sets of the box, by enumeration.
template <class F>
Elimination enumerate(Index n, const Box& box, F&& value_of) {
  std::vector<double> terms;
  std::vector<std::vector<double>> with(n);
  for (std::uint64_t code = 0; code < std::uint64_t{1} << n; ++code) {
    const auto chosen = reference::subset(code, n);
    bool inside = true;
    for (Index i = 0; i < n; ++i) inside &= box[i].contains(chosen[i]);
    if (!inside) continue;
    terms.push_back(value_of(chosen));
    for (Index i = 0; i < n; ++i)
      if (chosen[i]) with[i].push_back(terms.back());
  }
  Elimination result;
  result.log_z = log_sum_exp(terms);
  for (Index i = 0; i < n; ++i)
    result.marginals.push_back(std::exp(log_sum_exp(with[i]) - result.log_z));
  return result;
}

void expect_equal(const Elimination& found, const Elimination& truth, double tolerance = 1e-12) {
  ASSERT_NEAR(found.log_z, truth.log_z, tolerance * (1 + std::abs(truth.log_z)));
  ASSERT_EQ(found.marginals.size(), truth.marginals.size());
  for (Index i = 0; i < truth.marginals.size(); ++i)
    ASSERT_NEAR(found.marginals[i], truth.marginals[i], 10 * tolerance) << "variable " << i;
}

template <class M>
void expect_exact(const M& model, const Box& box, double tolerance = 1e-12) {
  const auto found = eliminate(model, &box);
  const auto truth = enumerate(model.size(), box, [&](Subset s) { return model.evaluate(s); });
  expect_equal(found, truth, tolerance);
}

Box random_box(Index n, std::uint64_t seed) {
  Random random(seed);
  Box box = unit_box(n);
  for (Index i = 0; i < n; ++i)
    if (random.chance(0.2)) box.fix(i, random.chance(0.5) ? 1 : 0);
  return box;
}

PairwiseField grid(Index side, double strength, std::uint64_t seed) {
  Random random(seed);
  std::vector<Edge> edges;
  std::vector<double> bias(side * side);
  for (double& b : bias) b = random.uniform(-strength, strength);
  for (std::uint32_t i = 0; i < side * side; ++i) {
    if ((i + 1) % side != 0) edges.push_back({i, i + 1, random.uniform(-strength, strength)});
    if (i + side < side * side)
      edges.push_back(
          {i, static_cast<std::uint32_t>(i + side), random.uniform(-strength, strength)});
  }
  return make_pairwise_field(bias, edges, 0.25);
}

TEST(Elimination, PairsTogetherAreThoseOfEnumeration) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const PairwiseField model = grid(1 + seed % 3, seed % 2 == 0 ? 2 : 300, seed);
    FactorGraph tables = term_tables(AnyModel(model));
    const EliminationOrder order = elimination_order(tables);
    EliminationOptions how{.order = seed % 4 < 2 ? &order : nullptr, .together = true};
    if (seed % 5 == 0) how.keep = 1;  // segments, worked off twice
    const Elimination found = eliminate(tables, nullptr, how);
    ASSERT_EQ(found.together.size(), tables.factors.size());
    const auto values = reference::all_values(model);
    const double log_z = reference::log_z(values);
    for (Index f = 0; f < tables.factors.size(); ++f) {
      double both = 0;
      for (std::uint64_t code = 0; code < values.size(); ++code) {
        bool all = true;
        for (const auto v : tables.factors[f].variables) all &= (code >> v & 1) != 0;
        if (all) both += std::exp(values[code] - log_z);
      }
      ASSERT_NEAR(found.together[f], both, 1e-10) << "seed " << seed << " factor " << f;
    }
  }
  const auto model = make_pairwise_field({0, 0}, std::vector<Edge>{{0, 1, 1}});
  const Box box = unit_box(2);
  EXPECT_EQ(
      testing::refusal([&] { eliminate(term_tables(AnyModel(model)), &box, {.together = true}); }),
      "elimination: what the items of a factor do together goes with marginals and no box");
}

TEST(Elimination, TwoVariablesByHand) {
  const auto model =
      make_pairwise_field({std::log(2), std::log(3)}, std::vector<Edge>{{0, 1, std::log(0.5)}});
  const auto found = eliminate(model);
  EXPECT_NEAR(found.log_z, std::log(9), 1e-15);     // 1 + 2 + 3 + 2 * 3 / 2
  EXPECT_NEAR(found.marginals[0], 5.0 / 9, 1e-15);  // (2 + 3) / 9
  EXPECT_NEAR(found.marginals[1], 6.0 / 9, 1e-15);  // (3 + 3) / 9
  EXPECT_EQ(found.width, 2U);
}

TEST(Elimination, PairwiseFieldsAgreeWithEnumeration) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Index n = seed % 13;  // from empty and single over disconnected to dense
    const auto model = testing::random_pairwise(n, static_cast<double>(seed % 5) / 4, seed);
    expect_exact(model, unit_box(n));
    expect_exact(model, random_box(n, seed));
  }
}

TEST(Elimination, GibbsFieldsAgreeWithEnumeration) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Index n = seed % 12;
    const auto model = testing::random_gibbs(n, seed % 9, seed);
    expect_exact(model, unit_box(n));
    expect_exact(model, random_box(n, seed));
  }
}

TEST(Elimination, FactorGraphsWithZerosAgreeWithEnumeration) {
  int possible = 0;
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    Random random(seed);
    FactorGraph graph{.variables = seed % 11, .factors = {}};
    for (Index f = 0; f < 8; ++f) {
      Factor factor{testing::random_variables(graph.variables, random.below(5), random), {}};
      for (Index entry = 0; entry < Index{1} << factor.variables.size(); ++entry)
        factor.log_table.push_back(
            random.chance(0.2) && !factor.variables.empty() ? -kInfinity : random.uniform(-4, 4));
      graph.factors.push_back(std::move(factor));
    }
    const Box box = random_box(graph.variables, seed);
    const auto truth =
        enumerate(graph.variables, box, [&](Subset s) { return evaluate(graph, s); });
    if (truth.log_z == -kInfinity) {
      EXPECT_EQ(eliminate(graph, &box, {.marginals = false}).log_z, -kInfinity);
      continue;
    }
    ++possible;
    expect_equal(eliminate(graph, &box), truth);
  }
  EXPECT_GT(possible, 30);
}

// Couplings far beyond the range of a double: numbers would underflow, logs do not.
TEST(Elimination, HugeCouplingsStayExact) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    expect_exact(grid(3, 1000, seed), unit_box(9), 1e-11);
    expect_exact(grid(3, 1e5, seed), random_box(9, seed), 1e-11);
    expect_exact(grid(3, 1e-9, seed), unit_box(9));
  }
  // A chain whose first message is e^-1000 against 1, made up for by the last bias: x = (1, 1, 1)
  // has 1500, the rest at most 0.
  const auto chain =
      make_pairwise_field({-1000, 0, -500}, std::vector<Edge>{{0, 1, 500}, {1, 2, 2500}});
  EXPECT_NEAR(eliminate(chain).log_z, 2000, 1e-9);  // {1, 2}: -500 + 2500
  EXPECT_NEAR(eliminate(chain).marginals[1], 1, 1e-12);
  EXPECT_NEAR(eliminate(chain).marginals[0], 0, 1e-12);
}

// Large tables that nearly cancel: what is left of log Z is their rounding, and the error says so.
TEST(Elimination, TheErrorIsOfTheTablesAndNotOfWhatIsLeftOfThem) {
  double worst = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    FactorGraph graph{.variables = 2, .factors = {}};
    long double slope[2] = {0, 0};
    for (int k = 0; k < 40; ++k)
      for (const std::uint32_t i : {0U, 1U}) {
        const double last = -static_cast<double>(slope[i]);
        const double entry = k == 39 ? last : 1e10 * random.uniform(-1, 1);
        graph.factors.push_back({{i}, {0, entry}});
        slope[i] += entry;
      }
    const long double truth = std::log1p(std::exp(slope[0])) + std::log1p(std::exp(slope[1]));
    const Elimination found = eliminate(graph, nullptr, {});
    const auto off = static_cast<double>(std::abs(found.log_z - truth));
    EXPECT_LE(off, found.error) << seed;
    worst = std::max(worst, off);
  }
  EXPECT_GT(worst, 1e-8) << "the tables are too kind to tell";
}

TEST(Elimination, ALongChainHasItsTransferMatrixValue) {
  // No bias, coupling c: Z = sum of the entries of T^(n-1), T = (1 1; 1 e^c); scaled by hand at
  // every step.
  constexpr Index kLength = 3000;
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i + 1 < kLength; ++i) edges.push_back({i, i + 1, -1.5});
  const auto model = make_pairwise_field(std::vector<double>(kLength, 0.0), edges);
  double zero = 1;
  double one = 1;
  double log_scale = 0;
  for (Index i = 1; i < kLength; ++i) {
    const double next_zero = zero + one;
    one = zero + one * std::exp(-1.5);
    zero = next_zero;
    log_scale += std::log(zero);
    one /= zero;
    zero = 1;
  }
  const auto found = eliminate(model);
  EXPECT_NEAR(found.log_z, log_scale + std::log(zero + one), 1e-9);
  EXPECT_EQ(found.width, 2U);
  for (Index i = 0; i < kLength; ++i)
    ASSERT_NEAR(found.marginals[i], found.marginals[kLength - 1 - i], 1e-12);  // by symmetry
}

// Marginals are the slopes of log Z in the biases: a check where enumeration cannot go, with tables
// of many blocks.
TEST(Elimination, MarginalsAreTheSlopesOfLogZ) {
  const auto model = grid(13, 2, 5);
  const auto found = eliminate(model);
  EXPECT_LE(found.width, 16U);
  for (const Index i : {Index{0}, Index{84}, Index{130}}) {
    constexpr double kStep = 1e-4;
    auto up = model;
    auto down = model;
    up.bias[i] += kStep;
    down.bias[i] -= kStep;
    const double slope = (eliminate(up, nullptr, {.marginals = false}).log_z -
                          eliminate(down, nullptr, {.marginals = false}).log_z) /
                         (2 * kStep);
    EXPECT_NEAR(found.marginals[i], slope, 1e-7);
  }
}

// Keeping little and computing twice gives the same numbers to the last bit.
TEST(Elimination, SavingMemoryChangesNothing) {
  for (const Index side : {Index{3}, Index{8}, Index{11}}) {
    const auto model = grid(side, 2, side);
    const auto plenty = eliminate(model);
    for (const Index keep : {Index{0}, Index{100}}) {
      const auto sparing = eliminate(model, nullptr, {.keep = keep});
      EXPECT_EQ(sparing.log_z, plenty.log_z);
      EXPECT_EQ(sparing.marginals, plenty.marginals);
    }
  }
}

// A term over n variables makes one table over all of them: several blocks, hub and leaves.
TEST(Elimination, OneLargeTableAndAStar) {
  std::vector<std::uint32_t> all(14);
  for (std::uint32_t i = 0; i < 14; ++i) all[i] = i;
  std::vector<double> bias(14);
  for (Index i = 0; i < 14; ++i) bias[i] = 0.3 * static_cast<double>(i) - 2;
  expect_exact(make_gibbs_field(bias, std::vector<Monomial>{{all, 7.5}, {{0, 13}, -1}}),
               unit_box(14));
  std::vector<Edge> star;
  for (std::uint32_t i = 1; i < 14; ++i) star.push_back({0, i, 0.1 * i - 1});
  expect_exact(make_pairwise_field(bias, star), unit_box(14));
}

TEST(Elimination, AnOrderCoversEveryTable) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const auto model =
        seed % 2 == 0 ? grid(4 + seed % 14, 1, seed) : testing::random_pairwise(25, 0.15, seed);
    Box box = random_box(model.size(), seed);
    const auto order = elimination_order(term_tables(model), &box);
    ASSERT_TRUE(order.complete);
    std::vector<std::uint32_t> step(model.size(), 0);
    std::vector<int> visits(model.size(), 0);
    for (std::uint32_t s = 0; s < order.order.size(); ++s) {
      step[order.order[s]] = s;
      ++visits[order.order[s]];
    }
    Index width = 0;
    for (Index i = 0; i < model.size(); ++i) EXPECT_EQ(visits[i], box[i].is_point() ? 0 : 1);
    for (Index s = 0; s < order.order.size(); ++s) {
      width = std::max(width, order.later[s].size() + 1);
      ASSERT_TRUE(std::is_sorted(order.later[s].begin(), order.later[s].end()));
      if (order.later[s].empty()) continue;
      const auto& parent =
          order.later[order.later[s][0]];  // what is passed on must fit where it goes
      for (Index k = 1; k < order.later[s].size(); ++k)
        ASSERT_TRUE(std::binary_search(parent.begin(), parent.end(), order.later[s][k]));
    }
    EXPECT_EQ(order.width, width);
    for (const auto& [from, to, weight] : model.edges()) {
      if (visits[from] == 0 || visits[to] == 0 || weight == 0) continue;
      const auto [a, b] = std::minmax(step[from], step[to]);
      ASSERT_TRUE(std::binary_search(order.later[a].begin(), order.later[a].end(), b));
    }
  }
}

/// Every pair is coupled.
PairwiseField complete(std::uint32_t n) {
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = i + 1; j < n; ++j) edges.push_back({i, j, 1});
  return make_pairwise_field(std::vector<double>(n, 0.0), edges);
}

TEST(Elimination, WidthsOfKnownGraphs) {
  EXPECT_EQ(elimination_order(term_tables(make_pairwise_field({}, {}))).width, 0U);
  EXPECT_EQ(elimination_order(term_tables(make_pairwise_field({1, 2, 3}, {}))).width, 1U);
  const std::vector<Edge> cycle{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}, {4, 0, 1}};
  EXPECT_EQ(
      elimination_order(term_tables(make_pairwise_field(std::vector<double>(5, 0.0), cycle))).width,
      3U);
  EXPECT_EQ(elimination_order(term_tables(grid(20, 1, 1))).width, 21U);
  EXPECT_EQ(elimination_order(term_tables(complete(30))).width, 30U);
}

TEST(Elimination, RefusesWithTheReason) {
  EXPECT_EQ(testing::refusal([] { eliminate(grid(30, 1, 1)); }),
            "elimination: needs tables over 31 variables, more than the limit of 25");
  EXPECT_EQ(testing::refusal([] { eliminate(grid(3, 1, 1), nullptr, {.limit = 3}); }),
            "elimination: needs tables over 4 variables, more than the limit of 3");
  EXPECT_EQ(testing::refusal([] { eliminate(grid(3, 1, 1), nullptr, {.limit = 41}); }),
            "elimination: the limit is 41, which must be at most 40");
  std::vector<std::uint32_t> all(1500);
  for (std::uint32_t i = 0; i < 1500; ++i) all[i] = i;
  const auto wide =
      make_gibbs_field(std::vector<double>(1500, 0.0), std::vector<Monomial>{{all, 1}});
  EXPECT_EQ(testing::refusal([&] { eliminate(wide); }),
            "elimination: a product has 1500 items, more than a table's limit of 16");
  const auto dense = complete(120);
  EXPECT_EQ(testing::refusal([&] { eliminate(dense); }),
            "elimination: needs tables over at least 120 variables, more than the limit of 25");
  EXPECT_EQ(testing::refusal([] { eliminate(grid(110, 1, 1)); }),
            "elimination: found no order with tables over 25 variables or fewer");
  Box box = unit_box(9);
  box.low[4] = 0.25;
  EXPECT_EQ(testing::refusal([&] { eliminate(grid(3, 1, 1), &box); }),
            "elimination: variable 4 has the interval [0.25, 1], which must be [0, 1], 0 or 1");
  const FactorGraph impossible{.variables = 1, .factors = {{{0}, {-kInfinity, -kInfinity}}}};
  EXPECT_EQ(testing::refusal([&] { eliminate(impossible); }),
            "elimination: no set is possible, so there are no marginals");
}

}  // namespace
}  // namespace surefield
