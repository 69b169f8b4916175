// The search for a good spectral bound of many items: the best bound is also the best of a relaxation over vectors,
//
//   max  sum_i b_i x_i + sum_ij W_ij (v_i.v_j)/2 + items,    x_i = v_i.e_0,   E[x_i^2] = |v_i|^2
//
// (of rank sqrt(2n), where it has no other local maxima as a rule), and one vector is maximised in closed form given the others. With
// g = b_i e_0 + sum_j W_ij v_j, alpha its part along e_0, gamma the rest, rho = |g|, and x = (1 + t)/2:
//
//   ELBO      two atoms (1 +- u)/2 with u = tanh(rho/2), t = u alpha/rho         best set   u = 1
//   log Z     t = tanh(theta),  theta + sinh(theta) gamma/2 = alpha/2
//
// At a fixed point D v_i = g - l e_0: d_i = gamma / (the standard deviation of x_i) and z_i = x_i make the bound. Intervals
// inside (0, 1) count as [0, 1] here, which costs tightness only. Cost: O(edges sqrt(n)) a sweep.
//
// P.-W. Wang, W.-C. Chang, J. Z. Kolter. The Mixing method: low-rank coordinate descent for semidefinite programming with
// diagonal constraints. arXiv 1706.00476.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>

#include "surefield/bounds/spectral/spectral_bound.hpp"

namespace surefield {

struct MixingOptions {
  std::size_t sweeps = 2000;  ///< at most
  double progress = 1e-5;     ///< ends when a sweep moves d by no more, relative
  std::uint64_t seed = 1;
  Budget budget = {};
};

struct MixingResult {
  Eigen::VectorXd z, d;     ///< D - W need not be positive definite yet
  Eigen::MatrixXd vectors;  ///< a column an item; its first entry is z
  std::size_t sweeps = 0;
};

/// Throws TooMuch where the vectors do not fit the budget.
MixingResult mix(const Quadratic& quadratic, SpectralKind kind, const MixingOptions& options = {});

/// About the least eigenvalue of D - W, from below as a rule: Lanczos with full orthogonalisation.
double least_eigenvalue(const Eigen::SparseMatrix<double>& couplings, const Eigen::VectorXd& d,
                        std::uint64_t seed, const Budget& budget = {});

}  // namespace surefield
