// The pseudo-likelihood of a pairwise field: every item foretold from the rest of its set.
//
//   F(S) = sum_{i in S} b_i + sum_{i<j in S} w_ij          pairs outside the support have w_ij = 0
//   h_i(S) = b_i + sum_{j in S, j != i} w_ij               the log-odds of i given the others
//   L(b, w) = sum_S sum_i [ softplus(h_i(S)) - x_i h_i(S) ]  = - sum_S sum_i log p(x_i | the others)
//           + s sum_i [ 2 softplus(b_i) - b_i ]               s sets with i alone, s with nothing
//           + penalty / 2 sum_{i<j} w_ij^2                    couplings are N(0, 1 / penalty) a priori
//
// No log Z is in it, and it is convex. Its maximum tends to the true field as sets grow many. Sets that
// cannot be empty, as baskets: given an empty rest an item is there for certain, so {i} says
// nothing about i, and its term is left out (`given_non_empty`).
//
// Cost of a value with its gradient: an item meets only sets that hold a neighbour of it; for all
// others h_i = b_i, taken together. O(n + sum_S sum_{i in S} degree_i), one exponential for each
// item and set that meet; all pairs: O(n) a set and item of it. Memory O(n + pairs + entries). Rows
// of items are independent and each is summed in a fixed order: the same bits on every number of
// threads, and of processes that share them. An item with few neighbours meets patterns of them in place of sets
// (learn/row_patterns.hpp). Where that is too much, rows are estimated as a plan says
// (learn/control_sets.hpp): of 10^4 items and 45,000 baskets half the time.
//
// J. Besag. Statistical analysis of non-lattice data. The Statistician, 1975.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/core/crew.hpp"
#include "surefield/learn/control_sets.hpp"
#include "surefield/learn/flat_sets.hpp"
#include "surefield/learn/pair_support.hpp"
#include "surefield/learn/row_patterns.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

class PseudoLikelihood {
 public:
  /// The support is over the same items and must outlive this. A crew shares the rows of items.
  PseudoLikelihood(const DistinctSets& sets, const PairSupport& support, double smoothing,
                   bool given_non_empty, ControlPlan plan = {}, Crew* crew = nullptr);

  /// Of the n biases, then the couplings in the order of the pairs.
  Index parameters() const { return items() + support_->pairs(); }
  Index items() const { return support_->items(); }
  /// Whether rows look at all they have to, so that the value is L itself.
  bool is_exact() const { return plan_.sampled.empty(); }
  /// How many sets there are, equal ones counted each.
  double sets() const { return total_; }
  /// Of an evaluation, about: nanoseconds of a core.
  double operations() const { return operations_; }

  /// L and its gradient. NaN where the budget was spent on the way.
  double operator()(std::span<const double> theta, std::span<double> gradient, double penalty,
                    const Budget& budget = {}) const;

  /// The same without smoothing and penalty, a set: of sets that were held out.
  double mean_loss(std::span<const double> theta, const Budget& budget = {}) const;

  /// Second derivatives of L along each parameter, where the items are independent with their
  /// smoothed frequencies: how parameters are to be scaled.
  std::vector<double> curvature(double penalty) const;
  /// The biases of that point, with couplings 0.
  std::vector<double> start() const;

 private:
  class Row;
  class Buffers;
  struct Rows;

  /// The loss of item i; its derivatives by b_i and by h_i's coupling at every end.
  double row(Index i, std::span<const double> theta, double smoothing, Row& buffer, double& by_bias,
             double* by_end) const;
  /// The same by controls.
  double sampled_row(Index i, std::span<const double> theta, double smoothing, Row& buffer,
                     double& by_bias, double* by_end) const;
  /// The same by patterns of neighbours.
  double tabled_row(Index i, std::span<const double> theta, double smoothing, Row& buffer,
                    double& by_bias, double* by_end) const;
  /// Of row i, the way that it is summed up, about.
  double operations_of(Index i) const;
  bool is_sampled(Index i) const { return !is_exact() && plan_.sampled[i] != 0; }
  std::span<const std::uint32_t> holders(Index j) const {
    return {holder_.data() + start_[j], holder_.data() + start_[j + 1]};
  }
  Rows rows(Index first, Index last, std::span<const double> theta, double smoothing,
            bool by_ends) const;
  double sum_of_rows(std::span<const double> theta, double smoothing, std::span<double> by_bias,
                     std::span<double> by_end, const Budget& budget) const;

  const PairSupport* support_;
  Crew* crew_;
  double smoothing_, total_ = 0, operations_ = 0;
  ControlPlan plan_;
  FlatSets sets_;                   // in the order of the controls; none where all is exact
  std::vector<double> times_;       // of each set
  std::vector<std::size_t> start_;  // the sets that hold item i are holder_[start_[i]] ..
  std::vector<std::uint32_t> holder_;
  std::vector<double> count_;           // weight of the sets that hold i
  std::vector<double> alone_;           // weight of {i}, where its term is left out; else 0
  std::vector<std::uint8_t> all_sets_;  // whether a row meets so many sets that it takes all
  RowPatterns patterns_;                // of rows that are neither sampled nor summed set by set
  std::shared_ptr<Buffers> buffers_;
};

/// The field of these parameters.
PairwiseField field_of(std::span<const double> theta, const PairSupport& support);

}  // namespace surefield
