#include "surefield/learn/held_out.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/parallel.hpp"
#include "surefield/core/rounding.hpp"
#include "surefield/learn/item_prediction.hpp"
#include "surefield/learn/non_empty_log_z.hpp"
#include "surefield/models/log_det/log_det.hpp"
#include "surefield/models/set_values.hpp"

namespace surefield {
namespace {

constexpr Index kHeldOutTask = 256;   // sets a task
constexpr double kLogZRoundings = 8;  // of a log Z that is exact but for rounding

/// How far evaluate and the gains over the empty set can be off.
double value_error_of(const AnyModel& model) {
  return model.facts().value_error + model.facts().gain_error;
}

/// The same for the empty set and single items alone. A log det is 0 on the one and the logarithm of an entry of its
/// kernel on the others, however ill conditioned its larger blocks are.
double error_near_empty(const AnyModel& model, std::span<const double> gains) {
  if (model.as<LogDet>() == nullptr) return value_error_of(model);
  double largest = 0;
  for (const double gain : gains) largest = std::max(largest, std::abs(gain));
  return 4 * kUnitRoundoff * largest;
}

/// Of a black box nothing proves submodularity.
bool is_proved_submodular(const AnyModel& model) {
  return model.facts().submodularity == Submodularity::kProved;
}

/// The normaliser is at least one of the terms that it adds up.
void raise(Interval& log_normaliser, double term) {
  Claim claim("log(Z - e^F(empty))");
  claim.at_most({log_normaliser.high, "log Z as given"});
  claim.at_least({log_normaliser.low, "log Z as given"});
  claim.at_least({term, "a set seen"});
  if (claim.low()) log_normaliser.low = claim.low()->value;
}

}  // namespace

std::vector<double> values_of(const AnyModel& model, const SetCollection& data, unsigned threads) {
  return values_of(model, data, Budget().with_threads(std::max(1U, threads)));
}

std::vector<double> values_of(const AnyModel& model, const SetCollection& data,
                              const Budget& budget) {
  const Index n = size_of(model);
  require(data.items == n, "held-out sets: they are of ", data.items, " items, the model of ", n,
          ", which must be the same");
  std::vector<double> values(data.sets.size(), std::nan(""));
  for_each_index((values.size() + kHeldOutTask - 1) / kHeldOutTask, budget, [&](std::size_t block) {
    SetValues value_of(model);
    const Index end = std::min(values.size(), (block + 1) * kHeldOutTask);
    for (Index k = block * kHeldOutTask; k < end && !budget.spent(); ++k) {
      for (const std::uint32_t i : data.sets[k])
        require(i < n, "held-out sets: set ", k, " holds item ", i, ", which must be below ", n);
      values[k] = value_of(data.sets[k]);
      require(std::isfinite(values[k]), "held-out sets: set ", k, " has F = ", values[k],
              ", which must be finite");
    }
  });
  return values;
}

Interval log_z_of_non_empty_sets(const AnyModel& model, Interval log_z) {
  const Index n = size_of(model);
  std::vector<double> gains(n);
  if (n > 0) gain_scores(model)()({}, gains);
  const NearEmpty near{.empty = evaluate(model, std::vector<std::uint8_t>(n, 0)),
                       .gains = gains,
                       .error = error_near_empty(model, gains)};
  // An exact log Z may be given as computed: its own rounding is that of the values it adds up. That of a log
  // det adds up none, and comes with its error.
  const double rounding = near.error + kLogZRoundings * kUnitRoundoff * (1 + std::abs(log_z.low));
  const Interval given{log_z.low - rounding, log_z.high + rounding};
  Claim claim = non_empty_log_z(given, near);
  // Only near the empty set is there anything to gain by it.
  if (given.high - near.empty < 1 && is_proved_submodular(model))
    claim.at_most(non_empty_log_z_if_submodular(near, Basis::kProved));
  return {claim.low() ? claim.low()->value : -kInfinity,
          claim.high() ? claim.high()->value : kInfinity};
}

std::vector<double> marginals_given_non_empty(const AnyModel& model,
                                              std::span<const double> marginals, Interval log_z) {
  const Interval rest = log_z_of_non_empty_sets(model, log_z);
  require(std::isfinite(rest.low) && std::isfinite(rest.high),
          "held-out marginals: the normaliser over non-empty sets is between ", rest.low, " and ",
          rest.high, ", which must be bounded");
  const double factor = std::exp((log_z.low + log_z.high) / 2 - (rest.low + rest.high) / 2);
  std::vector<double> given(marginals.begin(), marginals.end());
  for (double& p : given) p = std::min(1.0, p * factor);
  return given;
}

HeldOutLikelihood held_out_likelihood(const AnyModel& model, const SetCollection& data,
                                      Interval log_z, Support support, unsigned threads) {
  return held_out_likelihood(model, data, log_z, support,
                             Budget().with_threads(std::max(1U, threads)));
}

HeldOutLikelihood held_out_likelihood(const AnyModel& model, const SetCollection& data,
                                      Interval log_z, Support support, const Budget& budget) {
  require(std::isfinite(log_z.low) && std::isfinite(log_z.high) && log_z.low <= log_z.high,
          "held-out likelihood: log Z is given as [", log_z.low, ", ", log_z.high,
          "], which must be a bounded interval");
  const std::vector<double> values = values_of(model, data, budget);
  HeldOutLikelihood result{.support = support,
                           .value = {},
                           .log_normaliser = log_z,
                           .empty_sets_left_out = 0,
                           .complete = true};
  std::vector<double> judged;
  bool is_any = false;  // set that has a probability
  for (Index k = 0; k < values.size(); ++k) {
    if (support == Support::kNonEmptySets && data.sets[k].empty()) {
      ++result.empty_sets_left_out;
      continue;
    }
    is_any = true;
    if (std::isnan(values[k]))
      result.complete = false;
    else
      judged.push_back(values[k]);
  }
  require(is_any, "held-out likelihood: there is no ",
          support == Support::kNonEmptySets ? "non-empty " : "", "set to judge by");
  if (judged.empty()) return result;
  if (support == Support::kNonEmptySets) {
    result.log_normaliser = log_z_of_non_empty_sets(model, log_z);
    // Every set seen is part of the sum: none has a probability above 1.
    raise(result.log_normaliser, *std::ranges::max_element(judged) - value_error_of(model));
  }
  result.value = mean_of(judged);
  return result;
}

}  // namespace surefield
