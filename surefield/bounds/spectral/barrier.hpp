// The spectral bound as a smooth convex function of (l, d), with a barrier that keeps A = D - W positive definite:
//
//   Phi(l, d) = g'A^-1 g/2 + sum_i psi_T(l_i, d_i) - t log det A,     g = bias - l,  T = t
//
// With S = A^-1 and z = S g, the gradient is  mean - z  in l and  square - z^2/2 - t S_ii  in d; the second
// derivatives are S, S diag(z), diag(z) S diag(z) + t S o S (product by entries) plus those of psi. As t falls the
// minimisers run to the best spectral bound, and zz' + tS is the matrix of moments that attains it.
// Cost of an evaluation: a dense factorisation and inverse, n^3; of a Newton step: 8/3 n^3 more.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "surefield/bounds/spectral/atoms.hpp"

namespace surefield {

/// Where a spectral bound is had.
struct SpectralPoint {
  Eigen::VectorXd l, d;
};

class SpectralBarrier {
 public:
  SpectralBarrier(const Quadratic& quadratic, SpectralKind kind);

  /// Moves to a point; false, and nothing is of use, where A is not positive definite there.
  bool move(const SpectralPoint& to);
  /// Phi at the point, for a weight t > 0; sets the derivatives below.
  double value(double weight);
  const Eigen::VectorXd& slope_l() const { return slope_l_; }
  const Eigen::VectorXd& slope_d() const { return slope_d_; }
  /// The Newton direction at the weight of the last value(), and its decrement: the fall per unit step.
  SpectralPoint newton(double& decrement);

  const SpectralPoint& point() const { return at_; }
  const Eigen::VectorXd& z() const { return z_; }
  const SoftPeak& peak(Eigen::Index i) const { return peaks_[static_cast<std::size_t>(i)]; }
  /// z + sqrt(t) S^(1/2) noise: a draw of the moments, for rounding.
  Eigen::VectorXd draw(const Eigen::VectorXd& noise, double weight) const;

 private:
  const Quadratic* quadratic_;
  Atoms atoms_;
  Eigen::MatrixXd minus_couplings_, matrix_, inverse_, hessian_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
  SpectralPoint at_;
  Eigen::VectorXd gap_, z_, slope_l_, slope_d_;
  std::vector<SoftPeak> peaks_;
  double weight_ = 1;
  bool inverted_ = false;
};

}  // namespace surefield
