// Box contraction for pairwise fields of any signs: cuts off what cannot hold a best point of the ELBO.
//
// At a best point x of a domain every coordinate is the best of its own line, x_i = clamp(sigmoid(g_i)) to the domain, with
// g_i = bias_i + sum_j w_ij x_j. On a box g_i lies between the sums of the lower and of the upper ends of w_ij x_j, so
// x_i lies between the images of these. Again and again. contraction.hpp does the same for submodular
// objectives of any kind. Rounding: both sums are moved outwards by theirs, images by 16 units.
// Cost: two sigmoids an item and O(edges) a sweep.
#pragma once

#include <cstddef>

#include "surefield/core/box.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

/// Where g_i lies on a box, its rounding included.
Interval slope_range(const PairwiseField& field, const Box& box, Index i);

/// Contracts `box`, a part of `domain`. False if it holds no best point of the domain; the box is then of
/// no use. Throws nothing.
bool contract_field(const PairwiseField& field, const Box& domain, Box& box,
                    std::size_t sweeps = 20);

}  // namespace surefield
