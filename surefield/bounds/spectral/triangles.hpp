// Triangle inequalities: quadratics that are nowhere negative on a box, so that F plus any multiples y >= 0 of them bounds F.
//
// With v_k = (x_k - zero_k) / (one_k - zero_k) in [0, 1], two or three items,
//
//   q(x) = 1 - sum_k v_k + sum_{k<l} v_k v_l  >=  0
//
// for it is multilinear, and at the corners (1 - v_1)(1 - v_2)(1 - v_3) + v_1 v_2 v_3, or (1 - v_1)(1 - v_2), is 0 or 1. Which end is `one` says
// which of the four inequalities of a triangle it is: of three nodes two are on one side. On a smaller box it holds as it is.
// A relaxation has moments M_ij for x_i x_j and means z_i; those inequalities that they break are what it does not know yet.
// Cost to look at all of them: O(n^3), a dozen operations a triangle.
//
// F. Rendl, G. Rinaldi, A. Wiegele. Solving Max-Cut to optimality by intersecting semidefinite and polyhedral relaxations.
// Mathematical Programming 121, 2010.
#pragma once

#include <Eigen/Core>
#include <array>
#include <span>
#include <tuple>
#include <vector>

#include "surefield/bounds/spectral/quadratic.hpp"

namespace surefield {

struct Triangle {
  std::array<Eigen::Index, 3> item = {};  ///< ascending; the third is unused in a pair
  int items = 3;
  std::array<float, 3> zero = {}, one = {};  ///< where v is 0 and 1; they differ

  bool operator==(const Triangle&) const = default;
};

inline auto fields_of(Triangle& triangle) {
  auto& [item, items, zero, one] = triangle;
  return std::tie(item[0], item[1], item[2], items, zero[0], zero[1], zero[2], one[0], one[1],
                  one[2]);
}

/// q(x) = constant + sum_k linear_k x_k + sum over pairs (01, 02, 12) of pair x x.
struct TriangleForm {
  std::array<Eigen::Index, 3> item;
  int items;
  double constant;
  std::array<double, 3> linear, pair;
};

TriangleForm form_of(const Triangle& triangle);

/// The items of a triangle that `place` knows (not negative) by their places; one that it does not is at an end, and what is left of a triangle
/// is a pair. False where too little is left. `middle` says where the others are.
bool restrict_triangle(Triangle& triangle, std::span<const Eigen::Index> place,
                       std::span<const double> middle);

/// The quadratic with y_t q_t added, items by their places; rounding goes into its error. Throws nothing; y must not be negative.
Quadratic with_triangles(const Quadratic& quadratic, std::span<const Triangle> triangles,
                         const Eigen::VectorXd& y);

/// The triangles and pairs of the quadratic's box most broken by the moments, by at least `least`, worst first; not those of `known`.
std::vector<Triangle> broken_triangles(const Quadratic& quadratic, const Eigen::VectorXd& mean,
                                       const Eigen::MatrixXd& moments,
                                       std::span<const Triangle> known, double least,
                                       std::size_t most);

}  // namespace surefield
