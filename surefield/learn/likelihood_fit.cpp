#include "surefield/learn/likelihood_fit.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/bounds/log_z/hoelder/hoelder.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/lbfgs.hpp"
#include "surefield/core/random.hpp"
#include "surefield/learn/elbo_gradient.hpp"
#include "surefield/learn/flat_sets.hpp"
#include "surefield/learn/flid_likelihood.hpp"
#include "surefield/learn/hoelder_objective.hpp"

namespace surefield {
namespace {

/// F(S) on average, with its derivatives.
double mean_value(const Flid& model, const DistinctSets& data, double sets,
                  FlidLogZSlopes& slopes) {
  slopes.utility.assign(model.size(), 0);
  slopes.weights.assign(model.weights.size(), 0);
  CompensatedSum value;
  for (Index k = 0; k < data.sets.size(); ++k) {
    const double share = data.times[k] / sets;
    value.add(share * add_set(model, data.sets[k], share, &slopes));
  }
  return value.value();
}

/// log Z by its method. Remembers where mean field ended, to start there the next time.
class LogZ {
 public:
  LogZ(Index items, const LikelihoodFitOptions& options)
      : method_(options.log_z), budget_(options.budget), last_(items, 0.5) {}

  FlidLogZSlopes operator()(const Flid& model, std::span<const double> multipliers,
                            std::span<double> slope) {
    if (method_ == LogZMethod::kMeanField) return by_mean_field(model);
    if (method_ == LogZMethod::kHoelder && model.dimensions > 0)
      return hoelder_objective(model, multipliers, slope);
    return exact_log_z_slopes(model, budget_);
  }

 private:
  FlidLogZSlopes by_mean_field(const Flid& model) {
    const Index n = model.size();
    const Box box = unit_box(n);
    Report best;
    best.value = -kInfinity;
    for (const std::vector<double>& from :
         {last_, std::vector<double>(n, 0.5), box.low, box.high}) {
      Report found = coordinate_ascent(Elbo(model.at(from)), box, Order::natural(n),
                                       {.epochs = 2000, .tolerance = 1e-9},
                                       [&](TracePoint&) { return !budget_.spent(); });
      if (found.value > best.value) best = std::move(found);
    }
    last_ = best.point;
    const std::vector<double> slopes = parameter_gradient(model, best.point);
    const auto middle = slopes.begin() + static_cast<std::ptrdiff_t>(n);
    return {best.value, {slopes.begin(), middle}, {middle, slopes.end()}};
  }

  LogZMethod method_;
  Budget budget_;
  std::vector<double> last_;
};

/// log(Z - 1) in place of log Z, which moves 1 / (1 - 1/Z) times as much. Where 1 - 1/Z is all
/// rounding, the sets of one item are what is left: Z - 1 is the sum of e^{u_i}.
void leave_out_empty(const Flid& model, FlidLogZSlopes& of, std::span<double> multiplier_slope) {
  const double others = -std::expm1(-of.log_z);
  if (others < 1e-9) {
    of.log_z = log_sum_exp(model.utility);
    for (Index i = 0; i < model.size(); ++i) of.utility[i] = std::exp(model.utility[i] - of.log_z);
    std::ranges::fill(of.weights, 0.0);
    std::ranges::fill(multiplier_slope, 0.0);
    return;
  }
  of.log_z += std::log(others);
  for (double& slope : of.utility) slope /= others;
  for (double& slope : of.weights) slope /= others;
  for (double& slope : multiplier_slope) slope /= others;
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

class Likelihood {
 public:
  Likelihood(const DistinctSets& data, double sets, std::vector<double> odds, Index dimensions,
             const LikelihoodFitOptions& options)
      : data_(data),
        sets_(sets),
        odds_(std::move(odds)),
        dimensions_(dimensions),
        options_(options),
        log_z_(odds_.size(), options) {}

  Index items() const { return odds_.size(); }

  /// The variables: u, then a with W = a^2, then the multipliers of Hoelder.
  Flid model_at(std::span<const double> z) const {
    const auto roots = z.subspan(items(), items() * dimensions_);
    std::vector<double> weights;
    weights.reserve(roots.size());
    for (const double a : roots) weights.push_back(a * a);
    return make_flid({z.begin(), z.begin() + static_cast<std::ptrdiff_t>(items())},
                     std::move(weights), dimensions_);
  }

  /// Minus the objective, for the minimiser; NaN, which ends it, once the observer has had enough.
  double operator()(std::span<const double> z, std::span<double> slope) {
    if (stopped_) return std::nan("");
    for (const double one : z)
      if (!(std::abs(one) < 1e50)) return std::nan("");  // W = a^2 stays finite
    const Flid model = model_at(z);
    const Index n = items(), start = n + n * dimensions_;
    FlidLogZSlopes data;
    double value = mean_value(model, data_, sets_, data);
    FlidLogZSlopes z_of = log_z_(model, z.subspan(start), slope.subspan(start));
    if (options_.given_non_empty) leave_out_empty(model, z_of, slope.subspan(start));
    const double normaliser = z_of.log_z;
    value -= normaliser;
    for (Index i = 0; i < n; ++i) {
      const double off = z[i] - odds_[i];
      value -= options_.prior / sets_ * off * off / 2;
      slope[i] = z_of.utility[i] - data.utility[i] + options_.prior / sets_ * off;
    }
    for (Index k = 0; k < n * dimensions_; ++k) {
      const double weight = model.weights[k];
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
  LogZ& log_z() { return log_z_; }

 private:
  const DistinctSets& data_;
  double sets_;
  std::vector<double> odds_;
  Index dimensions_;
  const LikelihoodFitOptions& options_;
  LogZ log_z_;
  std::vector<FlidFitEpoch> trace_;
  bool stopped_ = false;
};

/// u, the roots of W, and the multipliers of Hoelder at 0: equal shares.
std::vector<double> first_point(const std::vector<double>& odds, Index dimensions,
                                const LikelihoodFitOptions& options, Random& random) {
  std::vector<double> z = options.start ? options.start->utility : odds;
  for (Index k = 0; k < odds.size() * dimensions; ++k)
    z.push_back(std::sqrt(options.start ? options.start->weights[k]
                                        : random.uniform(0, options.initial_weight)));
  if (options.log_z == LogZMethod::kHoelder && dimensions > 0)
    z.resize(z.size() + hoelder_multipliers(odds.size(), dimensions), 0);
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
Found maximise(Likelihood& likelihood, std::vector<double> point,
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

}  // namespace

std::string_view text_of(LogZMethod method) {
  switch (method) {
    case LogZMethod::kHoelder:
      return "hoelder";
    case LogZMethod::kExact:
      return "exact";
    case LogZMethod::kMeanField:
      return "mean-field";
  }
  return "unknown";
}

FlidFit fit_flid_likelihood(const SetCollection& data, const LikelihoodFitOptions& options) {
  const FlatSets all = flat_sets(data);
  const Index n = data.items;
  require_sound(options, n);
  FlatSets kept;
  FlidFit fit;
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
  const std::size_t starts = options.start || dimensions == 0 ? 1 : options.starts;
  Random random(options.seed);
  std::vector<std::vector<double>> begin;
  for (std::size_t start = 0; start < starts; ++start)
    begin.push_back(first_point(odds, dimensions, options, random));
  const Likelihood none(distinct, sets, odds, dimensions, options);
  bool stopped = false;  // one start after the other in this process
  auto found_from =
      in_order(starts, options.budget.with_threads(1), options.crew, [&](std::size_t start) {
        if (stopped) return Found{};
        Likelihood likelihood(distinct, sets, odds, dimensions, options);
        Found found = maximise(likelihood, begin[start], options);
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
  std::vector<double> unused(hoelder_multipliers(n, dimensions));
  fit.log_z_estimate = options.log_z == LogZMethod::kHoelder
                           ? hoelder_bound(fit.model).log_z_upper
                           : LogZ(n, options)(fit.model, unused, unused).log_z;
  return fit;
}

}  // namespace surefield
