// The one-dimensional maxima of a spectral bound, softened, so that the search for the best (l, d) is smooth:
//
//   psi_T(l, d) = T log sum_k exp((l x_k + d x_k^2/2 + h_k) / T),   at most T log K above the greatest atom
//
// Atoms of log Z and the best set are x = 0 and 1 with h = 0; for log Z, T = 1 is no softening, it is
// log(1 + e^(l + d/2)) itself. Atoms of the ELBO lie on the item's interval as the Chebyshev points
// do, with h = H(x) and the item's bend, where there is one too. The derivatives are moments of x and x^2/2 under the weights of the atoms.
#pragma once

#include <Eigen/Core>

#include "surefield/bounds/spectral/spectral_bound.hpp"

namespace surefield {

/// psi with its derivatives. mean and square are those in l and d: the means of x and of x^2/2.
struct SoftPeak {
  double value;
  double mean, square;
  double ll, ld, dd;  ///< second derivatives
  double variance;    ///< of x
  double lag;  ///< of the mean height behind the greatest; peak(): of the greatest behind the value
  double over = 0;  ///< peak(): the mean of max(0, x - bend_at)
};

class Atoms {
 public:
  Atoms(const Quadratic& quadratic, SpectralKind kind);
  /// Takes the bends of a quadratic on the same items, intervals and places of bends.
  void bend(const Quadratic& quadratic);
  /// T is the softness, but for log Z.
  SoftPeak peak(Eigen::Index i, double l, double d, double softness) const;
  Eigen::Index count() const { return at_.rows(); }
  /// Whether psi is not softened at all: log Z.
  bool exact() const { return kind_ == SpectralKind::kLogZ; }

  /// The weights of the atoms of psi_T themselves.
  void weigh(Eigen::Index i, double l, double d, double softness, double* weights) const;
  /// The same derivatives where the weights p are a step behind: the condition p_k ~ exp(e_k / T) is taken as
  /// T log p_k = e_k + const and linearised in p. So a step stays good where T falls by a lot.
  SoftPeak behind(Eigen::Index i, double l, double d, double softness, const double* weights) const;
  /// The relative changes of the weights that go with a step in l and d.
  void change(Eigen::Index i, double l, double d, double softness, const double* weights,
              double step_l, double step_d, double* change) const;

 private:
  SpectralKind kind_;
  Eigen::MatrixXd at_, height_;   // a column an item
  Eigen::MatrixXd over_, plain_;  // max(0, x - bend_at), and the height without; empty unless bent
};

}  // namespace surefield
