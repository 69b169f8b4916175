// Non-convex quadratic program over a box, DR-submodular as no entry of the matrix is positive.
//
//   f(x) = 1/2 x' H x + h' x + c,   H symmetric, H_ij <= 0             on any finite box
//   along coordinate i: slope (Hx + h)_i + H_ii (u - x_i), concave as H_ii <= 0
//
// Cost: line O(1), set O(non-zeros of the row), value O(non-zeros), gradient O(n). The field Hx + h
// is kept up to date, and summed afresh after every n moves so that rounding does not pile up.
#pragma once

#include <Eigen/SparseCore>
#include <span>
#include <vector>

#include "surefield/core/concepts.hpp"

namespace surefield {

/// A parabola that opens downwards, or a straight line.
class QuadraticLine {
 public:
  /// slope(u) = slope_at + curvature * (u - at), curvature <= 0.
  QuadraticLine(double at, double slope_at, double curvature)
      : at_(at), slope_(slope_at), curvature_(curvature) {}

  double slope(double u) const { return slope_ + curvature_ * (u - at_); }
  /// The width times the slope half-way: no difference of two values is taken.
  double rise(double from, double to) const { return (to - from) * slope(from + (to - from) / 2); }
  double argmax(Interval in) const {
    if (curvature_ < 0) return in.clamp(at_ - slope_ / curvature_);
    return slope_ > 0 ? in.high : slope_ < 0 ? in.low : in.clamp(at_);
  }

 private:
  double at_, slope_, curvature_;
};

struct QuadraticProgram {
  using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;
  class State;

  Matrix hessian;  ///< symmetric, both triangles stored, no entry > 0
  std::vector<double> linear;
  double constant = 0;

  Index size() const { return linear.size(); }
  double evaluate(std::span<const double> x) const;
  State at(std::span<const double> x) const&;  ///< the program must outlive the state
  State at(std::span<const double> x) const&& = delete;
};

class QuadraticProgram::State {
 public:
  State(const QuadraticProgram& program, std::span<const double> x);

  Index size() const { return x_.size(); }
  double coordinate(Index i) const { return x_[i]; }
  QuadraticLine line(Index i) const { return {x_[i], field_[i], diagonal_[i]}; }
  void gradient(std::span<double> out) const;
  double value() const { return program_->evaluate(x_); }
  void set(Index i, double v);

 private:
  void rebuild();

  const QuadraticProgram* program_;
  std::vector<double> x_, field_, diagonal_;
  Index moves_ = 0;  // since the field was last summed afresh
};

/// Throws Error unless the matrix is square of the size of `linear`, finite, symmetric and nowhere
/// positive.
QuadraticProgram make_quadratic(const QuadraticProgram::Matrix& hessian, std::vector<double> linear,
                                double constant = 0);
QuadraticProgram make_quadratic(const Eigen::MatrixXd& hessian, std::vector<double> linear,
                                double constant = 0);

}  // namespace surefield
