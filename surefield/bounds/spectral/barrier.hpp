// The spectral bound as a smooth convex function of (l, d), with a barrier that keeps A = D - W positive definite:
//
//   Phi(l, d) = g'A^-1 g/2 + sum_i psi_T(l_i, d_i) - t log det A,     g = bias - l,  T = t
//
// With S = A^-1 and z = S g, the gradient is  mean - z  in l and  square - z^2/2 - t S_ii  in d; the second
// derivatives are S, S diag(z), diag(z) S diag(z) + t S o S (product by entries) plus those of psi. As t falls the
// minimisers run to the best spectral bound, and zz' + 2tS is the matrix of moments that attains it.
//
// Clique inequalities (clique_inequalities.hpp) add y_t q_t to the quadratic; the gradient in y_t is q_t at the moments. Newton's steps leave y as it is.
// Cost of an evaluation: a dense factorisation and inverse, n^3; of a Newton step: 8/3 n^3 more.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "surefield/bounds/spectral/atoms.hpp"
#include "surefield/bounds/spectral/clique_inequalities.hpp"
#include "surefield/bounds/spectral/dense_factor.hpp"

namespace surefield {

/// Where a spectral bound is had.
struct SpectralPoint {
  Eigen::VectorXd l, d;
  Eigen::VectorXd y = {};  ///< of the inequalities
};

class SpectralBarrier {
 public:
  SpectralBarrier(const Quadratic& quadratic, SpectralKind kind);

  /// Takes another quadratic on the same items, intervals and places of bends, which must outlive it; move() comes next.
  void couple(const Quadratic& quadratic);
  /// Takes these inequalities, items by their places, in place of those before; move() comes next, with a y for each.
  void cut(std::span<const CliqueInequality> cliques);
  /// Moves to a point; false, and nothing is of use, where A is not positive definite there.
  bool move(const SpectralPoint& to);
  /// Phi at the point, for a weight t > 0, with its gradient.
  double value(double weight, Eigen::VectorXd& slope_l, Eigen::VectorXd& slope_d);
  /// Its gradient in y; after value().
  void slope_y(double weight, Eigen::VectorXd& slope) const;

  /// Weighs the atoms for the point and a weight, to begin with.
  void weigh(double weight);
  /// The Newton direction towards the minimiser for the weight `next`, from near that of `weight`. False where
  /// rounding leaves the second derivatives without a factor.
  bool direction(double weight, double next, SpectralPoint& step);
  /// What the step does to the weights of the atoms.
  void follow(double next, const SpectralPoint& step);
  /// Moves so far, atoms too; false, and nothing has moved, where A is not positive definite there.
  bool go(double length, const SpectralPoint& step);

  /// The bound at the point but for its rounding, over atoms; as of the last value().
  double over_atoms() const { return plain_; }
  /// Of x_i x_j: z_i z_j + 2 t S_ij; as of the last value() with that weight t.
  double moment(Eigen::Index i, Eigen::Index j, double weight) const {
    return z_[i] * z_[j] + 2 * weight * inverse_(i, j);
  }

  /// Of max(0, x_i - bend_at_i), as of the last value().
  double over(Eigen::Index i) const { return peaks_[static_cast<std::size_t>(i)].over; }

  /// All of them; the diagonal is of no use.
  Eigen::MatrixXd moments(double weight);

  const SpectralPoint& point() const { return at_; }
  Eigen::Index cliques() const { return static_cast<Eigen::Index>(forms_.size()); }
  const Eigen::VectorXd& z() const { return z_; }
  /// The bound at the point, up to the distance of the atoms; as of the last direction().
  double plain() const { return plain_; }
  /// By how much the atoms are behind the maxima, all items together; as of the last direction().
  double late() const { return late_; }
  /// What the last direction() promises of Phi, twice: how far from the minimiser the point is.
  double decrement() const { return decrement_; }
  /// The variance of item i under its atoms, as of the last direction() or value().
  double variance(Eigen::Index i) const { return peaks_[static_cast<std::size_t>(i)].variance; }
  /// z + sqrt(t) S^(1/2) noise: a draw of the moments, for rounding.
  Eigen::VectorXd draw(const Eigen::VectorXd& noise, double weight) const;

 private:
  void invert();
  double clique_at_moments(const CliqueForm& form, double weight) const;

  const Quadratic* quadratic_;
  Atoms atoms_;
  Eigen::MatrixXd minus_couplings_, matrix_, inverse_, hessian_;
  Eigen::MatrixXd weights_, changes_;  // of the atoms, a column an item; changes are relative
  DenseFactor factor_, newton_;
  SpectralPoint at_;
  Eigen::VectorXd gap_, z_;
  std::vector<CliqueForm> forms_;
  double constant_ = 0;  // with the inequalities
  std::vector<SoftPeak> peaks_;
  double plain_ = 0, late_ = 0, decrement_ = 0;
  bool inverted_ = false;
};

}  // namespace surefield
