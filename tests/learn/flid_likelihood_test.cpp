#include "surefield/learn/flid_likelihood.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"

namespace surefield {
namespace {

constexpr Index kFlidItems = 6, kDimensions = 2;

Flid drawn_flid(std::uint64_t seed) {
  Random random(seed);
  std::vector<double> utility(kFlidItems), weights(kFlidItems * kDimensions);
  for (double& u : utility) u = random.uniform(-1, 1.5);
  for (double& w : weights) w = random.uniform(0.1, 1.5);
  return make_flid(utility, weights, kDimensions);
}

/// By the definition, over all sets.
double log_z_by_sets(const Flid& model) {
  std::vector<double> terms;
  for (std::uint32_t bits = 0; bits < (1U << kFlidItems); ++bits) {
    std::vector<std::uint8_t> chosen(kFlidItems);
    for (Index i = 0; i < kFlidItems; ++i) chosen[i] = bits >> i & 1;
    terms.push_back(model.evaluate(chosen));
  }
  return log_sum_exp(terms);
}

/// value(model) against the slopes, number by number.
template <class Value>
void expect_slopes(const Flid& model, const FlidLogZSlopes& slopes, double tolerance,
                   Value&& value) {
  constexpr double kStep = 1e-5;
  const auto difference = [&](std::vector<double> Flid::*numbers, Index k) {
    Flid high = model, low = model;
    (high.*numbers)[k] += kStep;
    (low.*numbers)[k] -= kStep;
    return (value(make_flid(high.utility, high.weights, kDimensions)) -
            value(make_flid(low.utility, low.weights, kDimensions))) /
           (2 * kStep);
  };
  for (Index i = 0; i < kFlidItems; ++i)
    EXPECT_NEAR(slopes.utility[i], difference(&Flid::utility, i), tolerance) << i;
  for (Index k = 0; k < kFlidItems * kDimensions; ++k)
    EXPECT_NEAR(slopes.weights[k], difference(&Flid::weights, k), tolerance) << k;
}

TEST(FlidLikelihood, TheValueOfASetIsThatOfTheModelAndItsSlopesAreDifferences) {
  const Flid model = drawn_flid(1);
  for (const std::vector<std::uint32_t>& set :
       {std::vector<std::uint32_t>{}, {2}, {0, 3, 5}, {0, 1, 2, 3, 4, 5}}) {
    std::vector<std::uint8_t> chosen(kFlidItems, 0);
    for (const auto i : set) chosen[i] = 1;
    FlidLogZSlopes slopes{0, std::vector<double>(kFlidItems), std::vector<double>(12)};
    EXPECT_NEAR(add_set(model, set, 0.5, &slopes), model.evaluate(chosen), 1e-14);
    EXPECT_EQ(add_set(model, set, 1, nullptr), add_set(model, set, 1, &slopes));
    expect_slopes(model, slopes, 1e-8,
                  [&](const Flid& moved) { return 1.5 * moved.evaluate(chosen); });
  }
}

TEST(FlidLikelihood, ExactLogZIsTheSumOverAllSets) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Flid model = drawn_flid(seed);
    const FlidLogZSlopes found = exact_log_z_slopes(model);
    EXPECT_NEAR(found.log_z, log_z_by_sets(model), 1e-12);
    expect_slopes(model, found, 1e-8, log_z_by_sets);
  }
}

TEST(FlidLikelihood, HoelderIsAboveAndMovesAsItSays) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Flid model = drawn_flid(seed);
    const FlidLogZSlopes found = hoelder_log_z_slopes(model);
    const double truth = log_z_by_sets(model);
    EXPECT_GE(found.log_z, truth - 1e-12);
    EXPECT_LE(found.log_z, truth + 0.5);
    expect_slopes(model, found, 1e-6,
                  [](const Flid& moved) { return hoelder_log_z_slopes(moved).log_z; });
  }
  const Flid none = make_flid({0.5, -1}, {}, 0);
  EXPECT_NEAR(hoelder_log_z_slopes(none).log_z, softplus(0.5) + softplus(-1), 1e-14);
}

/// The same of an FLDC of one dimension and two concepts, every weight and coherence its own.
Fldc drawn_fldc(std::uint64_t seed) {
  Random random(seed);
  std::vector<double> utility(kFlidItems), weights(kFlidItems), coherence(2 * kFlidItems);
  for (double& u : utility) u = random.uniform(-1, 1.5);
  for (double& w : weights) w = random.uniform(0.1, 1.5);
  for (double& v : coherence) v = random.uniform(0.1, 1.5);
  return make_fldc(utility, weights, 1, coherence, 2);
}

TEST(FldcLikelihood, SetsAndExactLogZMoveAsTheySay) {
  constexpr double kStep = 1e-5;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Fldc model = drawn_fldc(seed);
    const auto value_of = [](const Fldc& of, std::uint32_t bits) {
      std::vector<std::uint8_t> chosen(kFlidItems);
      for (Index i = 0; i < kFlidItems; ++i) chosen[i] = bits >> i & 1;
      return of.evaluate(chosen);
    };
    const auto log_z_of = [&](const Fldc& of) {
      std::vector<double> terms;
      for (std::uint32_t bits = 0; bits < (1U << kFlidItems); ++bits)
        terms.push_back(value_of(of, bits));
      return log_sum_exp(terms);
    };
    constexpr std::uint32_t kBits = 0b101101;
    const std::vector<std::uint32_t> set{0, 2, 3, 5};
    FlidLogZSlopes of_set{0, std::vector<double>(kFlidItems), std::vector<double>(3 * kFlidItems)};
    EXPECT_NEAR(add_set(model, set, 2, &of_set), value_of(model, kBits), 1e-14);
    EXPECT_EQ(add_set(model, {}, 1, &of_set), 0);
    const FlidLogZSlopes of_z = exact_log_z_slopes(model);
    EXPECT_NEAR(of_z.log_z, log_z_of(model), 1e-12);
    const auto expect = [&](std::vector<double> Fldc::*numbers, Index k, double in_set,
                            double in_z) {
      Fldc high = model, low = model;
      (high.*numbers)[k] += kStep;
      (low.*numbers)[k] -= kStep;
      const auto made = [](const Fldc& of) {
        return make_fldc(of.utility, of.weights, 1, of.coherence, 2);
      };
      EXPECT_NEAR(in_set,
                  2 * (value_of(made(high), kBits) - value_of(made(low), kBits)) / (2 * kStep),
                  1e-8);
      EXPECT_NEAR(in_z, (log_z_of(made(high)) - log_z_of(made(low))) / (2 * kStep), 1e-8);
    };
    for (Index i = 0; i < kFlidItems; ++i) {
      expect(&Fldc::utility, i, of_set.utility[i], of_z.utility[i]);
      expect(&Fldc::weights, i, of_set.weights[3 * i], of_z.weights[3 * i]);
      for (Index e = 0; e < 2; ++e)
        expect(&Fldc::coherence, 2 * i + e, of_set.weights[3 * i + 1 + e],
               of_z.weights[3 * i + 1 + e]);
    }
  }
}

}  // namespace
}  // namespace surefield
