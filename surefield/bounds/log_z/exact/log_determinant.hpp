// log det of a positive definite matrix with a proved bound on its error, however ill conditioned.
//
//   the factorisation computed is exact for M + E, |E| <= delta = gamma_{4n} trace(M)
//   |log det(M + E) - log det M| <= n log(1 + delta / (lambda - delta)),   lambda <= lambda_min(M)
//
// lambda is proved by another factorisation, of M - c I: if that has positive pivots in floating point,
// then lambda_min(M) >= c - delta (S. Rump. Verification of positive definiteness. BIT 46, 2006).
// Matrices of up to 256 rows are factorised in quadruple precision, larger ones in double. Cost: O(n^3).
#pragma once

#include <Eigen/Core>

namespace surefield {

struct LogDeterminant {
  double value = 0;
  double error = 0;  ///< infinite where the matrix may be singular to working precision
};

/// The matrix must be symmetric; its numbers are taken as exact.
LogDeterminant log_determinant(const Eigen::MatrixXd& matrix);

}  // namespace surefield
