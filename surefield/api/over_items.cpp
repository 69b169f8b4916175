#include "surefield/api/over_items.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "surefield/api/log_z.hpp"
#include "surefield/core/claim.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/rounding.hpp"
#include "surefield/learn/mean_estimate.hpp"
#include "surefield/learn/modular.hpp"
#include "surefield/learn/modular_non_empty.hpp"

namespace surefield {
namespace {

constexpr double kLargest = 1e100;  // an end of log Z that is not known is no further away

/// The same sets once each: what of Z is there to be seen.
SetCollection seen_once(const Fold& fold, Support support) {
  SetCollection seen;
  seen.items = fold.training.items;
  for (const SetCollection* part : {&fold.training, &fold.held_out})
    seen.sets.insert(seen.sets.end(), part->sets.begin(), part->sets.end());
  if (support == Support::kAllSets) seen.sets.emplace_back();
  for (auto& set : seen.sets) std::ranges::sort(set);
  std::ranges::sort(seen.sets);
  const auto twice = std::ranges::unique(seen.sets);
  seen.sets.erase(twice.begin(), twice.end());
  return seen;
}

/// log of the sum of e^F over sets that differ, with its rounding taken off.
double log_sum_of(const AnyModel& model, const SetCollection& sets) {
  const std::vector<double> values = values_of(model, sets);
  const double sum = log_sum_exp(values);
  const auto terms = static_cast<double>(values.size());
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return sum - model.facts().value_error - gamma_of(2 * terms + 64) * (1 + largest + std::abs(sum));
}

/// By a method of its own.
Interval log_z_of(const FitResult& fit, const Budget& budget) {
  if (const auto* flid = fit.model.as<Flid>(); flid && flid->dimensions == 0) {
    const double exact = modular_log_z(*flid);
    return {exact, exact};
  }
  const bool made_exact = fit.model_name == "thin" || fit.model_name == "dpp";
  const LogZResult found = log_z(make_problem(fit.model, {}, {}, {.no_guarantee = true}),
                                 {.goal = made_exact ? LogZGoal::kExact : LogZGoal::kQuick,
                                  .budget = budget.with_threads(1)})
                               .sound();
  return {found.lower.value_or(-kInfinity), found.upper.value_or(kInfinity)};
}

Claim claim_of(std::string quantity, const Interval& log_z, const End& seen) {
  Claim claim(std::move(quantity));
  claim.at_least({log_z.low, "log Z"});
  claim.at_most({log_z.high, "log Z"});
  claim.at_least(seen);
  return claim;
}

Interval ends_of(const Claim& claim) {
  return {claim.low() ? claim.low()->value : -kInfinity,
          claim.high() ? claim.high()->value : kInfinity};
}

/// log of the sum of e^F over the support: what a method says of it, and the sets seen, which are a part of it.
Interval normaliser_of(const FitResult& fit, const Fold& fold, Support support,
                       const Budget& budget) {
  const End seen{log_sum_of(fit.model, seen_once(fold, support)), "the sets seen"};
  const Claim all = claim_of("log Z", log_z_of(fit, budget), seen);
  if (support == Support::kAllSets) return ends_of(all);
  const Interval rest = all.high() ? log_z_of_non_empty_sets(fit.model, ends_of(all))
                                   : Interval{-kInfinity, kInfinity};
  return ends_of(claim_of("log(Z - e^F(empty))", rest, seen));
}

}  // namespace

OverItems over_items(const FitResult& fit, const Fold& fold, Support support,
                     const Budget& budget) {
  OverItems result;
  result.values = values_of(fit.model, fold.held_out);
  const AnyModel items(fit_items_alone(fold.training));
  const double z = modular_log_z(*items.as<Flid>());
  Interval by_items{z, z};
  if (support == Support::kNonEmptySets) by_items = log_z_of_non_empty_sets(items, by_items);
  const std::vector<double> alone = values_of(items, fold.held_out);
  CompensatedSum sum;
  for (Index k = 0; k < alone.size(); ++k) {
    const double log_p = alone[k] - (by_items.low + by_items.high) / 2;
    result.values[k] -= log_p;
    sum.add(log_p);
  }
  result.items = sum.value() / static_cast<double>(std::max<Index>(1, alone.size()));
  result.normaliser = normaliser_of(fit, fold, support, budget);
  return result;
}

PooledOverItems pooled(std::span<const OverItems> folds) {
  PooledOverItems result;
  Interval normaliser{0, 0};  // added up over sets
  for (const OverItems& fold : folds) {
    const auto count = static_cast<double>(fold.values.size());
    const auto [low, high] = fold.normaliser;
    normaliser.low += count * low;
    normaliser.high += count * high;
    result.items += count * fold.items;
    const double middle = std::isfinite(high) ? (low + high) / 2 : std::max(low, -kLargest);
    for (const double value : fold.values) result.values.push_back(value - middle);
  }
  const auto sets = static_cast<double>(result.values.size());
  const MeanEstimate mean = mean_of(result.values);
  result.items /= sets;
  result.half = (normaliser.high - normaliser.low) / sets / 2;
  result.mean = {std::isfinite(result.half) ? mean.mean - result.half : -kInfinity,
                 std::isfinite(result.half) ? mean.mean + result.half : mean.mean};
  result.standard_error = mean.standard_error;
  return result;
}

}  // namespace surefield
