#include "surefield/models/at_inverse_temperature.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/random_flid.hpp"
#include "tests/support/random_gibbs.hpp"
#include "tests/support/random_pairwise.hpp"

namespace surefield {
namespace {

/// exp(beta F) on every set.
template <class Model>
void check(const Model& model, double beta) {
  const Model scaled = at_inverse_temperature(model, beta);
  ASSERT_EQ(scaled.size(), model.size());
  std::vector<std::uint8_t> chosen(model.size());
  for (std::uint64_t mask = 0; mask < std::uint64_t{1} << model.size(); ++mask) {
    for (Index i = 0; i < model.size(); ++i) chosen[i] = mask >> i & 1;
    const double want = beta * model.evaluate(chosen);
    EXPECT_NEAR(scaled.evaluate(chosen), want, 1e-12 * (1 + std::abs(want)));
  }
}

TEST(AtInverseTemperature, IsBetaTimesFOnEverySet) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Index n = seed % 7;
    const double beta = seed % 4 == 0 ? 1 : 0.1 + 0.37 * static_cast<double>(seed % 9);
    check(testing::random_pairwise(n, 0.5, seed), beta);
    check(testing::random_gibbs(n, 6, seed), beta);
    check(testing::random_flid(n, 3, seed), beta);
  }
}

TEST(AtInverseTemperature, WhatWasRoundedBeforeGrowsWithIt) {
  PairwiseField field = testing::random_pairwise(3, 1, 1);
  GibbsField gibbs = testing::random_gibbs(3, 4, 1);
  field.inherited_error = 0.25;
  gibbs.inherited_error = 0.5;
  EXPECT_GE(facts_of(at_inverse_temperature(field, 8)).value_error, 2);
  EXPECT_GE(facts_of(at_inverse_temperature(gibbs, 8)).value_error, 4);
}

}  // namespace
}  // namespace surefield
