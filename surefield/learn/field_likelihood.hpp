// The exact likelihood of a pairwise field whose graph has small treewidth, with its gradient.
//
//   L(b, w) = N log Z - sum_i c_i b_i - sum_ij met_ij w_ij             over all sets, or log(Z - 1) in place of
//                                                                      log Z: given that a set is not empty
//           + s sum_i [2 softplus(b_i) - b_i] + penalty / 2 sum w_ij^2 as in learn/pseudo_likelihood.hpp
//
// It is convex. The data enter by their counts alone; log Z and P(i and j in S), its derivatives, are exact, by
// elimination in an order that is found once. Cost of a value with its gradient: O(n width 2^width), whatever the
// number of sets.
#pragma once

#include <span>
#include <vector>

#include "surefield/bounds/log_z/exact/elimination_order.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/learn/flat_sets.hpp"
#include "surefield/learn/pair_support.hpp"
#include "surefield/models/factor_graph.hpp"

namespace surefield {

class FieldLikelihood {
 public:
  /// The support must outlive this. Throws Error where its tables would be over more than `limit` items.
  FieldLikelihood(const DistinctSets& sets, const PairSupport& support, double smoothing,
                  bool given_non_empty, Index limit = 20);

  /// Of the n biases, then the couplings in the order of the pairs.
  Index parameters() const { return count_.size() + met_.size(); }
  double sets() const { return total_; }
  Index width() const { return order_.width; }
  /// Of an evaluation, about: nanoseconds of a core.
  double operations() const;

  /// L and its gradient; NaN where the budget was spent on the way.
  double operator()(std::span<const double> theta, std::span<double> gradient, double penalty,
                    const Budget& budget = {});

 private:
  double smoothing_, total_ = 0;
  bool given_non_empty_;
  std::vector<double> count_, met_;
  FactorGraph graph_;  // items first, then pairs
  EliminationOrder order_;
};

}  // namespace surefield
