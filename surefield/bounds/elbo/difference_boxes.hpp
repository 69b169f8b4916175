// The certified best ELBO of a model of any sign that is a difference of two submodular functions, F = A - B
// (models/submodular_difference.hpp): best-first branch and bound over boxes.
//
// Boxes are contracted first (difference_contraction.hpp).
//
// Bound. T -> B(b on T, a elsewhere) is a submodular set function of the corners and B its multilinear extension, which is nowhere below the
// convex closure, Lovasz' extension, nor that below any of its pieces: in any order of the items
//
//   B(x) >= B(a) + sum_i g_i (x_i - a_i),        g_i = B_i(b on the items before i, a elsewhere)
//
// so A less that line lies above F, and with the entropies it is DR-submodular: it is bounded as such (box_bounds.hpp). The order is by how high
// x_i stands in its interval at a guess from the slopes, where that piece is Lovasz' extension itself; a second order, from where the pass ended, took one box
// in a hundred less (FLDC of 60 and 200 items).
//
// L. Lovasz. Submodular functions and convexity. 1983. Cost: some 10 to 40 sweeps a node; 2 n numbers an open node.
#pragma once

#include <functional>
#include <vector>

#include "surefield/bounds/elbo/box_bounds.hpp"
#include "surefield/models/submodular_difference.hpp"

namespace surefield {

/// `parts` are those of the model, both with something in them. `point` is where the best value known is attained; the rounding among the options
/// is of beta F and of its parts. Of the options the dual's iterations are not used. The observer is called before every round.
BranchAndBoundReport difference_boxes(
    const AnyModel& model, const SubmodularDifference& parts, double inverse_temperature,
    const Box& box, std::vector<double> point, const BranchAndBoundOptions& options = {},
    const std::function<bool(const BranchAndBoundProgress&)>& observer = {});

/// Visits boxes of such a search that another process leads, with the same options.
Answerer difference_box_answerer(AnyModel model, SubmodularDifference parts,
                                 double inverse_temperature, Box box,
                                 const BranchAndBoundOptions& options);

}  // namespace surefield
