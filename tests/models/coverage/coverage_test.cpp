#include "surefield/models/coverage/coverage.hpp"

#include <gtest/gtest.h>

#include "tests/support/random_coverage.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/set_laws.hpp"
#include "tests/support/state_laws.hpp"

namespace surefield {
namespace {

static_assert(Model<Coverage>);

TEST(Coverage, StateObeysTheLaws) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed)
    testing::check_state_laws(testing::random_coverage(seed % 10, seed % 7, seed, seed % 3 == 0),
                              seed, {.tolerance = 1e-13});
}

TEST(Coverage, SetObeysTheLaws) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    testing::check_set_laws(testing::random_coverage(seed % 11, seed % 7, seed, seed % 3 == 0),
                            seed, 1e-13);
}

TEST(Coverage, TwoItemsByHand) {
  // Concept 0 (weight 2): item 0 surely, item 1 by half. Concept 1 (weight 4): item 1 surely.
  const std::vector<std::vector<Entry>> members{{{0, 1.0}, {1, 0.5}}, {{1, 1.0}}};
  const Coverage model = make_coverage({1.0, 2.0}, {2.0, 4.0}, members);
  EXPECT_EQ(model.evaluate(std::vector<std::uint8_t>{0, 1}), 3);  // -2 + 2 * 0.5 + 4
  EXPECT_EQ(model.evaluate(std::vector<std::uint8_t>{1, 1}), 3);  // -3 + 2 + 4
  const auto state = model.at(std::vector{0.5, 0.5});
  EXPECT_DOUBLE_EQ(state.value(), 1.75);    // -0.5 - 1 + 2 (1 - 0.5 * 0.75) + 4 * 0.5
  EXPECT_DOUBLE_EQ(state.partial(0), 0.5);  // -1 + 2 * 0.75
  EXPECT_DOUBLE_EQ(state.partial(1), 2.5);  // -2 + 2 * 0.5 * 0.5 + 4
}

TEST(Coverage, DoesNotDrift) {
  // 2e5 replacements, zero factors included, that end where the product is about 1/2: what they
  // lost on the way would show there.
  constexpr Index kItems = 40;
  Random random(5);
  std::vector<std::vector<Entry>> members(1);
  for (std::uint32_t i = 0; i < kItems; ++i)
    members[0].push_back({i, i % 4 == 0 ? 1 : random.uniform()});
  const Coverage model = make_coverage(std::vector<double>(kItems, 0), {1.0}, members);
  for (int trial = 0; trial < 3; ++trial) {
    std::vector<double> x(kItems, 0.5);
    auto state = model.at(x);
    for (int move = 0; move < 200000; ++move) {
      const Index i = random.below(kItems);
      x[i] = testing::random_coordinate(random);
      state.set(i, x[i]);
    }
    for (Index i = 0; i < kItems; ++i) state.set(i, x[i] = random.uniform(0, 0.05));
    const auto fresh = model.at(x);
    EXPECT_NEAR(state.value(), fresh.value(), 5e-15);
    for (Index i = 0; i < kItems; ++i) EXPECT_NEAR(state.partial(i), fresh.partial(i), 5e-15) << i;
  }
}

TEST(Coverage, ProductsComeBackFromFarBelowTheSmallestDouble) {
  constexpr Index kItems = 5000;  // 2^-5000 is no double
  std::vector<std::vector<Entry>> members(1);
  for (std::uint32_t i = 0; i < kItems; ++i) members[0].push_back({i, 1.0});
  const Coverage model = make_coverage(std::vector<double>(kItems, 0), {3.0}, members);
  auto state = model.at(std::vector<double>(kItems, 0.5));
  EXPECT_EQ(state.value(), 3);
  EXPECT_EQ(state.partial(0), 0);
  for (Index i = 2; i < kItems; ++i) state.set(i, 0);
  EXPECT_EQ(state.value(), 2.25);     // 3 (1 - 1/4): powers of two do not round
  EXPECT_EQ(state.partial(0), 1.5);   // 3 * 1/2
  EXPECT_EQ(state.partial(9), 0.75);  // 3 * 1/4
}

TEST(Coverage, NearlySureCoverageKeepsItsRelativeAccuracy) {
  // (1 - p x) with p = 1 - a, x = 1 - b is a + b - a b; by subtraction p x from 1 it would lose six
  // digits here.
  const double a = 0x1p-30;
  const double b = 0x1p-35;
  const std::vector<std::vector<Entry>> members{{{0, 1 - a}, {1, 1.0}}};
  const Coverage model = make_coverage({0, 0}, {1.0}, members);
  const auto state = model.at(std::vector{1 - b, 0.5});
  EXPECT_NEAR(state.partial(1) / (a + b - a * b), 1, 1e-15);
}

TEST(Coverage, NamesAConceptThatIsNotSubmodular) {
  const std::vector<std::vector<Entry>> members{{{0, 1}}, {{0, 0.5}, {1, 0.5}, {2, 0.0}}};
  EXPECT_EQ(submodularity_violation(make_coverage({0, 0, 0}, {1, -2}, members)),
            "concept 1 has weight -2, which must be >= 0 for a submodular coverage");
  EXPECT_EQ(submodularity_violation(make_coverage({0, 0, 0}, {-1, 2}, members)), std::nullopt)
      << "no two items meet in concept 0";
  EXPECT_EQ(submodularity_violation(make_coverage({0, 0, 0}, {1, 2}, members)), std::nullopt);
}

TEST(Coverage, RefusesWhatIsMalformed) {
  const auto refusal = [](std::vector<double> cost, std::vector<double> weight,
                          std::vector<std::vector<Entry>> members) {
    return testing::refusal([&] { make_coverage(cost, weight, members); });
  };
  EXPECT_EQ(refusal({0}, {1, 2}, {{}}), "coverage: there are 2 weights for 1 concepts");
  EXPECT_EQ(refusal({0, NAN}, {}, {}), "coverage: item 1 has cost nan, which must be finite");
  EXPECT_EQ(refusal({0}, {0, INFINITY}, {{}, {}}),
            "coverage: concept 1 has weight inf, which must be finite");
  EXPECT_EQ(refusal({0}, {1}, {{{1, 1}}}),
            "coverage: concept 0 lists item 1, but there are 1 items, numbered from 0");
  EXPECT_EQ(refusal({0, 0}, {1}, {{{1, 1}, {0, 1}, {1, 0.5}}}),
            "coverage: concept 0 lists item 1 twice");
  EXPECT_EQ(refusal({0, 0}, {1}, {{{1, 1.5}}}),
            "coverage: item 1 covers concept 0 with probability 1.5, which must lie in [0, 1]");
  EXPECT_EQ(refusal({0, 0}, {1}, {{{1, -0.5}}}),
            "coverage: item 1 covers concept 0 with probability -0.5, which must lie in [0, 1]");
  EXPECT_EQ(refusal({0, 0}, {1}, {{{1, NAN}}}),
            "coverage: item 1 covers concept 0 with probability nan, which must lie in [0, 1]");
  EXPECT_EQ(refusal({1e308}, {1e308}, {{}}),
            "coverage: the sizes of all costs and weights add up to inf, which must be finite");
}

}  // namespace
}  // namespace surefield
