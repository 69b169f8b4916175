#include "surefield/models/fldc/fldc.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "surefield/models/any_model.hpp"
#include "surefield/models/at_inverse_temperature.hpp"
#include "tests/support/random_fldc.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/set_laws.hpp"
#include "tests/support/state_laws.hpp"

namespace surefield {
namespace {

static_assert(Model<Fldc>);

/// What rounding may cost, relative to F: weights that cancel in F do not cancel to the last bit in the
/// two facility locations.
double tolerance_of(const Fldc& model) {
  double largest = 1;
  for (const double weight : model.weights) largest = std::max(largest, std::abs(weight));
  for (const double v : model.coherence) largest = std::max(largest, std::abs(v));
  return 1e-14 * static_cast<double>(10 + model.dimensions + model.concepts) * largest;
}

TEST(Fldc, StateAndSetObeyTheLaws) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Fldc model =
        testing::random_fldc(seed % 9, seed % 4, (seed + 1) % 3, seed, seed % 4 == 0);
    testing::check_state_laws(model, seed, {.tolerance = tolerance_of(model), .submodular = false});
    testing::check_set_laws(model, seed, tolerance_of(model));
  }
}

TEST(Fldc, ThreeItemsByHand) {
  // One dimension: weights 1, 3, 0. One concept: coherences 2, 0.5, 0.
  const Fldc model = make_fldc({1, 2, -1}, {1, 3, 0}, 1, {2, 0.5, 0}, 1);
  const auto value = [&](std::vector<std::uint8_t> in) { return model.evaluate(in); };
  EXPECT_EQ(value({0, 0, 0}), 0);
  EXPECT_EQ(value({1, 0, 0}), 1);    // alone an item counts by its utility
  EXPECT_EQ(value({1, 1, 0}), 2.5);  // 1 + 2 + (3 - 4) + (2.5 - 2): min 1 lost, min 0.5 won
  EXPECT_EQ(value({1, 1, 1}), 1.5);  // the third shares nothing
  const auto state = model.at(std::vector{0.5, 0.25, 1.0});
  EXPECT_DOUBLE_EQ(state.value(), -0.0625);   // 0.5 + 0.5 - 1 - 0.5 * 0.125
  EXPECT_DOUBLE_EQ(state.partial(0), 0.875);  // 1 - 0.5 * 0.25
  EXPECT_DOUBLE_EQ(state.partial(1), 1.75);   // 2 - 0.5 * 0.5
  EXPECT_DOUBLE_EQ(state.partial(2), -1);
}

TEST(Fldc, WithoutConceptsIsTheFlid) {
  const Flid flid = testing::random_flid(7, 3, 5);
  const Fldc model = make_fldc(flid.utility, flid.weights, 3, {}, 0);
  for (std::size_t code = 0; code < 128; ++code)
    EXPECT_EQ(model.evaluate(reference::subset(code, 7)),
              flid.evaluate(reference::subset(code, 7)));
  EXPECT_EQ(submodularity_violation(model), std::nullopt);
}

TEST(Fldc, SaysWhatIsNotSubmodular) {
  EXPECT_EQ(submodularity_violation(make_fldc({0, 0}, {1, 1}, 1, {0, 2}, 1)), std::nullopt);
  EXPECT_EQ(
      submodularity_violation(make_fldc({0, 0, 0}, {}, 0, {0.5, 0, 2}, 1)),
      "items 0 and 2 have coherence 0.5 and 2 in concept 0: they may add more together than by "
      "themselves");
  EXPECT_EQ(submodularity_violation(make_fldc({0, 0}, {1, -1}, 1, {}, 0)),
            "item 1 has weight -1 in dimension 0, which must be >= 0 (the best of no item is 0)");
  EXPECT_EQ(submodularity_violation(make_fldc({0, 0}, {}, 0, {-1, 0}, 1)),
            "item 0 has coherence -1 in concept 0, which must be >= 0 (the best of no item is 0)");
  EXPECT_FALSE(AnyModel(make_fldc({0, 0, 0}, {}, 0, {0.5, 0, 2}, 1)).facts().is_submodular());
}

TEST(Fldc, IsItsOwnFamilyAtEveryTemperature) {
  const Fldc model = testing::random_fldc(5, 2, 2, 3);
  const Fldc cold = at_inverse_temperature(model, 2.5);
  for (std::size_t code = 0; code < 32; ++code)
    EXPECT_NEAR(cold.evaluate(reference::subset(code, 5)),
                2.5 * model.evaluate(reference::subset(code, 5)), 1e-12);
}

TEST(Fldc, RefusesWhatIsMalformed) {
  EXPECT_EQ(
      testing::refusal([] {
        make_fldc({0, 0}, {1, 2, 3}, 1, {}, 0);
      }),
      "fldc: there are 3 weights, which must be one for each of 2 items in each of 1 dimensions");
  EXPECT_EQ(
      testing::refusal([] {
        make_fldc({0, 0}, {}, 0, {1}, 1);
      }),
      "fldc: there are 1 coherences, which must be one for each of 2 items in each of 1 concepts");
  EXPECT_EQ(testing::refusal([] {
              make_fldc({0, NAN}, {}, 0, {}, 0);
            }),
            "fldc: item 1 has utility nan, which must be finite");
  EXPECT_EQ(testing::refusal([] { make_fldc({0}, {INFINITY}, 1, {}, 0); }),
            "fldc: item 0 has weight inf in dimension 0, which must be finite");
  EXPECT_EQ(testing::refusal([] { make_fldc({0}, {}, 0, {-INFINITY}, 1); }),
            "fldc: item 0 has coherence -inf in concept 0, which must be finite");
  EXPECT_EQ(testing::refusal([] { make_fldc({0}, {1e308}, 1, {1e308}, 1); }),
            "fldc: the sizes of all utilities, weights and coherences add up to inf, which must be "
            "finite");
  EXPECT_EQ(make_fldc({}, {}, 3, {}, 2).size(), 0U);
}

// Beside the only item of a set, which lowers twenty concepts by 1, every other item gains about 20 by concepts: the difference
// of its two gains is rounded at that size, whatever its own numbers are.
TEST(Fldc, FactsCountTheDifferenceOfTheTwoGains) {
  constexpr Index kN = 50, kConcepts = 20;
  std::vector<double> together(kN * kConcepts, -0.01);
  std::fill_n(together.begin(), kConcepts, -1);
  const Fldc model = make_fldc(std::vector<double>(kN, 0.01), std::vector<double>(kN, 0.01), 1,
                               std::move(together), kConcepts);
  auto set = model.best_coherence.empty_set();
  set.add(0);
  const double gain = std::abs(set.gain(1));
  EXPECT_GT(gain, 19);
  const Facts added = facts_of(model.best_weight), taken = facts_of(model.best_coherence);
  const Facts facts = facts_of(model);
  EXPECT_GE(facts.gain_error, added.gain_error + taken.gain_error + 0x1p-53 * gain);
  EXPECT_GE(facts.gain_error_sum,
            added.gain_error_sum + taken.gain_error_sum + (kN - 1) * 0x1p-53 * gain);
}

}  // namespace
}  // namespace surefield
