// Rows of a pseudo-likelihood by patterns of neighbours: learn/row_patterns.hpp.
#include <algorithm>
#include <bit>

#include "surefield/core/numeric.hpp"
#include "surefield/learn/pseudo_likelihood_row.hpp"

namespace surefield {

double PseudoLikelihood::tabled_row(Index i, std::span<const double> theta, double smoothing,
                                    Row& now, double& by_bias, double* by_end) const {
  const double bias = theta[i];
  const std::size_t first = support_->start[i];
  const std::size_t degree = support_->start[i + 1] - first;
  now.coupling.resize(degree);
  now.by_coupling.assign(degree, 0.0);
  for (std::size_t k = 0; k < degree; ++k)
    now.coupling[k] = theta[items() + support_->pair[first + k]];

  CompensatedSum loss;
  double slope = 0, weight = 0, holding = 0;
  for (const auto& [neighbours, times, with] : patterns_.of(i)) {
    double h = bias;
    for (auto left = neighbours; left != 0; left &= left - 1)
      h += now.coupling[static_cast<Index>(std::countr_zero(left))];
    const double residual = times * sigmoid(h) - with;
    loss.add(times * softplus(h) - with * h);
    slope += residual;
    weight += times;
    holding += with;
    for (auto left = neighbours; left != 0; left &= left - 1)
      now.by_coupling[static_cast<Index>(std::countr_zero(left))] += residual;
  }
  if (by_end != nullptr) std::ranges::copy(now.by_coupling, by_end);

  // Sets without a neighbour have h_i = b_i; {i} is among them, and left out.
  const double base = sigmoid(bias);
  const double rest = total_ - weight - alone_[i];
  const double rest_holding = count_[i] - holding - alone_[i];
  by_bias = slope + rest * base - rest_holding + smoothing * (2 * base - 1);
  loss.add(rest * softplus(bias) - rest_holding * bias);
  return loss.value() + smoothing * (2 * softplus(bias) - bias);
}

}  // namespace surefield
