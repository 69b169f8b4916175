#include "surefield/models/facility_location/facility_location.hpp"

#include <gtest/gtest.h>

#include "tests/support/random_facility.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/set_laws.hpp"
#include "tests/support/state_laws.hpp"

namespace surefield {
namespace {

static_assert(Model<FacilityLocation>);

TEST(FacilityLocation, StateObeysTheLaws) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed)
    testing::check_state_laws(testing::random_facility(seed % 10, seed % 7, seed), seed,
                              {.tolerance = 1e-13});
}

TEST(FacilityLocation, StateObeysTheLawsOfAnyFunctionWithNegativeBenefits) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    testing::check_state_laws(testing::random_facility(seed % 10, seed % 7, seed, true), seed,
                              {.tolerance = 1e-13, .submodular = false});
}

TEST(FacilityLocation, SetObeysTheLaws) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    testing::check_set_laws(testing::random_facility(seed % 11, seed % 7, seed, seed % 3 == 0),
                            seed, 1e-14);
}

TEST(FacilityLocation, IsExactAtCorners) {
  // Whole numbers: nothing rounds unless something that should be 0 or 1 is not.
  Random random(7);
  for (int trial = 0; trial < 20; ++trial) {
    const Index n = 1 + random.below(40);
    std::vector<double> cost(n);
    for (double& c : cost) c = static_cast<double>(random.below(5));
    std::vector<std::vector<Entry>> customers(1 + random.below(6));
    for (auto& customer : customers)
      for (std::uint32_t i = 0; i < n; ++i)
        if (random.chance(0.7)) customer.push_back({i, static_cast<double>(random.below(9))});
    const auto model = make_facility_location(cost, customers);
    std::vector<std::uint8_t> chosen(n);
    std::vector<double> x(n);
    for (Index i = 0; i < n; ++i) x[i] = chosen[i] = random.chance(0.3);
    const auto state = model.at(x);
    ASSERT_EQ(state.value(), model.evaluate(chosen));
    for (Index i = 0; i < n; ++i) {
      auto with = chosen;
      auto without = chosen;
      with[i] = 1;
      without[i] = 0;
      ASSERT_EQ(state.partial(i), model.evaluate(with) - model.evaluate(without));
    }
  }
}

TEST(FacilityLocation, LargeSetsFollowTheirDefinition) {
  // Lists longer than a word of bits, and lists that share a word.
  for (const bool negative : {false, true}) {
    const auto model = testing::random_facility(300, 5, 11, negative);
    Random random(12);
    auto set = model.empty_set();
    std::vector<std::uint8_t> chosen(model.size(), 0);
    for (int move = 0; move < 600; ++move) {
      const Index i = random.below(model.size());
      if (random.chance(move < 300 ? 0.7 : 0.2)) {
        set.add(i);
        chosen[i] = 1;
      } else {
        set.remove(i);
        chosen[i] = 0;
      }
      const double value = model.evaluate(chosen);
      const double tolerance = 1e-14 * (1 + std::abs(value));
      ASSERT_NEAR(set.value(), value, tolerance);
      const Index j = random.below(model.size());
      auto with = chosen;
      auto without = chosen;
      with[j] = 1;
      without[j] = 0;
      const double high = model.evaluate(with);
      const double low = model.evaluate(without);
      ASSERT_NEAR(set.gain(j), high - low, 1e-13 * (1 + std::abs(high) + std::abs(low)));
    }
  }
}

TEST(FacilityLocation, TwoItemsByHand) {
  const std::vector<std::vector<Entry>> customers{{{0, 3.0}, {1, 2.0}}, {{1, 4.0}}};
  const auto model = make_facility_location({1.0, 2.0}, customers);
  EXPECT_EQ(model.evaluate(std::vector<std::uint8_t>{1, 1}), 4);  // -3 + 3 + 4
  EXPECT_EQ(model.evaluate(std::vector<std::uint8_t>{0, 1}), 4);  // -2 + 2 + 4
  const auto state = model.at(std::vector{0.5, 0.25});
  EXPECT_DOUBLE_EQ(state.value(), 1.75);    // -0.5 - 0.5 + (0.5 * 3 + 0.5 * 0.25 * 2) + 0.25 * 4
  EXPECT_DOUBLE_EQ(state.partial(0), 1.5);  // -1 + 3 - 0.25 * 2
  EXPECT_DOUBLE_EQ(state.partial(1), 3.0);  // -2 + 0.5 * 2 + 4
}

TEST(FacilityLocation, AnItemNotListedHasBenefitZero) {
  const std::vector<std::vector<Entry>> customers{{{0, -1.0}}};
  const auto model = make_facility_location({0, 0}, customers);
  EXPECT_EQ(model.evaluate(std::vector<std::uint8_t>{1, 0}), -1);
  EXPECT_EQ(model.evaluate(std::vector<std::uint8_t>{1, 1}), 0);  // item 1 gives 0, which is better
  const auto state = model.at(std::vector{0.5, 0.5});
  EXPECT_DOUBLE_EQ(state.value(), -0.25);   // only item 0 alone counts
  EXPECT_DOUBLE_EQ(state.partial(1), 0.5);  // it lifts -1 to 0 if item 0 is in
}

TEST(FacilityLocation, NamesABenefitThatIsNotSubmodular) {
  const std::vector<std::vector<Entry>> customers{{{0, 1.0}}, {}, {{2, 0.0}, {3, -1.0}}};
  EXPECT_EQ(submodularity_violation(make_facility_location({0, 0, 0, 0}, customers)),
            "customer 2 gives item 3 benefit -1, which must be >= 0: the best of no item is 0");
  EXPECT_EQ(
      submodularity_violation(make_facility_location({0, 0, 0, 0}, std::span(customers).first(2))),
      std::nullopt);
}

TEST(FacilityLocation, OneCustomerIsSubmodularExactlyIfNoViolationIsNamed) {
  int violated = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const auto model = testing::random_facility(seed % 6, 1, seed, seed % 2 == 0);
    const double gap = reference::submodularity_gap(reference::all_values(model), model.size());
    const bool named = submodularity_violation(model).has_value();
    EXPECT_EQ(gap > 1e-9, named) << "seed " << seed << ", gap " << gap;
    violated += named;
  }
  EXPECT_GT(violated, 10);
}

TEST(FacilityLocation, RefusesWhatIsMalformed) {
  const auto refusal = [](std::vector<double> cost, std::vector<std::vector<Entry>> customers) {
    return testing::refusal([&] { make_facility_location(cost, customers); });
  };
  EXPECT_EQ(refusal({0, INFINITY}, {}),
            "facility location: item 1 has cost inf, which must be finite");
  EXPECT_EQ(refusal({0, 0}, {{}, {{2, 1}}}),
            "facility location: customer 1 lists item 2, but there are 2 items, numbered from 0");
  EXPECT_EQ(refusal({0, 0}, {{{1, 1}}, {{1, 1}, {0, 2}, {1, 1}}}),
            "facility location: customer 1 lists item 1 twice");
  EXPECT_EQ(refusal({0, 0}, {{{1, NAN}}}),
            "facility location: customer 0 gives item 1 benefit nan, which must be finite");
  EXPECT_EQ(
      refusal({1e308}, {{{0, 1e308}}}),
      "facility location: the sizes of all costs and benefits add up to inf, which must be finite");
}

}  // namespace
}  // namespace surefield
