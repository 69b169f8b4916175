#include "surefield/learn/sampled_likelihood_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/bounds/log_z/sampling/fldc_sampling.hpp"
#include "surefield/core/random.hpp"
#include "tests/support/random_fldc.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

/// log p(S | S not empty) on average, by enumeration.
template <class M>
double likelihood(const M& model, const SetCollection& data) {
  const double log_rest = std::log(std::expm1(reference::log_z(reference::all_values(model))));
  double sum = 0;
  for (const auto& set : data.sets) {
    std::vector<std::uint8_t> chosen(model.size(), 0);
    for (const auto i : set) chosen[i] = 1;
    sum += model.evaluate(chosen) - log_rest;
  }
  return sum / static_cast<double>(data.sets.size());
}

SetCollection drawn(const Fldc& truth, Index count, std::uint64_t seed) {
  Random random(seed);
  FldcSampler sampler(truth);
  SetCollection data{.items = truth.size(), .sets = {}, .names = {}};
  while (data.sets.size() < count) data.sets.push_back(sampler.draw(random, true));
  return data;
}

TEST(FldcSampler, DrawsEverySetAsOftenAsItsProbability) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Fldc model = testing::random_fldc(4, 1, 2, seed);
    const auto values = reference::all_values(model);
    const double log_z = reference::log_z(values);
    constexpr Index kDraws = 20000;
    FldcSampler sampler(model);
    Random random(seed);
    std::vector<double> seen(values.size(), 0);
    for (Index k = 0; k < kDraws; ++k) {
      std::size_t code = 0;
      for (const auto i : sampler.draw(random)) code |= std::size_t{1} << i;
      ++seen[code];
    }
    double chi = 0;
    for (std::size_t code = 0; code < values.size(); ++code) {
      const double expected = kDraws * std::exp(values[code] - log_z);
      chi += (seen[code] - expected) * (seen[code] - expected) / (expected + 1);
    }
    EXPECT_LT(chi, 45) << "seed " << seed;  // 15 degrees of freedom: 1 in 10,000
    const double kept = kDraws / static_cast<double>(sampler.draws());
    EXPECT_NEAR(sampler.log_upper() + std::log(kept), log_z, 0.05) << "seed " << seed;
  }
}

TEST(SampledLikelihood, IsAtLeastThatOfTheTruthAndOfItsStart) {
  const Fldc truth =
      make_fldc({0.5, 0.2, -1.5, -1.2, -1.6}, {3, 2.5, 0, 0, 0}, 1, {0, 0, 1.2, 1.1, 1.0}, 1);
  const SetCollection data = drawn(truth, 3000, 1);
  SampledFitOptions how;
  how.start = {.dimensions = 1, .concepts = 1, .epochs = 20, .noise_ratio = 5};
  how.rounds = 150;
  how.samples = 500;
  const FldcFit fit = fit_fldc_by_samples(data, how);
  EXPECT_EQ(fit.status, Status::kDone);
  EXPECT_GT(likelihood(fit.model, data), likelihood(truth, data) - 0.005);
  EXPECT_NEAR(fit.log_z_estimate, reference::log_z(reference::all_values(fit.model)), 0.1);
  NceOptions coarse = how.start;
  coarse.epochs = 5;
  EXPECT_GT(likelihood(fit.model, data), likelihood(fit_fldc_nce(data, coarse).model, data));
  EXPECT_EQ(fit_fldc_by_samples(data, how).model.weights,
            fit.model.weights);  // same seed, same bits
  how.start.concepts = 0;
  how.start.dimensions = 2;
  const FlidFit flid = fit_flid_by_samples(data, how);
  EXPECT_GT(likelihood(flid.model, data), likelihood(truth, data) - 0.2);
  EXPECT_LT(likelihood(flid.model, data), likelihood(fit.model, data) - 0.02);
}

// The start puts the chance of the empty set where nce has it, by weights that all items share in every dimension:
// these must not stand in the way of the draws.
TEST(SampledLikelihood, ManyDimensionsAreNoObstacle) {
  const Fldc truth = make_fldc({0.5, 0.2, -1.5, -1.2, -1.6}, {3, 2.5, 0, 0, 0}, 1, {}, 0);
  const SetCollection data = drawn(truth, 1000, 2);
  SampledFitOptions how;
  how.start = {.dimensions = 10, .epochs = 8, .noise_ratio = 5};
  how.rounds = 20;
  how.samples = 200;
  const FlidFit fit = fit_flid_by_samples(data, how);
  EXPECT_GT(fit.trace.back().training, 0.01);  // of the draws, the empty ones among them
  EXPECT_GT(likelihood(fit.model, data), likelihood(truth, data) - 0.05);
}

TEST(SampledLikelihood, EmptySetsCountWhereThereAreSome) {
  SetCollection data{.items = 1, .sets = std::vector<std::vector<std::uint32_t>>(10), .names = {}};
  for (int k = 0; k < 4; ++k) data.sets[k] = {0};
  SampledFitOptions how{.start = {.dimensions = 0, .epochs = 4}, .given_non_empty = false};
  how.prior = 0;
  const FlidFit fit = fit_flid_by_samples(data, how);
  EXPECT_NEAR(1 / (1 + std::exp(-fit.model.utility[0])), 0.4, 0.02);
  how.rounds = 0;
  EXPECT_EQ(testing::refusal([&] { fit_flid_by_samples(data, how); }),
            "samples: the number of rounds is 0, which must be >= 1");
}

}  // namespace
}  // namespace surefield
