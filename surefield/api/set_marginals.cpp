#include "surefield/api/set_marginals.hpp"

#include <algorithm>

#include "surefield/api/infer.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {
namespace {

constexpr double kNarrow = 0.02;  // an interval whose middle says enough

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

}  // namespace surefield
