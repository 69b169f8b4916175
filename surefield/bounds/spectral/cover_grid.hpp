// One concept (cover_terms.hpp) below a quadratic with bends, on a box:
//
//   w (1 - prod_i m_i(x_i))  <=  q(x) + excess,    q(x) = sum_i b_i x_i + e_i max(0, x_i - m_i) + sum_{i<j} c_ij x_i x_j
//
// for all coefficients b, e, c. The excess is the greatest difference of the two sides on the grid of the ends low_i, high_i and the bends m_i: in a
// cell of the grid both are linear in every coordinate, so their difference is greatest at a corner of it.
//
// With e = 0 the best coefficients say all that is known of a union from the chances of its events and of their pairs. Five events of chance 1/5 may then
// cover 0.84, where independent ones cover 0.67: a mixture of the corners has the same means and pairs as the point. It does not have the same mean of a bend,
// and what a bend costs here is paid back to the item, where it stands beside the entropy (spectral_bound.hpp).
//
// 2^k points for k members, and half as many again for every bend: the members with the widest intervals are bent while the points are at most 700. Cost: some ten
// operations and an exponential a point, each time.
// Rounding: a term of q is a product of three and passes at most 4 k + 8 roundings, the concept 5 k + 3, all relative to size().
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "surefield/bounds/spectral/barrier.hpp"
#include "surefield/bounds/spectral/cover_terms.hpp"

namespace surefield {

/// Where the coefficients of a concept of so many members are, from `first` on: b, e, then c by rows.
struct CoverCoefficients {
  Index first, members;

  static Index count(Index members) { return 2 * members + members * (members - 1) / 2; }
  Index slope(Index u) const { return first + u; }
  Index bend(Index u) const { return first + members + u; }
  /// v < u
  Index pair(Index u, Index v) const { return first + 2 * members + u * (u - 1) / 2 + v; }
};

class CoverGrid {
 public:
  struct Member {
    Eigen::Index item;  ///< among the free
    Index place;        ///< among all members of the concept
    CoverTerms::Member term;
    double low, high;
    double bend_at;     ///< a bend only where it is inside
    bool bent = false;  ///< chosen here
  };

  CoverGrid(double weight, std::vector<Member> members, CoverCoefficients at);

  /// Of a concept of so many members.
  static double most_points(Index members);

  const std::vector<Member>& members() const { return members_; }
  const CoverCoefficients& at() const { return at_; }
  std::size_t points() const { return cover_.size(); }

  void move(std::span<const double> coefficient);
  double excess() const { return excess_; }
  double size() const { return size_; }  ///< |w| and all coefficients of q, added up

  /// The excess softened, softness * log sum exp(difference / softness), less the excess. Adds the slopes in the coefficients of the bound at a spectral point with
  /// its weight, and to `owed` what the bound owes here to each item.
  double soften(const SpectralBarrier& barrier, double weight, double softness,
                std::span<double> slope, Eigen::VectorXd& owed);

  /// The coefficients of the second-order expansion of the concept where every item is a fifth of its way up.
  void tangent(std::span<double> coefficient) const;

 private:
  std::vector<double> grid_of(const Member& member) const;

  double weight_;
  std::vector<Member> members_;
  CoverCoefficients at_;
  std::vector<std::vector<double>> grid_, over_;  // of each member: x, and max(0, x - m)
  std::vector<double> cover_, rest_, chance_, line_;
  double excess_ = 0, size_ = 0;
};

}  // namespace surefield
