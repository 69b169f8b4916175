#include "surefield/learn/likelihood_fit.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/lbfgs.hpp"
#include "surefield/core/random.hpp"
#include "surefield/learn/elbo_gradient.hpp"
#include "surefield/learn/flat_sets.hpp"
#include "surefield/learn/hoelder_objective.hpp"
#include "surefield/partition/flid_exact.hpp"
#include "surefield/partition/hoelder.hpp"

namespace surefield {
namespace {

/// F(S) on average, with its derivatives.
double mean_value(const Flid& model, const DistinctSets& data, double sets,
                  FlidLogZSlopes& slopes) {
  const Index dimensions = model.dimensions;
  slopes.utility.assign(model.size(), 0);
  slopes.weights.assign(model.weights.size(), 0);
  CompensatedSum value;
  std::vector<std::uint32_t> best(dimensions);
  for (Index k = 0; k < data.sets.size(); ++k) {
    const auto set = data.sets[k];
    if (set.empty()) continue;
    const double share = data.times[k] / sets;
    std::fill(best.begin(), best.end(), set[0]);
    double sum = 0;
    for (const auto i : set) {
      sum += model.utility[i];
      slopes.utility[i] += share;
      for (Index d = 0; d < dimensions; ++d) {
        const double weight = model.weight(i, d);
        sum -= weight;
        slopes.weights[i * dimensions + d] -= share;
        if (weight >= model.weight(best[d], d)) best[d] = i;
      }
    }
    for (Index d = 0; d < dimensions; ++d) {
      sum += model.weight(best[d], d);
      slopes.weights[best[d] * dimensions + d] += share;
    }
    value.add(share * sum);
  }
  return value.value();
}

/// log Z by its method. Remembers where mean field ended, to start there the next time.
class LogZ {
 public:
  LogZ(Index items, const LikelihoodFitOptions& options)
      : method_(options.log_z), threads_(options.threads), last_(items, 0.5) {}

  FlidLogZSlopes operator()(const Flid& model, std::span<const double> multipliers,
                            std::span<double> slope) {
    if (method_ == LogZMethod::kMeanField) return by_mean_field(model);
    if (method_ == LogZMethod::kHoelder && model.dimensions > 0)
      return hoelder_objective(model, multipliers, slope);
    FlidExactSlopes exact = flid_exact_slopes(model, {.limit = 2e8, .threads = threads_});
    FlidLogZSlopes result{exact.log_z, exact.marginals, std::move(exact.best)};
    for (Index i = 0; i < model.size(); ++i)
      for (Index d = 0; d < model.dimensions; ++d)
        result.weights[i * model.dimensions + d] -= exact.marginals[i];
    return result;
  }

 private:
  FlidLogZSlopes by_mean_field(const Flid& model) {
    const Index n = model.size();
    const Box box = unit_box(n);
    Report best;
    best.value = -kInfinity;
    for (const std::vector<double>& from : {last_, std::vector<double>(n, 0.5)}) {
      Report found = coordinate_ascent(Elbo(model.at(from)), box, Order::natural(n),
                                       {.epochs = 2000, .tolerance = 1e-9});
      if (found.value > best.value) best = std::move(found);
    }
    last_ = best.point;
    const std::vector<double> slopes = parameter_gradient(model, best.point);
    const auto middle = slopes.begin() + static_cast<std::ptrdiff_t>(n);
    return {best.value, {slopes.begin(), middle}, {middle, slopes.end()}};
  }

  LogZMethod method_;
  unsigned threads_;
  std::vector<double> last_;
};

void require_sound(const LikelihoodFitOptions& options, Index items) {
  require(std::isfinite(options.initial_weight) && options.initial_weight >= 0,
          "likelihood fit: the initial weight is ", options.initial_weight,
          ", which must be finite and >= 0");
  require(std::isfinite(options.prior) && options.prior >= 0, "likelihood fit: the prior is ",
          options.prior, ", which must be finite and >= 0");
  require(std::isfinite(options.progress) && options.progress >= 0,
          "likelihood fit: the progress is ", options.progress, ", which must be finite and >= 0");
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
      if (!(std::abs(one) < 1e6)) return std::nan("");
    const Flid model = model_at(z);
    const Index n = items(), start = n + n * dimensions_;
    FlidLogZSlopes data;
    double value = mean_value(model, data_, sets_, data);
    const FlidLogZSlopes z_of = log_z_(model, z.subspan(start), slope.subspan(start));
    double normaliser = z_of.log_z, share = 1;
    if (options_.given_non_empty) {  // log(Z - 1), which moves by 1 / (1 - 1/Z) as much
      share = -1 / std::expm1(-z_of.log_z);
      normaliser += std::log(-std::expm1(-z_of.log_z));
    }
    value -= normaliser;
    for (double& one : slope.subspan(start)) one *= share;
    for (Index i = 0; i < n; ++i) {
      const double off = z[i] - odds_[i];
      value -= options_.prior / sets_ * off * off / 2;
      slope[i] = share * z_of.utility[i] - data.utility[i] + options_.prior / sets_ * off;
    }
    for (Index k = 0; k < n * dimensions_; ++k) {
      const double weight = model.weights[k];
      value -= options_.prior / sets_ * weight * weight / 2;
      slope[n + k] = 2 * z[n + k] *
                     (share * z_of.weights[k] - data.weights[k] + options_.prior / sets_ * weight);
    }
    trace_.push_back({trace_.size() + 1, value, value, normaliser});
    if (options_.observer) stopped_ = !options_.observer(trace_.back());
    return -value;
  }

  std::vector<FlidFitEpoch>& trace() { return trace_; }
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
  std::vector<double> z = options.start ? options.start->utility : odds;
  Random random(options.seed);
  for (Index k = 0; k < n * dimensions; ++k)
    z.push_back(std::sqrt(options.start ? options.start->weights[k]
                                        : random.uniform(0, options.initial_weight)));
  if (options.log_z == LogZMethod::kHoelder && dimensions > 0)
    z.resize(z.size() + hoelder_multipliers(n, dimensions), 0);

  Likelihood likelihood(distinct, sets, odds, dimensions, options);
  const SmoothFunction function = [&](std::span<const double> point, std::span<double> slope) {
    return likelihood(point, slope);
  };
  const LbfgsReport found = minimise(std::move(z), function,
                                     {.iterations = options.iterations,
                                      .memory = 20,
                                      .gradient = 1e-8,
                                      .progress = options.progress});
  fit.model = likelihood.model_at(found.point);
  fit.method = method_in_words(options);
  fit.status = found.status;
  fit.training_sets = kept.size();
  fit.trace = std::move(likelihood.trace());
  for (const FlidFitEpoch& epoch : fit.trace)
    if (fit.best_epoch == 0 || epoch.training > fit.trace[fit.best_epoch - 1].training)
      fit.best_epoch = epoch.epoch;
  std::vector<double> unused(hoelder_multipliers(n, dimensions));
  fit.log_z_estimate = options.log_z == LogZMethod::kHoelder
                           ? hoelder_bound(fit.model).log_z_upper
                           : likelihood.log_z()(fit.model, unused, unused).log_z;
  return fit;
}

}  // namespace surefield
