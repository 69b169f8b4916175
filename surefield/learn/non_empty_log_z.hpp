// log(Z - e^{F(empty)}), the normaliser over the sets that are not empty, from bounds of log Z.
//
//   R = Z - e^{F0},   F0 = F(empty),   g_i = F({i}) - F0
//
//   log R >= low + log(1 - e^{-(low - F0)})          low <= log Z;  nothing where low <= F0
//   log R >= F0 + log sum_i e^{g_i}                   the sets of one item are part of R
//   log R <= high + log(1 - e^{-(high - F0)})        high >= log Z
//   log R <= F0 + log(prod_i (1 + e^{g_i}) - 1)       where F is submodular: F(S) <= F0 + sum_S g_i
//
// The first and the third cancel where nearly all mass is on the empty set: log Z - F0 is then
// smaller than its own rounding, and its logarithm is any number at all. So every difference is
// first moved outwards by all that rounding can have done to it, which makes those two say little
// there, and the second and the fourth, which do not cancel and meet as R goes to 0, take over.
// Without submodularity the upper end then stays as high as the rounding of log Z leaves it.
//
// Cost: O(n). Errors of exp, expm1, log and log1p are taken to be below one unit in the last place.
#pragma once

#include <span>

#include "surefield/core/box.hpp"
#include "surefield/core/claim.hpp"

namespace surefield {

/// What is known of F near the empty set.
struct NearEmpty {
  double empty = 0;               ///< F0, as computed
  std::span<const double> gains;  ///< g_i, as computed; at least one
  double error = 0;               ///< |computed - true| of F0 and of every g_i, at most
};

/// Of all F. An end that is not proved is missing. Throws Contradiction where log Z cannot be as
/// given: high is below F0, or below what single items weigh. Throws Error if there is no item.
Claim non_empty_log_z(Interval log_z, const NearEmpty& near);

/// The fourth bound, for F submodular on the basis given.
End non_empty_log_z_if_submodular(const NearEmpty& near, Basis basis);

}  // namespace surefield
