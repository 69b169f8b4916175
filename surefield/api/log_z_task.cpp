#include "surefield/api/log_z_task.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {

LogZTask::LogZTask(const Problem& problem, const LogZOptions& options)
    : problem_(problem),
      options_(options),
      facts_(problem.model.facts().times(options.inverse_temperature)) {
  for (Index i = 0; i < problem.box.size(); ++i) free_ += !problem.box[i].is_point();
}

void LogZTask::attempt(const std::string& method, const Budget& budget,
                       const std::function<void(LogZTask&)>& run) {
  if (budget.spent()) {
    result_.interrupted = true;
    return;
  }
  method_ = method;
  budget_ = budget;
  started_.emplace();
  try {
    run(*this);
  } catch (const Error& error) {
    result_.refused.emplace_back(method, error.what());
  }
}

LogZValue* LogZTask::add(Side side, double value) {
  if (!std::isfinite(value)) return nullptr;
  result_.values.push_back(
      {.method = method_, .side = side, .value = value, .seconds = started_->seconds()});
  return &result_.values.back();
}

void LogZTask::at_least(double value, Basis basis) {
  add(Side::kLower, value);
  claim_.at_least({value, method_, basis});
  tell();
}

void LogZTask::at_most(double value, Basis basis) {
  add(Side::kUpper, value);
  claim_.at_most({value, method_, basis});
  tell();
}

void LogZTask::tell() const { tell({-kInfinity, kInfinity}); }

void LogZTask::tell(const Interval& so_far) const {
  if (!options_.watcher) return;
  Claim all = claim_;
  all.at_least({so_far.low, method_});
  all.at_most({so_far.high, method_});
  BoundsNow now{.by = method_};
  if (all.low()) now.low = all.low()->value;
  if (all.high()) now.high = all.high()->value;
  options_.watcher(now);
}

void LogZTask::exactly(const ExactLogZ& found) {
  require(std::isfinite(found.log_z), method_, ": log Z is ", found.log_z,
          ", which is beyond the range of a double");
  require(std::isfinite(found.error), method_,
          ": the numbers of the model are so large that rounding leaves no digit of log Z");
  add(Side::kExact, found.log_z)->error = found.error;
  claim_.at_least({found.log_z - found.error, method_, facts().value_basis()});
  claim_.at_most({found.log_z + found.error, method_, facts().value_basis()});
  const bool exact = found.error <= kSixDigits * std::max(1.0, std::abs(found.log_z));
  if (exact && !result_.exact) result_.value = found.log_z;
  result_.exact |= exact;
  keep_marginals(found);
  tell();
}

/// Probabilities are ratios of two sums, each off by a factor of e^error at most.
void LogZTask::keep_marginals(const ExactLogZ& found) {
  if (!options_.marginals || found.marginals.size() != box().size() || result_.marginals_exact)
    return;
  const bool exact = found.error <= kSixDigits;
  if (!exact && !result_.marginals_method.empty()) return;
  const double off = std::expm1(2 * found.error) + 0x1p-50;
  result_.marginals.clear();
  for (Index i = 0; i < found.marginals.size(); ++i) {
    const double p = found.marginals[i];
    result_.marginals.push_back(box()[i].is_point()
                                    ? Interval{p, p}
                                    : Interval{std::max(p - off, 0.0), std::min(p + off, 1.0)});
  }
  result_.marginals_exact = exact;
  result_.marginals_method = method_;
}

void LogZTask::estimate(double value, double standard_error) {
  if (LogZValue* const row = add(Side::kEstimate, value)) row->standard_error = standard_error;
}

void LogZTask::certified_marginals(std::vector<Interval> intervals) {
  for (Index i = 0; i < intervals.size(); ++i)
    if (intervals[i].low > intervals[i].high)
      throw Contradiction(message("contradiction: the probability of item ", i, " is at least ",
                                  intervals[i].low, " and at most ", intervals[i].high, " (",
                                  method_, "); nothing is certified"));
  if (!result_.marginals_method.empty()) return;
  result_.marginals = std::move(intervals);
  result_.marginals_method = method_;
}

LogZResult LogZTask::finish() {
  if (claim_.low()) {
    result_.lower = claim_.low()->value;
    result_.lower_method = claim_.low()->method;
  }
  if (claim_.high()) {
    result_.upper = claim_.high()->value;
    result_.upper_method = claim_.high()->method;
  }
  result_.basis = claim_.basis();
  for (LogZValue& row : result_.values) {
    const double reach = 3 * row.standard_error;
    if (row.side == Side::kEstimate)
      row.outside = (result_.lower && row.value + reach < *result_.lower) ||
                    (result_.upper && row.value - reach > *result_.upper);
  }
  result_.model_kind = problem_.kind;
  result_.items = problem_.size();
  result_.names = problem_.items;
  result_.marginals_wanted = options_.marginals;
  // In the user's variables a flipped item is in where the model's is out.
  if (!result_.marginals.empty())
    for (Index i = 0; i < problem_.flips.size(); ++i)
      if (problem_.flips[i])
        result_.marginals[i] = {1 - result_.marginals[i].high, 1 - result_.marginals[i].low};
  result_.seconds = watch_.seconds();
  return std::move(result_);
}

}  // namespace surefield
