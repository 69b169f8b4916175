#include "surefield/bounds/log_z/hoelder/best_item_piece.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/numeric.hpp"

namespace surefield {

PieceSum BestItemPiece::sum(std::span<const double> theta, double scale, std::span<double> marginal,
                            std::span<double> best) const {
  const std::size_t n = items.size();
  double below = 0;  // sum of softplus(theta) of the items below
  double high = 0;   // the largest term so far; the empty set has 0
  for (std::size_t l = 0; l < n; ++l) {
    marginal[l] = scale * weight[l] + theta[l] + below;
    high = std::max(high, marginal[l]);
    below += softplus(theta[l]);
  }
  double total = std::exp(-high);
  for (std::size_t l = 0; l < n; ++l) {
    marginal[l] = std::exp(marginal[l] - high);
    total += marginal[l];
  }
  PieceSum result{high + std::log(total), 0};
  double above = 0;  // the chance that the best item is a later one
  for (std::size_t l = n; l-- > 0;) {
    const double top = marginal[l] / total;
    result.expected += top * weight[l];
    marginal[l] = top + above * sigmoid(theta[l]);
    above += top;
    if (!best.empty()) best[l] = top;
  }
  return result;
}

}  // namespace surefield
