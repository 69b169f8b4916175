#include "surefield/api/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "surefield/api/fit_auto.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/stopwatch.hpp"
#include "surefield/learn/held_out.hpp"
#include "surefield/learn/modular.hpp"
#include "surefield/learn/modular_non_empty.hpp"
#include "surefield/learn/pairwise_nce_fit.hpp"
#include "surefield/learn/sampled_likelihood_fit.hpp"

namespace surefield {
namespace {

constexpr std::array<FitRow, 13> kFits{{
    {"flid", "nce", "diversity in D dimensions, by noise contrastive estimation"},
    {"flid", "likelihood", "the same by maximum likelihood, log Z as --log-z says"},
    {"flid", "samples", "the same by maximum likelihood from perfect samples"},
    {"fldc", "nce", "a flid with coherence in E concepts, by noise contrastive estimation"},
    {"fldc", "likelihood", "the same by maximum likelihood, log Z as --log-z says"},
    {"fldc", "samples", "the same by maximum likelihood from perfect samples"},
    {"modular", "frequencies",
     "items by themselves, by their smoothed frequencies; of data without empty sets, given that"},
    {"pairwise", "pseudo-likelihood", "items and couplings of pairs, of both signs or --repulsive"},
    {"pairwise", "nce", "the same by noise contrastive estimation"},
    {"thin", "composite",
     "a pairwise field of small treewidth, log Z exact, by likelihood and pseudo-likelihood"},
    {"thin", "likelihood", "the same by maximum likelihood alone"},
    {"dpp", "likelihood", "log det of a kernel of D features, by maximum likelihood"},
    {"auto", "folds", "the best of all these by hidden items and certified likelihood, by folds"},
}};

const FitRow& row_of(const FitOptions& options) {
  std::string known;
  bool is_known = false;
  for (const auto& row : kFits) {
    if (row.model == options.model) is_known = true;
    if (row.model == options.model && (options.method.empty() || row.method == options.method))
      return row;
    known += message(known.empty() ? "" : ", ", row.model, " by ", row.method);
  }
  if (!is_known) fail("fit: there is no model '", options.model, "' to learn; there are: ", known);
  fail("fit: a model '", options.model, "' is not learned by '", options.method,
       "'; there are: ", known);
}

template <class Fit>
void keep(Fit found, FitResult& result) {
  result.model = std::move(found.model);
  result.status = found.status;
  result.log_z_estimate = found.log_z_estimate;
  result.passes = found.trace.size();
  result.best_epoch = found.best_epoch;
  result.trace = std::move(found.trace);
}

NceOptions nce_of(const FitOptions& options) {
  NceOptions how = options.nce;
  how.seed = options.seed;
  how.budget = options.budget;
  if (options.observer)
    how.observer = [&options](const NceProgress& progress) {
      return options.observer({progress.start * progress.epochs + progress.now.epoch,
                               progress.starts * progress.epochs, progress.now.watched});
    };
  return how;
}

/// Learning that ended because no more of it was paid says so.
void note_unpaid(const FitOptions& options, std::string_view rounds, FitResult& result) {
  result.notes.push_back(
      fmt::format("learning ended after {} {}, {:.2g} operations; --model {} goes on",
                  result.passes, rounds, options.work.operations, result.model_name));
}

void fit_by_nce(const SetCollection& data, const FitOptions& options, bool coherence,
                FitResult& result) {
  NceOptions how = nce_of(options);
  how.concepts = coherence ? options.concepts : 0;
  const double an_epoch = nce_operations(data, how);
  how.epochs = paid_rounds(options.work, an_epoch, how.epochs, "epochs");
  coherence ? keep(fit_fldc_nce(data, how), result) : keep(fit_flid_nce(data, how), result);
  result.operations = an_epoch * static_cast<double>(result.passes);
  if (result.status == Status::kEpochLimit && how.epochs < options.nce.epochs)
    note_unpaid(options, "epochs", result);
}

void fit_by_likelihood(const SetCollection& data, const FitOptions& options, bool coherence,
                       FitResult& result) {
  LikelihoodFitOptions how = options.likelihood;
  how.seed = options.seed;
  how.budget = options.budget;
  how.crew = options.crew;
  how.dimensions = options.nce.dimensions;
  how.given_non_empty = result.empty_sets == 0;
  if (options.observer)
    how.observer = [&](const FlidFitEpoch& now) {
      return options.observer({now.epoch, how.starts * how.iterations, now.training});
    };
  coherence ? keep(fit_fldc_likelihood(data, options.concepts, how), result)
            : keep(fit_flid_likelihood(data, how), result);
}

void fit_from_samples(const SetCollection& data, const FitOptions& options, bool coherence,
                      FitResult& result) {
  SampledFitOptions how{.start = options.nce,
                        .rounds = options.likelihood.iterations,
                        .prior = options.likelihood.prior,
                        .given_non_empty = result.empty_sets == 0};
  how.start.seed = options.seed;
  how.start.budget = options.budget;
  how.start.concepts = coherence ? options.concepts : 0;
  if (options.observer)
    how.observer = [&](const FlidFitEpoch& now) {
      return options.observer({now.epoch, how.rounds, now.training});
    };
  coherence ? keep(fit_fldc_by_samples(data, how), result)
            : keep(fit_flid_by_samples(data, how), result);
}

void fit_modular_model(const SetCollection& data, const FitOptions& options, FitResult& result) {
  Flid model = fit_items_alone(data, options.smoothing);
  result.log_z_estimate = modular_log_z(model);
  if (result.empty_sets == 0)
    result.notes.push_back(
        fmt::format("no set is empty: fitted given that; the model itself has P(empty) = {:.4f}",
                    std::exp(-*result.log_z_estimate)));
  result.model = std::move(model);
}

/// Tells the observer of a fit, if there is one, what a method that counts evaluations tells.
std::function<bool(std::size_t, double)> evaluation_observer(const FitOptions& options,
                                                             std::size_t most) {
  if (!options.observer) return {};
  return [&observer = options.observer, most](std::size_t evaluations, double objective) {
    return observer({evaluations, most, objective});
  };
}

void fit_dpp_model(const SetCollection& data, const FitOptions& options, FitResult& result) {
  DppFitOptions how = options.dpp;
  how.seed = options.seed;
  how.budget = options.budget;
  how.crew = options.crew;
  how.features = options.nce.dimensions;
  how.smoothing = options.smoothing;
  how.observer = evaluation_observer(options, how.iterations);
  DppFit found = fit_dpp(data, how);
  result.model = std::move(found.model);
  result.status = found.status;
  result.log_z_estimate = found.log_z;
  result.passes = found.evaluations;
}

void fit_pairwise_field(const SetCollection& data, const FitOptions& options, FitResult& result) {
  PairwiseFitOptions how = options.pairwise;
  how.work = options.work;
  how.smoothing = options.smoothing;
  how.seed = options.seed;
  how.budget = options.budget;
  how.crew = options.crew;
  how.observer = evaluation_observer(options, how.iterations);
  PairwiseFit found = result.method == "nce" ? fit_pairwise_nce(data, how, nce_of(options))
                                             : fit_pairwise(data, how);
  if (found.least_gain > 0)
    result.notes.push_back(
        fmt::format("pairs that say {:.3g} nats more than chance have a coupling; --pairs takes "
                    "all that met so often",
                    found.least_gain));
  if (found.shift.coupling > 0)
    result.notes.push_back(
        fmt::format("all couplings are lowered by {:.4g} and all biases raised by {:.4g}, or sets "
                    "larger than any seen would win",
                    found.shift.coupling, found.shift.bias));
  if (found.beyond > 0)
    result.notes.push_back(message("most probability is on sets of about ",
                                   std::round(found.beyond),
                                   " items, more than any seen has: rank items by gain, as "
                                   "recommend does; the marginals are of such sets"));
  result.model = std::move(found.model);
  result.status = found.status;
  result.passes = found.evaluations;
  result.operations = found.operations;
  if (found.unpaid) note_unpaid(options, "evaluations", result);
  if (result.method != "nce") result.penalty = found.penalty;
  result.trials = std::move(found.trials);
  result.pairs = found.pairs;
}

void fit_thin_field(const SetCollection& data, const FitOptions& options, FitResult& result) {
  ThinFitOptions how = options.thin;
  how.work = options.work;
  if (result.method == "likelihood") how.share = 0;
  if (options.pairwise.penalty) how.penalty = *options.pairwise.penalty;
  how.smoothing = options.smoothing;
  how.budget = options.budget;
  how.crew = options.crew;
  how.observer = evaluation_observer(options, how.iterations);
  ThinFit found = fit_thin(data, how);
  result.model = std::move(found.model);
  result.status = found.status;
  result.log_z_estimate = found.log_z;
  result.passes = found.evaluations;
  result.operations = found.operations * static_cast<double>(found.evaluations);
  if (found.unpaid) note_unpaid(options, "evaluations", result);
  result.penalty = how.penalty;
  result.pairs = found.pairs;
}

/// Bounds of log Z; exact methods first, so that nothing else runs where they apply.
std::optional<Interval> bounds_of_log_z(const AnyModel& model, const LogZOptions& options) {
  if (const auto* flid = model.as<Flid>(); flid && flid->dimensions == 0) {
    const double exact = modular_log_z(*flid);
    return Interval{exact, exact};
  }
  // Methods that need F submodular do not run where it is not.
  const Problem problem = make_problem(model, {}, {}, {.no_guarantee = true});
  const LogZResult result = log_z(problem, options).sound();
  if (!result.lower || !result.upper) return std::nullopt;
  return Interval{*result.lower, *result.upper};
}

}  // namespace

std::span<const FitRow> fit_table() { return kFits; }

bool fit_is_shared(const FitOptions& options) {
  const FitRow& row = row_of(options);
  if (row.model == "thin") return row.method != "likelihood";  // elimination is one after the other
  return row.method == "likelihood" || row.method == "pseudo-likelihood" || row.model == "auto";
}

FitResult fit(const SetCollection& data, const FitOptions& options) {
  const Stopwatch watch;
  const FitRow& row = row_of(options);
  FitResult result;
  result.model_name = row.model;
  result.method = row.method;
  result.items = data.names;
  result.sets = data.sets.size();
  for (const auto& set : data.sets) result.empty_sets += set.empty();
  if (row.method == "likelihood" && (row.model == "flid" || row.model == "fldc")) {
    fit_by_likelihood(data, options, row.model == "fldc", result);
  } else if (row.method == "samples") {
    fit_from_samples(data, options, row.model == "fldc", result);
  } else if (row.model == "pairwise") {
    fit_pairwise_field(data, options, result);
  } else if (row.method == "nce") {
    fit_by_nce(data, options, row.model == "fldc", result);
  } else if (row.model == "thin") {
    fit_thin_field(data, options, result);
  } else if (row.model == "dpp") {
    fit_dpp_model(data, options, result);
  } else if (row.model == "auto") {
    result = fit_the_best(data, options);
  } else {
    fit_modular_model(data, options, result);
  }
  result.seconds = watch.seconds();
  return result;
}

std::optional<FoldLikelihood> fold_likelihood(const FitResult& fit, const SetCollection& held_out,
                                              const LogZOptions& options) {
  require(held_out.items == size_of(fit.model), "held-out sets: they are of ", held_out.items,
          " items, but the model has ", size_of(fit.model));
  const auto log_z = bounds_of_log_z(fit.model, options);
  if (!log_z) return std::nullopt;
  const auto all = held_out_likelihood(fit.model, held_out, *log_z, Support::kAllSets);
  FoldLikelihood result;
  result.sets = held_out.sets.size();
  result.lower = all.log_likelihood().low;
  result.upper = all.log_likelihood().high;
  for (const auto& set : held_out.sets)
    if (set.empty()) return result;
  const auto some = held_out_likelihood(fit.model, held_out, *log_z, Support::kNonEmptySets);
  const Interval bounds = some.log_likelihood();
  if (!std::isfinite(bounds.low) || !std::isfinite(bounds.high)) return result;
  result.lower_not_empty = bounds.low;
  result.upper_not_empty = bounds.high;
  return result;
}

}  // namespace surefield
