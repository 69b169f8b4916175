// One dimension of a facility location under a modular term, summed over all sets exactly.
//
//   f(S) = max_{l in S} w_l, f(empty) = 0
//   sum_S exp(theta(S) + f(S)) = 1 + sum_l e^{w_l + theta_l} prod_{m < l} (1 + e^{theta_m})
//   P(l in S) = q_l + (sum_{k > l} q_k) sigmoid(theta_l)         q_l: the chance that l is the best
//
// Items in ascending order of w, ties in any fixed order. Cost: O(items). In logs throughout: no
// weight is too large.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/bounds/log_z/hoelder/piece.hpp"

namespace surefield {

struct BestItemPiece {
  std::vector<std::uint32_t> items;
  std::vector<double> weight;  ///< ascending

  /// theta and marginal have one entry per item of the list, and so has `best`, which gets the q_l,
  /// unless it is empty. d log sum / d w_l = scale q_l.
  PieceSum sum(std::span<const double> theta, double scale, std::span<double> marginal,
               std::span<double> best = {}) const;
};

}  // namespace surefield
