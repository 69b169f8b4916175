// An upper bound of log Z by Hoelder's inequality: the model split into parts that can be summed.
//
//   beta F = sum_j F_j,  p on the simplex:   log Z(beta) <= sum_j p_j log sum_S exp(F_j(S) / p_j)
//
// A part F_j is a modular term theta_j of all items plus pieces on disjoint sets of items: one
// dimension of a facility location, a few concepts, a tree or a strip of a pairwise field (on trees
// this is the tree-reweighted bound). The bound holds for every choice of the multipliers theta_j
// that add up to the modular part (for the couplings likewise) and of the weights p; it is convex
// in both together, and its gradient in theta_j is the marginals of part j, so that at the optimum
// all parts agree on them. Multipliers and weights are found by L-BFGS; the value returned is
// computed afresh at the best point met, with what the rounded multipliers lack added and a margin
// for rounding. F need not be submodular.
//
// Cost: an evaluation is O(items * parts) for facility location, O(2^width) per node and part for a
// pairwise field; 30 to 200 evaluations.
//
// M. Wainwright, T. Jaakkola, A. Willsky. A new class of upper bounds on the log partition
// function. IEEE Transactions on Information Theory 2005. Q. Liu, A. Ihler. Bounding the partition
// function using Hoelder's inequality. ICML 2011. docs/log_z_bounds.md
#pragma once

#include <vector>

#include "surefield/bounds/log_z/hoelder/hoelder_split.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/report.hpp"

namespace surefield {

struct HoelderOptions {
  double beta = 1;
  std::size_t iterations = 200;  ///< of L-BFGS; 0 leaves the multipliers in equal shares
  double progress = 1e-7;        ///< stops when ten iterations gain less, relative
  Budget budget = {};            ///< the bound holds whenever it ends
  Index width = 8;               ///< variables of a table of a pairwise piece, from 2 (trees) to 20
};

struct HoelderBound {
  double log_z_upper = 0;
  bool exact = false;  ///< one part alone, nothing rounded up: log Z itself, but for the margin
  std::vector<double> weights;    ///< p_j, one per part; empty if there are no pieces
  std::vector<double> marginals;  ///< what the parts agree on, on average: no bound of anything
  std::size_t evaluations = 0;
  Status status = Status::kConverged;
};

/// The bound for a split made at the inverse temperature wanted; options.beta is not used. The
/// marginals are those of the free items.
HoelderBound hoelder_bound_of(const HoelderSplit& split, const HoelderOptions& options);

/// log Z over the sets of the box <= log_z_upper. Throws Error as split_for_hoelder does, and for a
/// width outside 2 to 20.
HoelderBound hoelder_bound(const AnyModel& model, const Box* box = nullptr,
                           const HoelderOptions& options = {});

}  // namespace surefield
