// A quadratic above a coverage, on a box: concepts by Bonferroni's inequality with stars.
//
// With t_i = p_i (x_i - low_i) / (1 - p_i low_i) a concept misses  prod_i (1 - p_i x_i) = Q prod_i (1 - t_i),  Q = prod_i (1 - p_i low_i).
// 1 - prod (1 - t_i) is the chance that one of independent events happens, so for every member m
//
//   1 - prod_i (1 - t_i)  <=  sum_i t_i - t_m sum_{j != m} t_j        (all events, less those that come with m)
//   1 - prod_i (1 - t_i)  <=  1 - prod_i (1 - t_i(high_i))
//
// and so for every mean of these, with shares >= 0 that add up to 1. The star of the member that covers most is nearly exact where one member
// covers a concept nearly alone; all shares alike give Kwerel's bound. What is left is a pairwise field of both signs for
// spectral_bound. Items with an interval so narrow that it does not matter are put in.
//
// Rounding: every coefficient is a product of at most 6 k + 16 rounded factors for a concept of k members, shares add up to 1 within k
// roundings, and sums round once a term; all of it, relative to the sizes added up, goes into the error of the quadratic.
// Cost: O(sum of k^2) to make one and for every set of shares.
//
// D. Hunter. An upper bound for the probability of a union. Journal of Applied Probability 13, 1976.
#pragma once

#include <span>
#include <vector>

#include "surefield/bounds/spectral/barrier.hpp"
#include "surefield/bounds/spectral/cover_terms.hpp"
#include "surefield/bounds/spectral/quadratic.hpp"

namespace surefield {

class CoverQuadratic {
 public:
  /// An item is put in where that moves F with the entropies by at most `narrow`. Throws Error unless the box lies in
  /// [0, 1]^n. The terms must outlive it.
  CoverQuadratic(const CoverTerms& terms, const Box& box, double narrow);

  /// Numbers that make up the shares: for every concept one a member and one for its greatest cover, in that order.
  Index logits() const { return logits_; }
  /// Moves to the shares  e^logit / sum of e^logit  of each concept.
  void move(std::span<const double> logit);
  /// Above F on the box, with the entropies of what is put in.
  const Quadratic& quadratic() const { return quadratic_; }

  /// Of the bound at a spectral point of quadratic() with its weight, less softness * sum log share: writes the slopes in the
  /// logits and returns that barrier.
  double slope(const SpectralBarrier& at, double weight, double softness,
               std::span<double> out) const;

 private:
  struct Member {
    Eigen::Index item;  // among the free
    double rise, low;   // t = rise (x - low)
    Index logit;
  };
  struct Concept {
    Index first_logit, most_logit;
    double weight = 0;  // w Q
    double most = 0;    // 1 - prod (1 - t(high))
    std::vector<Member> members = {};
  };

  std::vector<Concept> concepts_;
  std::vector<double> share_;               // like the logits
  std::vector<std::ptrdiff_t> pair_place_;  // of (a, b) and (b, a) among the couplings, b < a
  Quadratic fixed_;                         // without the concepts
  Quadratic quadratic_;
  Index logits_ = 0;
};

}  // namespace surefield
