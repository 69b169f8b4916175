#include "surefield/api/select.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <tuple>

#include "surefield/api/agree.hpp"
#include "surefield/api/agreement.hpp"
#include "surefield/api/log_z.hpp"
#include "surefield/api/problem.hpp"
#include "surefield/api/select_training.hpp"
#include "surefield/api/select_verdict.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/log_z_fields.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"
#include "surefield/core/stopwatch.hpp"
#include "surefield/learn/folds.hpp"
#include "surefield/learn/held_out.hpp"
#include "surefield/learn/modular.hpp"
#include "surefield/learn/modular_non_empty.hpp"

namespace surefield {
namespace {

constexpr double kAnyWidth = 1e300;     // two ends, however far apart
constexpr Index kSurelyBounded = 1000;  // items: up to so many there are always two ends
constexpr double kTraining = 0.6;       // of a deadline
constexpr Interval kUnknown{-kInfinity, kInfinity};

template <class T>
std::vector<T> ascending(std::vector<T> values, std::string_view name) {
  require(!values.empty(), "select: there is no ", name, " to try");
  std::sort(values.begin(), values.end());
  const auto twice = std::adjacent_find(values.begin(), values.end());
  require(twice == values.end(), "select: ", name, " ", twice == values.end() ? T() : *twice,
          " is named twice");
  return values;
}

/// The models of one D, one a fold, and how long it took to train them.
struct Trained {
  std::vector<Flid> models;
  double seconds = 0;
};

/// One of them, as one process tells it to another.
struct TrainedFold {
  std::vector<double> utility, weights;
  double seconds = 0;
};

auto fields_of(TrainedFold& fold) {
  auto& [utility, weights, seconds] = fold;
  return std::tie(utility, weights, seconds);
}

class Selector {
 public:
  Selector(const SetCollection& data, const SelectOptions& options)
      : data_(data),
        options_(options),
        budget_(options.deadline ? options.budget.within(*options.deadline) : options.budget),
        dimensions_(ascending(options.dimensions, "number of dimensions")),
        temperatures_(ascending(options.inverse_temperatures, "inverse temperature")) {
    require(temperatures_.front() > 0 && std::isfinite(temperatures_.back()),
            "select: inverse temperature ",
            temperatures_.front() > 0 ? temperatures_.back() : temperatures_.front(),
            "; it must be positive and finite");
    for (Index k = 0; k < options.folds; ++k)
      folds_.push_back(fold_of(data, options.folds, k, options.seed));
    require(options.folds >= 2, "select: ", options.folds, " folds; there must be at least 2");
    const bool has_empty = std::any_of(data.sets.begin(), data.sets.end(),
                                       [](const auto& set) { return set.empty(); });
    support_ = has_empty ? Support::kAllSets : Support::kNonEmptySets;
    PaidTraining paid =
        paid_training(data, dimensions_, options.folds, options.training, options.work);
    result_.training = std::move(paid.how);
    result_.notes = std::move(paid.notes);
  }

  SelectResult run() {
    const Stopwatch watch;
    require_comparable();
    const auto trained = train(budget_.part(kTraining));
    for (Index d = 0; d < dimensions_.size() && going(); ++d)
      for (const double beta : temperatures_) {
        if (!going()) break;
        compare(dimensions_[d], beta, trained[d]);
      }
    result_.by = options_.by;
    result_.sets = data_.sets.size();
    result_.items = data_.items;
    result_.folds = options_.folds;
    result_.complete = going();
    decide(result_, agreement_, likelihood_);
    result_.seconds = watch.seconds();
    return std::move(result_);
  }

 private:
  bool going() const { return !stopped_ && !budget_.spent(); }

  /// Of the time left, for one of so many pieces of work that are still to do, some at once.
  double part_of(const Budget& budget, std::size_t pieces) const {
    const double at_once = static_cast<double>(budget.threads()) *
                           (options_.crew ? static_cast<double>(options_.crew->size()) : 1.0);
    return budget.seconds_left() * std::min(1.0, at_once / static_cast<double>(pieces));
  }

  void step() {
    const auto all = dimensions_.size() * (options_.folds + temperatures_.size());
    const auto now = ++done_;
    if (options_.progress) options_.progress(static_cast<double>(now) / static_cast<double>(all));
  }

  /// Beyond some number of items only few dimensions can be bounded at all: found out by a model of
  /// the same shape, before hours of training and not after. The fewest dimensions are the easiest.
  void require_comparable() const {
    const Index n = data_.items;
    if (n <= kSurelyBounded || dimensions_.front() == 0 || !going()) return;
    Random random(options_.seed);
    Flid shape = fit_modular(data_);
    const Index dimensions = dimensions_.front();
    std::vector<double> weights(n * dimensions);
    for (double& weight : weights) weight = random.uniform(0, 1);
    const Problem problem =
        make_problem(make_flid(std::move(shape.utility), std::move(weights), dimensions));
    const bool known = log_z(problem, {.goal = LogZGoal::kWidth,
                                       .width = kAnyWidth,
                                       .budget = log_z_budget(budget_, options_.seconds)})
                           .sound()
                           .is_bounded();
    require(known || !going(), "select: log Z of a flid of ", n, " items in ", dimensions,
            " dimensions cannot be bounded from both sides, so nothing could be compared");
  }

  std::vector<Trained> train(const Budget& budget) {
    std::vector<Trained> trained(dimensions_.size());
    const Index folds = options_.folds;
    // Many dimensions first: the long trainings should not be the last.
    const auto place = [&](std::size_t task) {
      return std::pair(dimensions_.size() - 1 - task / folds, task % folds);
    };
    std::atomic<std::size_t> left = trained.size() * folds;
    const auto train = [&](std::size_t task) -> TrainedFold {
      if (!going()) return {};
      const Stopwatch watch;
      const auto [d, fold] = place(task);
      Flid model = train_one(dimensions_[d], fold, budget, left--);
      return {std::move(model.utility), std::move(model.weights), watch.seconds()};
    };
    auto all = in_order(trained.size() * folds, budget_, options_.crew, train, [this] { step(); });
    stopped_ = !all.complete;
    if (stopped_) return trained;
    for (std::size_t task = 0; task < all.results.size(); ++task) {
      auto& [utility, weights, seconds] = all.results[task];
      Trained& row = trained[place(task).first];
      row.models.push_back(
          make_flid(std::move(utility), std::move(weights), dimensions_[place(task).first]));
      row.seconds += seconds;
    }
    return trained;
  }

  Flid train_one(Index dimensions, Index fold, const Budget& budget, std::size_t left) const {
    if (dimensions == 0) return fit_items_alone(folds_[fold].training);
    NceOptions training = result_.training;
    training.dimensions = dimensions;
    training.seed = options_.seed + fold;
    training.budget = budget.has_deadline() ? budget.within(part_of(budget, left)) : budget;
    return fit_flid_nce(folds_[fold].training, training).model;
  }

  void compare(Index dimensions, double beta, const Trained& trained) {
    const Stopwatch watch;
    std::vector<Problem> problems;
    for (const auto& model : trained.models)
      problems.push_back(make_problem(at_inverse_temperature(model, beta)));
    const auto log_zs = options_.folds * (options_.folds + 1) / 2;
    const auto candidates = dimensions_.size() * temperatures_.size() - result_.rows.size();
    const AgreePairs pairs = agree_pairs(
        problems, {.width = options_.width,
                   .seconds = std::min(options_.seconds, part_of(budget_, log_zs * candidates)),
                   .seed = options_.seed,
                   .budget = budget_,
                   .crew = options_.crew});
    stopped_ = !pairs.complete;
    if (stopped_) return;
    std::vector<Interval> agreement;
    for (const auto& row : pairs.rows)
      agreement.push_back(agreement_of(row, pairs.log_z, problems));
    auto likelihood = in_order(folds_.size(), budget_, options_.crew, [&](std::size_t k) {
      const auto& log_z = pairs.log_z[k];
      if (!log_z.is_bounded() || !going()) return kUnknown;
      return held_out_likelihood(problems[k].model, folds_[k].held_out,
                                 {*log_z.lower, *log_z.upper}, support_, budget_.with_threads(1))
          .log_likelihood();
    });
    stopped_ = !likelihood.complete;
    if (stopped_) return;
    result_.rows.push_back(
        {.dimensions = dimensions,
         .inverse_temperature = beta,
         .agreement = summary_of(agreement, pair_places(options_.folds)),
         .likelihood = summary_of(likelihood.results, fold_places(options_.folds)),
         .seconds = watch.seconds() + trained.seconds});
    agreement_.push_back(std::move(agreement));
    likelihood_.push_back(std::move(likelihood.results));
    step();
  }

  /// log sum p' p'' over the sets that the data can hold: of all sets as it comes, else with every
  /// Z less its empty set.
  Interval agreement_of(const AgreeRow& row, const std::vector<LogZResult>& log_z,
                        const std::vector<Problem>& problems) const {
    if (!row.bounds.pa_lower || !row.bounds.pa_upper) return kUnknown;
    const double pa_low = *row.bounds.pa_lower, pa_high = *row.bounds.pa_upper;
    if (support_ == Support::kAllSets) return {pa_low, pa_high};
    if (!log_z[row.first].is_bounded() || !log_z[row.second].is_bounded()) return kUnknown;
    const auto interval = [&](Index k) { return Interval{*log_z[k].lower, *log_z[k].upper}; };
    return agreement_of_non_empty_sets(*problems[row.first].model.as<Flid>(), interval(row.first),
                                       *problems[row.second].model.as<Flid>(), interval(row.second),
                                       {pa_low, pa_high});
  }

  static std::optional<Summary> summary_of(const std::vector<Interval>& values,
                                           const std::vector<FoldPair>& places) {
    if (!is_known(values)) return std::nullopt;
    return summarise(values, places);
  }

  const SetCollection& data_;
  const SelectOptions& options_;
  const Budget budget_;
  std::vector<Index> dimensions_;
  std::vector<double> temperatures_;
  std::vector<Fold> folds_;
  Support support_ = Support::kAllSets;
  std::vector<std::vector<Interval>> agreement_, likelihood_;  // by candidate
  SelectResult result_;
  std::atomic<std::size_t> done_ = 0;
  bool stopped_ = false;  // here or in another process
};

}  // namespace

SelectResult select_model(const SetCollection& data, const SelectOptions& options) {
  return Selector(data, options).run();
}

}  // namespace surefield
