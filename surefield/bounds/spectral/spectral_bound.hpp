// Spectral bounds of a quadratic F of any signs, proved. With A = D - W positive semidefinite, D = diag(d),
// and any z, (x - z)'A(x - z) >= 0 says  -x'Ax/2 <= z'Az/2 - z'Ax,  so
//
//   F(x) <= constant + z'Az/2 + sum_i [ l_i x_i + d_i x_i^2/2 ],     l = bias - Az
//
// and what is left falls apart into items:
//
//   best ELBO  <= constant + z'Az/2 + sum_i max over [low_i, high_i] of l_i x + d_i x^2/2 + H(x)
//   log Z      <= constant + z'Az/2 + sum_i log(1 + e^(l_i + d_i/2))
//   best set   <= constant + z'Az/2 + sum_i max(0, l_i + d_i/2)
//
// Any z and any d will do: nothing is inverted. For an unbiased cut the last is the semidefinite bound of Goemans
// and Williamson. Rigour: d is raised by the shift that a Cholesky factorisation proves (definite.hpp);
// Az is a sum of deg_i + 2 products, its error moves into the item (0 <= x <= 1) and into z'Az.
// Cost: one factorisation and one peak an item.
#pragma once

#include <Eigen/Core>

#include "surefield/bounds/spectral/quadratic.hpp"
#include "surefield/core/budget.hpp"

namespace surefield {

/// What is bounded. Of log Z and the best set the box must be [0, 1] in every free coordinate, and nothing bent.
enum class SpectralKind { kElbo, kLogZ, kBestSet };

/// A bound, and what is left of every item in it: the maximum of l_i x + d_i x^2/2 + H(x), with its bend, over its interval is at most
/// peak_i, which is part of the bound.
struct SpectralProof {
  double bound;
  Eigen::VectorXd l, d, peak;
};

/// spectral_bound with its items, for kElbo.
SpectralProof spectral_proof(const Quadratic& quadratic, const Eigen::VectorXd& z,
                             const Eigen::VectorXd& d, double tolerance = 1e-10,
                             const Budget& budget = {});

/// Infinite where D - W is not proved positive definite or a number is not finite. `tolerance`: of each
/// item's maximum. Throws TooMuch where the factorisation does not fit the budget.
double spectral_bound(const Quadratic& quadratic, SpectralKind kind, const Eigen::VectorXd& z,
                      const Eigen::VectorXd& d, double tolerance = 1e-10,
                      const Budget& budget = {});

}  // namespace surefield
