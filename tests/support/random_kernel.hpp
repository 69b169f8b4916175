// Random positive definite kernels: well and badly scaled, with nearly equal rows and with exact
// zeros.
#pragma once

#include <Eigen/Core>

#include "surefield/core/random.hpp"

namespace surefield::testing {

/// B B' with n x rank normal entries, some exactly 0 and some rows repeated; rank < n makes it
/// singular.
inline Eigen::MatrixXd random_gram(Index n, Index rank, Random& random) {
  Eigen::MatrixXd b(n, rank);
  for (Eigen::Index i = 0; i < b.rows(); ++i) {
    for (Eigen::Index k = 0; k < b.cols(); ++k) b(i, k) = random.chance(0.2) ? 0 : random.normal();
    if (i > 0 && random.chance(0.2)) b.row(i) = b.row(i - 1);
  }
  return b * b.transpose();
}

/// Positive definite: a Gram matrix plus a ridge, its rows and columns scaled by 10^(-spread ..
/// spread).
inline Eigen::MatrixXd random_kernel(Index n, std::uint64_t seed, double ridge = 0.1,
                                     double spread = 0.5) {
  Random random(seed);
  Eigen::MatrixXd kernel = random_gram(n, n, random);
  kernel.diagonal().array() += ridge;
  Eigen::VectorXd scale(n);
  for (double& s : scale) s = std::pow(10, random.uniform(-spread, spread));
  return scale.asDiagonal() * kernel * scale.asDiagonal();
}

}  // namespace surefield::testing
