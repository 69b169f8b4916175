#include "surefield/learn/noise_contrastive.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"
#include "surefield/learn/modular.hpp"
#include "surefield/learn/nce_pairs.hpp"
#include "surefield/learn/nce_sample.hpp"
#include "surefield/learn/pairwise_nce_fit.hpp"
#include "tests/support/learning_data.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

using testing::mean_log_likelihood;
using testing::refusal;

NceParameters random_parameters(Index items, Index dimensions, Index concepts, Random& random) {
  NceParameters parameters{.items = items, .dimensions = dimensions, .concepts = concepts};
  for (Index k = 0; k < items * (dimensions + concepts + 1) + 1; ++k)
    parameters.theta.push_back(k < items ? random.uniform(-2, 1) : random.uniform(0, 2));
  parameters.theta.back() = random.uniform(-3, 0);
  return parameters;
}

SetCollection filled_sets(Index items, Index count, Random& random) {
  SetCollection data{.items = items, .sets = {}, .names = {}};
  for (Index k = 0; k < count; ++k) {
    auto& set = data.sets.emplace_back();
    for (std::uint32_t i = 0; i < items; ++i)
      if (random.chance(0.4)) set.push_back(i);
    if (set.empty()) set.push_back(0);
  }
  return data;
}

/// Every set of a model on few items, drawn by its exact probability.
template <class M>
SetCollection drawn_from(const M& model, Index count, std::uint64_t seed) {
  const Index n = model.size();
  std::vector<double> cumulative;
  double total = 0;
  for (unsigned mask = 0; mask < 1U << n; ++mask) {
    std::vector<std::uint8_t> set(n);
    for (Index i = 0; i < n; ++i) set[i] = mask >> i & 1U;
    cumulative.push_back(total += std::exp(model.evaluate(set)));
  }
  Random random(seed);
  SetCollection data{.items = n, .sets = {}, .names = {}};
  for (Index k = 0; k < count; ++k) {
    const double at = random.uniform(0, total);
    const auto mask = static_cast<unsigned>(
        std::upper_bound(cumulative.begin(), cumulative.end(), at) - cumulative.begin());
    auto& set = data.sets.emplace_back();
    for (std::uint32_t i = 0; i < n; ++i)
      if (mask >> i & 1U) set.push_back(i);
  }
  return data;
}

/// Mean log p(S | S not empty) of the sets that are not, by enumeration.
template <class M>
double likelihood_not_empty(const M& model, const SetCollection& data) {
  const double log_rest = std::log(std::expm1(reference::log_z(reference::all_values(model))));
  double sum = 0, count = 0;
  for (const auto& set : data.sets) {
    if (set.empty()) continue;
    std::vector<std::uint8_t> chosen(model.size(), 0);
    for (const auto i : set) chosen[i] = 1;
    sum += model.evaluate(chosen) - log_rest;
    ++count;
  }
  return sum / count;
}

bool is_finite(const Flid& model) {
  for (const double u : model.utility)
    if (!std::isfinite(u)) return false;
  for (const double w : model.weights)
    if (!std::isfinite(w) || w < 0) return false;
  return true;
}

TEST(NceParameters, TheScoreIsTheModelsValuePlusTheConstant) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    const auto parameters = random_parameters(6, seed % 4, seed % 3, random);
    const Fldc model = fldc_of(parameters);
    ScoredSet scored(parameters);
    for (const auto& set : filled_sets(6, 10, random).sets) {
      std::vector<std::uint8_t> chosen(6, 0);
      for (const auto i : set) chosen[i] = 1;
      EXPECT_NEAR(score(parameters, set, scored), model.evaluate(chosen) + parameters.constant(),
                  1e-12);
    }
  }
}

TEST(NceObjective, OneSetAndOneNoiseSetByHand) {
  // Two items, no dimension, u = c = 0: every score is 0. One observed set {0}, one noise set. Item
  // 0 was seen once in one set: q_0 = 1/2 by the cap, q_1 = (0 + 1) / 1 capped to 1/2. Each of the
  // three sets that are not empty has probability 1/3; h = sigmoid(0 - log 1 - log 1/3) = 3/4. J =
  // log 3/4 + log 1/4.
  const SetCollection data{.items = 2, .sets = {{0}}, .names = {}};
  const FlatSets sets = flat_sets(data);
  Random random(1);
  const NceSample sample = nce_sample(sets, NoiseSets(sets, 2), 1, random);
  const NceParameters parameters{.items = 2, .dimensions = 0, .theta = {0, 0, 0}};
  EXPECT_NEAR(nce_objective(parameters, sample), std::log(0.75) + std::log(0.25), 1e-14);
}

TEST(NceObjective, TheGradientIsTheSlopeByDifferences) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Random random(seed);
    const auto data = filled_sets(5, 30, random);
    const FlatSets sets = flat_sets(data);
    const NceSample sample = nce_sample(sets, NoiseSets(sets, 5), 3, random);
    auto parameters = random_parameters(5, seed % 4, seed % 3, random);
    std::vector<double> gradient;
    nce_objective(parameters, sample, &gradient);
    for (Index k = 0; k < gradient.size(); ++k) {
      constexpr double kStep = 1e-6;
      const double at = parameters.theta[k];
      parameters.theta[k] = at + kStep;
      const double above = nce_objective(parameters, sample);
      parameters.theta[k] = at - kStep;
      const double below = nce_objective(parameters, sample);
      parameters.theta[k] = at;
      EXPECT_NEAR(gradient[k], (above - below) / (2 * kStep), 1e-8)
          << "seed " << seed << " entry " << k;
    }
  }
}

TEST(NcePairs, TheScoreIsTheFieldsValueAndItsGradientTheSlope) {
  Random random(4);
  const auto data = filled_sets(6, 40, random);
  const FlatSets sets = flat_sets(data);
  const PairSupport support = pair_support(distinct_sets(sets), 6, 7);
  ASSERT_LT(support.pairs(), 15U);  // some pairs have none
  NcePairs parameters{.support = &support};
  for (Index k = 0; k < 6 + support.pairs() + 1; ++k)
    parameters.theta.push_back(random.uniform(-1, 1));
  const PairwiseField field =
      field_of(std::span(parameters.theta).first(parameters.theta.size() - 1), support);
  ScoredPairs scored(parameters);
  for (const auto& set : data.sets) {
    std::vector<std::uint8_t> chosen(6, 0);
    for (const auto i : set) chosen[i] = 1;
    EXPECT_NEAR(score(parameters, set, scored), field.evaluate(chosen) + parameters.constant(),
                1e-12);
  }
  const NceSample sample = nce_sample(sets, NoiseSets(sets, 6), 3, random);
  std::vector<double> gradient;
  nce_objective(parameters, sample, &gradient);
  for (Index k = 0; k < gradient.size(); ++k) {
    NcePairs moved = parameters;
    moved.theta[k] += 1e-6;
    const double above = nce_objective(moved, sample);
    moved.theta[k] -= 2e-6;
    EXPECT_NEAR(gradient[k], (above - nce_objective(moved, sample)) / 2e-6, 1e-8) << k;
  }
}

TEST(NcePairs, FindTheFieldThatDrewTheSets) {
  const PairwiseField truth = make_pairwise_field(
      {0.3, -0.5, -1, -0.2, -0.8},
      std::vector<Edge>{{0, 1, 1.5}, {1, 2, -1.0}, {2, 3, 0.8}, {0, 4, -1.2}, {3, 4, 1.0}});
  const auto data = drawn_from(truth, 2000, 9);
  NceOptions how{.epochs = 20, .noise_ratio = 8};
  const PairwiseFit fit = fit_pairwise_nce(data, {.sizes_seen = false}, how);
  EXPECT_EQ(fit.pairs, 10U);
  EXPECT_GT(likelihood_not_empty(fit.model, data), likelihood_not_empty(truth, data) - 0.02);
  // Items by themselves and a field of the wrong signs are far below.
  EXPECT_LT(likelihood_not_empty(fit_modular(data, 1), data),
            likelihood_not_empty(truth, data) - 0.1);
  how.starts = 2;
  EXPECT_EQ(refusal([&] { fit_pairwise_nce(data, {}, how); }),
            "nce: 2 starts are asked for a pairwise field, whose objective has one maximum");
}

TEST(NoiseContrastive, FindsWhatGoesTogether) {
  // 0 and 1 replace one another, 2, 3 and 4 come together: a FLID can say the first alone.
  const Fldc truth =
      make_fldc({0.5, 0.2, -1.5, -1.2, -1.6}, {3, 2.5, 0, 0, 0}, 1, {0, 0, 1.5, 1.5, 1.5}, 1);
  const auto data = drawn_from(truth, 2000, 5);
  const NceOptions how{.dimensions = 2, .concepts = 2, .epochs = 25, .noise_ratio = 10};
  const FldcFit fit = fit_fldc_nce(data, how);
  EXPECT_GT(likelihood_not_empty(fit.model, data), likelihood_not_empty(truth, data) - 0.02);
  const FlidFit apart = fit_flid_nce(data, {.dimensions = 4, .epochs = 25, .noise_ratio = 10});
  EXPECT_GT(likelihood_not_empty(fit.model, data), likelihood_not_empty(apart.model, data) + 0.1);
  EXPECT_NEAR(fit.log_z_estimate, reference::log_z(reference::all_values(fit.model)), 0.1);
  for (const double v : fit.model.coherence) EXPECT_GE(v, 0);
  EXPECT_EQ(refusal([&] { fit_flid_nce(data, how); }),
            "nce: a flid has no concepts, but 2 are asked for");
}

TEST(NoiseContrastive, FindsTheDistributionThatDrewTheSets) {
  const Flid truth = make_flid({0.5, 0.2, -0.3, -0.5, 0}, {3, 0, 2, 0, 0, 2.5, 0, 2, 1, 0.1}, 2);
  const auto data = drawn_from(truth, 2000, 3);
  const double wanted = mean_log_likelihood(truth, data);
  const double modular = mean_log_likelihood(fit_modular(data, 0), data);
  for (const auto optimiser : {NceOptions::Optimiser::kAdaGrad, NceOptions::Optimiser::kSgd}) {
    // More dimensions than the truth has: with as many, some starts end in a lesser local optimum.
    const FlidFit fit = fit_flid_nce(
        data, {.dimensions = 6, .epochs = 25, .noise_ratio = 10, .optimiser = optimiser});
    EXPECT_TRUE(is_finite(fit.model));
    const double found = mean_log_likelihood(fit.model, data);
    EXPECT_GT(found, modular + 0.05);
    if (optimiser == NceOptions::Optimiser::kAdaGrad) {
      EXPECT_GT(found, wanted - 0.02);
    }
    EXPECT_LT(found, wanted + 0.02);  // 35 parameters on 2000 sets fit noise by about 0.01
    const double log_z = reference::log_z(reference::all_values(fit.model));
    EXPECT_NEAR(fit.log_z_estimate, log_z, 0.1);
    EXPECT_GT(fit.empty_sets, 0U);
    EXPECT_NEAR(std::exp(-log_z), static_cast<double>(fit.empty_sets) / 2000, 0.02);
  }
}

TEST(NoiseContrastive, WithoutEmptySetsTheirChanceIsTheOneAskedFor) {
  Random random(4);
  const auto data = filled_sets(5, 500, random);
  const FlidFit fit = fit_flid_nce(data, {.dimensions = 2, .epochs = 40, .empty_chance = 0.05});
  EXPECT_NEAR(std::exp(-fit.log_z_estimate), 0.05, 1e-12);
  EXPECT_NEAR(std::exp(-reference::log_z(reference::all_values(fit.model))), 0.05, 0.01);
  const FlidFit usual = fit_flid_nce(data, {.dimensions = 2, .epochs = 40});
  EXPECT_NEAR(std::exp(-usual.log_z_estimate), 0.0125, 1e-12);
}

TEST(NoiseContrastive, TheChanceOfTheEmptySetIsTheOneAskedForOrTheShareSeen) {
  Random random(4);
  auto data = filled_sets(5, 400, random);
  data.sets.resize(410);  // ten are empty
  const std::pair<std::optional<double>, double> cases[] = {{0.01, 0.01},
                                                            {std::nullopt, 10 / 410.0}};
  for (const auto& [asked, chance] : cases) {
    const FlidFit fit = fit_flid_nce(data, {.dimensions = 2, .epochs = 10, .empty_chance = asked});
    EXPECT_EQ(fit.empty_sets, 10U);
    EXPECT_NEAR(std::exp(-fit.log_z_estimate), chance, 1e-12);
  }
}

TEST(NoiseContrastive, TheSameSeedGivesTheSameBits) {
  Random random(6);
  const auto data = filled_sets(6, 200, random);
  const NceOptions options{.dimensions = 3, .epochs = 5, .seed = 7};
  const FlidFit first = fit_flid_nce(data, options);
  const FlidFit second = fit_flid_nce(data, options);
  EXPECT_EQ(first.model.utility, second.model.utility);
  EXPECT_EQ(first.model.weights, second.model.weights);
  EXPECT_NE(first.model.weights,
            fit_flid_nce(data, {.dimensions = 3, .epochs = 5, .seed = 8}).model.weights);
}

TEST(NoiseContrastive, ReturnsTheBestOfItsStarts) {
  Random random(8);
  const auto data = filled_sets(6, 100, random);
  int later = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    double best_watched = -kInfinity;
    const auto fitted = [&](std::size_t starts) {
      NceOptions how{.dimensions = 3, .epochs = 4, .seed = seed};
      how.starts = starts;
      how.observer = [&](const NceProgress& progress) {
        best_watched = std::max(best_watched, progress.now.watched);
        return true;
      };
      return fit_flid_nce(data, how);
    };
    const FlidFit all = fitted(3);
    EXPECT_EQ(all.trace[all.best_epoch - 1].watched, best_watched) << seed;
    later += all.model.weights != fitted(1).model.weights;
  }
  EXPECT_GT(later, 0);
}

TEST(NoiseContrastive, KeepsTheBestEpochAndStopsWhenNothingImproves) {
  Random random(8);
  const auto data = filled_sets(6, 300, random);
  const FlidFit fit = fit_flid_nce(data, {.dimensions = 2, .epochs = 500, .patience = 5});
  EXPECT_EQ(fit.status, Status::kConverged);
  EXPECT_LT(fit.trace.size(), 500U);
  EXPECT_EQ(fit.held_aside, 30U);
  EXPECT_EQ(fit.training_sets, 270U);
  for (const auto& epoch : fit.trace)
    EXPECT_LE(epoch.watched, fit.trace[fit.best_epoch - 1].watched);
}

TEST(NoiseContrastive, TheObserverCanStopIt) {
  Random random(9);
  const auto data = filled_sets(4, 100, random);
  std::size_t calls = 0;
  const FlidFit fit = fit_flid_nce(data, {.dimensions = 1, .observer = [&](const NceProgress& now) {
                                            EXPECT_EQ(now.now.epoch, calls + 1);
                                            return ++calls < 3;
                                          }});
  EXPECT_EQ(fit.status, Status::kInterrupted);
  EXPECT_EQ(fit.trace.size(), 3U);
  EXPECT_TRUE(is_finite(fit.model));
}

TEST(NoiseContrastive, OddDataGivesFiniteModels) {
  const std::vector<SetCollection> odd{
      {.items = 1, .sets = {{0}}, .names = {}},                     // one item, one set
      {.items = 3, .sets = {{0, 2}, {0, 2}, {0, 2}}, .names = {}},  // all equal, one never seen
      {.items = 2, .sets = {{0, 1}, {}, {}, {}}, .names = {}},      // mostly empty
      {.items = 4, .sets = {{0, 1, 2, 3}, {0, 1, 2, 3}}, .names = {}}};  // everything always
  for (const auto& data : odd)
    for (const Index dimensions : {0U, 1U, 5U})
      for (const auto optimiser : {NceOptions::Optimiser::kAdaGrad, NceOptions::Optimiser::kSgd}) {
        const FlidFit fit = fit_flid_nce(data, {.dimensions = dimensions, .optimiser = optimiser});
        EXPECT_TRUE(is_finite(fit.model));
        EXPECT_TRUE(std::isfinite(fit.log_z_estimate));
        EXPECT_EQ(fit.model.dimensions, dimensions);
      }
}

TEST(NoiseContrastive, NamesTheOptionItRefuses) {
  const SetCollection data{.items = 2, .sets = {{0}, {1}}, .names = {}};
  EXPECT_EQ(refusal([&] { fit_flid_nce(data, {.epochs = 0}); }),
            "nce: the number of epochs is 0, which must be >= 1");
  EXPECT_EQ(refusal([&] { fit_flid_nce(data, {.noise_ratio = 0}); }),
            "nce: the noise ratio is 0, which must be finite and > 0");
  EXPECT_EQ(refusal([&] { fit_flid_nce(data, {.step = -1}); }),
            "nce: the step is -1, which must be finite and >= 0 (0: the optimiser's own)");
  EXPECT_EQ(refusal([&] { fit_flid_nce(data, {.held_aside = 1}); }),
            "nce: the share held aside is 1, which must be >= 0 and < 1");
  EXPECT_EQ(refusal([&] { fit_flid_nce(data, {.empty_chance = 1}); }),
            "nce: the chance of the empty set is 1, which must be > 0 and < 1");
  EXPECT_EQ(refusal([&] {
              fit_flid_nce({.items = 2, .sets = {{}, {}}, .names = {}});
            }),
            "noise: all 2 sets are empty, so no item has a frequency");
}

TEST(NoiseContrastive, StatesWhatAnEpochCosts) {
  // Two sets and three entries, each observed and in two noise sets for it, of 2 dimensions, 3 concepts and a utility: 6 sets, 54 slopes.
  SetCollection data{.items = 4, .sets = {{0, 1}, {2}}, .names = {}};
  const NceOptions how{.dimensions = 2, .concepts = 3, .noise_ratio = 2};
  EXPECT_EQ(nce_operations(data, how), 600 * 6 + 8 * 54);
  data.items =
      10'922;  // two numbers of 8 bytes for each of six columns: 2^20 bytes hold 10,922 items
  EXPECT_EQ(nce_operations(data, how), 600 * 6 + 8 * 54);
  data.items = 10'923;
  EXPECT_EQ(nce_operations(data, how), 600 * 6 + 20 * 54);
}

}  // namespace
}  // namespace surefield
