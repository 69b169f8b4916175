#include "surefield/api/fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/api/registries.hpp"
#include "surefield/io/sets_file.hpp"
#include "surefield/learn/modular_non_empty.hpp"
#include "surefield/learn/sampled_likelihood_fit.hpp"
#include "surefield/learn/thin_fit.hpp"
#include "surefield/models/families.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/shared_data.hpp"

namespace surefield {
namespace {

using testing::refusal;

SetCollection pairs() {
  SetCollection data{.items = 3, .sets = {}, .names = {"a", "b", "c"}};
  for (int k = 0; k < 30; ++k) data.sets.push_back({static_cast<std::uint32_t>(k % 3)});
  data.sets.push_back({0, 1});
  return data;
}

TEST(Fit, EveryRowOfTheTableLearnsAModelOfAllItems) {
  for (const auto& row : fit_table()) {
    SCOPED_TRACE(row.method);
    FitOptions options;
    options.model = row.model;
    options.method = row.method;
    options.nce.dimensions = 2;
    options.nce.epochs = 20;
    if (row.method == "samples") options.likelihood.iterations = 10;
    const FitResult result = fit(pairs(), options);
    EXPECT_EQ(size_of(result.model), 3U);
    EXPECT_EQ(result.items, pairs().names);
    if (row.model != "auto") {
      EXPECT_EQ(result.method, row.method);
    }
    EXPECT_EQ(result.choice.has_value(), row.model == "auto");
    EXPECT_EQ(result.sets, 31U);
    const auto likelihood = fold_likelihood(result, pairs(), {});
    ASSERT_TRUE(likelihood);
    EXPECT_LE(likelihood->lower, likelihood->upper);
    EXPECT_LT(likelihood->upper, 0);
    EXPECT_GT(*likelihood->lower_not_empty, likelihood->lower);
  }
}

TEST(Fit, ItemsByThemselvesKnowThatNoSetIsEmpty) {
  // {0} twice, {1} twice, {0, 1} once: f = 0.6 each. e = (1 - 0.6 (1 - e))^2 has the root 4/9: P(i in S) =
  // 0.6 * 5/9 = 1/3, u = -log 2, and Z - 1 = 1/2 + 1/2 + 1/4. Given that a set is not empty the three
  // kinds have 0.4, 0.4 and 0.2, as in the data.
  const SetCollection data{.items = 2, .sets = {{0}, {1}, {0, 1}, {0}, {1}}, .names = {}};
  FitOptions options;
  options.model = "modular";
  options.smoothing = 0;
  const FitResult found = fit(data, options);
  EXPECT_NEAR(evaluate(found.model, std::vector<std::uint8_t>{1, 0}), -std::log(2), 1e-9);
  ASSERT_EQ(found.notes.size(), 1U);
  EXPECT_EQ(found.notes[0],
            "no set is empty: fitted given that; the model itself has P(empty) = 0.4444");
  const auto judged = fold_likelihood(found, data, {});
  ASSERT_TRUE(judged && judged->lower_not_empty);
  EXPECT_NEAR(*judged->lower_not_empty, 0.8 * std::log(0.4) + 0.2 * std::log(0.2), 1e-9);
}

TEST(Fit, PerfectSamplesAndConceptsGoThroughTheSameDoor) {
  SetCollection data = pairs();
  for (const char* model : {"flid", "fldc"})
    for (const char* method : {"nce", "samples"}) {
      FitOptions options{.model = model, .method = method, .concepts = 1};
      options.nce.dimensions = 1;
      options.nce.epochs = 8;
      options.likelihood.iterations = 5;
      const FitResult found = fit(data, options);
      EXPECT_EQ(found.method, method);
      EXPECT_EQ(kind_of(found.model), model);
      EXPECT_TRUE(found.log_z_estimate.has_value());
    }
}

TEST(Fit, TheLikelihoodOfModularItemsByHand) {
  // 10 sets: item 0 in 4 of them, no smoothing: log p({0}) = log 0.4, log p({}) = log 0.6.
  SetCollection data{.items = 1, .sets = std::vector<std::vector<std::uint32_t>>(10), .names = {}};
  for (int k = 0; k < 4; ++k) data.sets[k] = {0};
  FitOptions options;
  options.model = "modular";
  options.smoothing = 0;
  const auto found = fold_likelihood(fit(data, options), data, {});
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->lower, 0.4 * std::log(0.4) + 0.6 * std::log(0.6), 1e-12);
  EXPECT_EQ(found->lower, found->upper);
  EXPECT_FALSE(found->lower_not_empty);  // some of the sets are empty
}

// Item 0 in 4 of 10 sets, the others empty: the likelihood is greatest at P(0 in S) = 0.4. Without the
// empty sets nothing says how likely they are, and P(0 | not empty) = 1 already.
TEST(Fit, EmptySetsCountForTheLikelihoodWhereThereAreSome) {
  SetCollection data{.items = 1, .sets = std::vector<std::vector<std::uint32_t>>(10), .names = {}};
  for (int k = 0; k < 4; ++k) data.sets[k] = {0};
  FitOptions options;
  options.model = "flid";
  options.method = "likelihood";
  options.nce.dimensions = 1;
  options.likelihood.prior = 0;
  for (const auto method : {LogZMethod::kExact, LogZMethod::kHoelder, LogZMethod::kMeanField}) {
    SCOPED_TRACE(text_of(method));
    options.likelihood.log_z = method;
    const FitResult found = fit(data, options);
    EXPECT_EQ(found.empty_sets, 6U);
    const std::vector<std::uint8_t> in{1};
    EXPECT_NEAR(1 / (1 + std::exp(-evaluate(found.model, in))), 0.4, 1e-4);
    const auto judged = fold_likelihood(found, data, {});
    ASSERT_TRUE(judged);
    EXPECT_NEAR(judged->lower, 0.4 * std::log(0.4) + 0.6 * std::log(0.6), 1e-7);
    EXPECT_FALSE(judged->lower_not_empty);
  }
  data.sets.resize(4);
  const auto judged = fold_likelihood(fit(data, options), data, {});
  ASSERT_TRUE(judged && judged->lower_not_empty);
  EXPECT_NEAR(*judged->lower_not_empty, 0, 1e-9);
  EXPECT_GE(*judged->upper_not_empty, 0);
}

TEST(Fit, NamesWhatCanBeLearned) {
  EXPECT_EQ(refusal([] { fit(pairs(), {.model = "forest"}); }),
            "fit: there is no model 'forest' to learn; there are: flid by nce, flid by likelihood, "
            "flid by samples, fldc by nce, fldc by likelihood, fldc by samples, modular by "
            "frequencies, pairwise by pseudo-likelihood, pairwise by nce, thin by composite, thin "
            "by likelihood, dpp by likelihood, auto by folds");
  SetCollection fewer = pairs();
  const FitResult result = fit(fewer, {.model = "modular"});
  fewer.items = 2;
  EXPECT_EQ(refusal([&] { fold_likelihood(result, fewer, {}); }),
            "held-out sets: they are of 2 items, but the model has 3");
}

TEST(Fit, BeatsItemsByThemselvesOnRegistries) {
  SUREFIELD_NEEDS_DATA("registries");
  const auto data = read_sets(
      testing::shared_data("registries/1_100_100_100_media_regs.csv").string(), {.items = 58});
  const Fold fold = fold_of(data, 10, 0, 1);
  FitOptions options;
  options.nce.dimensions = 10;
  options.nce.epochs = 4;
  options.nce.noise_ratio = 5;
  const LogZOptions bounds{.goal = LogZGoal::kWidth, .width = 0.05, .budget = Budget().within(30)};
  const auto flid = fold_likelihood(fit(fold.training, options), fold.held_out, bounds);
  options.model = "modular";
  const auto modular = fold_likelihood(fit(fold.training, options), fold.held_out, bounds);
  ASSERT_TRUE(flid && modular);
  EXPECT_GT(flid->lower, modular->upper + 0.05);
}

// Every option of the front door reaches the method: each fit is the method itself, bit for bit.
TEST(Fit, IsTheMethodWithEveryOptionHandedOn) {
  const SetCollection data =
      generate_registries({.items = 8, .sets = 120, .dimensions = 2, .seed = 4}).data;
  FitOptions options;
  options.seed = 11;
  options.concepts = 1;
  options.smoothing = 3;
  options.nce = {.dimensions = 2, .epochs = 7, .noise_ratio = 3, .step = 0.07, .patience = 3};
  options.likelihood = {.starts = 2, .prior = 0.9, .iterations = 6};
  options.dpp.iterations = 9;
  options.thin.width = 2;
  options.pairwise.penalty = 7;
  const auto found = [&](const char* model, const char* method) {
    FitOptions how = options;
    how.model = model;
    how.method = method;
    return fit(data, how).model;
  };
  NceOptions nce = options.nce;
  nce.seed = 11;
  const auto same = [](const AnyModel& one, const Flid& two) {
    EXPECT_EQ(one.as<Flid>()->utility, two.utility);
    EXPECT_EQ(one.as<Flid>()->weights, two.weights);
  };
  same(found("flid", "nce"), fit_flid_nce(data, nce).model);
  const SampledFitOptions sampled{.start = nce, .rounds = 6, .prior = 0.9};
  same(found("flid", "samples"), fit_flid_by_samples(data, sampled).model);
  LikelihoodFitOptions likelihood = options.likelihood;
  likelihood.seed = 11;
  likelihood.dimensions = 2;
  same(found("flid", "likelihood"), fit_flid_likelihood(data, likelihood).model);
  EXPECT_EQ(found("fldc", "likelihood").as<Fldc>()->coherence,
            fit_fldc_likelihood(data, 1, likelihood).model.coherence);
  same(found("modular", ""), fit_items_alone(data, 3));
  NceOptions with_concepts = nce;
  with_concepts.concepts = 1;
  EXPECT_EQ(found("fldc", "nce").as<Fldc>()->coherence,
            fit_fldc_nce(data, with_concepts).model.coherence);
  EXPECT_EQ(found("fldc", "samples").as<Fldc>()->coherence,
            fit_fldc_by_samples(data, {.start = with_concepts, .rounds = 6, .prior = 0.9})
                .model.coherence);
  EXPECT_EQ(
      found("dpp", "likelihood").as<LogDet>()->kernel,
      fit_dpp(data, {.features = 2, .iterations = 9, .smoothing = 3, .seed = 11}).model.kernel);
  for (const auto& [method, share] : {std::pair{"composite", 0.5}, {"likelihood", 0.0}})
    EXPECT_EQ(
        found("thin", method).as<PairwiseField>()->coupling,
        fit_thin(data, {.width = 2, .share = share, .penalty = 7, .smoothing = 3}).model.coupling);
}

}  // namespace
}  // namespace surefield
