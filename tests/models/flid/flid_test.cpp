#include "surefield/models/flid/flid.hpp"

#include <gtest/gtest.h>

#include "tests/support/random_flid.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/set_laws.hpp"
#include "tests/support/state_laws.hpp"

namespace surefield {
namespace {

static_assert(Model<Flid>);

/// What rounding may cost, relative to F: weights that cancel in F (its own weight in each
/// dimension, for an item alone) do not cancel to the last bit in the facility form.
double tolerance_of(const Flid& model) {
  double largest = 1;
  for (const double weight : model.weights) largest = std::max(largest, std::abs(weight));
  return 1e-14 * static_cast<double>(10 + model.dimensions) * largest;
}

TEST(Flid, StateObeysTheLaws) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Flid model = testing::random_flid(seed % 10, seed % 6, seed, seed % 4 == 0);
    testing::check_state_laws(model, seed, {.tolerance = tolerance_of(model)});
  }
}

TEST(Flid, SetObeysTheLaws) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Flid model = testing::random_flid(seed % 10, seed % 6, seed, seed % 4 == 0);
    testing::check_set_laws(model, seed, tolerance_of(model));
  }
}

TEST(Flid, TwoItemsByHand) {
  // Two dimensions: item 0 has weights 1, 2; item 1 has weights 3, 0.
  const Flid model = make_flid({1.0, 2.0}, {1.0, 2.0, 3.0, 0.0}, 2);
  EXPECT_EQ(model.evaluate(std::vector<std::uint8_t>{0, 0}), 0);
  EXPECT_EQ(model.evaluate(std::vector<std::uint8_t>{1, 0}),
            1);  // alone an item counts by its utility
  EXPECT_EQ(model.evaluate(std::vector<std::uint8_t>{1, 1}), 2);  // 3 + (3 - 4) + (2 - 2)
  const auto state = model.at(std::vector{0.5, 0.25});
  EXPECT_DOUBLE_EQ(state.value(), 0.875);    // 0.5 + 0.5 - 0.125, the one unit lost if both are in
  EXPECT_DOUBLE_EQ(state.partial(0), 0.75);  // 1 - 0.25
  EXPECT_DOUBLE_EQ(state.partial(1), 1.5);   // 2 - 0.5
}

TEST(Flid, NamesAWeightThatIsNotSubmodular) {
  const Flid model = make_flid({0, 0, 0, 0}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -0.5}, 3);
  EXPECT_EQ(submodularity_violation(model),
            "item 3 has weight -0.5 in dimension 2, which must be >= 0 (the best of no item is 0)");
  EXPECT_GT(reference::submodularity_gap(reference::all_values(make_flid({0, 0}, {1, -0.5}, 1)), 2),
            0.4);
  EXPECT_EQ(submodularity_violation(testing::random_flid(6, 3, 1)), std::nullopt);
}

TEST(Flid, AWeightedSumIsAFlid) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Index n = seed % 7;
    const Flid a = testing::random_flid(n, seed % 4, seed);
    const Flid b = testing::random_flid(n, seed % 3, seed + 100);
    Random random(seed);
    const double a_weight = seed % 5 == 0 ? 0 : random.uniform(0, 3);
    const double b_weight = random.uniform(0, 3);
    const Flid sum = sum_of(a_weight, a, b_weight, b);
    ASSERT_EQ(sum.dimensions, a.dimensions + b.dimensions);
    const auto values = reference::all_values(sum);
    for (std::size_t code = 0; code < values.size(); ++code) {
      const auto chosen = reference::subset(code, n);
      ASSERT_NEAR(values[code], a_weight * a.evaluate(chosen) + b_weight * b.evaluate(chosen),
                  1e-12);
    }
    testing::check_state_laws(sum, seed, {.tolerance = 1e-13, .moves = 10});
  }
}

TEST(Flid, RefusesToAddWhatDoesNotFit) {
  const Flid two = make_flid({0, 0}, {1, 1}, 1);
  const Flid one = make_flid({0}, {1}, 1);
  EXPECT_EQ(testing::refusal([&] { sum_of(1, two, 1, one); }),
            "sum of two flids: the first has 2 items, the second 1, which must be the same");
  EXPECT_EQ(testing::refusal([&] { sum_of(-1, two, 1, two); }),
            "sum of two flids: the first has factor -1, which must be finite and >= 0");
  EXPECT_EQ(testing::refusal([&] { sum_of(1, two, NAN, two); }),
            "sum of two flids: the second has factor nan, which must be finite and >= 0");
}

TEST(Flid, RefusesWhatIsMalformed) {
  const auto refusal = [](std::vector<double> utility, std::vector<double> weights,
                          Index dimensions) {
    return testing::refusal([&] { make_flid(utility, weights, dimensions); });
  };
  EXPECT_EQ(
      refusal({0, 0}, {1, 2, 3}, 2),
      "flid: there are 3 weights, which must be one for each of 2 items in each of 2 dimensions");
  EXPECT_EQ(
      refusal({0, 0}, {1}, 0),
      "flid: there are 1 weights, which must be one for each of 2 items in each of 0 dimensions");
  EXPECT_EQ(refusal({0, 0}, {}, Index{1} << 63),  // 2 * 2^63 would wrap to 0
            "flid: there are 0 weights, which must be one for each of 2 items in each of "
            "9223372036854775808 dimensions");
  EXPECT_EQ(refusal({0, NAN}, {1, 2}, 1), "flid: item 1 has utility nan, which must be finite");
  EXPECT_EQ(refusal({0, 0}, {1, 2, 3, -INFINITY}, 2),
            "flid: item 1 has weight -inf in dimension 1, which must be finite");
  EXPECT_EQ(refusal({0}, {1e308, 1e308}, 2),
            "flid: the sizes of all utilities and weights add up to inf, which must be finite");
  EXPECT_EQ(make_flid({}, {}, 3).size(), 0U);
  EXPECT_EQ(make_flid({1, 2}, {}, 0).evaluate(std::vector<std::uint8_t>{1, 1}), 3);
}

}  // namespace
}  // namespace surefield
