#include "surefield/learn/implicit.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield::detail {
namespace {

using Eigen::VectorXd;

/// A = I - beta R H R on the free coordinates.
class System {
 public:
  System(const HessianProduct& hessian_times, std::vector<Index> free, VectorXd root, double beta,
         Index items)
      : hessian_times_(&hessian_times),
        free_(std::move(free)),
        root_(std::move(root)),
        beta_(beta),
        whole_(items, 0.0) {}

  Eigen::Index size() const { return root_.size(); }

  VectorXd times(const VectorXd& v) {
    for (Index k = 0; k < free_.size(); ++k) whole_[free_[k]] = root_[at(k)] * v[at(k)];
    const std::vector<double> product = (*hessian_times_)(whole_);
    VectorXd result = v;
    for (Index k = 0; k < free_.size(); ++k)
      result[at(k)] -= beta_ * root_[at(k)] * product[free_[k]];
    return result;
  }

 private:
  static Eigen::Index at(Index k) { return static_cast<Eigen::Index>(k); }

  const HessianProduct* hessian_times_;
  std::vector<Index> free_;
  VectorXd root_;
  double beta_;
  std::vector<double> whole_;
};

VectorXd solve_dense(System& system, const VectorXd& right, MarginalGradient& result) {
  Eigen::MatrixXd matrix(system.size(), system.size());
  for (Eigen::Index k = 0; k < system.size(); ++k)
    matrix.col(k) = system.times(VectorXd::Unit(system.size(), k));
  matrix = (0.5 * (matrix + matrix.transpose())).eval();
  const Eigen::LLT<Eigen::MatrixXd> factor(matrix);
  if (factor.info() != Eigen::Success) {
    result.status = GradientStatus::kNotMaximum;
    result.condition = kInfinity;
    return VectorXd::Zero(system.size());
  }
  const double reciprocal = factor.rcond();
  result.condition = reciprocal > 0 ? 1 / reciprocal : kInfinity;
  return factor.solve(right);
}

/// Conjugate gradients. Their coefficients are those of Lanczos, whose matrix has eigenvalues
/// within those of A: their ratio is the condition as far as the right-hand side can see it.
VectorXd solve_iteratively(System& system, const VectorXd& right, const ImplicitOptions& options,
                           MarginalGradient& result) {
  VectorXd solution = VectorXd::Zero(right.size());
  VectorXd residual = right;
  VectorXd direction = right;
  double size = residual.squaredNorm();
  const double enough = size * options.tolerance * options.tolerance;
  std::vector<double> diagonal, beside;
  double step = 1, ratio = 0;
  result.status = GradientStatus::kNotSolved;
  for (std::size_t k = 0; k <= options.iterations; ++k) {
    if (size <= enough) {
      result.status = GradientStatus::kDone;
      break;
    }
    const VectorXd product = system.times(direction);
    const double curvature = direction.dot(product);
    if (!(curvature > 0)) {
      result.status = GradientStatus::kNotMaximum;
      result.condition = kInfinity;
      return solution;
    }
    const double last_step = step;
    step = size / curvature;
    diagonal.push_back(1 / step + (k == 0 ? 0 : ratio / last_step));
    solution += step * direction;
    residual -= step * product;
    const double next = residual.squaredNorm();
    ratio = next / size;
    beside.push_back(std::sqrt(ratio) / step);
    direction = residual + ratio * direction;
    size = next;
  }
  if (diagonal.empty()) return solution;
  beside.pop_back();
  const auto count = static_cast<Eigen::Index>(diagonal.size());
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> ritz;
  ritz.computeFromTridiagonal(Eigen::Map<VectorXd>(diagonal.data(), count),
                              Eigen::Map<VectorXd>(beside.data(), count - 1),
                              Eigen::EigenvaluesOnly);
  const double least = ritz.eigenvalues().minCoeff();
  result.condition = least > 0 ? ritz.eigenvalues().maxCoeff() / least : kInfinity;
  return solution;
}

}  // namespace

std::vector<double> implicit_adjoint(const HessianProduct& hessian_times, std::span<const double> x,
                                     std::span<const double> gradient, const Box& box,
                                     std::span<const double> loss_slope,
                                     const ImplicitOptions& options, MarginalGradient& result) {
  const Index n = x.size();
  const double beta = options.inverse_temperature;
  require(std::isfinite(beta) && beta > 0, "implicit gradient: the inverse temperature is ", beta,
          ", which must be finite and > 0");
  require(loss_slope.size() == n, "implicit gradient: the loss has ", loss_slope.size(),
          " slopes, which must be one for each of ", n, " items");
  std::vector<Index> free;
  std::vector<double> root;
  for (Index i = 0; i < n; ++i) {
    require(std::isfinite(loss_slope[i]), "implicit gradient: the slope of the loss along item ", i,
            " is ", loss_slope[i], ", which must be finite");
    const double z = beta * gradient[i];
    result.residual = std::max(result.residual, std::abs(x[i] - box[i].clamp(sigmoid(z))));
    if (x[i] <= box.low[i] || x[i] >= box.high[i]) continue;
    free.push_back(i);
    root.push_back(std::sqrt(sigmoid(z) * sigmoid(-z)));  // by z: accurate near 0 and 1 alike
  }
  result.free_coordinates = free.size();
  std::vector<double> lambda(n, 0.0);
  if (!(result.residual <= options.residual_limit)) {
    result.status = GradientStatus::kNotStationary;
    return lambda;
  }
  if (free.empty()) return lambda;

  const VectorXd roots = Eigen::Map<VectorXd>(root.data(), static_cast<Eigen::Index>(root.size()));
  VectorXd right(roots.size());
  for (Index k = 0; k < free.size(); ++k)
    right[static_cast<Eigen::Index>(k)] = root[k] * loss_slope[free[k]];
  System system(hessian_times, free, roots, beta, n);
  const VectorXd solved = free.size() <= options.dense_items
                              ? solve_dense(system, right, result)
                              : solve_iteratively(system, right, options, result);
  if (result.status == GradientStatus::kDone &&
      (!(result.condition <= options.condition_limit) || !solved.allFinite()))
    result.status = GradientStatus::kIllConditioned;
  if (result.status != GradientStatus::kDone) return lambda;
  for (Index k = 0; k < free.size(); ++k) {
    lambda[free[k]] = beta * root[k] * solved[static_cast<Eigen::Index>(k)];
    result.inverse_temperature += lambda[free[k]] * gradient[free[k]] / beta;
  }
  return lambda;
}

}  // namespace surefield::detail
