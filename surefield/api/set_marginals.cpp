#include "surefield/api/set_marginals.hpp"

#include <algorithm>

#include "surefield/api/log_z.hpp"
#include "surefield/core/box_of_sets.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {
namespace {

constexpr double kSaysNothing = 0.2;    // an interval, on average, that says next to nothing
constexpr Index kMostBounded = 2000;    // items: beyond, marginals cost far more than an answer
constexpr Index kFewEnough = 60;        // items: intervals cost about as much as an answer
constexpr double kFewOperations = 1e7;  // operations of an exact method
constexpr double kNarrow = 0.02;        // an interval whose middle says enough

}  // namespace

SetMarginals set_marginals(const Problem& problem, const LogZResult& found, const Budget& budget) {
  SetMarginals result{.values = {}, .method = found.marginals_method, .error = 0};
  double widest = 0;
  for (const Interval& in : found.marginals) widest = std::max(widest, in.width());
  const bool bounded = found.marginals.size() == problem.size() && !found.marginals_method.empty();
  if (bounded && widest <= kNarrow) {
    for (const Interval& in : found.marginals) result.values.push_back((in.low + in.high) / 2);
    result.error = found.marginals_exact ? 0 : widest / 2;
    return result;
  }
  result.values = infer(problem, {.quick_proof = false, .budget = budget}).marginals;
  if (!bounded) {
    result.method = "mean field";
    result.error = kInfinity;
    return result;
  }
  result.method = "mean field, moved into the intervals of " + found.marginals_method;
  for (Index i = 0; i < result.values.size(); ++i) {
    const Interval in = found.marginals[i];
    const double p = result.values[i] = in.clamp(result.values[i]);
    result.error = std::max({result.error, in.high - p, p - in.low});
  }
  return result;
}

std::optional<LogZResult> quick_set_marginals(const Problem& problem, const InferOptions& options) {
  if (problem.size() > kMostBounded || !is_of_sets(problem.box) ||
      options.algorithm != InferOptions{}.algorithm || options.budget.spent())
    return std::nullopt;
  LogZOptions how{.goal = LogZGoal::kExact,
                  .inverse_temperature = options.inverse_temperature,
                  .marginals = true,
                  .budget = options.budget.with_operations(kFewOperations)};
  LogZResult found = log_z(problem, how);
  if (!found.marginals_exact) {
    if (problem.size() > kFewEnough) return std::nullopt;
    how.goal = LogZGoal::kQuick;
    how.budget = options.budget;
    found = log_z(problem, how);
  }
  double width = 0;
  for (const Interval& in : found.marginals) width += in.width();
  if (width > kSaysNothing * static_cast<double>(problem.size())) found.marginals.clear();
  return found;
}

}  // namespace surefield
