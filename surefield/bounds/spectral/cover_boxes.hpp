// The certified best ELBO of concepts, pairs and items (cover_terms.hpp): best-first branch and bound over boxes, each below a quadratic
// with bends (cover_quadratic.hpp) that is bounded by its spectrum (spectral_bound.hpp).
//
// A node is a box, contracted first (contraction.hpp, difference_contraction.hpp). Its bound is searched from its parent's coefficients, bends and d. Where the bound with item i kept to an end of
// its interval is low enough already, that end is cut off; the item that owes most is then split in the middle. Means z, polished by coordinate ascent, are
// the candidates. Rounds of boxes: box_rounds.hpp. Cost: some 100 evaluations a node, n^3 and the points of the grids each; an open node some 4 (3 n + coefficients) bytes.
// docs/dual_decomposition.md
#pragma once

#include <vector>

#include "surefield/bounds/elbo/box_rounds.hpp"
#include "surefield/bounds/spectral/cover_terms.hpp"

namespace surefield {

/// `model` is submodular or a known difference of two that are (models/submodular_difference.hpp), `terms` are those of inverse_temperature * F. `point`: in the box,
/// where to start from. `slope_error`: of beta F and its parts, for the contraction. Throws Error unless the box lies in [0, 1]^n, and TooMuch where one node does not
/// fit the budget.
BoxRoundsReport cover_boxes(const AnyModel& model, const CoverTerms& terms,
                            double inverse_temperature, const Box& box, std::vector<double> point,
                            const BoxRoundsOptions& options = {}, double slope_error = 0);

/// Visits boxes of such a search that another process leads.
Answerer cover_box_answerer(AnyModel model, CoverTerms terms, double inverse_temperature, Box box,
                            double slope_error, double relative_gap, double absolute_gap,
                            const Budget& budget);

}  // namespace surefield
