// The ELBO of a pairwise field as parts: stars that share no edge (star_part.hpp).
//
//   constant + bias . x + sum_stars t sum_j w_j x_j
//
// The centres are chosen greedily, the node with most coupling not yet covered first, so that few
// stars cover all edges. Couplings may be of either sign. O((n + edges) log n).
#pragma once

#include <vector>

#include "surefield/bounds/elbo/dual_decomposition.hpp"
#include "surefield/bounds/elbo/star_part.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

/// Every coupling that is not 0 once, times the factor.
std::vector<StarPart> stars_of(const PairwiseField& field, double factor = 1);

/// inverse_temperature times the field, plus the entropy. Throws Error unless the inverse
/// temperature is finite and > 0.
DualDecomposition<StarPart> field_decomposition(const PairwiseField& field,
                                                double inverse_temperature = 1);

}  // namespace surefield
