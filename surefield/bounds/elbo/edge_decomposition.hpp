// An upper bound of the best ELBO of a pairwise field, by dual decomposition into its edges.
//
//   max_x  sum_i bias_i x_i + sum_ij w_ij x_i x_j + sum_i H(x_i)  <=  sum_e P_e(slope_e, entropy_e)
//
// for any split of every node's bias and of the weight 1 of its entropy among its edges (entropy
// weights >= 0), P_e being the maximum of one edge alone (edge_part.hpp). The right side is convex
// in the split; it is brought down by gradient steps on the disagreement of the edges at each node,
// averaged over time and scaled node by node, with the maximum of the two peaks of an edge softened
// less and less. Every value computed on the way is a valid bound. Where all edges agree the bound
// is exact. Couplings of either sign are allowed. Cost: one edge_peaks per edge and iteration;
// memory about 150 bytes an edge. Nodes fixed by the box, and nodes without edges, cost nothing.
// The result does not depend on the number of threads. docs/edge_decomposition.md has the figures.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/report.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

struct EdgeDualOptions {
  std::size_t iterations = 1000;  ///< at most
  double wanted_gap = 0;          ///< stop when bound - best_known <= wanted_gap * |best_known|
  double step = 0.12;             ///< of the mean |coupling| at a node; falls as 1 / iteration
  double smoothing = 0.01;  ///< the same unit: how far from equal two peaks may be and both count
  unsigned threads = 1;
};

/// The split, two entries an edge in the order of PairwiseField::edges(): first `from`, then `to`.
struct EdgeMultipliers {
  std::vector<double> slope;
  std::vector<double> entropy;
};

struct EdgeDualReport {
  Status status = Status::kEpochLimit;  ///< kConverged: the wanted gap is reached
  double bound = 0;                     ///< no point of the box has a larger ELBO
  std::vector<double> point;  ///< mean of the edges' maximisers: where to look for a good value
  std::vector<double> disagreement;  ///< per node, the spread of the maximisers around it
  EdgeMultipliers multipliers;       ///< where the bound was had
  std::size_t iterations = 0;
};

/// Called after every iteration with its number and the best bound so far; returns whether to go
/// on.
using BoundObserver = std::function<bool(std::size_t iteration, double bound)>;

/// best_known: the largest value found, or -infinity; it only decides when to stop. `start`: the
/// multipliers of an earlier run on the same edges (any box), to continue from; if null, even
/// shares. Throws Error unless the box lies in [0, 1]^n and the options are in range.
EdgeDualReport edge_dual_bound(const PairwiseField& model, const Box& box, double best_known,
                               const EdgeDualOptions& options = {},
                               const BoundObserver& observer = {},
                               const EdgeMultipliers* start = nullptr);

}  // namespace surefield
