#include "surefield/models/gibbs_field/gibbs_field.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/random_gibbs.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/set_laws.hpp"
#include "tests/support/state_laws.hpp"

namespace surefield {
namespace {

static_assert(Model<GibbsField>);

TEST(GibbsField, StateObeysTheLaws) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    testing::check_state_laws(testing::random_submodular_gibbs(seed % 10, seed, seed), seed);
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    testing::check_state_laws(testing::random_gibbs(seed % 9, seed, seed), seed,
                              {.submodular = false});
}

TEST(GibbsField, SetObeysTheLaws) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    testing::check_set_laws(testing::random_gibbs(seed % 10, seed, seed), seed);
}

TEST(GibbsField, ThreeVariablesByHand) {
  const std::vector<Monomial> terms{{{2, 0, 1}, -8.0}, {{1, 0}, 2.0}, {{0, 1}, 1.0}};
  const GibbsField model = make_gibbs_field({1.0, 2.0, -1.0}, terms, 0.5);
  const auto state = model.at(std::vector{0.5, 0.25, 1.0});
  EXPECT_DOUBLE_EQ(state.value(), -0.125);    // 0.5 + 0.5 + 0.5 - 1 + 3 * 0.125 - 8 * 0.125
  EXPECT_DOUBLE_EQ(state.partial(0), -0.25);  // 1 + 3 * 0.25 - 8 * 0.25
  EXPECT_DOUBLE_EQ(state.partial(1), -0.5);   // 2 + 3 * 0.5 - 8 * 0.5
  EXPECT_DOUBLE_EQ(state.partial(2), -2.0);   // -1 - 8 * 0.125
  EXPECT_EQ(model.terms(), (std::vector<Monomial>{{{0, 1}, 3.0}, {{0, 1, 2}, -8.0}}));
}

TEST(GibbsField, TermsOfOneAndNoVariableJoinBiasAndConstant) {
  const std::vector<Monomial> terms{{{}, 2.0}, {{1}, 3.0}, {{1}, 0.5}, {{0, 1}, -1.0}};
  const GibbsField model = make_gibbs_field({1.0, 1.0}, terms, 0.25);
  EXPECT_DOUBLE_EQ(model.constant, 2.25);
  EXPECT_EQ(model.bias, (std::vector{1.0, 4.5}));
  EXPECT_EQ(model.terms(), (std::vector<Monomial>{{{0, 1}, -1.0}}));
}

TEST(GibbsField, NoVariablesAtAll) {
  const GibbsField model = make_gibbs_field({}, std::vector<Monomial>{{{}, 2.0}}, 1);
  EXPECT_DOUBLE_EQ(model.at({}).value(), 3);
  EXPECT_DOUBLE_EQ(model.empty_set().value(), 3);
  EXPECT_EQ(submodularity_violation(model), std::nullopt);
}

TEST(GibbsField, AProductOfManySmallFactorsComesBackFromUnderflow) {
  std::vector<std::uint32_t> all(400);
  for (std::uint32_t i = 0; i < 400; ++i) all[i] = i;
  const GibbsField model =
      make_gibbs_field(std::vector<double>(400, 0.0), std::vector<Monomial>{{all, 3.0}});
  auto state = model.at(std::vector<double>(400, 1e-3));
  EXPECT_EQ(state.value(), 0);  // 10^-1200
  for (Index i = 0; i < 400; ++i) state.set(i, 1);
  EXPECT_NEAR(state.value(), 3, 1e-12);
  EXPECT_NEAR(state.partial(7), 3, 1e-12);
}

TEST(GibbsField, ACoordinateTooSmallForFullPrecisionLeavesNoTrace) {
  const GibbsField model =
      make_gibbs_field({0, 0, 0}, std::vector<Monomial>{{{0, 1}, 3.0}, {{0, 1, 2}, -2.0}});
  auto state = model.at(std::vector{5e-324, 1e-310, 0.3});
  EXPECT_NEAR(state.value(), 0, 1e-300);
  EXPECT_NEAR(state.partial(0), 0, 1e-300);
  state.set(0, 1);
  EXPECT_NEAR(state.partial(1), 2.4, 1e-14);  // 3 - 2 * 0.3
  state.set(1, 0.5);
  EXPECT_NEAR(state.value(), 1.2, 1e-14);
  state.set(2, 3e-320);
  EXPECT_NEAR(state.partial(2), -1, 1e-14);
}

TEST(GibbsField, HugeAndTinyCoefficientsKeepTheirRelativeAccuracy) {
  const std::vector<Monomial> terms{{{0, 1, 2}, -1e200}, {{3, 4, 5}, -1e-200}};
  const GibbsField model = make_gibbs_field(std::vector<double>(6, 0.0), terms);
  const auto state = model.at(std::vector<double>(6, 0.5));
  EXPECT_DOUBLE_EQ(state.partial(0), -0.25e200);
  EXPECT_DOUBLE_EQ(state.partial(4), -0.25e-200);
}

// What it says must be what enumeration finds, on fields that are submodular and on fields that are
// not.
TEST(GibbsField, SubmodularityAgreesWithEnumeration) {
  int yes = 0;
  int no = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const Index n = seed % 8;
    const auto model = seed % 4 == 0 ? testing::random_submodular_gibbs(n, 6, seed)
                                     : testing::random_gibbs(n, seed % 6, seed);
    const double gap = reference::submodularity_gap(reference::all_values(model), n);
    const auto reason = submodularity_violation(model);
    ASSERT_EQ(reason.has_value(), gap > 1e-10) << "seed " << seed << ", gap " << gap;
    ++(reason ? no : yes);
  }
  EXPECT_GT(yes, 50);
  EXPECT_GT(no, 50);
}

TEST(GibbsField, NamesThePairThatIsNotSubmodular) {
  const auto reason = [](std::vector<Monomial> terms, Index n = 6) {
    return submodularity_violation(make_gibbs_field(std::vector<double>(n, 0.0), terms));
  };
  EXPECT_EQ(
      reason({{{1, 4}, 0.5}, {{0, 1}, -1}}),
      "pair 1-4 has interaction 0.5 at its largest, which must be <= 0 for a submodular field");
  // Pair 0-1: -1 + 0.75 + 0.5 with 2 and 3 in the set; the pairs 0-2 and 1-2 have nothing to set
  // against 0.75.
  EXPECT_EQ(
      reason({{{0, 1}, -1}, {{0, 1, 2}, 0.75}, {{0, 1, 3}, 0.5}}),
      "pair 0-1 has interaction 0.25 at its largest, which must be <= 0 for a submodular field");
  // Order four. Pair 0-1: 2 [2] + 2 [3] - 4 [2 and 3] - 2.5 is never above -0.5, though the
  // positive parts add up to 1.5.
  EXPECT_EQ(reason({{{0, 1}, -2.5},
                    {{0, 1, 2}, 2},
                    {{0, 1, 3}, 2},
                    {{0, 1, 2, 3}, -4},
                    {{0, 2}, -2},
                    {{1, 2}, -2},
                    {{0, 3}, -2},
                    {{1, 3}, -2}}),
            std::nullopt);
  EXPECT_EQ(
      reason({{{0, 1}, -1.5},
              {{0, 1, 2}, 2},
              {{0, 1, 3}, 2},
              {{0, 1, 2, 3}, -4},
              {{0, 2}, -2},
              {{1, 2}, -2},
              {{0, 3}, -2},
              {{1, 3}, -2}}),
      "pair 0-1 has interaction 0.5 at its largest, which must be <= 0 for a submodular field");
}

TEST(GibbsField, SignsAreDecidedExactly) {
  // Each triple is paid for by its other pairs; pair 0-1 by its own coefficient.
  const auto reason = [](double own, double triple) {
    std::vector<Monomial> terms{{{0, 1}, own}};
    for (std::uint32_t k = 2; k < 5; ++k) {
      terms.push_back({{0, 1, k}, triple});
      terms.push_back({{0, k}, -triple});
      terms.push_back({{1, k}, -triple});
    }
    return submodularity_violation(make_gibbs_field(std::vector<double>(5, 0.0), terms));
  };
  // The doubles -0.3 + 0.1 + 0.1 + 0.1 add up to 2^-55.
  EXPECT_EQ(reason(-0.3, 0.1),
            "pair 0-1 has interaction 2.7755575615628914e-17 at its largest, which must be <= 0 "
            "for a submodular field");
  EXPECT_EQ(reason(std::nextafter(-0.3, -1), 0.1), std::nullopt);
  EXPECT_EQ(reason(-0.375, 0.125), std::nullopt);  // exactly 0
}

// Order four with both signs, where subsets are gone through: 1 [2] + 1 [3] - c [2 and 3] against
// the coupling, which misses by one in 2^110, whole numbers of 128 bits; and in 2^900, where those
// end.
TEST(GibbsField, SignsOfMixedGroupsAreDecidedExactly) {
  for (const double tiny : {0x1p-40, 0x1p-100, 0x1p-900}) {
    const auto reason = [&](double excess) {
      const std::vector<Monomial> terms{
          {{0, 1}, -1},      {{0, 1, 2}, 1},     {{0, 1, 3}, excess},  {{0, 1, 2, 3}, -3},
          {{0, 1, 4}, tiny}, {{0, 1, 5}, -tiny}, {{0, 1, 4, 5}, tiny}, {{0, 2}, -1},
          {{1, 2}, -1},      {{0, 3}, -1},       {{1, 3}, -1},         {{0, 4}, -1},
          {{1, 4}, -1},      {{0, 5}, -1},       {{1, 5}, -1},         {{4, 5}, -1}};
      return submodularity_violation(make_gibbs_field(std::vector<double>(6, 0.0), terms));
    };
    // Pair 0-1: -1 + max(1, excess) + tiny > 0.
    ASSERT_TRUE(reason(0.5)) << tiny;
    EXPECT_TRUE(reason(0.5)->starts_with("pair 0-1 has interaction ")) << *reason(0.5);
  }
  const auto mixed = [](double own, double low) {
    const std::vector<Monomial> terms{{{0, 1}, own},        {{0, 1, 2}, 1}, {{0, 1, 3}, low},
                                      {{0, 1, 2, 3}, -low}, {{0, 2}, -1},   {{1, 2}, -1},
                                      {{0, 3}, -1},         {{1, 3}, -1}};
    return submodularity_violation(make_gibbs_field(std::vector<double>(4, 0.0), terms));
  };
  for (const double low : {0x1p-40, 0x1p-100, 0x1p-900}) {
    EXPECT_EQ(mixed(-1, low), std::nullopt) << low;  // the best is {2} or {2, 3}: exactly 0
    EXPECT_TRUE(mixed(std::nextafter(-1.0, 0.0), low)) << low;
  }
}

TEST(GibbsField, SaysWhenItCannotDecide) {
  std::vector<Monomial> terms{{{0, 1}, -1}};
  for (std::uint32_t k = 2; k < 22; ++k) terms.push_back({{0, 1, k, k + 1}, k % 2 ? 1.0 : -1.0});
  EXPECT_EQ(
      submodularity_violation(make_gibbs_field(std::vector<double>(23, 0.0), terms)),
      "pair 0-1 interacts through more than 20 other variables: whether the field is submodular "
      "cannot be decided");
}

TEST(GibbsField, RefusesWhatIsNotAField) {
  const auto refusal = [](std::vector<double> bias, std::vector<Monomial> terms,
                          double constant = 0) {
    return testing::refusal([&] { make_gibbs_field(bias, terms, constant); });
  };
  EXPECT_EQ(refusal({0, NAN}, {}), "gibbs field: variable 1 has bias nan, which must be finite");
  EXPECT_EQ(refusal({}, {}, INFINITY), "gibbs field: the constant is inf, which must be finite");
  EXPECT_EQ(refusal({0, 0}, {{{0}, 1}, {{0, 2}, 1}}),
            "gibbs field: term 1 holds variable 2, but there are 2");
  EXPECT_EQ(refusal({0, 0}, {{{1, 0, 1}, 1}}), "gibbs field: term 0 holds variable 1 twice");
  EXPECT_EQ(refusal({0, 0}, {{{0, 1}, NAN}}),
            "gibbs field: term 0 has coefficient nan, which must be finite");
}

}  // namespace
}  // namespace surefield
