// Whether F(x) = F(1 - x), as of a cut without biases: then one item may be taken to be out, and half of a search is spared.
//
// F(1 - x) - F(x) = sum_i r_i (1/2 - x_i) with r_i = 2 bias_i + sum_j w_ij. Every r_i must be zero and found without rounding, as of integers: what is
// almost so is not. Cost: O(n + edges).
#pragma once

#include "surefield/core/box.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

/// Of the field and of the box.
bool is_its_mirror(const PairwiseField& field, const Box& box);

/// The item with the largest couplings; none of an empty field, then 0.
Index most_coupled(const PairwiseField& field);

}  // namespace surefield
