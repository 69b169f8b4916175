#include "surefield/learn/sampled_likelihood_fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "surefield/bounds/log_z/sampling/fldc_sampling.hpp"
#include "surefield/bounds/log_z/sampling/flid_sampling.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/learn/empty_chance.hpp"
#include "surefield/learn/flat_sets.hpp"
#include "surefield/learn/nce_parameters.hpp"
#include "surefield/learn/weight_columns.hpp"

namespace surefield {
namespace {

constexpr double kLeastSquare = 1e-6;  // of a slope: below it a parameter moves in proportion
constexpr double kMemory = 0.9;        // of the mean squared slopes, a round
constexpr double kSlowing = 30;        // rounds in which the step falls as 1 to 1/sqrt(2)
constexpr Index kMostDraws = 20000;    // for one set
constexpr double kNearlySure = 1 - 1e-12;

/// What differs between the two families.
struct FlidFamily {
  using Fit = FlidFit;
  using Model = Flid;
  using Sampler = FlidSampler;
  static Fit start(const SetCollection& data, const NceOptions& how) {
    return fit_flid_nce(data, how);
  }
  static Model model_of(const NceParameters& parameters) { return flid_of(parameters); }
};
struct FldcFamily {
  using Fit = FldcFit;
  using Model = Fldc;
  using Sampler = FldcSampler;
  static Fit start(const SetCollection& data, const NceOptions& how) {
    return fit_fldc_nce(data, how);
  }
  static Model model_of(const NceParameters& parameters) { return fldc_of(parameters); }
};

template <class Family>
NceParameters parameters_of(const typename Family::Model& model, const NceOptions& how) {
  NceParameters parameters{
      .items = model.size(), .dimensions = how.dimensions, .concepts = how.concepts};
  parameters.theta = model.utility;
  for (Index i = 0; i < model.size(); ++i)
    for (Index c = 0; c < parameters.columns(); ++c)
      parameters.theta.push_back(entry_of(model, i, c));
  parameters.theta.push_back(0);
  return parameters;
}

/// Adds share * d score / d theta of one set.
void add_partials(const NceParameters& parameters, std::span<const std::uint32_t> set, double share,
                  ScoredSet& scored, std::vector<double>& sum) {
  if (set.empty()) return;
  score(parameters, set, scored);
  for_each_partial(parameters, set, scored, [&](Index at, std::span<const double> partials) {
    for (const double partial : partials) sum[at++] += share * partial;
  });
}

struct Drawn {
  bool complete = true;  // false: the budget was spent first
  double kept = 0;       // share of the draws
  double log_z = 0;      // by that share; without the empty set where it is left out
};

/// Subtracts the mean of d score / d theta over perfect samples.
template <class Family>
Drawn subtract_expected(const NceParameters& parameters, const SampledFitOptions& options,
                        Random& random, ScoredSet& scored, std::vector<double>& sum) {
  const auto model = Family::model_of(parameters);
  typename Family::Sampler sampler(model);
  const double share = -1 / static_cast<double>(options.samples);
  Ticks ticks(options.start.budget, 64);
  for (Index k = 0; k < options.samples; ++k) {
    if (ticks.spent()) return {.complete = false};
    add_partials(parameters, sampler.draw(random, options.given_non_empty, kMostDraws), share,
                 scored, sum);
  }
  Drawn drawn;
  drawn.kept = static_cast<double>(options.samples) / static_cast<double>(sampler.draws());
  drawn.log_z = sampler.log_upper() + std::log(drawn.kept);
  return drawn;
}

/// One ascent; `mean` gets the mean of the parameters over the second half of the rounds.
template <class Family>
void ascend(NceParameters now, const DistinctSets& data, double sets,
            const std::vector<double>& odds, const SampledFitOptions& options, Random& random,
            NceParameters& mean, FitCourse& course) {
  std::vector<double> slope(now.theta.size());
  std::vector<double> squares(now.theta.size(), 0);
  ScoredSet scored(now);
  double counted = 0;
  mean = now;
  for (std::size_t round = 1; round <= options.rounds; ++round) {
    if (options.start.budget.spent()) {
      course.status = Status::kInterrupted;
      return;
    }
    std::ranges::fill(slope, 0.0);
    for (Index k = 0; k < data.sets.size(); ++k)
      add_partials(now, data.sets[k], data.times[k] / sets, scored, slope);
    const Drawn drawn = subtract_expected<Family>(now, options, random, scored, slope);
    if (!drawn.complete) {
      course.status = Status::kInterrupted;
      return;
    }
    const double step = options.step / std::sqrt(1 + static_cast<double>(round) / kSlowing);
    for (Index at = 0; at < now.constant_at(); ++at) {
      double& entry = now.theta[at];
      slope[at] -= options.prior / sets * (now.is_weight(at) ? entry : entry - odds[at]);
      const double square = slope[at] * slope[at];
      squares[at] = round == 1 ? square : kMemory * squares[at] + (1 - kMemory) * square;
      entry += step * slope[at] / std::sqrt(squares[at] + kLeastSquare);
      if (now.is_weight(at)) entry = std::max(entry, 0.0);
    }
    if (2 * round > options.rounds) {
      ++counted;
      for (Index at = 0; at < now.constant_at(); ++at)
        mean.theta[at] += (now.theta[at] - mean.theta[at]) / counted;
    } else {
      mean.theta = now.theta;
    }
    const FlidFitEpoch done{
        .epoch = round, .training = drawn.kept, .watched = drawn.kept, .constant = drawn.log_z};
    course.trace.push_back(done);
    course.best_epoch = round;
    if (options.observer && !options.observer(done)) {
      course.status = Status::kInterrupted;
      return;
    }
  }
  course.status = Status::kDone;
}

template <class Family>
typename Family::Fit fit_by_samples(const SetCollection& data, const SampledFitOptions& options) {
  require(options.rounds >= 1, "samples: the number of rounds is ", options.rounds,
          ", which must be >= 1");
  require(options.samples >= 1, "samples: the number of samples a round is ", options.samples,
          ", which must be >= 1");
  require(std::isfinite(options.step) && options.step > 0, "samples: the step is ", options.step,
          ", which must be finite and > 0");
  require(std::isfinite(options.prior) && options.prior >= 0, "samples: the prior is ",
          options.prior, ", which must be finite and >= 0");
  NceOptions first = options.start;
  first.epochs = std::max<std::size_t>(1, first.epochs / 4);
  first.observer = {};
  typename Family::Fit fit = Family::start(data, first);
  // How likely the empty set is, is settled at the end: before, weights as low as they can be keep every item to
  // few dimensions, of which draws are kept.
  const typename Family::Model begin =
      options.given_non_empty ? with_empty_chance(fit.model, 0, kNearlySure).model : fit.model;
  const FlatSets all = flat_sets(data);
  FlatSets kept;
  for (Index k = 0; k < all.size(); ++k)
    if (!options.given_non_empty || !all[k].empty()) kept.add(all[k]);
  const auto sets = static_cast<double>(kept.size());
  std::vector<double> odds;
  for (const Index count : item_counts(kept, data.items))
    odds.push_back(logit((static_cast<double>(count) + 0.5) / (sets + 1)));

  FitCourse course;
  course.method = "maximum likelihood by perfect samples";
  course.training_sets = kept.size();
  course.empty_sets = all.size() - kept.size();
  NceParameters mean;
  Random random(options.start.seed + 1);
  ascend<Family>(parameters_of<Family>(begin, options.start), distinct_sets(kept), sets, odds,
                 options, random, mean, course);
  if (course.trace.empty()) {  // not a round was made: what it would have begun with
    fit.status = Status::kInterrupted;
    return fit;
  }
  double log_z = course.trace.back().constant;
  static_cast<FitCourse&>(fit) = std::move(course);
  fit.model = Family::model_of(mean);
  ScoredSet scored(mean);
  std::vector<double> unused(mean.theta.size());
  if (fit.status != Status::kInterrupted)
    if (const Drawn last = subtract_expected<Family>(mean, options, random, scored, unused);
        last.complete)
      log_z = last.log_z;
  fit.log_z_estimate = log_z;
  // How likely the empty set is, is open where it was left out.
  if (options.given_non_empty) {
    const double chance = options.start.empty_chance.value_or(kUnseenEmptyChance);
    auto settled = with_empty_chance(fit.model, log_z, chance);
    fit.model = std::move(settled.model);
    fit.log_z_estimate = softplus(settled.raised + log_z);
  }
  return fit;
}

}  // namespace

FlidFit fit_flid_by_samples(const SetCollection& data, const SampledFitOptions& options) {
  return fit_by_samples<FlidFamily>(data, options);
}

FldcFit fit_fldc_by_samples(const SetCollection& data, const SampledFitOptions& options) {
  return fit_by_samples<FldcFamily>(data, options);
}

}  // namespace surefield
