#include "surefield/learn/noise_contrastive.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"
#include "surefield/learn/empty_chance.hpp"
#include "surefield/learn/nce_ascent.hpp"
#include "surefield/learn/nce_pairs.hpp"
#include "surefield/learn/nce_sample.hpp"

namespace surefield {
namespace {

void check(const NceOptions& options) {
  require(options.starts >= 1, "nce: the number of starts is ", options.starts,
          ", which must be >= 1");
  require(options.epochs >= 1, "nce: the number of epochs is ", options.epochs,
          ", which must be >= 1");
  require(std::isfinite(options.noise_ratio) && options.noise_ratio > 0, "nce: the noise ratio is ",
          options.noise_ratio, ", which must be finite and > 0");
  require(std::isfinite(options.step) && options.step >= 0, "nce: the step is ", options.step,
          ", which must be finite and >= 0 (0: the optimiser's own)");
  require(options.held_aside >= 0 && options.held_aside < 1, "nce: the share held aside is ",
          options.held_aside, ", which must be >= 0 and < 1");
  if (options.empty_chance)
    require(*options.empty_chance > 0 && *options.empty_chance < 1,
            "nce: the chance of the empty set is ", *options.empty_chance,
            ", which must be > 0 and < 1");
  require(options.tolerance >= 0 && std::isfinite(options.tolerance), "nce: the tolerance is ",
          options.tolerance, ", which must be finite and >= 0");
}

NceParameters start_at(const NoiseSets& noise, const NceOptions& options, Random& random) {
  NceParameters start{
      .items = noise.size(), .dimensions = options.dimensions, .concepts = options.concepts};
  start.theta.reserve(noise.size() * (start.columns() + 1) + 1);
  for (Index i = 0; i < noise.size(); ++i) start.theta.push_back(noise.log_odds(i));
  for (Index w = 0; w < noise.size() * start.columns(); ++w)
    start.theta.push_back(random.uniform(0, kFreshWeight));
  start.theta.push_back(-noise.log_z_without_empty());
  return start;
}

/// The sets that are not empty, in random order, cut in two.
struct Parts {
  FlatSets training, watched;
  Index empty_sets = 0;
};

Parts parts_of(const FlatSets& sets, double held_aside, Random& random) {
  Parts parts;
  std::vector<Index> order;
  for (Index k = 0; k < sets.size(); ++k)
    if (sets[k].empty())
      ++parts.empty_sets;
    else
      order.push_back(k);
  random.shuffle(std::span(order));
  const auto aside = static_cast<Index>(held_aside * static_cast<double>(order.size()));
  for (Index k = 0; k < order.size(); ++k)
    (k < aside ? parts.watched : parts.training).add(sets[order[k]]);
  return parts;
}

/// One ascent from one start, to the best parameters met.
template <class Parameters>
struct Run {
  Parameters best;
  double value = -kInfinity;  ///< watched J of the best
  std::size_t best_epoch = 0;
  std::vector<FlidFitEpoch> trace;
  Index restarts = 0;
  Status status = Status::kEpochLimit;
};

template <class Parameters>
Run<Parameters> run_from(Parameters now, const NceSample& training, const NceSample& watched,
                         std::size_t start, const NceOptions& options, Random& random) {
  const bool watching = watched.observed > 0;
  Run<Parameters> run;
  run.best = now;
  std::size_t improved = 0;
  NceAscent<Parameters> ascent(now, training, options, random);
  for (std::size_t epoch = 1; epoch <= options.epochs; ++epoch) {
    const auto training_value = ascent.pass();
    if (!training_value) {
      run.status = Status::kInterrupted;
      break;
    }
    FlidFitEpoch done{.epoch = epoch, .training = *training_value, .constant = -now.constant()};
    done.watched = watching ? nce_objective(now, watched) : done.training;
    run.trace.push_back(done);
    if (done.watched > run.value + options.tolerance) improved = epoch;
    // Without sets to watch the last parameters are the best known.
    if (!watching || done.watched > run.value) {
      run.best = now;
      run.value = done.watched;
      run.best_epoch = epoch;
    }
    if (watching && epoch - improved >= options.patience) {
      run.status = Status::kConverged;
      break;
    }
    if (options.observer && !options.observer({.starts = options.starts,
                                               .start = start,
                                               .epochs = options.epochs,
                                               .now = done,
                                               .best = run.value})) {
      run.status = Status::kInterrupted;
      break;
    }
  }
  run.restarts = ascent.restarts();
  return run;
}

/// Writes how it went, and returns the best parameters met. start(noise, random) is where an ascent begins.
template <class Start>
auto fit_nce(const SetCollection& data, const NceOptions& options, FitCourse& fit,
             Start&& start_of) {
  check(options);
  const FlatSets sets = flat_sets(data);
  const NoiseSets noise(sets, data.items);
  Random random(options.seed);
  Parts parts = parts_of(sets, options.held_aside, random);

  fit.method = "noise contrastive estimation";
  fit.training_sets = parts.training.size();
  fit.held_aside = parts.watched.size();
  fit.empty_sets = parts.empty_sets;
  const NceSample training =
      nce_sample(std::move(parts.training), noise, options.noise_ratio, random, options.budget);
  const NceSample watched = fit.held_aside == 0
                                ? NceSample{}
                                : nce_sample(std::move(parts.watched), noise, options.noise_ratio,
                                             random, options.budget);

  decltype(start_of(noise, random)) best;
  double best_value = -kInfinity;
  for (std::size_t start = 0; start < options.starts; ++start) {
    auto run = run_from(start_of(noise, random), training, watched, start, options, random);
    if (start == 0 || run.value > best_value) {
      best = std::move(run.best);
      best_value = run.value;
      fit.trace = std::move(run.trace);
      fit.best_epoch = run.best_epoch;
      fit.restarts = run.restarts;
      fit.status = run.status;
    }
    if (run.status == Status::kInterrupted) {
      fit.status = run.status;
      break;
    }
  }
  return best;
}

auto weights_start(const NceOptions& options) {
  return [&options](const NoiseSets& noise, Random& random) {
    return start_at(noise, options, random);
  };
}

/// The chance of the empty set: the one asked for, or its share in the data.
double empty_chance_of(const SetCollection& data, const NceOptions& options, Index empty_sets) {
  const double share = static_cast<double>(empty_sets) / static_cast<double>(data.sets.size());
  return options.empty_chance.value_or(share > 0 ? share : kUnseenEmptyChance);
}

/// A FLID or an FLDC, as `model_of` makes it of parameters.
template <class Fit>
Fit fit_weights(const SetCollection& data, const NceOptions& options, auto&& model_of) {
  Fit fit;
  const NceParameters best = fit_nce(data, options, fit, weights_start(options));
  const double chance = empty_chance_of(data, options, fit.empty_sets);
  auto settled = with_empty_chance(model_of(best), -best.constant(), chance);
  fit.model = std::move(settled.model);
  fit.log_z_estimate = softplus(settled.raised - best.constant());
  return fit;
}

}  // namespace

FlidFit fit_flid_nce(const SetCollection& data, const NceOptions& options) {
  require(options.concepts == 0, "nce: a flid has no concepts, but ", options.concepts,
          " are asked for");
  return fit_weights<FlidFit>(data, options,
                              [](const NceParameters& best) { return flid_of(best); });
}

FldcFit fit_fldc_nce(const SetCollection& data, const NceOptions& options) {
  return fit_weights<FldcFit>(data, options,
                              [](const NceParameters& best) { return fldc_of(best); });
}

NcePairsFit fit_pairs_nce(const SetCollection& data, const PairSupport& support,
                          const NceOptions& options) {
  require(options.starts == 1, "nce: ", options.starts,
          " starts are asked for a pairwise field, whose objective has one maximum");
  NcePairsFit fit;
  NcePairs best =
      fit_nce(data, options, fit, [&](const NoiseSets& noise, [[maybe_unused]] Random& random) {
        NcePairs start{.support = &support};
        for (Index i = 0; i < noise.size(); ++i) start.theta.push_back(noise.log_odds(i));
        start.theta.resize(noise.size() + support.pairs(), 0);
        start.theta.push_back(-noise.log_z_without_empty());
        return start;
      });
  fit.log_z_estimate = softplus(-best.constant());
  best.theta.pop_back();
  fit.theta = std::move(best.theta);
  return fit;
}

}  // namespace surefield
