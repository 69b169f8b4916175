// log det and the diagonal of the inverse of a positive definite matrix with a proved bound on their
// errors, however ill conditioned.
//
//   the factorisation computed is exact for M + E, |E| <= delta = gamma_{4n} trace(M)
//   |log det(M + E) - log det M| <= n log(1 + delta / (lambda - delta)),   lambda <= lambda_min(M)
//
// The diagonal of the inverse, from the same factors by substitution, is exact for M + E', where
// |E'| <= 2 delta: as M + E' is between 1 -+ 2 delta / lambda times M, no entry is off by more than
// expm1(2 error) of itself (N. Higham. Accuracy and Stability of Numerical Algorithms, theorem 8.5).
//
// lambda is proved by another factorisation, of M - c I: if that has positive pivots in floating point,
// then lambda_min(M) >= c - delta (S. Rump. Verification of positive definiteness. BIT 46, 2006).
// Matrices of up to 256 rows are factorised in quadruple precision, larger ones in double. Cost: O(n^3).
#pragma once

#include <Eigen/Core>
#include <vector>

namespace surefield {

struct LogDeterminant {
  double value = 0;
  double error = 0;  ///< infinite where the matrix may be singular to working precision
};

/// Of M = matrix + diagonal of `added`, a sum that is taken in the precision of the factorisation. The
/// matrix must be symmetric; its numbers are taken as exact.
LogDeterminant log_determinant(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& added);

/// 1 - (M^-1)_ii for every i, of a matrix whose log_determinant has a finite error: off by no more
/// than expm1(2 error).
std::vector<double> one_less_inverse(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& added);

}  // namespace surefield
