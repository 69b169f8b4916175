// The softmax extension of a determinantal point process, a smooth way to its most probable set.
//
//   f(x) = log det M = log E_{S ~ x} det L_S,   M = diag(x) (L - I) + I         DR-submodular
//   G = (L - I) M^-1:   gradient G_ii,   f(x + d e_i) = f(x) + log(1 + d G_ii)
//
// At a corner f is log det L_S. By Jensen f >= m, the multilinear extension: f plus entropies is
// *not* a lower bound of log Z, and nothing here claims one. Along a coordinate f is monotone, so a
// line is best at an end of its interval.
//
// Cost: line O(1), set O(n^2), gradient O(n), value O(1), memory O(n^2) per state. G and f are
// computed afresh, O(n^3), after every n moves and after any move that changes det M by more than a
// factor 1e4.
//
// J. Gillenwater, A. Kulesza, B. Taskar. Near-Optimal MAP Inference for Determinantal Point
// Processes. NIPS 2012.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "surefield/core/concepts.hpp"

namespace surefield {

/// log(1 + (u - at) G): the log of an affine function. -infinity where that is 0 (a singular
/// point).
class SoftmaxLine {
 public:
  SoftmaxLine(double at, double slope_at) : at_(at), slope_(slope_at) {}

  double slope(double u) const;
  double rise(double from, double to) const;
  double argmax(Interval in) const {
    return slope_ > 0 ? in.high : slope_ < 0 ? in.low : in.clamp(at_);
  }

 private:
  double factor(double u) const { return 1 + (u - at_) * slope_; }

  double at_, slope_;
};

struct SoftmaxDpp {
  class State;

  Eigen::MatrixXd kernel;  ///< symmetric positive semidefinite

  Index size() const { return static_cast<Index>(kernel.rows()); }
  /// -infinity at a singular point.
  double evaluate(std::span<const double> x) const;
  State at(std::span<const double> x) const&;  ///< the kernel must outlive the state
  State at(std::span<const double> x) const&& = delete;
};

/// A point in [0, 1]^n. Singular points, where f = -infinity, are refused with an Error by the
/// constructor and by set: those where the rows of the kernel of the elements at 1 are linearly
/// dependent. With a positive definite kernel there are none. No line leads there: its argmax keeps
/// away. Start below 1 (say at 1 - 1e-6) when the kernel is only semidefinite.
class SoftmaxDpp::State {
 public:
  State(const SoftmaxDpp& model, std::span<const double> x);

  Index size() const { return x_.size(); }
  double coordinate(Index i) const { return x_[i]; }
  SoftmaxLine line(Index i) const { return {x_[i], gain(i)}; }
  void gradient(std::span<double> out) const;
  double value() const { return value_; }
  void set(Index i, double v);

 private:
  double gain(Index i) const {
    return gains_(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(i));
  }
  void rebuild();

  const SoftmaxDpp* model_;
  std::vector<double> x_;
  Eigen::MatrixXd gains_;  // G, symmetric
  double value_ = 0;
  Index moves_ = 0;  // since G was last computed afresh
};

/// Throws Error unless the kernel is square, finite, symmetric and positive semidefinite to
/// rounding.
SoftmaxDpp make_softmax_dpp(Eigen::MatrixXd kernel);

}  // namespace surefield
