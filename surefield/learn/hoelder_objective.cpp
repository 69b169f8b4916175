#include "surefield/learn/hoelder_objective.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "surefield/bounds/log_z/hoelder/best_item_piece.hpp"
#include "surefield/core/assert.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/learn/weight_columns.hpp"

namespace surefield {
namespace {

/// The best of a concept is taken away: its weights are below 0 and descend.
template <class M>
BestItemPiece piece_of(const M& model, Index d) {
  BestItemPiece piece;
  piece.items.resize(model.size());
  std::iota(piece.items.begin(), piece.items.end(), 0U);
  std::ranges::sort(piece.items, [&](auto a, auto b) {
    const double first = entry_of(model, a, d), second = entry_of(model, b, d);
    return first < second || (first == second && a < b);
  });
  for (const auto i : piece.items)
    piece.weight.push_back(sign_of(model, d) * entry_of(model, i, d));
  return piece;
}

template <class M>
FlidLogZSlopes objective_of(const M& model, std::span<const double> multipliers,
                            std::span<double> slope) {
  const Index n = model.size(), dimensions = columns_of(model);
  SUREFIELD_ASSERT(dimensions > 0);
  SUREFIELD_ASSERT(multipliers.size() == hoelder_multipliers(n, dimensions));
  const auto shares = multipliers.last(dimensions);
  const double total = log_sum_exp(shares);
  std::vector<double> share(dimensions);
  for (Index d = 0; d < dimensions; ++d) share[d] = std::exp(shares[d] - total);

  std::vector<double> base(n);
  for (Index i = 0; i < n; ++i) {
    base[i] = -costs_of(model).cost[i];
    for (Index d = 0; d < dimensions; ++d) base[i] -= share[d] * multipliers[d * n + i];
  }
  FlidLogZSlopes result;
  result.utility.assign(n, 0);
  result.weights.resize(n * dimensions);
  std::vector<double> theta(n * dimensions), marginal(n * dimensions), in_share(dimensions);
  std::vector<double> own(n), found(n), best(n);
  for (Index d = 0; d < dimensions; ++d) {
    const BestItemPiece piece = piece_of(model, d);
    for (Index i = 0; i < n; ++i) theta[d * n + i] = base[i] + multipliers[d * n + i];
    for (Index l = 0; l < n; ++l) own[l] = theta[d * n + piece.items[l]];
    const PieceSum sum = piece.sum(own, 1 / share[d], found, best);
    for (Index l = 0; l < n; ++l) {
      const Index i = piece.items[l];
      marginal[d * n + i] = found[l];
      result.weights[i * dimensions + d] = best[l];
      result.utility[i] += share[d] * found[l];
    }
    result.log_z += share[d] * sum.log_sum;
    in_share[d] = sum.log_sum - sum.expected / share[d];
  }
  double mean = 0;
  for (Index d = 0; d < dimensions; ++d) {
    for (Index i = 0; i < n; ++i) {
      double& weight = result.weights[i * dimensions + d];
      weight = sign_of(model, d) * (weight - result.utility[i]);
      slope[d * n + i] = share[d] * (marginal[d * n + i] - result.utility[i]);
      in_share[d] -= theta[d * n + i] * result.utility[i];
    }
    mean += share[d] * in_share[d];
  }
  for (Index d = 0; d < dimensions; ++d)
    slope[n * dimensions + d] = share[d] * (in_share[d] - mean);
  return result;
}

}  // namespace

FlidLogZSlopes hoelder_objective(const Flid& model, std::span<const double> multipliers,
                                 std::span<double> slope) {
  return objective_of(model, multipliers, slope);
}

FlidLogZSlopes hoelder_objective(const Fldc& model, std::span<const double> multipliers,
                                 std::span<double> slope) {
  return objective_of(model, multipliers, slope);
}

}  // namespace surefield
