#include "surefield/learn/hoelder_objective.hpp"

#include <gtest/gtest.h>

#include "surefield/bounds/log_z/exact/flid_exact.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"
#include "surefield/learn/parameters.hpp"
#include "surefield/learn/training_log_z.hpp"

namespace surefield {
namespace {

Flid flid_with_distinct_weights(Index n, Index dimensions, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> utility(n), weights(n * dimensions);
  for (double& u : utility) u = random.uniform(-2, 2);
  for (double& w : weights) w = random.uniform(0, 3);
  return make_flid(utility, weights, dimensions);
}

TEST(TrainingLogZ, WithoutTheEmptySetEverySlopeIsScaledAlike) {
  FlidLogZSlopes slopes{.log_z = 1.5, .utility = {0.25, 0.5}, .weights = {0.75, 1}};
  std::vector<double> multipliers{2, 4};
  leave_out_empty(std::vector{0.0, 0.0}, slopes, multipliers);
  const double others = 1 - std::exp(-1.5);  // the chance of a set that is not empty
  EXPECT_DOUBLE_EQ(slopes.log_z, std::log(std::exp(1.5) - 1));
  EXPECT_DOUBLE_EQ(slopes.utility[1], 0.5 / others);
  EXPECT_DOUBLE_EQ(slopes.weights[0], 0.75 / others);
  EXPECT_DOUBLE_EQ(multipliers[0], 2 / others);
  EXPECT_DOUBLE_EQ(multipliers[1], 4 / others);
}

TEST(HoelderObjective, IsABoundWithTheDerivativesOfItsDifferences) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed + 50);
    const Index n = 1 + seed % 6, dimensions = 1 + seed % 4;
    const Flid model = flid_with_distinct_weights(n, dimensions, seed);
    std::vector<double> multipliers(hoelder_multipliers(n, dimensions));
    for (double& one : multipliers) one = random.uniform(-1, 1);
    std::vector<double> slope(multipliers.size()), unused(multipliers.size());
    const FlidLogZSlopes found = hoelder_objective(model, multipliers, slope);
    const double exact = flid_exact(model).log_z;
    EXPECT_GE(found.log_z, exact - 1e-12);
    if (dimensions == 1) {  // the multipliers of one part cancel
      EXPECT_NEAR(found.log_z, exact, 1e-12);
    }
    constexpr double kStep = 1e-6;
    for (std::size_t k = 0; k < multipliers.size(); ++k) {
      auto up = multipliers, down = multipliers;
      up[k] += kStep;
      down[k] -= kStep;
      const double difference = (hoelder_objective(model, up, unused).log_z -
                                 hoelder_objective(model, down, unused).log_z) /
                                (2 * kStep);
      EXPECT_NEAR(slope[k], difference, 2e-8) << "multiplier " << k;
    }
    const std::vector<double> theta = parameters(model);
    for (std::size_t k = 0; k < theta.size(); ++k) {
      auto up = theta, down = theta;
      up[k] += kStep;
      down[k] -= kStep;
      const double difference =
          (hoelder_objective(with_parameters(model, up), multipliers, unused).log_z -
           hoelder_objective(with_parameters(model, down), multipliers, unused).log_z) /
          (2 * kStep);
      EXPECT_NEAR(k < n ? found.utility[k] : found.weights[k - n], difference, 2e-8)
          << "parameter " << k;
    }
  }
}

TEST(HoelderObjective, OfAnFldcIsABoundWithTheDerivativesOfItsDifferences) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 1 + seed % 6, dimensions = seed % 3, concepts = 1 + seed % 2;
    const Index columns = dimensions + concepts;
    std::vector<double> theta(n + n * columns), multipliers(hoelder_multipliers(n, columns));
    for (Index k = 0; k < theta.size(); ++k)
      theta[k] = k < n ? random.uniform(-2, 2) : random.uniform(0, 3);
    for (double& one : multipliers) one = random.uniform(-1, 1);
    const auto model_at = [&](std::vector<double> at) {
      std::vector<double> weights, coherence;
      for (Index k = n; k < at.size(); ++k)
        ((k - n) % columns < dimensions ? weights : coherence).push_back(at[k]);
      at.resize(n);
      return make_fldc(std::move(at), std::move(weights), dimensions, std::move(coherence),
                       concepts);
    };
    std::vector<double> slope(multipliers.size()), unused(multipliers.size());
    const FlidLogZSlopes found = hoelder_objective(model_at(theta), multipliers, slope);
    const double exact = flid_exact(model_at(theta)).log_z;
    EXPECT_GE(found.log_z, exact - 1e-12);
    if (columns == 1) {  // the multipliers of one part cancel
      EXPECT_NEAR(found.log_z, exact, 1e-12);
    }
    constexpr double kStep = 1e-6;
    const auto expect = [&](std::vector<double>& numbers, Index k, double claimed) {
      const double at = numbers[k];
      const auto value = [&](double moved) {
        numbers[k] = moved;
        return hoelder_objective(model_at(theta), multipliers, unused).log_z;
      };
      EXPECT_NEAR(claimed, (value(at + kStep) - value(at - kStep)) / (2 * kStep), 2e-8) << k;
      numbers[k] = at;
    };
    for (Index k = 0; k < multipliers.size(); ++k) expect(multipliers, k, slope[k]);
    for (Index k = 0; k < theta.size(); ++k)
      expect(theta, k, k < n ? found.utility[k] : found.weights[k - n]);
  }
}

TEST(HoelderObjective, OfOneItemByHand) {
  // n = D = 1, u = 0, W = w: F({0}) = 0 whatever w is, so log Z = log 2 and only u matters.
  const Flid model = make_flid({0.0}, {1.5}, 1);
  std::vector<double> slope(2);
  const FlidLogZSlopes found = hoelder_objective(model, std::vector{0.7, 0.1}, slope);
  EXPECT_NEAR(found.log_z, std::log(2), 1e-15);
  EXPECT_NEAR(found.utility[0], 0.5, 1e-15);
  EXPECT_NEAR(found.weights[0], 0, 1e-15);
  EXPECT_NEAR(slope[0], 0, 1e-15);
  EXPECT_NEAR(slope[1], 0, 1e-15);
}

}  // namespace
}  // namespace surefield
