#include "surefield/learn/flid_likelihood.hpp"

#include <algorithm>

#include "surefield/bounds/log_z/exact/flid_exact.hpp"
#include "surefield/core/lbfgs.hpp"
#include "surefield/learn/weight_columns.hpp"

namespace surefield {

namespace {

template <class M>
double add_set_to(const M& model, std::span<const std::uint32_t> set, double share,
                  FlidLogZSlopes* slopes) {
  if (set.empty()) return 0;
  const Index columns = columns_of(model);
  double sum = 0;
  for (const auto i : set) {
    sum += model.utility[i];
    if (slopes) slopes->utility[i] += share;
    for (Index c = 0; c < columns; ++c) {
      sum -= sign_of(model, c) * entry_of(model, i, c);
      if (slopes) slopes->weights[i * columns + c] -= sign_of(model, c) * share;
    }
  }
  for (Index c = 0; c < columns; ++c) {
    std::uint32_t best = set[0];
    for (const auto i : set)
      if (entry_of(model, i, c) >= entry_of(model, best, c)) best = i;
    sum += sign_of(model, c) * entry_of(model, best, c);
    if (slopes) slopes->weights[best * columns + c] += sign_of(model, c) * share;
  }
  return sum;
}

template <class M>
FlidLogZSlopes exact_slopes(const M& model, const Budget& budget) {
  FlidExactSlopes exact = flid_exact_slopes(model, {.limit = 2e8, .budget = budget});
  FlidLogZSlopes result{exact.log_z, exact.marginals, std::move(exact.best)};
  const Index columns = columns_of(model);
  for (Index i = 0; i < model.size(); ++i)
    for (Index c = 0; c < columns; ++c) {
      double& slope = result.weights[i * columns + c];
      slope = sign_of(model, c) * (slope - exact.marginals[i]);
    }
  return result;
}

}  // namespace

double add_set(const Flid& model, std::span<const std::uint32_t> set, double share,
               FlidLogZSlopes* slopes) {
  return add_set_to(model, set, share, slopes);
}

double add_set(const Fldc& model, std::span<const std::uint32_t> set, double share,
               FlidLogZSlopes* slopes) {
  return add_set_to(model, set, share, slopes);
}

FlidLogZSlopes exact_log_z_slopes(const Flid& model, const Budget& budget) {
  return exact_slopes(model, budget);
}

FlidLogZSlopes exact_log_z_slopes(const Fldc& model, const Budget& budget) {
  return exact_slopes(model, budget);
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
