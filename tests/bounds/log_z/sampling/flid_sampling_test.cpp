#include "surefield/bounds/log_z/sampling/flid_sampling.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/random_flid.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

/// The chi-square of `count` draws against the probabilities of all sets, and its degrees.
struct Fit {
  double chi_square = 0, degrees = -1;
};

Fit fit(const Flid& model, bool non_empty, Index count, std::uint64_t seed) {
  auto values = reference::all_values(model);
  if (non_empty) values[0] = -kInfinity;
  const double log_z = log_sum_exp(values);
  std::vector<double> seen(values.size(), 0);
  FlidSampler sampler(model);
  Random random(seed);
  for (Index k = 0; k < count; ++k) {
    std::size_t code = 0;
    for (const auto i : sampler.draw(random, non_empty)) code |= std::size_t{1} << i;
    ++seen[code];
  }
  Fit result;
  double rare_seen = 0;
  double rare = 0;
  const auto add = [&](double observed, double expected) {
    if (expected > 0) result.chi_square += (observed - expected) * (observed - expected) / expected;
    result.degrees += expected > 0;
  };
  for (std::size_t code = 0; code < values.size(); ++code) {
    const double expected = std::exp(values[code] - log_z) * static_cast<double>(count);
    if (expected < 5)
      rare_seen += seen[code], rare += expected;  // sets seldom met are counted as one
    else
      add(seen[code], expected);
  }
  add(rare_seen, rare);
  return result;
}

TEST(FlidSampling, DrawsEverySetWithItsProbability) {
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE(seed);
    const Flid model = testing::random_flid(1 + seed % 6, seed % 4, seed);
    for (const bool non_empty : {false, true}) {
      const Fit found = fit(model, non_empty, 4000, seed);
      // Mean k, variance 2 k; five standard deviations and some room for few degrees.
      EXPECT_LE(found.chi_square, found.degrees + 5 * std::sqrt(2 * found.degrees) + 8);
    }
  }
}

TEST(FlidSampling, TheTestWouldNoticeAWrongModel) {
  const Flid model = testing::random_flid(5, 3, 7);
  std::vector<double> utility = model.utility;
  utility[1] += 0.3;
  const Flid other = make_flid(utility, model.weights, model.dimensions);
  FlidSampler sampler(other);
  Random random(7);
  const auto values = reference::all_values(model);
  const double log_z = log_sum_exp(values);
  std::vector<double> seen(values.size(), 0);
  for (Index k = 0; k < 4000; ++k) {
    std::size_t code = 0;
    for (const auto i : sampler.draw(random)) code |= std::size_t{1} << i;
    ++seen[code];
  }
  double chi_square = 0;
  for (std::size_t code = 0; code < values.size(); ++code) {
    const double expected = 4000 * std::exp(values[code] - log_z);
    chi_square += (seen[code] - expected) * (seen[code] - expected) / expected;
  }
  EXPECT_GT(chi_square, 31 + 5 * std::sqrt(62.0) + 8);
}

TEST(FlidSampling, ItemsOfOneDimensionAreNeverRejected) {
  std::vector<double> utility(50, 0.5);
  std::vector<double> weights(50);
  for (Index i = 0; i < 50; ++i) weights[i] = 0.1 * static_cast<double>(i % 7);
  const Flid model = make_flid(utility, weights, 1);
  FlidSampler sampler(model);
  Random random(1);
  for (Index k = 0; k < 100; ++k) sampler.draw(random);
  EXPECT_EQ(sampler.draws(), 100U);
}

TEST(FlidSampling, SmallAndSaidNoTo) {
  Random random(1);
  const Flid none = make_flid({}, {}, 0);
  EXPECT_TRUE(FlidSampler(none).draw(random).empty());
  const Flid negative = make_flid({0}, {-1}, 1);
  EXPECT_EQ(testing::refusal([&] { FlidSampler{negative}; }),
            "flid sampling: item 0 has weight -1 in dimension 0, which must be >= 0");
  EXPECT_EQ(testing::refusal([&] { FlidSampler(none).draw(random, true, 10); }),
            "flid sampling: no set is kept after 10 draws: the items weigh too much outside their "
            "own dimensions, or the empty set is all but certain");
  // Great utilities do not overflow.
  const Flid sure = make_flid({800, 900}, {1, 1}, 1);
  EXPECT_EQ(FlidSampler(sure).draw(random).size(), 2U);
}

}  // namespace
}  // namespace surefield
