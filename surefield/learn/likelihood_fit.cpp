#include "surefield/learn/likelihood_fit.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "surefield/bounds/log_z/hoelder/hoelder.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/lbfgs.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"
#include "surefield/learn/flat_sets.hpp"
#include "surefield/learn/flid_likelihood.hpp"
#include "surefield/learn/weight_columns.hpp"

namespace surefield {
namespace {

/// F(S) on average, with its derivatives.
template <class M>
double mean_value(const M& model, const DistinctSets& data, double sets, FlidLogZSlopes& slopes) {
  slopes.utility.assign(model.size(), 0);
  slopes.weights.assign(model.size() * columns_of(model), 0);
  CompensatedSum value;
  for (Index k = 0; k < data.sets.size(); ++k) {
    const double share = data.times[k] / sets;
    value.add(share * add_set(model, data.sets[k], share, &slopes));
  }
  return value.value();
}

void require_sound(const LikelihoodFitOptions& options, Index items) {
  require(std::isfinite(options.initial_weight) && options.initial_weight >= 0,
          "likelihood fit: the initial weight is ", options.initial_weight,
          ", which must be finite and >= 0");
  require(std::isfinite(options.prior) && options.prior >= 0, "likelihood fit: the prior is ",
          options.prior, ", which must be finite and >= 0");
  require(std::isfinite(options.progress) && options.progress >= 0,
          "likelihood fit: the progress is ", options.progress, ", which must be finite and >= 0");
  require(options.starts >= 1, "likelihood fit: the starts are ", options.starts,
          ", which must be at least 1");
  if (!options.start) return;
  require(options.start->size() == items, "likelihood fit: the start has ", options.start->size(),
          " items, the data ", items, ", which must be the same");
  const auto violation = submodularity_violation(*options.start);
  require(!violation, "likelihood fit: the start is not submodular: ", violation.value_or(""));
}

/// Of a FLID or an FLDC of so many dimensions and concepts.
template <class M>
class Likelihood {
 public:
  Likelihood(const DistinctSets& data, double sets, std::vector<double> odds, Index dimensions,
             Index concepts, const LikelihoodFitOptions& options)
      : data_(data),
        sets_(sets),
        odds_(std::move(odds)),
        dimensions_(dimensions),
        concepts_(concepts),
        options_(options),
        log_z_(odds_.size(), options.log_z, options.budget) {}

  Index items() const { return odds_.size(); }

  /// The variables: u, then a with W = a^2 (and V = a^2), then the multipliers of Hoelder.
  M model_at(std::span<const double> z) const {
    const auto roots = z.subspan(items(), items() * columns());
    std::vector<double> weights;
    weights.reserve(roots.size());
    for (const double a : roots) weights.push_back(a * a);
    return model_of_table<M>({z.begin(), z.begin() + static_cast<std::ptrdiff_t>(items())},
                             std::move(weights), dimensions_, concepts_);
  }

  /// Minus the objective, for the minimiser; NaN, which ends it, once the observer has had enough.
  double operator()(std::span<const double> z, std::span<double> slope) {
    if (stopped_) return std::nan("");
    for (const double one : z)
      if (!(std::abs(one) < 1e50)) return std::nan("");  // W = a^2 stays finite
    const M model = model_at(z);
    const Index n = items(), start = n + n * columns();
    FlidLogZSlopes data;
    double value = mean_value(model, data_, sets_, data);
    FlidLogZSlopes z_of = log_z_(model, z.subspan(start), slope.subspan(start));
    if (options_.given_non_empty) leave_out_empty(model.utility, z_of, slope.subspan(start));
    const double normaliser = z_of.log_z;
    value -= normaliser;
    for (Index i = 0; i < n; ++i) {
      const double off = z[i] - odds_[i];
      value -= options_.prior / sets_ * off * off / 2;
      slope[i] = z_of.utility[i] - data.utility[i] + options_.prior / sets_ * off;
    }
    for (Index k = 0; k < n * columns(); ++k) {
      const double weight = z[n + k] * z[n + k];
      value -= options_.prior / sets_ * weight * weight / 2;
      slope[n + k] =
          2 * z[n + k] * (z_of.weights[k] - data.weights[k] + options_.prior / sets_ * weight);
    }
    trace_.push_back({trace_.size() + 1, value, value, normaliser});
    if (options_.observer) stopped_ = !options_.observer(trace_.back());
    return -value;
  }

  std::vector<FlidFitEpoch>& trace() { return trace_; }
  bool stopped() const { return stopped_; }

 private:
  Index columns() const { return dimensions_ + concepts_; }

  const DistinctSets& data_;
  double sets_;
  std::vector<double> odds_;
  Index dimensions_, concepts_;
  const LikelihoodFitOptions& options_;
  TrainingLogZ log_z_;
  std::vector<FlidFitEpoch> trace_;
  bool stopped_ = false;
};

/// u, the roots of W, and the multipliers of Hoelder at 0: equal shares.
std::vector<double> first_point(const std::vector<double>& odds, Index columns,
                                const LikelihoodFitOptions& options, Random& random) {
  std::vector<double> z = options.start ? options.start->utility : odds;
  for (Index k = 0; k < odds.size() * columns; ++k)
    z.push_back(std::sqrt(options.start ? options.start->weights[k]
                                        : random.uniform(0, options.initial_weight)));
  if (options.log_z == LogZMethod::kHoelder && columns > 0)
    z.resize(z.size() + hoelder_multipliers(odds.size(), columns), 0);
  return z;
}

struct Found {
  std::vector<double> point;
  double value = kInfinity;
  Status status = Status::kEpochLimit;
  std::vector<FlidFitEpoch> trace = {};
};

auto fields_of(Found& found) {
  auto& [point, value, status, trace] = found;
  return std::tie(point, value, status, trace);
}

/// L-BFGS, begun anew where it ended as long as that helps: a line search can fail at a kink, where
/// two weights of a dimension change places.
template <class M>
Found maximise(Likelihood<M>& likelihood, std::vector<double> point,
               const LikelihoodFitOptions& options) {
  const SmoothFunction function = [&](std::span<const double> z, std::span<double> slope) {
    return likelihood(z, slope);
  };
  Found best{.point = std::move(point)};
  std::size_t left = options.iterations;
  for (;;) {
    LbfgsReport found = minimise(best.point, function,
                                 {.iterations = left,
                                  .memory = 20,
                                  .gradient = 1e-8,
                                  .progress = options.progress,
                                  .budget = options.budget});
    const double gain = best.value - found.value;
    best.point = std::move(found.point);
    best.value = found.value;
    if (likelihood.stopped() || found.ending == LbfgsEnding::kStopped) {
      best.status = Status::kInterrupted;
      return best;
    }
    left -= std::min(left, found.evaluations);
    if (found.ending == LbfgsEnding::kIterations || left == 0) return best;
    if (gain <= 10 * options.progress * std::max(1.0, std::abs(best.value))) {
      best.status = Status::kConverged;
      return best;
    }
  }
}

std::string method_in_words(const LikelihoodFitOptions& options) {
  switch (options.log_z) {
    case LogZMethod::kExact:
      return "maximum likelihood with the exact log Z";
    case LogZMethod::kHoelder:
      return "maximum of a lower bound of the likelihood, log Z bounded above by Hoelder";
    case LogZMethod::kMeanField:
      return "maximum of an upper bound of the likelihood, log Z bounded below by the ELBO";
  }
  return {};
}

template <class Fit, class M>
Fit fit_by_likelihood(const SetCollection& data, Index concepts,
                      const LikelihoodFitOptions& options) {
  const FlatSets all = flat_sets(data);
  const Index n = data.items;
  require_sound(options, n);
  FlatSets kept;
  Fit fit;
  for (Index k = 0; k < all.size(); ++k)
    if (!options.given_non_empty || !all[k].empty())
      kept.add(all[k]);
    else
      fit.empty_sets += 1;
  require(kept.size() > 0, "likelihood fit: all ", all.size(),
          " sets are empty, but at least one that is not is needed");
  const auto sets = static_cast<double>(kept.size());
  const DistinctSets distinct = distinct_sets(kept);
  std::vector<double> odds;
  for (const Index count : item_counts(kept, n))
    odds.push_back(logit((static_cast<double>(count) + 0.5) / (sets + 1)));

  const Index dimensions = options.start ? options.start->dimensions : options.dimensions;
  const Index columns = dimensions + concepts;
  const std::size_t starts = options.start || columns == 0 ? 1 : options.starts;
  const Likelihood<M> none(distinct, sets, odds, dimensions, concepts, options);
  bool stopped = false;  // one start after the other in this process
  auto found_from =
      in_order(starts, options.budget.with_threads(1), options.crew, [&](std::size_t start) {
        if (stopped) return Found{};
        Likelihood<M> likelihood(distinct, sets, odds, dimensions, concepts, options);
        Random random(options.seed + start);  // of this start alone, whoever takes it
        Found found = maximise(likelihood, first_point(odds, columns, options, random), options);
        found.trace = std::move(likelihood.trace());
        stopped = found.status == Status::kInterrupted;
        return found;
      });
  double best = kInfinity;
  for (std::size_t start = 0; start < starts && fit.status != Status::kInterrupted; ++start) {
    Found& found = found_from.results[start];
    if (found.point.empty()) continue;  // stopped before it was begun
    if (start == 0 || found.value < best || found.status == Status::kInterrupted)
      fit.status = found.status;
    if (!fit.trace.empty() && found.value >= best) continue;
    best = found.value;
    fit.model = none.model_at(found.point);
    fit.trace = std::move(found.trace);
  }
  fit.method = method_in_words(options);
  fit.training_sets = kept.size();
  for (const FlidFitEpoch& epoch : fit.trace)
    if (fit.best_epoch == 0 || epoch.training > fit.trace[fit.best_epoch - 1].training)
      fit.best_epoch = epoch.epoch;
  if (fit.status == Status::kInterrupted) {  // no time for more than is known already
    const double known = fit.trace[fit.best_epoch - 1].constant;
    fit.log_z_estimate = options.given_non_empty ? softplus(known) : known;
    return fit;
  }
  std::vector<double> unused(hoelder_multipliers(n, columns));
  fit.log_z_estimate =
      options.log_z == LogZMethod::kHoelder
          ? hoelder_bound(fit.model).log_z_upper
          : TrainingLogZ(n, options.log_z, options.budget)(fit.model, unused, unused).log_z;
  return fit;
}

}  // namespace

FlidFit fit_flid_likelihood(const SetCollection& data, const LikelihoodFitOptions& options) {
  return fit_by_likelihood<FlidFit, Flid>(data, 0, options);
}

FldcFit fit_fldc_likelihood(const SetCollection& data, Index concepts,
                            const LikelihoodFitOptions& options) {
  require(!options.start, "likelihood fit: a start is of a flid, not of an fldc");
  return fit_by_likelihood<FldcFit, Fldc>(data, concepts, options);
}

}  // namespace surefield
