// An upper bound of log Z of a pairwise field in linear time: its edges dealt out to forests.
//
//   beta F = sum_t p_t (h.x + theta_t.x + W_t / p_t),   p on the simplex,  sum_t p_t theta_t = 0
//   log Z <= constant + sum_t p_t log Z(h + theta_t, W_t / p_t)                  Hoelder's inequality
//
// W_t are the couplings of forest t, where log Z and the marginals take one pass up and one down. The
// bound holds for every theta; a few rounds move theta_t towards where all forests have the same
// marginals, which is where the bound is least. It is the tree-reweighted bound (hoelder.hpp has the
// reference) with each edge in one forest: looser than hoelder_bound, at a hundredth of the time. F need
// not be submodular.
//
// Cost: O(edges * forests) once, then O(n * forests) a round, a tenth of a microsecond each; as many
// forests as the densest part of the graph needs, two or three on a grid. Rounding: log Z of a forest
// is 1-Lipschitz in each number of it, so local roundings add up and are counted; weights are whole
// multiples of 2^-20, so they add up to 1; what rounded multipliers lack is added.
#pragma once

#include <cstddef>

#include "surefield/core/box.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

struct ForestOptions {
  double beta = 1;          ///< finite
  std::size_t rounds = 10;  ///< of moving the multipliers; 0 leaves them at 0
  Budget budget =
      {};  ///< TooMuch where work or memory do not fit; the bound holds whenever it ends
};

struct ForestBound {
  double log_z_upper = 0;  ///< infinite where numbers leave the range of a double
  std::size_t forests = 0;
};

/// Over the sets of the box. Throws Error unless every interval of it is [0, 1], 0 or 1, and for more
/// than 64 forests.
ForestBound forest_bound(const PairwiseField& model, const Box* box = nullptr,
                         const ForestOptions& options = {});

}  // namespace surefield
