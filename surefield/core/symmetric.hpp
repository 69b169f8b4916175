// Symmetric matrices: the check that every one given by a user passes, and the log determinant from
// a Cholesky factor.
#pragma once

#include <Eigen/Core>
#include <string_view>

namespace surefield {

/// The matrix, made exactly symmetric by averaging what differs by rounding (1e-12 of the largest
/// entry). Throws Error unless it is square, finite and symmetric; `what` opens the message: "log
/// det: the kernel".
Eigen::MatrixXd require_symmetric(std::string_view what, Eigen::MatrixXd matrix);

/// log det(C C') = 2 sum_r log C_rr. Only the diagonal is read: Eigen's matrixLLT() will do.
double log_det_of_factor(const Eigen::MatrixXd& factor);

}  // namespace surefield
