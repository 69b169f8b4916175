// The global optimum of the ELBO of a balanced pairwise field, by minimum cuts.
//
//   max over the box of  sum_i bias_i x_i + sum_ij w_ij x_i x_j + sum_i H(x_i)
//
// A field is balanced if flipping some x_i to 1 - x_i makes every coupling >= 0: every submodular
// field on a bipartite graph (grids, trees, two-sided markets), every supermodular field on any
// graph. Flipped, the ELBO is supermodular in x, and replacing H by a polygon above it
// (entropy_polygon.hpp) leaves a maximum over corners, which is a minimum cut: an upper bound of
// the ELBO on the whole box. The bound exceeds the value at the corners found by exactly what
// the polygon has too much there; tangents are added where it has most, until nothing is left. So the
// optimum is found and certified, where for a field that is not balanced there is
// edge_decomposition.hpp. docs/edge_decomposition.md has the proof and figures.
//
// Cost: one minimum cut a round over the corners, with one arc per pair of corners of neighbours
// (100 x 100 grid: a second for the first round, some five for the last). Rounding: capacities
// are rounded down to whole numbers, flows are exact, and the bound carries at least 1e-12 of all
// coefficients. Contract the box first where that can be done: fewer corners.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/report.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

/// Which nodes to flip so that no coupling between nodes left free by the box is < 0; nothing if
/// no choice does it.
std::optional<std::vector<std::uint8_t>> attracting_flips(const PairwiseField& model,
                                                          const Box& box);

struct CutBoundOptions {
  std::size_t rounds = 30;   ///< at most
  double wanted_gap = 1e-6;  ///< stop when bound - value <= wanted_gap * max(1, |value|)
  Budget budget = {};        ///< TooMuch where the first round does not fit its memory
  double spacing = 0.5;      ///< of the first tangents, in the angle of entropy_polygon.hpp; wider
                             ///< where the first cut would have more than 12 million arcs
};

struct CutBoundReport {
  Status status = Status::kEpochLimit;  ///< kConverged: the wanted gap is reached
  double bound = 0;                     ///< no point of the box has a larger ELBO
  std::vector<double> point;            ///< the best point found, polished by coordinate ascent
  double value = 0;                     ///< its ELBO
  std::size_t rounds = 0;
};

/// Called after every round with its number, the best bound and the best value so far; returns
/// whether to go on.
using CutObserver = std::function<bool(std::size_t round, double bound, double value)>;

/// Throws Error unless the box lies in [0, 1]^n, the field is balanced in it and the options are
/// in range.
CutBoundReport cut_bound(const PairwiseField& model, const Box& box,
                         const CutBoundOptions& options = {}, const CutObserver& observer = {});

}  // namespace surefield
