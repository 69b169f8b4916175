#include "surefield/learn/hoelder_objective.hpp"

#include <gtest/gtest.h>

#include "surefield/bounds/log_z/exact/flid_exact.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"
#include "surefield/learn/parameters.hpp"

namespace surefield {
namespace {

Flid flid_with_distinct_weights(Index n, Index dimensions, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> utility(n), weights(n * dimensions);
  for (double& u : utility) u = random.uniform(-2, 2);
  for (double& w : weights) w = random.uniform(0, 3);
  return make_flid(utility, weights, dimensions);
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
