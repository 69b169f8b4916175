#include "surefield/learn/pairwise_fit.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "surefield/core/error.hpp"
#include "surefield/core/lbfgs.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/projected_lbfgs.hpp"
#include "surefield/learn/folds.hpp"
#include "surefield/learn/modular_non_empty.hpp"
#include "surefield/learn/pair_gains.hpp"
#include "surefield/learn/pseudo_likelihood.hpp"

namespace surefield {
namespace {

constexpr double kCoarse = 20;  // a penalty is told from the next by less than full accuracy
constexpr double kMostMet = 5;  // times the work of a sampled evaluation: what is sampled from

void require_valid(const PairwiseFitOptions& options) {
  const auto positive = [](double x) { return std::isfinite(x) && x > 0; };
  require(!options.penalty || positive(*options.penalty), "pairwise: the penalty is ",
          options.penalty.value_or(0), ", which must be finite and > 0");
  require(positive(options.smoothing), "pairwise: the smoothing is ", options.smoothing,
          ", which must be finite and > 0");
  if (options.penalty) return;
  require(!options.grid.empty(), "pairwise: there is no penalty to try");
  for (std::size_t k = 0; k < options.grid.size(); ++k)
    require(positive(options.grid[k]) && (k == 0 || options.grid[k] < options.grid[k - 1]),
            "pairwise: penalty ", options.grid[k],
            " of the grid must be finite, > 0 and below the one before");
}

/// What all trainings have taken together, and whether the observer has stopped them.
struct Taken {
  std::size_t evaluations = 0;
  double operations = 0;
  bool stopped = false;
};

struct Trained {
  double value = 0;  ///< of the loss, a set
  Status status = Status::kConverged;
  bool unpaid = false;  ///< it would have gone on, had it been paid
};

/// What is learned from one collection, over a support that may come from a larger one.
class PairwiseTraining {
 public:
  PairwiseTraining(const DistinctSets& sets, const PairSupport& support, bool given_non_empty,
                   const PairwiseFitOptions& options, Taken& taken)
      : loss_(sets, support, options.smoothing, given_non_empty,
              control_plan(sets, support, options.most_work), options.crew),
        options_(options),
        taken_(taken) {
    theta_ = loss_.start();
  }

  /// Goes on from where it is.
  Trained train(double penalty, double tolerance, const RoundsWork& work) {
    const std::size_t iterations =
        paid_rounds(work, loss_.operations(), options_.iterations, "iterations");
    const double sets = loss_.sets() + 2 * options_.smoothing;
    std::vector<double> scale = loss_.curvature(penalty);
    for (double& part : scale) part = 1 / std::sqrt(std::max(part / sets, 1e-12));
    std::vector<double> point(theta_.size());
    const SmoothFunction function = [&](std::span<const double> x, std::span<double> gradient) {
      if (taken_.stopped) return std::nan("");
      for (std::size_t k = 0; k < point.size(); ++k) point[k] = scale[k] * x[k];
      const double value = loss_(point, gradient, penalty, options_.budget) / sets;
      for (std::size_t k = 0; k < point.size(); ++k) gradient[k] *= scale[k] / sets;
      taken_.evaluations += 1;
      taken_.operations += loss_.operations();
      if (options_.observer && !std::isnan(value))
        taken_.stopped = !options_.observer(taken_.evaluations, -value);
      return value;
    };
    LbfgsOptions how{.iterations = iterations,
                     .gradient = 1e-3 * tolerance,
                     .progress = tolerance,
                     .budget = options_.budget.asking([this] { return !taken_.stopped; })};
    std::vector<double> start = theta_;
    for (std::size_t k = 0; k < start.size(); ++k) start[k] /= scale[k];
    LbfgsReport report;
    if (options_.repulsive) {
      std::vector<double> upper(start.size(), 0.0);
      std::fill_n(upper.begin(), loss_.items(), kInfinity);
      report = minimise_below(std::move(start), upper, function, how);
    } else {
      report = minimise(std::move(start), function, how);
    }
    for (std::size_t k = 0; k < theta_.size(); ++k) theta_[k] = scale[k] * report.point[k];
    return {.value = report.value,
            .status = taken_.stopped ? Status::kInterrupted : report.status,
            .unpaid = report.status == Status::kEpochLimit && iterations < options_.iterations};
  }

  const std::vector<double>& parameters() const { return theta_; }
  void go_on_from(std::vector<double> theta) { theta_ = std::move(theta); }
  const PseudoLikelihood& loss() const { return loss_; }

 private:
  PseudoLikelihood loss_;
  const PairwiseFitOptions& options_;
  Taken& taken_;
  std::vector<double> theta_;
};

class PairwiseLearner {
 public:
  PairwiseLearner(const SetCollection& data, const PairwiseFitOptions& options)
      : data_(data), options_(options) {
    require_valid(options);
    const FlatSets flat = flat_sets(data);
    for (Index k = 0; k < flat.size(); ++k) has_empty_ |= flat[k].empty();
    sets_ = distinct_sets(flat);
    result_.least_pair = options.least_pair.value_or(default_least_pair(data.items));
    screened_ = !options.least_pair && result_.least_pair > 0;
    support_ = screened_ ? telling_pairs(data, sets_, result_.least_gain)
                         : pair_support(sets_, data.items, result_.least_pair, options.budget);
    result_.pairs = support_.pairs();
  }

  PairwiseFit operator()() {
    result_.penalty = options_.penalty ? *options_.penalty : chosen_penalty();
    PairwiseTraining training(sets_, support_, !has_empty_, options_, taken_);
    if (!nearby_.empty()) training.go_on_from(std::move(nearby_));
    const Trained trained = training.train(result_.penalty, options_.tolerance, share_of(1));
    result_.unpaid = trained.unpaid;
    result_.status = options_.budget.spent() ? Status::kInterrupted : trained.status;
    result_.objective = -trained.value;
    result_.evaluations = taken_.evaluations;
    result_.operations = taken_.operations;
    std::vector<double> theta = training.parameters();
    std::size_t largest = 0;
    for (const auto& set : data_.sets) largest = std::max(largest, set.size());
    const auto seen = static_cast<double>(largest);
    const Index n = data_.items;
    const bool all_pairs = 2 * support_.pairs() == n * (n - 1);  // else rankings would change
    if (options_.sizes_seen && all_pairs && !options_.repulsive && !taken_.stopped)
      result_.shift = keep_to_sizes_seen(theta, training.loss(), support_, seen, options_.budget);
    result_.model = field_of(theta, support_);
    if (!options_.repulsive) result_.beyond = size_beyond(result_.model, seen, options_.budget);
    return std::move(result_);
  }

 private:
  /// Of the work left an equal part, where so many trainings may still come.
  RoundsWork share_of(Index trainings) const {
    const double left = options_.work.operations - taken_.operations;
    return {
        .operations = left / static_cast<double>(trainings),
        .fewest = taken_.evaluations == 0 ? options_.work.fewest : 0};  // what has begun is ended
  }

  struct FoldOfSets {
    std::unique_ptr<const PairSupport> own;  // where pairs are screened
    PairwiseTraining training;
    PseudoLikelihood held_out;
    double sets;
  };

  /// Pairs that are worth a coupling, at the price of `least_gain`: more than that of a number learned from so many sets where an
  /// evaluation could not look at all of these.
  PairSupport telling_pairs(const SetCollection& data, const DistinctSets& sets,
                            double& least_gain) const {
    const std::vector<double> alone = chances(fit_items_alone(data, options_.smoothing));
    const auto [gains, price] = priced_gains(sets, alone, !has_empty_, options_.budget);
    for (least_gain = price;; least_gain *= 2) {
      PairSupport kept = pairs_worth(least_gain, gains, data.items);
      if (sets_met(sets, kept) <= kMostMet * options_.most_work) return kept;
    }
  }

  /// Where pairs are taken by how often they meet they are those of all sets, which says next to nothing of what is held out; where
  /// by what they say, those of the fold's own.
  double chosen_penalty() {
    const auto& grid = options_.grid;
    const Index folds = std::min<Index>(options_.folds, data_.sets.size());
    if (grid.size() == 1 || folds < 2) return grid.front();
    std::vector<FoldOfSets> parts;
    double judged = 0;
    for (Index k = 0; k < folds && !(screened_ && judged >= options_.enough); ++k) {
      const Fold fold = fold_of(data_, folds, k, options_.seed);
      const auto training = distinct_sets(flat_sets(fold.training));
      const auto held_out = distinct_sets(flat_sets(fold.held_out));
      std::unique_ptr<const PairSupport> own;
      double price = 0;
      if (screened_)
        own = std::make_unique<const PairSupport>(telling_pairs(fold.training, training, price));
      const PairSupport& pairs = own ? *own : support_;
      parts.push_back(
          {std::move(own), PairwiseTraining(training, pairs, !has_empty_, options_, taken_),
           PseudoLikelihood(held_out, pairs, 0, !has_empty_,
                            control_plan(held_out, pairs, options_.most_work), options_.crew),
           static_cast<double>(fold.held_out.sets.size())});
      judged += parts.back().sets;
    }
    const auto value_of = [&](std::size_t k) {
      double sum = 0;
      for (FoldOfSets& part : parts) {
        const Index trials = grid.size() - result_.trials.size();
        part.training.train(grid[k], kCoarse * options_.tolerance,
                            share_of(trials * parts.size() + 1));
        sum -= part.sets * part.held_out.mean_loss(part.training.parameters(), options_.budget);
      }
      if (taken_.stopped || options_.budget.spent() || std::isnan(sum)) return -kInfinity;
      const double value = sum / judged;
      result_.trials.push_back({grid[k], value});
      return value;
    };
    std::size_t best = (grid.size() - 1) / 2;
    double best_value = value_of(best);
    for (const int way : {-1, 1}) {  // to stronger ones first
      const std::size_t from = best;
      for (std::size_t k = best + way; k < grid.size(); k += way) {  // -1 wraps round
        const double value = value_of(k);
        if (!(value > best_value)) break;
        best = k;
        best_value = value;
      }
      if (best != from) break;
    }
    if (!screened_) nearby_ = parts.front().training.parameters();
    std::ranges::sort(result_.trials, std::greater{}, &PenaltyTrial::penalty);
    return grid[best];
  }

  const SetCollection& data_;
  const PairwiseFitOptions& options_;
  bool has_empty_ = false;
  bool screened_ = false;  // pairs are taken by what they say
  DistinctSets sets_;
  PairSupport support_;
  std::vector<double> nearby_;  // of a fold: where training on all sets begins
  Taken taken_;
  PairwiseFit result_;
};

}  // namespace

PairwiseFit fit_pairwise(const SetCollection& data, const PairwiseFitOptions& options) {
  return PairwiseLearner(data, options)();
}

}  // namespace surefield
