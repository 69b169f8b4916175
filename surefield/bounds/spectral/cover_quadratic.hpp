// A quadratic above concepts (cover_terms.hpp), on a box, with a bend an item.
//
// Concepts of at most twelve members lie below quadratics with bends on a grid (cover_grid.hpp). Of larger ones, which are covered, with
// t_i = p_i (x_i - low_i) / (1 - p_i low_i) a concept misses  prod_i (1 - p_i x_i) = Q prod_i (1 - t_i),  Q = prod_i (1 - p_i low_i), and
// 1 - prod (1 - t_i) is the chance that one of independent events happens, so for every member m
//
//   1 - prod_i (1 - t_i)  <=  sum_i t_i - t_m sum_{j != m} t_j        (all events, less those that come with m)
//   1 - prod_i (1 - t_i)  <=  1 - prod_i (1 - t_i(high_i))
//
// and so for every mean of these stars, with shares >= 0 that add up to 1. The star of the member that covers most is nearly exact where one member
// covers a concept nearly alone; all shares alike give Kwerel's bound. What is left is a pairwise field of both signs, with bends, for
// spectral_bound. Items with an interval so narrow that it does not matter are put in.
//
// Rounding: every coefficient of a star is a product of at most 6 k + 16 rounded factors for a concept of k members, shares add up to 1 within k
// roundings, and sums round once a term; all of it, relative to the sizes added up, goes into the error of the quadratic; so do the roundings of grids.
// Cost: O(points of the grids, sum of k^2 of the stars) to make one and for every set of coefficients.
//
// D. Hunter. An upper bound for the probability of a union. Journal of Applied Probability 13, 1976.
#pragma once

#include <span>
#include <vector>

#include "surefield/bounds/spectral/barrier.hpp"
#include "surefield/bounds/spectral/cover_grid.hpp"
#include "surefield/bounds/spectral/cover_terms.hpp"
#include "surefield/bounds/spectral/quadratic.hpp"

namespace surefield {

/// Where each item may bend: as before where that is well inside its interval, a third of its way up else.
std::vector<double> bends_inside(const Box& box, std::span<const float> before = {});

class CoverQuadratic {
 public:
  /// An item is put in where that moves F with the entropies by at most `narrow`. `bends`: one an item, or none at all. Throws Error
  /// unless the box lies in [0, 1]^n. The terms must outlive it.
  CoverQuadratic(const CoverTerms& terms, const Box& box, double narrow,
                 std::vector<double> bends = {});

  /// Of all grids together, on any box, at most.
  static double most_points(const CoverTerms& terms);

  /// Numbers that say which quadratic: for every concept those of its grid, or one a member and one for its greatest cover, whose shares are
  /// e^number / sum of e^number.
  Index coefficients() const { return coefficients_; }
  void move(std::span<const double> coefficient);
  /// Above F on the box, with the entropies of what is put in.
  const Quadratic& quadratic() const { return quadratic_; }

  /// Where to begin with nothing known: expansions of the concepts, all shares alike.
  std::vector<double> tangent() const;
  /// The same function as those coefficients say with those bends, on a box around this one, but for bends inside this box that are not kept: their chords.
  std::vector<double> inherit(std::span<const float> coefficient,
                              std::span<const float> bends) const;

  /// Of the bound at a spectral point of quadratic() with its weight, less softness * sum log share and with softened excesses: writes the slopes in the
  /// coefficients and returns what that adds.
  double slope(const SpectralBarrier& at, double weight, double softness, std::span<double> out);
  /// What the bound owes to each free item beyond its own part; as of the last slope().
  const Eigen::VectorXd& owed() const { return owed_; }

 private:
  struct Member {
    Eigen::Index item;  // among the free
    double rise, low;   // t = rise (x - low)
    Index logit;
  };
  struct Star {
    Index first_logit, most_logit;
    double weight = 0;  // w Q
    double most = 0;    // 1 - prod (1 - t(high))
    std::vector<Member> members = {};
  };

  double star_slope(const Star& star, const SpectralBarrier& at, double weight, double softness,
                    std::span<double> out) const;

  std::vector<double> bends_;
  std::vector<Star> stars_;
  std::vector<CoverGrid> grids_;
  std::vector<double> share_;  // like the coefficients
  std::vector<std::ptrdiff_t>
      pair_place_;   // of (a, b) and (b, a) among the couplings, b < a: stars, then grids
  Quadratic fixed_;  // without the concepts
  Quadratic quadratic_;
  Eigen::VectorXd owed_;
  Index coefficients_ = 0;
  double roundings_ = 0;  // of a coefficient of a grid
};

}  // namespace surefield
