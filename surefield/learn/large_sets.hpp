// A field learned by pseudo-likelihood kept from putting its mass on sets larger than any seen.
//
//   F'(S) = F(S) + t |S| - d |S| (|S| - 1) / 2          every bias + t, every coupling - d, d > 0
//
// Sizes of real sets vary more than a pairwise field can say, so learned couplings lean to the positive; they
// add up as the square of the size, and far beyond the data they win, by e^30 on baskets of groceries. A d of
// 0.01 or so mends that. Where all pairs have a coupling, F'(j|S) = F(j|S) + t - d |S|: the same for every
// item j, so that no ranking changes, and it is done only there. d is the smallest, to a tenth, with which mean field from all items in
// ends at sets as large as were seen, or at least 5 below mean field from none; t is the best for the
// pseudo-likelihood given d.
//
// A heuristic, not a proof: mean field looks at two starts. Cost: about ten values of d, each a few evaluations
// of the pseudo-likelihood and two runs of mean field.
#pragma once

#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/learn/pseudo_likelihood.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

/// About how large the sets are that outweigh those seen, by mean field; 0 where none do.
double size_beyond(const PairwiseField& field, double largest_seen, const Budget& budget = {});

struct SizeShift {
  double coupling = 0;  ///< d; 0: nothing had to be done
  double bias = 0;      ///< t
  bool enough = true;   ///< false: no d up to 1 helps, or the budget was spent; nothing is moved
};

/// Moves the parameters, if that is needed.
SizeShift keep_to_sizes_seen(std::vector<double>& theta, const PseudoLikelihood& loss,
                             const PairSupport& support, double largest_seen,
                             const Budget& budget = {});

}  // namespace surefield
