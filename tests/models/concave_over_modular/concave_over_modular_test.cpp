#include "surefield/models/concave_over_modular/concave_over_modular.hpp"

#include <gtest/gtest.h>

#include "tests/support/random_concave.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/set_laws.hpp"
#include "tests/support/state_laws.hpp"

namespace surefield {
namespace {

static_assert(Model<ConcaveOverModular>);
using Group = ConcaveOverModular::Group;
using Members = std::vector<std::vector<Entry>>;
constexpr Concave kRoot{Concave::Kind::kPower, 0.5};

TEST(ConcaveOverModular, StateObeysTheLaws) {
  for (std::uint64_t seed = 1; seed <= 120; ++seed)
    testing::check_state_laws(testing::random_concave(seed % 9, seed % 3 == 0 ? 6 : 1, seed), seed,
                              {.tolerance = 5e-10, .moves = 25});
}

TEST(ConcaveOverModular, StateObeysTheLawsAtTheTightestTolerance) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed)
    testing::check_state_laws(testing::random_concave(seed % 8, seed % 2 ? 6 : 1, seed, 1e-13),
                              seed, {.tolerance = 2e-12, .moves = 25});
}

TEST(ConcaveOverModular, SetObeysTheLaws) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed)
    testing::check_set_laws(testing::random_concave(seed % 9, seed % 3 == 0 ? 30 : 1, seed), seed);
}

/// psi(y + m) - psi(y) without the cancellation.
double gain(const Concave& psi, double y, double m) {
  if (psi.kind == Concave::Kind::kLog) return std::log1p(m / (1 + y));
  if (psi.kind == Concave::Kind::kRatio) return m / ((1 + y) * (1 + y + m));
  return y == 0 ? psi(m) : psi(y) * std::expm1(psi.parameter * std::log1p(m / y));
}

TEST(ConcaveOverModular, NodesAndErrorsOverSixDecades) {
  // Twelve items, weights 10^u with u over 0, 3 and 6 decades, many points with corners: the error
  // of value and partials, each relative to itself, against enumeration. The figures are in
  // docs/models/concave_over_modular.md.
  constexpr Index n = 12;
  const std::vector<Concave> shapes{{Concave::Kind::kPower, 0.25},
                                    {Concave::Kind::kPower, 0.5},
                                    {Concave::Kind::kPower, 0.75},
                                    {Concave::Kind::kLog},
                                    {Concave::Kind::kRatio}};
  for (const Concave& shape : shapes)
    for (const double decades : {0.0, 3.0, 6.0}) {
      Random random(7);
      Members members(1);
      for (std::uint32_t i = 0; i < n; ++i)
        members[0].push_back({i, std::pow(10.0, decades * i / (n - 1))});
      const auto model =
          make_concave_over_modular(std::vector<double>(n, 0), {{1, shape}}, members);
      const auto values = reference::all_values(model);
      std::vector<std::vector<double>> gains(n);  // of item i to each set of the others
      for (Index i = 0; i < n; ++i)
        for (std::size_t code = 0; code < values.size(); ++code) {
          if (code >> i & 1) continue;
          double y = 0;
          for (const auto& [item, m] : members[0])
            if (code >> item & 1) y += m;
          gains[i].push_back(gain(shape, y, members[0][i].value));
        }
      double value_error = 0;
      double partial_error = 0;
      for (int trial = 0; trial < 12; ++trial) {
        std::vector<double> x(n);
        for (double& v : x) v = trial < 4 ? random.uniform() : testing::random_coordinate(random);
        const auto state = model.at(x);
        const double expected = reference::multilinear(values, x);
        if (expected > 0)
          value_error = std::max(value_error, std::abs(state.value() / expected - 1));
        for (Index i = 0; i < n; ++i) {
          auto rest = x;
          rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
          const double slope = reference::multilinear(gains[i], rest);
          partial_error = std::max(partial_error, std::abs(state.partial(i) / slope - 1));
        }
      }
      const auto nodes = model.quadratures[0].size();
      const auto name = std::string(text_of(shape.kind)) + "_" +
                        std::to_string(shape.parameter).substr(0, 4) + "_decades_" +
                        std::to_string(static_cast<int>(decades));
      RecordProperty(name, ::testing::PrintToString(nodes) + " nodes, value " +
                               message(value_error) + ", partial " + message(partial_error));
      EXPECT_LE(nodes, 80U) << name;
      EXPECT_LE(value_error, 1e-10) << name;
      EXPECT_LE(partial_error, 1e-10) << name;
    }
}

TEST(ConcaveOverModular, TwoItemsByHand) {
  // sqrt: weights 9 and 16, x = (1/2, 1/4): P(9) = 3/8, P(16) = 1/8, P(25) = 1/8.
  const Members members{{{1, 16}, {0, 9}}};
  const auto model = make_concave_over_modular({1, -1}, {{2, kRoot}}, members);
  EXPECT_DOUBLE_EQ(model.evaluate(std::vector<std::uint8_t>{1, 1}), 10);  // 1 - 1 + 2 * 5
  const auto state = model.at(std::vector{0.5, 0.25});
  EXPECT_NEAR(state.value(), 4.75, 1e-9);  // 0.5 - 0.25 + 2 (3 * 3/8 + 4 * 1/8 + 5 * 1/8)
  EXPECT_NEAR(state.partial(0), 6, 1e-9);  // 1 + 2 (3 * 3/4 + (5 - 4) 1/4)
  EXPECT_NEAR(state.partial(1), 5, 1e-9);  // -1 + 2 (4 * 1/2 + (5 - 3) 1/2)
}

TEST(ConcaveOverModular, TruncatedByHand) {
  // min(y, 2.5), weights 2, 2, 7 in group 0 (steps of 2, the 7 is anything above), and a group
  // whose limit is never reached.
  const Members members{{{0, 2}, {1, 2}, {2, 7}}, {{0, 1}, {2, 3}}};
  const auto model = make_concave_over_modular(
      {0, 0, 0}, {{1, {Concave::Kind::kTruncated, 2.5}}, {1, {Concave::Kind::kTruncated, 4}}},
      members);
  ASSERT_EQ(model.truncations.size(), 1U);
  EXPECT_EQ(model.truncations[0].cap, 2U);
  const auto state = model.at(std::vector{0.5, 0.5, 0.25});
  EXPECT_DOUBLE_EQ(state.value(),
                   1.21875 + 0.625 + 1.25);  // 3/4 (2 * 1/2 + 2.5 * 1/4) + 1/4 * 2.5, 0.5 + 0.75
  EXPECT_DOUBLE_EQ(state.partial(0), 0.9375 + 1);  // 3/4 (2 * 1/2 + 0.5 * 1/2) + 1/4 * 0
  EXPECT_DOUBLE_EQ(state.partial(2), 0.875 + 3);   // 2.5 * 1/4 + 0.5 * 1/2 + 0 * 1/4
}

TEST(ConcaveOverModular, SingleItemsEmptyGroupsAndZeroWeightsAreExact) {
  const Members members{{{0, 1e-300}}, {}, {{0, 0}, {1, 0}}, {{1, 4}, {0, 0}}};
  const auto model =
      make_concave_over_modular({0, 0}, {{1, kRoot}, {1, kRoot}, {1, kRoot}, {1, kRoot}}, members);
  const auto state = model.at(std::vector{0.5, 0.25});
  EXPECT_DOUBLE_EQ(state.value(), 0.5);  // 1/2 * 1e-150 + 1/4 * 2
  EXPECT_DOUBLE_EQ(state.partial(0), 1e-150);
  EXPECT_DOUBLE_EQ(state.partial(1), 2);
}

TEST(ConcaveOverModular, TinyProbabilitiesKeepTheirRelativeAccuracy) {
  const Members members{{{0, 1}, {1, 100}}};
  const auto model = make_concave_over_modular({0, 0}, {{1, kRoot}}, members);
  const auto state = model.at(std::vector{1e-200, 3e-200});
  EXPECT_NEAR(state.value() / 31e-200, 1, 1e-10);  // 1 * 1e-200 + 10 * 3e-200, all else is 1e-400
  EXPECT_NEAR(state.partial(0), 1, 1e-10);  // the slope of sqrt is infinite at 0, not this one
}

TEST(ConcaveOverModular, DoesNotDriftInAHundredThousandMoves) {
  const auto model = testing::random_concave(9, 6, 11);
  const auto values = reference::all_values(model);
  Random random(5);
  auto state = model.at(std::vector<double>(9, 0.5));
  for (int move = 0; move < 100000; ++move)
    state.set(random.below(9), testing::random_coordinate(random));
  for (Index i = 0; i < 9; ++i) state.set(i, random.uniform());
  const auto x = point_of(state);
  const auto fresh = model.at(x);
  EXPECT_EQ(state.value(), fresh.value());
  for (Index i = 0; i < 9; ++i)
    EXPECT_NEAR(state.partial(i), fresh.partial(i), 1e-13 * std::abs(fresh.partial(i))) << i;
  EXPECT_NEAR(state.value(), reference::multilinear(values, x), 1e-10 * std::abs(values.back()));
}

TEST(ConcaveOverModular, ALargeGroupSurvivesUnderflowAndZeroFactors) {
  // 3000 ones at x = 1: every product is e^-3000t, most of them 0; then all but the last leave
  // again.
  constexpr Index n = 3000;
  Members members(1);
  for (std::uint32_t i = 0; i < n; ++i) members[0].push_back({i, i + 1 == n ? 1e6 : 1.0});
  const auto model = make_concave_over_modular(std::vector<double>(n, 0), {{1, kRoot}}, members);
  auto state = model.at(std::vector<double>(n, 1));
  EXPECT_NEAR(state.value() / std::sqrt(1002999.0), 1, 1e-10);
  EXPECT_NEAR(state.partial(0) / (std::sqrt(1002999.0) - std::sqrt(1002998.0)), 1,
              1e-9);  // cancels in this line
  EXPECT_NEAR(state.partial(n - 1) / (std::sqrt(1002999.0) - std::sqrt(2999.0)), 1, 1e-10);
  for (Index i = 1; i + 1 < n; ++i) state.set(i, 0);
  EXPECT_NEAR(state.partial(n - 1) / (std::sqrt(1000001.0) - 1), 1, 1e-10);
  state.set(n - 1, 0);
  EXPECT_NEAR(state.partial(n - 1) / (std::sqrt(1000001.0) - 1), 1, 1e-10);
  EXPECT_NEAR(state.partial(0), 1, 1e-10);
  EXPECT_NEAR(state.value(), 1, 1e-10);
  state.set(0, 0);
  EXPECT_EQ(state.value(), 0);
  EXPECT_NEAR(state.partial(n - 1), 1000, 1e-7);
}

TEST(ConcaveOverModular, SetKeepsASmallRemainderBesideAHugeWeight) {
  const Members members{{{0, 1e30}, {1, 1e22}, {2, 1e14}, {3, 1e6}, {4, 1e-10}}};
  const auto model = make_concave_over_modular(std::vector<double>(5, 0),
                                               {{1, {Concave::Kind::kPower, 0.1}}}, members);
  auto set = model.empty_set();
  for (Index i = 0; i < 5; ++i) set.add(i);
  for (Index i = 0; i < 4; ++i) set.remove(i);
  EXPECT_DOUBLE_EQ(set.value(), 0.1);  // (1e-10)^0.1
  EXPECT_DOUBLE_EQ(set.gain(4), 0.1);
  set.remove(4);
  EXPECT_EQ(set.value(), 0);
}

TEST(ConcaveOverModular, GroupsAlikeShareAQuadrature) {
  const Members members{{{0, 1}, {1, 3}}, {{0, 1.5}, {1, 2.25}}, {{0, 1}, {1, 100}}};
  const auto model =
      make_concave_over_modular({0, 0}, {{1, kRoot}, {2, kRoot}, {1, kRoot}}, members);
  EXPECT_EQ(model.quadratures.size(), 2U);
  EXPECT_EQ(model.quadrature_of, (std::vector<std::uint32_t>{0, 0, 1}));
}

TEST(ConcaveOverModular, NamesTheGroupThatIsNotSubmodular) {
  const Members members{{{0, 1}, {1, 1}}, {{0, 1}}, {{0, 1}, {1, 2}}};
  const Concave linear{Concave::Kind::kPower, 1};
  EXPECT_EQ(submodularity_violation(make_concave_over_modular(
                {0, 0}, {{-1, linear}, {-1, kRoot}, {-1, kRoot}}, members)),
            "group 2 has weight -1, which must be >= 0 for a submodular function");
  EXPECT_EQ(submodularity_violation(make_concave_over_modular(
                {0, 0}, {{-1, linear}, {-1, kRoot}, {1, kRoot}}, members)),
            std::nullopt);  // linear, one item: modular whatever the sign
}

TEST(ConcaveOverModular, ANegativeGroupIsStillEvaluatedRight) {
  const Members members{{{0, 1}, {1, 2}, {2, 5}}};
  const auto model = make_concave_over_modular({0, 1, 0}, {{-3, {Concave::Kind::kLog}}}, members);
  testing::check_state_laws(model, 1, {.tolerance = 5e-10, .submodular = false});
  testing::check_set_laws(model, 1);
}

TEST(ConcaveOverModular, RefusesWhatIsNotAModel) {
  const auto refusal = [](std::vector<double> modular, std::vector<Group> groups, Members members,
                          double tolerance = 1e-10) {
    return testing::refusal(
        [&] { make_concave_over_modular(modular, groups, members, tolerance); });
  };
  const Group root{1, kRoot};
  EXPECT_EQ(refusal({0, NAN}, {}, {}),
            "concave over modular: item 1 has the modular weight nan, which must be finite");
  EXPECT_EQ(refusal({0}, {root}, {}),
            "concave over modular: there are 1 groups but 0 lists of members");
  EXPECT_EQ(refusal({0}, {root, {INFINITY, kRoot}}, {{}, {}}),
            "concave over modular: group 1 has weight inf, which must be finite");
  EXPECT_EQ(refusal({0}, {{1, {Concave::Kind::kPower, 2}}}, {{}}),
            "concave over modular: group 0 has the power 2, which must be above 0 and at most 1");
  EXPECT_EQ(refusal({0, 0}, {root}, {{{2, 1}}}),
            "concave over modular: group 0 holds item 2, but there are 2 items");
  EXPECT_EQ(refusal({0, 0}, {root}, {{{1, 1}, {1, 1}}}),
            "concave over modular: group 0 lists item 1 twice");
  EXPECT_EQ(
      refusal({0, 0, 0, 0, 0}, {root, root}, {{{4, 1}}, {{4, -2}}}),
      "concave over modular: group 1 gives item 4 the weight -2, which must be finite and >= 0");
  EXPECT_EQ(
      refusal({0}, {root}, {{{0, INFINITY}}}),
      "concave over modular: group 0 gives item 0 the weight inf, which must be finite and >= 0");
  const Group truncated{1, {Concave::Kind::kTruncated, 2}};
  EXPECT_EQ(refusal({0, 0, 0, 0}, {root, root, truncated}, {{}, {}, {{1, 2}, {3, 0.5}}}),
            "concave over modular: group 2 truncates the weight 0.5 of item 3, which must be a "
            "whole number");
  EXPECT_EQ(refusal({0, 0}, {{1, {Concave::Kind::kTruncated, 5e7}}}, {{{0, 1}, {1, 5e7}}}),
            "concave over modular: group 0 truncates at 5e+07, which needs a table of 5e+07 "
            "numbers, more than the "
            "16777216 allowed");
  EXPECT_EQ(
      refusal({0, 0}, {root}, {{{0, 1e300}, {1, 1e300}}}),
      "concave over modular: group 0 has the total weight 2e+300, which must be at most 1e+300");
  EXPECT_EQ(refusal({0, 0}, {{1e200, kRoot}}, {{{0, 1e280}, {1, 1}}}),
            "concave over modular: group 0 reaches the value inf, which must be finite");
  EXPECT_EQ(refusal({0, 0}, {root}, {{{0, 1e-300}, {1, 1e200}}}),
            "concave over modular: group 0 has weights from 1e-300 to 1e+200, too far apart for a "
            "tolerance of 1e-10");
  for (const double tolerance : {0.0, 1e-14, 0.5, -1.0, static_cast<double>(NAN)})
    EXPECT_EQ(refusal({0}, {}, {}, tolerance),
              message("concave over modular: the tolerance is ", tolerance,
                      ", which must be from 1e-13 to 0.01"));
}

}  // namespace
}  // namespace surefield
