#include "surefield/learn/dpp_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/core/random.hpp"
#include "tests/support/learning_data.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

using testing::mean_log_likelihood;
using testing::refusal;

SetCollection kernel_sets(Index items, Index count, std::uint64_t seed) {
  Random random(seed);
  SetCollection data{.items = items, .sets = {}, .names = {}};
  for (Index k = 0; k < count; ++k) {
    auto& set = data.sets.emplace_back();
    for (std::uint32_t i = 0; i < items; ++i)
      if (random.chance(0.35)) set.push_back(i);
  }
  return data;
}

TEST(DppLikelihood, TheGradientIsTheSlopeByDifferences) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto data = kernel_sets(5, 40, seed);
    const DppLikelihood likelihood(distinct_sets(flat_sets(data)), 5, 1 + seed % 3, 1);
    Random random(seed);
    std::vector<double> theta(likelihood.parameters());
    for (double& entry : theta) entry = random.uniform(-1, 1);
    std::vector<double> gradient(theta.size());
    std::vector<double> unused(theta.size());
    likelihood(theta, gradient);
    for (Index k = 0; k < theta.size(); ++k) {
      constexpr double kStep = 1e-5;
      auto moved = theta;
      moved[k] = theta[k] + kStep;
      const double above = likelihood(moved, unused);
      moved[k] = theta[k] - kStep;
      const double below = likelihood(moved, unused);
      EXPECT_NEAR(gradient[k], (above - below) / (2 * kStep), 1e-8)
          << "seed " << seed << " entry " << k;
    }
  }
}

TEST(DppLikelihood, IsTheMeanLogProbabilityWithoutSmoothing) {
  const auto data = kernel_sets(5, 30, 4);
  const DppLikelihood likelihood(distinct_sets(flat_sets(data)), 5, 2, 0);
  Random random(4);
  std::vector<double> theta(likelihood.parameters());
  for (double& entry : theta) entry = random.uniform(-1, 1);
  std::vector<double> gradient(theta.size());
  EXPECT_NEAR(likelihood(theta, gradient),
              mean_log_likelihood(make_log_det(likelihood.kernel(theta)), data), 1e-12);
}

TEST(DppLikelihood, ManySetsAreAddedUpInPartsThatThreadsShareBitByBit) {
  const auto data = kernel_sets(12, 1200, 7);
  const DistinctSets distinct = distinct_sets(flat_sets(data));
  ASSERT_GT(distinct.sets.size(), 600U);  // three parts
  const DppLikelihood likelihood(distinct, 12, 2, 0);
  Random random(7);
  std::vector<double> theta(likelihood.parameters());
  for (double& entry : theta) entry = random.uniform(-1, 1);
  std::vector<double> one(theta.size()), three(theta.size()), unused(theta.size());
  const double value = likelihood(theta, one);
  EXPECT_EQ(value, likelihood(theta, three, Budget().with_threads(3)));
  EXPECT_EQ(one, three);
  EXPECT_NEAR(value, mean_log_likelihood(make_log_det(likelihood.kernel(theta)), data), 1e-11);
  for (Index k = 0; k < theta.size(); k += 5) {
    constexpr double kStep = 1e-5;
    auto moved = theta;
    moved[k] = theta[k] + kStep;
    const double above = likelihood(moved, unused);
    moved[k] = theta[k] - kStep;
    EXPECT_NEAR(one[k], (above - likelihood(moved, unused)) / (2 * kStep), 1e-7) << "entry " << k;
  }
}

TEST(DppFit, OneItemByHand) {
  // 3 sets with the item, 1 without; smoothing 2 adds one of each: L = 4 / 2, log Z = log 3.
  const SetCollection data{.items = 1, .sets = {{0}, {0}, {0}, {}}, .names = {}};
  const DppFit fit = fit_dpp(data, {.features = 1, .smoothing = 2});
  EXPECT_NEAR(fit.model.kernel(0, 0), 2, 1e-4);
  EXPECT_NEAR(fit.log_z, std::log(3.0), 1e-4);
}

TEST(DppFit, LearnsThatTwoItemsExcludeEachOther) {
  SetCollection data{.items = 3, .sets = {}, .names = {}};
  for (int k = 0; k < 100; ++k) {
    data.sets.push_back(k % 2 == 0 ? std::vector<std::uint32_t>{0} : std::vector<std::uint32_t>{1});
    if (k % 3 == 0) data.sets.back().push_back(2);
  }
  const DppFit fit = fit_dpp(data, {.features = 2});
  const auto& l = fit.model.kernel;
  EXPECT_GT(l(0, 1) * l(0, 1), 0.9 * l(0, 0) * l(1, 1));  // nearly the same direction
  EXPECT_LT(l(0, 2) * l(0, 2), 0.2 * l(0, 0) * l(2, 2));
  EXPECT_NEAR(fit.log_z, reference::log_z(reference::all_values(fit.model)), 1e-9);
}

TEST(DppFit, OddDataGivesFiniteKernels) {
  const std::vector<SetCollection> odd{{.items = 1, .sets = {{0}}, .names = {}},
                                       {.items = 3, .sets = {{0, 2}, {0, 2}}, .names = {}},
                                       {.items = 2, .sets = {{}, {}}, .names = {}},
                                       {.items = 3, .sets = {{0, 1, 2}}, .names = {}}};
  for (const auto& data : odd) {
    const DppFit fit = fit_dpp(data, {.features = 3});
    EXPECT_TRUE(fit.model.kernel.allFinite());
    EXPECT_TRUE(std::isfinite(fit.log_z));
  }
}

TEST(DppFit, CanBeStoppedAndNamesWhatItRefuses) {
  const auto data = kernel_sets(6, 50, 2);
  const DppFit fit =
      fit_dpp(data, {.observer = [](std::size_t evaluations, double) { return evaluations < 3; }});
  EXPECT_EQ(fit.status, Status::kInterrupted);
  EXPECT_EQ(fit.evaluations, 3U);
  EXPECT_EQ(refusal([&] { fit_dpp(data, {.features = 0}); }),
            "dpp: the number of features is 0, which must be >= 1");
  EXPECT_EQ(refusal([&] { fit_dpp(data, {.smoothing = 0}); }),
            "dpp: the smoothing is 0, which must be finite and > 0");
}

// Smoothing s adds s/2 of the empty set and s/2 of single items, of each item as much.
TEST(DppLikelihood, SmoothingIsAShareOfTheEmptySetAndOfSingleItems) {
  const Index n = 4;
  const auto data = kernel_sets(n, 20, 3);
  const double smoothing = 6;
  const DppLikelihood likelihood(distinct_sets(flat_sets(data)), n, 2, smoothing);
  const DppLikelihood plain(distinct_sets(flat_sets(data)), n, 2, 0);
  Random random(3);
  std::vector<double> theta(likelihood.parameters()), gradient(theta.size());
  for (double& entry : theta) entry = random.uniform(-1, 1);
  const LogDet model = make_log_det(likelihood.kernel(theta));
  const auto mean_of = [&](std::vector<std::vector<std::uint32_t>> sets) {
    return mean_log_likelihood(model, {.items = n, .sets = std::move(sets), .names = {}});
  };
  const double expected = (20 * mean_log_likelihood(model, data) + smoothing / 2 * mean_of({{}}) +
                           smoothing / 2 * mean_of({{0}, {1}, {2}, {3}})) /
                          (20 + smoothing);
  EXPECT_NEAR(likelihood(theta, gradient), expected, 1e-10);
}

}  // namespace
}  // namespace surefield
