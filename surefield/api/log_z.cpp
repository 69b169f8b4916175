#include "surefield/api/log_z.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "surefield/api/log_z_methods.hpp"
#include "surefield/api/log_z_task.hpp"
#include "surefield/bounds/log_z/exact/elimination.hpp"
#include "surefield/bounds/log_z/hoelder/forest_tiles.hpp"
#include "surefield/core/box_of_sets.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/models/terms.hpp"

namespace surefield {
namespace {

constexpr ExactLimits kCheap{5e6, 18, 18};
constexpr Index kWidestTable = 28;  // of elimination, where memory and time allow it: 2 GB
constexpr ExactLimits kAsInference{2e6, 14, 14};
constexpr double kStepsASecond = 1e8;           // of best items
constexpr double kQuickOperations = 2e8;        // of a bound that goes with inference
constexpr double kQuickOperationsAnItem = 2e3;  // the same, of many items

// For marginals beside those of mean field, by branch and bound.
constexpr double kQuickGains = 4e6;
constexpr Index kQuickMarginals = 60;  // items: up to so many they cost about as much as an answer

constexpr double kQuickEntries = 2e6;     // of the search by Harris' inequality
constexpr double kBeyondHoelder = 0.05;   // a width that Hoelder's bound and an ELBO do not reach
constexpr double kQuickSpectrum = 1.5e9;  // the same, where trees are of little use
constexpr double kManyPairs = 8;          // an item

constexpr std::array<std::string_view, 4> kExactMethods{"determinant", "best items", "elimination",
                                                        "enumeration"};

void require_valid(const Box& box, const LogZOptions& options) {
  for (Index i = 0; i < box.size(); ++i)
    require(is_of_sets(box[i]), "log Z: item ", i, " is bounded to [", box.low[i], ", ",
            box.high[i], "]; only in, out or free has a meaning for sets");
  require(std::isfinite(options.inverse_temperature) && options.inverse_temperature > 0,
          "log Z: the inverse temperature is ", options.inverse_temperature,
          ", which must be finite and > 0");
  require(options.width > 0, "log Z: the width is ", options.width, ", which must be > 0");
  require(options.enumerable <= 30, "log Z: the limit of enumeration is ", options.enumerable,
          " free items, which must be at most 30");
}

void run(LogZTask& task, std::string_view name, const Budget& budget) {
  task.attempt(std::string(name), budget, log_z_method(name).run);
}

/// The first exact method that applies within the limits.
void exactly(LogZTask& task, const ExactLimits& limits, const Budget& budget) {
  task.set_limits(limits);
  for (const std::string_view method : kExactMethods)
    if (!task.is_exact()) run(task, method, budget);
}

/// Tables and steps for as much as the time left allows.
ExactLimits dear_limits(const Budget& budget) {
  const double seconds = std::min(budget.seconds_left(), 20.0);
  return {std::min(2e9, kStepsASecond * seconds), kWidestTable, 24};
}

/// Of the search by Harris' inequality: as long as the time allows, or some seconds.
double entries_within(const Budget& budget) {
  return budget.has_deadline() ? kInfinity : ExactLimits{0, 0, 0}.entries;
}

/// The pairs of a model of items and pairs alone.
class PairCount final : public FittingTerms {
 public:
  void constant(double) override {}
  void linear(Index, double) override {}
  void pair(Index, Index, double) override { ++pairs_; }

  /// Many trees are needed to cover it: Hoelder's bound over them takes longer than the spectral one and is far above it.
  bool is_dense_field(Index items) const {
    return fits_ && static_cast<double>(pairs_) > kManyPairs * static_cast<double>(items);
  }

 private:
  Index pairs_ = 0;
};

bool is_dense_field(const AnyModel& model) {
  if (!model.has_terms()) return false;
  PairCount count;
  model.show_terms(count, 1, "pairs");
  return count.is_dense_field(model.size());
}

/// By trees or by spectrum: of dense fields the spectral bound alone where it answers.
void quick_upper_end(LogZTask& task, const Budget& budget) {
  const auto by_spectrum = [&] {
    if (!task.reached(kBeyondHoelder))
      run(task, "spectral", task.options().budget.with_operations(kQuickSpectrum));
  };
  const bool dense = is_dense_field(task.model());
  if (dense) by_spectrum();
  if (!task.reached(kBeyondHoelder) && !task.answered("spectral")) run(task, "hoelder", budget);
  if (!dense) by_spectrum();
}

void quick(LogZTask& task) {
  const auto within = [&](double operations) {
    return task.options().budget.with_operations(operations);
  };
  if (task.free() > kForestsFrom) {  // one bound, in linear time
    run(task, "forests", task.options().budget);
    const double operations = kQuickOperationsAnItem * static_cast<double>(task.free());
    if (!task.answered("forests")) quick_upper_end(task, within(operations));
    return;
  }
  const Budget budget = within(kQuickOperations);
  exactly(task, task.options().marginals ? kCheap : kAsInference, budget);
  ExactLimits limits = kAsInference;
  limits.entries = kQuickEntries;
  limits.splits = static_cast<Index>(kQuickGains / (4.0 * static_cast<double>(task.free() + 1)));
  task.set_limits(limits);
  if (!task.is_exact()) run(task, "harris", budget);
  if (!task.reached(kBeyondHoelder)) quick_upper_end(task, budget);
  if (task.lacks_marginals() && task.free() <= kQuickMarginals)
    run(task, "branch and bound", budget);
}

void narrow(LogZTask& task) {
  const LogZOptions& options = task.options();
  const Budget& budget = options.budget;
  if (options.exact) exactly(task, kCheap, budget.part(0.5));
  const bool falling = task.problem().is_submodular();
  task.set_limits({.steps = kCheap.steps,
                   .width = kCheap.width,
                   .enumerable = kCheap.enumerable,
                   .entries = entries_within(budget)});
  if (!task.reached(options.width)) run(task, "harris", budget.part(0.8));
  // What Harris' inequality has not reached the gains alone do not reach either.
  const bool worth = !task.reached(options.width) && !task.answered("harris");
  if ((worth || task.lacks_marginals()) && falling) run(task, "branch and bound", budget.part(0.8));
  // What is quick and comes last, mean field and Hoelder, must find time.
  const Budget half = budget.part(0.5);
  if (options.exact && !task.reached(options.width)) exactly(task, dear_limits(half), half);
  if (!task.reached(options.width)) run(task, "mean field", budget);
  if (!task.reached(options.width)) run(task, "hoelder", budget.part(0.5));
  if (!task.reached(options.width)) run(task, "spectral", budget.part(falling ? 1 : 0.5));
  // Of any sign its leaves are wide, so it comes last.
  if (!task.reached(options.width) && !falling) run(task, "branch and bound", budget);
}

/// The bounds first, then branch and bound with what time is left, then estimates.
void everything(LogZTask& task) {
  const LogZOptions& options = task.options();
  const Budget& budget = options.budget;
  task.set_limits({.steps = 2e7,
                   .width = kWidestTable,
                   .enumerable = options.enumerable,
                   .entries = entries_within(budget)});
  for (const LogZMethodRow& method : log_z_methods()) {
    if (!options.compare && task.is_exact() && !task.lacks_marginals()) return;
    if (method.side == "estimate" && !options.estimates) continue;
    run(task, method.name, budget.part(method.side == "interval" ? 0.8 : 0.5));
  }
}

LogZResult failed(LogZTask& task, const Contradiction& contradiction) {
  LogZResult result = task.finish();
  result.failure = contradiction.what();
  result.lower.reset();
  result.upper.reset();
  result.exact = false;
  result.marginals.clear();
  result.marginals_exact = false;
  result.marginals_method.clear();
  return result;
}

}  // namespace

Budget log_z_budget(const Budget& all, double seconds) {
  constexpr double kMoment = 0.15;
  return all.within(std::max(seconds, kMoment));
}

LogZResult log_z(const FactorGraph& tables, const Box& box, const LogZOptions& options) {
  require_valid(box, options);
  const Problem no_model{.model = {},
                         .kind = "factor graph with zeros",
                         .items = {},
                         .box = box,
                         .flips = {},
                         .violation = {}};
  LogZTask task(no_model, options);
  task.attempt("elimination", options.budget, [&](LogZTask& now) {
    const auto found = eliminate(tables, &box,
                                 {.beta = options.inverse_temperature,
                                  .limit = kWidestTable,
                                  .budget = options.budget,
                                  .marginals = options.marginals});
    require(std::isfinite(found.log_z), "elimination: every set has probability 0, so log Z is ",
            found.log_z);
    now.exactly(found);
  });
  return task.finish();
}

LogZResult log_z(const Problem& problem, const LogZOptions& options) {
  require_valid(problem.box, options);
  LogZTask task(problem, options);
  try {
    switch (options.goal) {
      case LogZGoal::kQuick:
        quick(task);
        break;
      case LogZGoal::kExact:
        exactly(task,
                std::isfinite(options.budget.operations()) ? kCheap : dear_limits(options.budget),
                options.budget);
        break;
      case LogZGoal::kWidth:
        narrow(task);
        break;
      case LogZGoal::kAll:
        everything(task);
        break;
    }
  } catch (const Contradiction& contradiction) {
    return failed(task, contradiction);
  }
  return task.finish();
}

}  // namespace surefield
