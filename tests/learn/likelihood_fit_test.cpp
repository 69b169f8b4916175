#include "surefield/learn/likelihood_fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "surefield/bounds/log_z/exact/flid_exact.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"
#include "surefield/learn/parameters.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

constexpr LogZMethod kMethods[] = {LogZMethod::kHoelder, LogZMethod::kExact,
                                   LogZMethod::kMeanField};

/// Sets drawn from a model by the table of all its probabilities.
template <class M>
SetCollection drawn_from(const M& model, Index count, bool non_empty, std::uint64_t seed) {
  Random random(seed);
  const std::vector<double> values = reference::all_values(model);
  const double log_z = reference::log_z(values);
  SetCollection data;
  data.items = model.size();
  while (data.sets.size() < count) {
    double left = random.uniform();
    std::uint64_t code = 0;
    while (code + 1 < values.size() && (left -= std::exp(values[code] - log_z)) > 0) ++code;
    if (code == 0 && non_empty) continue;
    std::vector<std::uint32_t> set;
    for (std::uint32_t i = 0; i < model.size(); ++i)
      if ((code >> i & 1) != 0) set.push_back(i);
    data.sets.push_back(std::move(set));
  }
  return data;
}

/// Two groups of substitutes, one a dimension.
Flid substitutes() {
  return make_flid({0.5, 0.2, 0.4, 0.0, 0.3, 0.1}, {4, 0, 3.5, 0, 3, 0, 0, 4, 0, 3.5, 0, 3}, 2);
}

/// Mean log p(S), or log p(S | not empty), by enumeration.
template <class M>
double likelihood(const M& model, const SetCollection& data, bool non_empty) {
  const std::vector<double> values = reference::all_values(model);
  double log_z = reference::log_z(values);
  if (non_empty) log_z += std::log(-std::expm1(-log_z));  // log(Z - 1)
  double sum = 0;
  for (const auto& set : data.sets) {
    std::size_t code = 0;
    for (const auto i : set) code |= std::size_t{1} << i;
    sum += values[code] - log_z;
  }
  return sum / static_cast<double>(data.sets.size());
}

TEST(LikelihoodFit, TheObjectiveIsOnTheSideItSays) {
  const SetCollection data = drawn_from(substitutes(), 300, true, 1);
  for (const LogZMethod method : kMethods)
    for (const bool non_empty : {true, false}) {
      SCOPED_TRACE(text_of(method));
      const FlidFit fit = fit_flid_likelihood(data, {.dimensions = 2,
                                                     .log_z = method,
                                                     .given_non_empty = non_empty,
                                                     .prior = 0,
                                                     .iterations = 60});
      const double claimed = fit.trace[fit.best_epoch - 1].training;
      const double truth = likelihood(fit.model, data, non_empty);
      const double log_z = flid_exact(fit.model).log_z;
      if (method == LogZMethod::kExact) {
        EXPECT_NEAR(claimed, truth, 1e-9);
        EXPECT_NEAR(fit.log_z_estimate, log_z, 1e-12);
      }
      if (method == LogZMethod::kHoelder) {
        EXPECT_LE(claimed, truth + 1e-12);
        EXPECT_GE(fit.log_z_estimate, log_z);
      }
      if (method == LogZMethod::kMeanField) {
        EXPECT_GE(claimed, truth - 1e-12);
        EXPECT_LE(fit.log_z_estimate, log_z + 1e-12);
      }
    }
}

// Minus prior / N times half the squares of the weights and of what the utilities are off the items by themselves: a
// second prior takes away just that much more at the same model.
TEST(LikelihoodFit, ThePriorIsHalfTheSquares) {
  const SetCollection data = drawn_from(substitutes(), 200, false, 1);
  const auto first_value = [&](double prior) {
    return fit_flid_likelihood(data, {.log_z = LogZMethod::kExact,
                                      .given_non_empty = false,
                                      .start = substitutes(),
                                      .prior = prior,
                                      .iterations = 1})
        .trace.front()
        .training;
  };
  const Flid start = substitutes();
  double squares = 0;
  for (const double w : start.weights) squares += w * w;
  const double at_zero = first_value(0), sets = 200;
  EXPECT_NEAR(at_zero, likelihood(start, data, false), 1e-9);
  const double taken = (at_zero - first_value(3)) * sets / 3;
  const double off = 2 * taken - squares;  // of the utilities
  EXPECT_GT(off, 0);
  EXPECT_LT(off, 6 * 4) << "no utility is off the log odds of its item by two";
  EXPECT_NEAR((at_zero - first_value(1)) * sets, taken, 1e-9);
}

TEST(LikelihoodFit, EndsWhereNoParameterImprovesTheLikelihood) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const SetCollection data = drawn_from(substitutes(), 400, true, seed);
    const FlidFit fit = fit_flid_likelihood(
        data, {.dimensions = 2, .log_z = LogZMethod::kExact, .prior = 0, .seed = seed});
    const double best = likelihood(fit.model, data, true);
    const std::vector<double> theta = parameters(fit.model);
    for (std::size_t p = 0; p < theta.size(); ++p)
      for (const double step : {-0.05, 0.05}) {
        auto moved = theta;
        moved[p] += step;
        if (p >= data.items && moved[p] < 0) continue;
        EXPECT_LE(likelihood(with_parameters(fit.model, moved), data, true), best + 1e-4)
            << "seed " << seed << " parameter " << p;
      }
  }
}

TEST(LikelihoodFit, BeatsTheItemsByThemselvesAndNearsTheTruth) {
  const SetCollection data = drawn_from(substitutes(), 2000, true, 7);
  const double truth = likelihood(substitutes(), data, true);
  const double modular = likelihood(
      fit_flid_likelihood(data, {.dimensions = 0, .log_z = LogZMethod::kExact}).model, data, true);
  const FlidFit exact = fit_flid_likelihood(data, {.dimensions = 2, .log_z = LogZMethod::kExact});
  EXPECT_EQ(exact.status, Status::kConverged);
  EXPECT_EQ(submodularity_violation(exact.model), std::nullopt);
  EXPECT_GT(likelihood(exact.model, data, true), truth);  // it has seen the data, the truth has not
  // The bound is loose where two dimensions matter, so it settles for less; and it never says more
  // than is true.
  const FlidFit bounded = fit_flid_likelihood(data, {.dimensions = 2});
  EXPECT_GT(likelihood(bounded.model, data, true), modular + 0.1);
  EXPECT_LT(likelihood(bounded.model, data, true), likelihood(exact.model, data, true));
}

TEST(LikelihoodFit, OfOneItemByHand) {
  // Three sets with the item, one without: u = log 3 under all methods, log Z = log 4.
  SetCollection data;
  data.items = 1;
  data.sets = {{0}, {0}, {}, {0}};
  for (const LogZMethod method : kMethods)
    for (const Index dimensions : {0, 1}) {
      const FlidFit fit = fit_flid_likelihood(data, {.dimensions = dimensions,
                                                     .log_z = method,
                                                     .given_non_empty = false,
                                                     .prior = 0,
                                                     .progress = 0});
      EXPECT_NEAR(fit.model.utility[0], std::log(3), 1e-5) << text_of(method) << dimensions;
      EXPECT_NEAR(fit.log_z_estimate, std::log(4), 1e-5) << text_of(method) << dimensions;
    }
  const FlidFit given = fit_flid_likelihood(data, {.dimensions = 1});
  EXPECT_EQ(given.empty_sets, 1U);
  EXPECT_EQ(given.training_sets, 3U);
}

TEST(LikelihoodFit, PolishesAGivenModelAndNeverMakesItWorse) {
  const SetCollection data = drawn_from(substitutes(), 500, true, 3);
  const FlidFit fit =
      fit_flid_likelihood(data, {.log_z = LogZMethod::kExact, .start = substitutes(), .prior = 0});
  EXPECT_EQ(fit.model.dimensions, 2U);
  EXPECT_GE(likelihood(fit.model, data, true), likelihood(substitutes(), data, true));
}

TEST(LikelihoodFit, IsTheSameForTheSameSeedAndStopsWhenAsked) {
  const SetCollection data = drawn_from(substitutes(), 200, true, 5);
  LikelihoodFitOptions options{.dimensions = 2, .log_z = LogZMethod::kExact, .iterations = 30};
  const FlidFit one = fit_flid_likelihood(data, options);
  for (const unsigned threads : {2U, 8U}) {
    options.budget = Budget().with_threads(threads);
    const FlidFit many = fit_flid_likelihood(data, options);
    EXPECT_EQ(one.model.weights, many.model.weights);
    EXPECT_EQ(one.model.utility, many.model.utility);
  }
  options.observer = [](const FlidFitEpoch& now) { return now.epoch < 5; };
  const FlidFit stopped = fit_flid_likelihood(data, options);
  EXPECT_EQ(stopped.status, Status::kInterrupted);
  EXPECT_EQ(stopped.trace.size(), 5U);
}

// Start k draws by seed + k, so the best of three starts is the best of three fits of one.
TEST(LikelihoodFit, ReturnsTheBestOfItsStarts) {
  const SetCollection data = drawn_from(substitutes(), 200, true, 5);
  const auto fitted = [&](std::uint64_t seed, std::size_t starts) {
    return fit_flid_likelihood(data, {.dimensions = 3,
                                      .log_z = LogZMethod::kExact,
                                      .starts = starts,
                                      .iterations = 4,
                                      .seed = seed});
  };
  const auto objective = [](const FlidFit& fit) { return fit.trace[fit.best_epoch - 1].training; };
  int later = 0;
  for (std::uint64_t seed = 1; seed <= 20; seed += 3) {
    const FlidFit all = fitted(seed, 3);
    const FlidFit alone[] = {fitted(seed, 1), fitted(seed + 1, 1), fitted(seed + 2, 1)};
    const auto best = std::ranges::max_element(alone, {}, objective);
    EXPECT_EQ(all.model.weights, best->model.weights) << seed;
    later += best != std::begin(alone);
  }
  EXPECT_GT(later, 0);
}

TEST(LikelihoodFit, IsSoundOnDataThatSayLittle) {
  SetCollection data;
  data.items = 3;  // one item never seen, one in every set, all sets equal
  data.sets = {{0, 1}, {0, 1}, {0, 1}};
  for (const LogZMethod method : kMethods) {
    const FlidFit fit = fit_flid_likelihood(data, {.dimensions = 2, .log_z = method});
    for (const double one : parameters(fit.model)) EXPECT_TRUE(std::isfinite(one));
    EXPECT_TRUE(std::isfinite(fit.log_z_estimate)) << text_of(method);
    EXPECT_LT(fit.model.utility[2], 0) << text_of(method);
  }
}

/// Items 0 to 2 replace one another, 3 to 5 go together.
Fldc coherent() {
  return make_fldc({0.5, 0.2, 0.4, -1.0, -1.3, -1.1}, {4, 3.5, 3, 0, 0, 0}, 1,
                   {0, 0, 0, 2.5, 2, 1.5}, 1);
}

TEST(LikelihoodFit, OfAnFldcIsTheLikelihoodAndFindsWhatGoesTogether) {
  for (const bool non_empty : {true, false}) {
    const SetCollection data = drawn_from(coherent(), 1500, non_empty, 2);
    const LikelihoodFitOptions how{
        .dimensions = 1, .log_z = LogZMethod::kExact, .given_non_empty = non_empty, .prior = 0};
    const FldcFit fit = fit_fldc_likelihood(data, 1, how);
    const double found = likelihood(fit.model, data, non_empty);
    EXPECT_EQ(fit.status, Status::kConverged);
    EXPECT_NEAR(fit.trace[fit.best_epoch - 1].training, found, 1e-9);
    EXPECT_NEAR(fit.log_z_estimate, flid_exact(fit.model).log_z, 1e-12);
    EXPECT_GT(found, likelihood(coherent(), data, non_empty));  // it has seen the data
    EXPECT_GT(found, likelihood(fit_flid_likelihood(data, how).model, data, non_empty) + 0.1);
    // Nowhere is a parameter that would make it better.
    for (const auto numbers : {&Fldc::utility, &Fldc::weights, &Fldc::coherence})
      for (Index k = 0; k < data.items; ++k)
        for (const double step : {-0.05, 0.05}) {
          Fldc moved = fit.model;
          (moved.*numbers)[k] += step;
          if (numbers != &Fldc::utility && (moved.*numbers)[k] < 0) continue;
          moved = make_fldc(moved.utility, moved.weights, 1, moved.coherence, 1);
          EXPECT_LE(likelihood(moved, data, non_empty), found + 1e-4) << k;
        }
    // The bound by Hoelder claims no more than is true.
    LikelihoodFitOptions bounded = how;
    bounded.log_z = LogZMethod::kHoelder;
    bounded.iterations = 60;
    const FldcFit below = fit_fldc_likelihood(data, 1, bounded);
    EXPECT_LE(below.trace[below.best_epoch - 1].training,
              likelihood(below.model, data, non_empty) + 1e-12);
    EXPECT_GE(below.log_z_estimate, flid_exact(below.model).log_z);
  }
  EXPECT_EQ(testing::refusal([] {
              fit_fldc_likelihood(drawn_from(coherent(), 9, true, 1), 1,
                                  {.dimensions = 1, .log_z = LogZMethod::kMeanField});
            }),
            "likelihood fit: the ELBO as log Z learns no fldc; there are exact and hoelder");
  EXPECT_EQ(testing::refusal([] {
              fit_fldc_likelihood(drawn_from(coherent(), 9, true, 1), 1,
                                  {.start = make_flid({0.0}, {}, 0)});
            }),
            "likelihood fit: a start is of a flid, not of an fldc");
}

TEST(LikelihoodFit, OfAnFldcWithoutConceptsIsThatOfAFlid) {
  const SetCollection data = drawn_from(substitutes(), 200, true, 5);
  const LikelihoodFitOptions how{.dimensions = 2, .log_z = LogZMethod::kExact, .iterations = 30};
  const FlidFit flid = fit_flid_likelihood(data, how);
  const FldcFit fldc = fit_fldc_likelihood(data, 0, how);
  EXPECT_EQ(flid.model.utility, fldc.model.utility);
  EXPECT_EQ(flid.model.weights, fldc.model.weights);
}

TEST(LikelihoodFit, Refusals) {
  SetCollection data;
  data.items = 2;
  data.sets = {{}, {}};
  const auto says = [&](const LikelihoodFitOptions& options) {
    return testing::refusal([&] { fit_flid_likelihood(data, options); });
  };
  EXPECT_EQ(says({}),
            "likelihood fit: all 2 sets are empty, but at least one that is not is needed");
  data.sets = {{0}, {1}};
  EXPECT_EQ(says({.initial_weight = -1}),
            "likelihood fit: the initial weight is -1, which must be finite and >= 0");
  EXPECT_EQ(says({.prior = -1}), "likelihood fit: the prior is -1, which must be finite and >= 0");
  EXPECT_EQ(says({.progress = -1}),
            "likelihood fit: the progress is -1, which must be finite and >= 0");
  EXPECT_EQ(says({.starts = 0}), "likelihood fit: the starts are 0, which must be at least 1");
  EXPECT_EQ(says({.start = make_flid({0.0}, {}, 0)}),
            "likelihood fit: the start has 1 items, the data 2, which must be the same");
  EXPECT_EQ(says({.start = make_flid({0.0, 0.0}, {1.0, -1.0}, 1)}),
            "likelihood fit: the start is not submodular: item 1 has weight -1 in dimension 0, "
            "which must be >= 0 (the best of no item is 0)");
}

}  // namespace
}  // namespace surefield
