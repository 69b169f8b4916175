// Dense positive definite matrices for searches: A = LL', its pivots, solutions and inverse.
//
//   L_ij = (A_ij - sum_{k<j} L_ik L_jk) / L_jj,     T = (L^-1)':  T L' = I,     A^-1 = T T'
//
// all three by one kernel of eight rows and four columns. Eigen is compiled for the least instruction set there may be; this is compiled for several
// (core/vector_exp.hpp), a third of the time on wide registers. Every sum adds its terms one after the other and nothing is fused, so the bits are the same on
// every machine; sizes are filled up to whole blocks by the identity.
//
// Rounding: that of the textbook; a division by L_jj is a product with its rounded inverse. Proofs factor by themselves (definite.hpp). Cost: n^3 / 6
// multiplications for the factor, n^3 / 3 for the inverse, and three matrices.
#pragma once

#include <Eigen/Core>

namespace surefield {

class DenseFactor {
 public:
  /// Of the lower triangle. False, and nothing is of use, where a pivot is not positive or not finite.
  bool compute(const Eigen::MatrixXd& matrix);

  double pivot(Eigen::Index i) const { return lower_(i, i); }  ///< L_ii
  /// A^-1 b
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  /// (L')^-1 b
  Eigen::VectorXd solve_upper(const Eigen::VectorXd& b) const;
  /// Both triangles of A^-1.
  void inverse(Eigen::MatrixXd& inverse);

 private:
  Eigen::Index size_ = 0;
  Eigen::MatrixXd lower_, turned_, product_;  // in whole blocks: L, T, and -TT' below its diagonal
};

}  // namespace surefield
