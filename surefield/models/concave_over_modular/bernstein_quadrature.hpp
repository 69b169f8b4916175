// A Bernstein function as a short sum of exponentials, the same for every point x.
//
//   psi(y) = int (1 - e^-ty) nu(dt)  ~  slope y + sum_q weight_q (1 - e^{-node_q y / unit})
//
// with all weights >= 0. The shapes have nu(dt) = K t^{p-2} e^{-bt} dt, where
//
//   y^a: K = a / Gamma(1-a), p = 1-a, b = 0     log(1+y): K, p, b = 1, 1, 1     y/(1+y): 1, 2, 1
//
// With t = e^s the trapezoidal rule of step h errs by 2 |Gamma(p + 2 pi i / h)| / Gamma(p) relative
// to psi', about e^{-pi^2/h}. Its two long tails are not summed node by node:
//
//   below 4 / largest    e^-ty is nearly a polynomial in t: the Gauss rule of these nodes' own
//                        discrete measure takes their place; n nodes err by about 1 / (2n)!
//   above z / smallest   1 - e^-ty is 1 for every y that occurs but 0: one node at t = infinity
//
// On {0} and [smallest, largest] both psi and its derivative are met to the relative tolerance, and
// the sum is itself a Bernstein function: as submodular over a modular sum as psi is.
// Cost: for 1e-10, 20 to 24 nodes for a dozen equal weights, 54 to 67 over six decades; 7 or 8 more
// for each further factor 10 in largest / smallest.
//
// G. Beylkin, L. Monzon. Approximation by exponential sums revisited. Applied and Computational
// Harmonic Analysis 2010 (the trapezoid in s).
#pragma once

#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/models/concave_over_modular/concave.hpp"

namespace surefield {

struct BernsteinQuadrature {
  double unit = 1;   ///< of y; a power of two
  double slope = 0;  ///< of the linear part
  Index lanes = 0;   ///< node_{q + lanes} = 4 node_q for q + lanes < chain, so e^{-t m} follows by
                     ///< squaring twice
  Index chain = 0;
  std::vector<double> node;  ///< chain nodes ascending, then Gauss nodes, then perhaps infinity
  std::vector<double> weight;

  Index size() const { return node.size(); }
  /// The approximation of psi(y), y >= 0.
  double operator()(double y) const;
  /// decay_q = e^{-node_q m / unit}, 0 where below 1e-280, and rise_q = 1 - decay_q, both to full
  /// relative accuracy; m > 0.
  void exponentials(double m, double* decay, double* rise) const;
};

inline constexpr Index kMostNodes = 1024;

/// An upper bound of the number of nodes, without building the rule. For power, log and ratio with
/// 0 < smallest <= largest.
double nodes_needed(const Concave& shape, double smallest, double largest, double tolerance);

/// psi on {0} and [smallest, largest], relative error of psi and psi' at most `tolerance` in
/// [1e-13, 1e-2]. Any shape but kTruncated; nodes_needed(...) must be at most kMostNodes.
BernsteinQuadrature bernstein_quadrature(const Concave& shape, double smallest, double largest,
                                         double tolerance);

/// slope y and nothing else.
BernsteinQuadrature linear_quadrature(double slope);

/// `height` for every y > 0: all there is to know where only one y > 0 occurs.
BernsteinQuadrature jump_quadrature(double height);

}  // namespace surefield
