#include "surefield/learn/flid_likelihood.hpp"

#include <algorithm>

#include "surefield/bounds/log_z/exact/flid_exact.hpp"
#include "surefield/core/lbfgs.hpp"

namespace surefield {

double add_set(const Flid& model, std::span<const std::uint32_t> set, double share,
               FlidLogZSlopes* slopes) {
  if (set.empty()) return 0;
  const Index dimensions = model.dimensions;
  double sum = 0;
  for (const auto i : set) {
    sum += model.utility[i];
    if (slopes) slopes->utility[i] += share;
    for (Index d = 0; d < dimensions; ++d) {
      sum -= model.weight(i, d);
      if (slopes) slopes->weights[i * dimensions + d] -= share;
    }
  }
  for (Index d = 0; d < dimensions; ++d) {
    std::uint32_t best = set[0];
    for (const auto i : set)
      if (model.weight(i, d) >= model.weight(best, d)) best = i;
    sum += model.weight(best, d);
    if (slopes) slopes->weights[best * dimensions + d] += share;
  }
  return sum;
}

FlidLogZSlopes exact_log_z_slopes(const Flid& model, const Budget& budget) {
  FlidExactSlopes exact = flid_exact_slopes(model, {.limit = 2e8, .budget = budget});
  FlidLogZSlopes result{exact.log_z, exact.marginals, std::move(exact.best)};
  for (Index i = 0; i < model.size(); ++i)
    for (Index d = 0; d < model.dimensions; ++d)
      result.weights[i * model.dimensions + d] -= exact.marginals[i];
  return result;
}

FlidLogZSlopes hoelder_log_z_slopes(const Flid& model, const Budget& budget) {
  if (model.dimensions == 0) return exact_log_z_slopes(model, budget);
  const LbfgsReport best = minimise(
      std::vector<double>(hoelder_multipliers(model.size(), model.dimensions), 0.0),
      [&](std::span<const double> multipliers, std::span<double> slope) {
        return hoelder_objective(model, multipliers, slope).log_z;
      },
      {.iterations = 500, .memory = 20, .gradient = 1e-10, .progress = 1e-14, .budget = budget});
  std::vector<double> unused(best.point.size());
  return hoelder_objective(model, best.point, unused);
}

}  // namespace surefield
