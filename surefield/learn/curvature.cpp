#include "surefield/learn/curvature.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>

#include "surefield/core/numeric.hpp"

namespace surefield {

using Eigen::VectorXd;

Curvature::Curvature(const HessianProduct& hessian_times, std::span<const double> x,
                     std::span<const double> gradient, const Box& box, double beta)
    : hessian_times_(&hessian_times), beta_(beta), whole_(x.size(), 0.0) {
  for (Index i = 0; i < x.size(); ++i) {
    const double z = beta * gradient[i], s = sigmoid(z);
    peak_.push_back(box[i].clamp(s));
    if (x[i] <= box.low[i] || x[i] >= box.high[i]) continue;
    const double root = std::sqrt(s * sigmoid(-z));  // by z: accurate near 0 and 1 alike
    if (root == 0) continue;
    free_.push_back(i);
    root_.push_back(root);
  }
}

std::vector<double> Curvature::times(std::span<const double> v) const {
  for (Index k = 0; k < free_.size(); ++k) whole_[free_[k]] = root_[k] * v[k];
  const std::vector<double> product = (*hessian_times_)(whole_);
  std::vector<double> result(v.begin(), v.end());
  for (Index k = 0; k < free_.size(); ++k) result[k] -= beta_ * root_[k] * product[free_[k]];
  return result;
}

CurvatureSolution solve_dense(const Curvature& curvature, std::span<const double> right) {
  const auto size = static_cast<Eigen::Index>(right.size());
  CurvatureSolution result;
  Eigen::MatrixXd matrix(size, size);
  std::vector<double> unit(right.size(), 0.0);
  for (Eigen::Index k = 0; k < size; ++k) {
    unit[static_cast<Index>(k)] = 1;
    matrix.col(k) = Eigen::Map<const VectorXd>(curvature.times(unit).data(), size);
    unit[static_cast<Index>(k)] = 0;
  }
  matrix = (0.5 * (matrix + matrix.transpose())).eval();
  result.solution.assign(right.size(), 0.0);
  const Eigen::LLT<Eigen::MatrixXd> factor(matrix);
  if (factor.info() != Eigen::Success) {
    result.status = GradientStatus::kNotMaximum;
    result.condition = kInfinity;
    return result;
  }
  const double reciprocal = factor.rcond();
  result.condition = reciprocal > 0 ? 1 / reciprocal : kInfinity;
  Eigen::Map<VectorXd>(result.solution.data(), size) =
      factor.solve(Eigen::Map<const VectorXd>(right.data(), size));
  return result;
}

namespace {

/// The coefficients of conjugate gradients are those of Lanczos, whose matrix has eigenvalues within
/// those of A: their ratio is the condition as far as the right-hand side can see it.
double ritz_condition(std::vector<double>& diagonal, std::vector<double>& beside) {
  const auto count = static_cast<Eigen::Index>(diagonal.size());
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> ritz;
  ritz.computeFromTridiagonal(Eigen::Map<VectorXd>(diagonal.data(), count),
                              Eigen::Map<VectorXd>(beside.data(), count - 1),
                              Eigen::EigenvaluesOnly);
  const double least = ritz.eigenvalues().minCoeff();
  return least > 0 ? ritz.eigenvalues().maxCoeff() / least : kInfinity;
}

}  // namespace

CurvatureSolution solve_iteratively(const Curvature& curvature, std::span<const double> right,
                                    std::size_t iterations, double tolerance, bool want_condition) {
  CurvatureSolution result;
  result.solution.assign(right.size(), 0.0);
  const auto length = static_cast<Eigen::Index>(right.size());
  Eigen::Map<VectorXd> solution(result.solution.data(), length);
  VectorXd residual = Eigen::Map<const VectorXd>(right.data(), length);
  VectorXd direction = residual;
  double size = residual.squaredNorm();
  const double enough = size * tolerance * tolerance;
  std::vector<double> diagonal, beside;
  double step = 1, ratio = 0;
  result.status = GradientStatus::kNotSolved;
  for (std::size_t k = 0; k <= iterations; ++k) {
    if (size <= enough) {
      result.status = GradientStatus::kDone;
      break;
    }
    const std::vector<double> times =
        curvature.times({direction.data(), static_cast<std::size_t>(length)});
    const Eigen::Map<const VectorXd> product(times.data(), length);
    const double bend = direction.dot(product);
    if (!(bend > 0)) {
      result.status = GradientStatus::kNotMaximum;
      result.condition = kInfinity;
      return result;
    }
    const double last_step = step;
    step = size / bend;
    diagonal.push_back(1 / step + (k == 0 ? 0 : ratio / last_step));
    solution += step * direction;
    residual -= step * product;
    const double next = residual.squaredNorm();
    ratio = next / size;
    beside.push_back(std::sqrt(ratio) / step);
    direction = residual + ratio * direction;
    size = next;
  }
  if (diagonal.empty() || !want_condition) return result;
  beside.pop_back();
  result.condition = ritz_condition(diagonal, beside);
  return result;
}

}  // namespace surefield
