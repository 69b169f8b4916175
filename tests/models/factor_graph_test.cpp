#include "surefield/models/factor_graph.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/quad_truth.hpp"
#include "tests/support/random_gibbs.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

constexpr double kZero = -kInfinity;

FactorGraph random_graph(Index n, Index factors, Index largest, std::uint64_t seed) {
  Random random(seed);
  FactorGraph graph{.variables = n, .factors = {}};
  for (Index f = 0; f < factors; ++f) {
    Factor factor{testing::random_variables(n, random.below(largest + 1), random), {}};
    for (Index entry = 0; entry < Index{1} << factor.variables.size(); ++entry)
      factor.log_table.push_back(random.chance(0.2) ? 0 : random.uniform(-3, 3));
    graph.factors.push_back(std::move(factor));
  }
  return graph;
}

double value_of(const Field& field, Subset chosen) {
  return std::visit([&](const auto& model) { return model.evaluate(chosen); }, field.model);
}

bool inside(const Box& box, Subset chosen) {
  for (Index i = 0; i < box.size(); ++i)
    if (!box[i].contains(chosen[i])) return false;
  return true;
}

/// The field has the value of the graph on every set of its box, and every set that is possible
/// lies in the box.
void expect_same(const FactorGraph& graph, const Field& field, const Box* evidence = nullptr) {
  const Index n = graph.variables;
  for (std::uint64_t code = 0; code < std::uint64_t{1} << n; ++code) {
    const auto chosen = reference::subset(code, n);
    const double truth = evaluate(graph, chosen);
    if (inside(field.box, chosen)) {
      ASSERT_NEAR(value_of(field, chosen), truth, 1e-10) << "set " << code;
    } else if (evidence == nullptr || inside(*evidence, chosen)) {
      ASSERT_EQ(truth, kZero) << "set " << code << " is possible but not in the box";
    }
  }
}

TEST(FactorGraph, TheLastVariableVariesFastest) {
  const FactorGraph graph{.variables = 2, .factors = {{{1, 0}, {1, 2, 3, 4}}}};
  EXPECT_EQ(evaluate(graph, std::vector<std::uint8_t>{1, 0}), 2);  // variable 1 = 0, variable 0 = 1
  EXPECT_EQ(evaluate(graph, std::vector<std::uint8_t>{0, 1}), 3);
}

TEST(FactorGraph, OneTableByHand) {
  const FactorGraph graph{.variables = 2,
                          .factors = {{{0, 1}, {1, 2, 4, 8}}, {{}, {0.5}}, {{1}, {0, 1}}}};
  const auto field = field_of(graph);
  const auto& model = std::get<PairwiseField>(field.model);
  EXPECT_DOUBLE_EQ(model.constant, 1.5);
  EXPECT_EQ(model.bias, (std::vector{3.0, 2.0}));              // 4 - 1 and 2 - 1 + 1
  EXPECT_EQ(model.edges(), (std::vector<Edge>{{0, 1, 3.0}}));  // 8 - 4 - 2 + 1
  EXPECT_EQ(field.box, unit_box(2));
}

TEST(FactorGraph, FieldHasTheValuesOfTheTables) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto graph = random_graph(seed % 9, seed % 12, 2 + seed % 4, seed);
    expect_same(graph, field_of(graph));
  }
}

TEST(FactorGraph, PairwiseTablesGiveAPairwiseField) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    EXPECT_TRUE(
        std::holds_alternative<PairwiseField>(field_of(random_graph(6, 12, 2, seed)).model));
  // A table over three variables that is a sum of two over pairs, up to rounding.
  Random random(7);
  Factor factor{{0, 1, 2}, {}};
  double first[4];
  double second[4];
  for (double& v : first) v = random.uniform(-3, 3);
  for (double& v : second) v = random.uniform(-3, 3);
  for (Index entry = 0; entry < 8; ++entry)
    factor.log_table.push_back(first[entry / 2] + second[entry % 4]);
  const FactorGraph graph{.variables = 3, .factors = {factor}};
  const auto field = field_of(graph);
  ASSERT_TRUE(std::holds_alternative<PairwiseField>(field.model));
  EXPECT_EQ(std::get<PairwiseField>(field.model).edges().size(), 2U);  // 0-1 and 1-2, not 0-2
  expect_same(graph, field);
}

TEST(FactorGraph, CouplingsThatCancelAreLeftOut) {
  const FactorGraph graph{
      .variables = 2,
      .factors = {{{0, 1}, {0, 0, 0, 0.3}}, {{1, 0}, {0, 0, 0, -0.1}}, {{0, 1}, {0, 0, 0, -0.2}}}};
  EXPECT_TRUE(std::get<PairwiseField>(field_of(graph).model)
                  .edges()
                  .empty());  // 0.3 - 0.1 - 0.2 = -2.8e-17
}

/// |field - tables| at every set, to what the field claims.
void expect_within_facts(const FactorGraph& graph, const Field& field) {
  const Facts facts = std::visit([](const auto& model) { return facts_of(model); }, field.model);
  for (std::uint64_t code = 0; code < std::uint64_t{1} << graph.variables; ++code) {
    const auto chosen = reference::subset(code, graph.variables);
    const double tables = evaluate(graph, chosen);
    EXPECT_LE(std::abs(value_of(field, chosen) - tables),
              facts.value_error + 0x1p-52 * std::abs(tables))
        << "set " << code;
  }
  EXPECT_LT(facts.value_error, 1e-9);
}

// What is left out of a field, and what it rounds, it claims as its error.
TEST(FactorGraph, WhatIsLeftOutIsInherited) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const auto graph = random_graph(6, 8, 1 + seed % 5, seed);
    expect_within_facts(graph, field_of(graph));
  }
  const FactorGraph cancelling{
      .variables = 2,
      .factors = {{{0, 1}, {0, 0, 0, 0.3}}, {{1, 0}, {0, 0, 0, -0.1}}, {{0, 1}, {0, 0, 0, -0.2}}}};
  const auto field = field_of(cancelling);
  EXPECT_GT(std::get<PairwiseField>(field.model).inherited_error, 2.7e-17);
  expect_within_facts(cancelling, field);
}

// The numbers of the field themselves, not how it adds them up: sums of up to 256 entries of a table, each rounded.
TEST(FactorGraph, WhatTheNumbersOfAFieldAreRoundedByIsInherited) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto graph = random_graph(8, 1, 8, seed);
    const Field field = field_of(graph);
    const auto distance = [&](const auto& model) {
      testing::Quad most = 0;
      for (std::uint64_t code = 0; code < std::uint64_t{1} << graph.variables; ++code) {
        const auto chosen = reference::subset(code, graph.variables);
        most = std::max(most, testing::size_of(testing::exact_value(model, chosen) -
                                               testing::Quad(evaluate(graph, chosen))));
      }
      EXPECT_LE(most, testing::Quad(model.inherited_error)) << "seed " << seed;
    };
    std::visit(distance, field.model);
  }
}

// A table over three variables whose pairs interact by 0 or less: as logarithms of rounded numbers by
// 1e-17 more here and there. It is taken for what it is but for that.
TEST(FactorGraph, TablesThatAreSubmodularButForTheirLogarithmsAreSubmodular) {
  int repaired = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    // min(1, number of chosen) is tight: the pair does not interact once the third is there.
    const double height = random.uniform(0.1, 5);
    FactorGraph graph{.variables = 3, .factors = {{{0, 1, 2}, {}}}};
    double linear[3];
    for (double& v : linear) v = random.uniform(-2, 2);
    for (Index entry = 0; entry < 8; ++entry) {
      double value = entry == 0 ? 0 : height;
      for (Index p = 0; p < 3; ++p) value += (entry >> p) & 1 ? linear[p] : 0;
      graph.factors[0].log_table.push_back(std::log(std::exp(value)));
    }
    const auto field = field_of(graph);
    const auto& model = std::get<GibbsField>(field.model);
    EXPECT_EQ(submodularity_violation(model), std::nullopt) << seed;
    expect_within_facts(graph, field);
    repaired += model.coefficient.size() == 4;
  }
  EXPECT_EQ(repaired, 200);
  // A violation that no rounding explains stays one.
  const FactorGraph attracting{.variables = 3,
                               .factors = {{{0, 1, 2}, {0, 1, 1, 1, 1, 1, 1, 1 + 1e-12}}}};
  EXPECT_TRUE(submodularity_violation(std::get<GibbsField>(field_of(attracting).model)));
}

TEST(FactorGraph, AZeroOfOneVariableFixesIt) {
  const FactorGraph graph{.variables = 3,
                          .factors = {{{0}, {kZero, 1}}, {{0, 1, 2}, {1, 2, 3, 4, 5, 6, 7, 9}}}};
  const auto field = field_of(graph);
  EXPECT_EQ(field.box.low, (std::vector{1.0, 0.0, 0.0}));
  EXPECT_EQ(field.box.high, (std::vector{1.0, 1.0, 1.0}));
  const auto& model = std::get<PairwiseField>(field.model);    // only 1 and 2 are left
  EXPECT_EQ(model.edges(), (std::vector<Edge>{{1, 2, 1.0}}));  // 9 - 7 - 6 + 5
  EXPECT_DOUBLE_EQ(model.constant, 6);                         // 1 + 5
  expect_same(graph, field);
}

TEST(FactorGraph, FixingGoesOnUntilNothingChanges) {
  // 3 = 1; not (3 and not 2), so 2 = 1; 2 and 1 differ, so 1 = 0; 1 or 0, so 0 = 1. Listed so that
  // one pass is not enough.
  FactorGraph graph{.variables = 5,
                    .factors = {{{0, 1}, {kZero, 2, 3, 4}},
                                {{1, 2}, {kZero, 1, 2, kZero}},
                                {{3, 2}, {0, 0, kZero, 5}},
                                {{3}, {kZero, 0}},
                                {{0, 4}, {0, kZero, 1, 2}}}};
  for (int order = 0; order < 2; ++order) {  // forwards and backwards
    const auto field = field_of(graph);
    EXPECT_EQ(field.box.low, (std::vector<double>{1, 0, 1, 1, 0}));
    EXPECT_EQ(field.box.high, (std::vector<double>{1, 0, 1, 1, 1}));
    expect_same(graph, field);
    std::ranges::reverse(graph.factors);
  }
}

TEST(FactorGraph, ZerosInRandomTablesAreRemovedOrRefused) {
  int kept = 0;
  int refused = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    auto graph = random_graph(6, 7, 3, seed);
    Random random(seed + 1000);
    for (auto& factor : graph.factors)
      for (double& value : factor.log_table)
        if (random.chance(factor.variables.size() == 1 ? 0.4 : 0.1)) value = kZero;
    const auto reason = testing::refusal([&] {
      expect_same(graph, field_of(graph));
      ++kept;
    });
    refused += reason != "(nothing was refused)" ? 1 : 0;
  }
  EXPECT_EQ(kept + refused, 300);
  EXPECT_GT(kept, 20);
  EXPECT_GT(refused, 20);
}

TEST(FactorGraph, EvidenceFixesAndOtherIntervalsAreKept) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto graph = random_graph(6, 9, 3, seed);
    Box evidence = unit_box(6);
    evidence.fix(1, 0);
    evidence.fix(4, 1);
    const auto field = field_of(graph, &evidence);
    EXPECT_EQ(field.box, evidence);
    expect_same(graph, field, &evidence);
  }
  Box evidence = unit_box(2);
  evidence.low[0] = 0.25;
  const FactorGraph graph{.variables = 2, .factors = {{{0, 1}, {0, 1, 2, 4}}}};
  EXPECT_EQ(field_of(graph, &evidence).box, evidence);
  evidence.fix(1, 0);  // rules out the zero
  EXPECT_EQ(field_of({2, {{{0, 1}, {0, kZero, 2, kZero}}}}, &evidence).box, evidence);
}

TEST(FactorGraph, NoVariablesAndNoFactors) {
  const auto field = field_of({.variables = 0, .factors = {{{}, {2.5}}}});
  EXPECT_EQ(value_of(field, {}), 2.5);
  EXPECT_EQ(value_of(field_of({.variables = 1, .factors = {}}), std::vector<std::uint8_t>{1}), 0);
}

TEST(FactorGraph, RefusesWithTheReason) {
  const auto refusal = [](Index n, std::vector<Factor> factors, const Box* evidence = nullptr) {
    return testing::refusal([&] { field_of({n, std::move(factors)}, evidence); });
  };
  EXPECT_EQ(refusal(2, {{{}, {0}}, {{2}, {0, 0}}}),
            "factor graph: factor 1 holds variable 2, but there are 2");
  EXPECT_EQ(refusal(2, {{{1, 1}, {0, 0, 0, 0}}}), "factor graph: factor 0 holds variable 1 twice");
  EXPECT_EQ(refusal(2, {{{0, 1}, {0, 0}}}),
            "factor graph: factor 0 has a table of 2 entries, which must be 4");
  EXPECT_EQ(refusal(1, {{{0}, {0, NAN}}}),
            "factor graph: factor 0 has log nan at entry 1, which must be finite or -inf");
  EXPECT_EQ(refusal(1, {{{0}, {INFINITY, 0}}}),
            "factor graph: factor 0 has log inf at entry 0, which must be finite or -inf");
  std::vector<std::uint32_t> many(27);
  for (std::uint32_t i = 0; i < 27; ++i) many[i] = i;
  EXPECT_EQ(refusal(27, {{many, {}}}),
            "factor graph: factor 0 has 27 variables, more than the limit of 26");
  EXPECT_EQ(
      refusal(2, {{{}, {0}}, {{0, 1}, {0, 0, kZero, 0}}}),
      "factor graph: factor 1 is zero at entry 2, which no fixed variable rules out; only positive "
      "tables can be written as a field");
  EXPECT_EQ(refusal(1, {{{0}, {0, kZero}}, {{0}, {kZero, 0}}}),
            "factor graph: no set is possible: factor 0 is zero wherever it agrees with the fixed "
            "variables");
  EXPECT_EQ(refusal(0, {{{}, {kZero}}}),
            "factor graph: no set is possible: factor 0 is zero wherever it agrees with the fixed "
            "variables");
  Box evidence = unit_box(1);
  evidence.high[0] = 0.5;
  EXPECT_EQ(refusal(1, {{{0}, {kZero, 0}}}, &evidence),
            "factor graph: variable 0 must be 1 by the zeros of the factors, but the evidence has "
            "it in [0, 0.5]");
  EXPECT_EQ(refusal(2, {}, &evidence),
            "box: it has 1 lower and 1 upper ends, but there are 2 coordinates");
}

}  // namespace
}  // namespace surefield
