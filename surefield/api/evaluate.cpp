#include "surefield/api/evaluate.hpp"

#include <algorithm>

#include "surefield/api/set_marginals.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/stopwatch.hpp"

namespace surefield {
namespace {

constexpr double kLogZSeconds = 10;   // where none are said
constexpr double kLogZShare = 0.5;    // of the seconds, at most
constexpr double kHiddenShare = 0.8;  // of what is left then: marginals and calibration come after

SetCollection without_empty_sets(const SetCollection& data) {
  SetCollection kept = data;
  std::erase_if(kept.sets, [](const auto& set) { return set.empty(); });
  return kept;
}

/// The sets may depend on flips, log Z does not: F is always that of the model as given.
Problem problem_of(const AnyModel& model) {
  return make_problem(model, {}, {}, {.no_guarantee = true});
}

void judge_likelihood(Evaluation& result, const AnyModel& model, const SetCollection& held_out,
                      const Budget& budget) {
  if (!result.log_z_lower || !result.log_z_upper) return;
  const Interval log_z{*result.log_z_lower, *result.log_z_upper};
  result.over_all_sets = held_out_likelihood(model, held_out, log_z, Support::kAllSets, budget);
  if (result.empty_sets < result.sets)
    result.over_non_empty_sets =
        held_out_likelihood(model, held_out, log_z, Support::kNonEmptySets, budget);
}

void judge_calibration(Evaluation& result, const AnyModel& model, const SetMarginals& marginals,
                       const SetCollection& held_out, const EvaluateOptions& options,
                       const Budget& budget) {
  result.marginals_by = marginals.method;
  result.marginals_error = marginals.error;
  result.calibrated_for = options.support;
  if (options.support == Support::kAllSets) {
    result.calibration = calibrate(marginals.values, held_out, options.bins, budget);
    return;
  }
  if (result.empty_sets == result.sets || !result.over_non_empty_sets) return;
  const Interval log_z{*result.log_z_lower, *result.log_z_upper};
  result.calibration = calibrate(marginals_given_non_empty(model, marginals.values, log_z),
                                 without_empty_sets(held_out), options.bins, budget);
}

}  // namespace

bool Evaluation::is_complete() const {
  const auto done = [](const auto& part) { return !part || part->complete; };
  return done(over_all_sets) && done(over_non_empty_sets) && hidden.by_gain.complete &&
         done(hidden.by_popularity) && done(hidden.by_co_occurrence) && done(calibration);
}

Evaluation evaluate_model(const AnyModel& model, const SetCollection& held_out,
                          const SetCollection* training, const EvaluateOptions& options) {
  const Stopwatch watch;
  const Index n = size_of(model);
  require(held_out.items == n, "evaluate: the sets are of ", held_out.items,
          " items, the model of ", n, ", which must be the same");
  require(training == nullptr || training->items == n, "evaluate: the training sets are of ",
          training == nullptr ? 0 : training->items, " items, the model of ", n,
          ", which must be the same");
  require(!held_out.sets.empty(), "evaluate: there is no set to judge by");

  Evaluation result;
  result.model_kind = kind_of(model);
  result.names = held_out.names;
  result.items = n;
  result.sets = held_out.sets.size();
  double total = 0;
  for (const auto& set : held_out.sets) {
    result.empty_sets += set.empty();
    total += static_cast<double>(set.size());
  }
  result.mean_size = total / static_cast<double>(result.sets);

  const Budget budget = options.seconds ? options.budget.within(*options.seconds) : options.budget;
  const double for_log_z = options.seconds ? *options.seconds * kLogZShare : kLogZSeconds;
  const Problem problem = problem_of(model);
  const LogZResult found = log_z(problem, {.goal = LogZGoal::kWidth,
                                           .width = options.width,
                                           .marginals = true,
                                           .budget = log_z_budget(budget, for_log_z)})
                               .sound();
  result.log_z_lower = found.lower;
  result.log_z_upper = found.upper;
  result.log_z_exact = found.exact;
  judge_likelihood(result, model, held_out, budget);

  const ItemPredictionOptions hide{.one_by_seed = options.hide_one_by_seed,
                                   .budget = budget.part(kHiddenShare)};
  const double most = options.seconds ? kInfinity : options.most_ranked;
  result.hidden = judge_items_within(most, model, held_out, training, hide);
  judge_calibration(result, model, set_marginals(problem, found, budget), held_out, options,
                    budget);
  result.seconds = watch.seconds();
  return result;
}

}  // namespace surefield
