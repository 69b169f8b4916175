// The certified best ELBO of a pairwise field of any signs: best-first branch and bound over boxes with spectral bounds.
//
// A node is a box, contracted first (field_contraction.hpp) and bounded by spectral_bound at the point that Newton's method finds
// from its parent's. What convexity costs item i on an interval of width w is at most d_i w^2/8, so bounds close
// with the square of the width; the item that owes most, d_i times its variance, is split in the middle. Rounded draws of the moments,
// polished by coordinate ascent, are the candidates. Anytime: value and bound hold whenever it stops. Up to
// some hundred items. Cost: 5 to 10 Newton steps a node; 4 n numbers an open node. docs/spectral.md
#pragma once

#include <cstddef>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/report.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

struct SpectralBoxesOptions {
  double relative_gap = 1e-6;      ///< stops when bound - value is within this of |value|
  double absolute_gap = 1e-9;      ///< or within this
  std::size_t nodes = 100000;      ///< boxes bounded, at most
  std::size_t open_nodes = 50000;  ///< boxes waiting, at most
  double known_bound = kInfinity;  ///< of the whole box: caps every bound
  Budget budget = {};
};

struct SpectralBoxesReport {
  Status status = Status::kEpochLimit;  ///< kConverged: the gap is closed
  double bound = kInfinity;             ///< no point of the box has a larger ELBO
  double value = 0;                     ///< of `point`, as computed
  std::vector<double> point;
  std::size_t nodes = 0;
};

/// `point`: in the box, where to start from. Throws Error unless the box lies in [0, 1]^n, and TooMuch
/// where one node does not fit the budget.
SpectralBoxesReport spectral_boxes(const PairwiseField& field, const Box& box,
                                   std::vector<double> point,
                                   const SpectralBoxesOptions& options = {});

}  // namespace surefield
