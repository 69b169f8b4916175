// The certified best ELBO of a pairwise field of any signs: best-first branch and bound over boxes with spectral bounds.
//
// A node is a box, contracted first (field_contraction.hpp) and bounded by spectral_bound at the point that Newton's method finds
// from its parent's. What convexity costs item i on an interval of width w is at most d_i w^2/8, so bounds close
// with the square of the width; the item that owes most, d_i times its variance, is split in the middle. Rounded draws of the moments,
// polished by coordinate ascent, are the candidates. Anytime: value and bound hold whenever it stops. Up to
// some hundred items. Cost: 5 to 10 Newton steps a node; 4 n numbers an open node. docs/spectral.md
#pragma once

#include <vector>

#include "surefield/bounds/elbo/box_rounds.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

/// `point`: in the box, where to start from. Throws Error unless the box lies in [0, 1]^n, and TooMuch
/// where one node does not fit the budget.
BoxRoundsReport spectral_boxes(const PairwiseField& field, const Box& box,
                               std::vector<double> point, const BoxRoundsOptions& options = {});

/// Visits boxes of such a search that another process leads. `branches`: of more than one box.
Answerer spectral_box_answerer(PairwiseField field, Box box, bool branches, double relative_gap,
                               double absolute_gap, const Budget& budget);

}  // namespace surefield
