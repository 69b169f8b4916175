#include "surefield/objectives/softmax_dpp.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "surefield/core/assert.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/symmetric.hpp"

namespace surefield {
namespace {

/// log det N with N = I - X + X^1/2 L X^1/2, which is det M and, unlike M, symmetric and positive
/// semidefinite on the cube. -infinity where a pivot is lost in rounding.
double log_det(const Eigen::MatrixXd& kernel, std::span<const double> x) {
  const auto n = static_cast<Eigen::Index>(x.size());
  const Eigen::ArrayXd point = Eigen::Map<const Eigen::ArrayXd>(x.data(), n);
  const Eigen::MatrixXd root = point.sqrt().matrix().asDiagonal();
  Eigen::MatrixXd matrix = root * kernel * root;
  matrix.diagonal().array() += 1 - point;
  const Eigen::LLT<Eigen::MatrixXd> factor(matrix);
  if (factor.info() != Eigen::Success) return -kInfinity;
  const double rounding = 8 * static_cast<double>(n) * 0x1p-52;
  const Eigen::ArrayXd pivots = factor.matrixLLT().diagonal().array().square();
  if ((pivots <= rounding * matrix.diagonal().array()).any()) return -kInfinity;
  return log_det_of_factor(factor.matrixLLT());
}

}  // namespace

double SoftmaxLine::slope(double u) const {
  if (slope_ == 0) return 0;
  const double t = factor(u);
  return t > 0 ? slope_ / t : std::copysign(kInfinity, slope_);
}

double SoftmaxLine::rise(double from, double to) const {
  if (from == to) return 0;
  const double start = factor(from);
  if (start <= 0) return factor(to) <= 0 ? 0 : kInfinity;
  return std::log1p(std::max(-1.0, (to - from) * slope_ / start));
}

double SoftmaxDpp::evaluate(std::span<const double> x) const {
  return x.empty() ? 0 : log_det(kernel, x);
}

SoftmaxDpp::State SoftmaxDpp::at(std::span<const double> x) const& { return {*this, x}; }

SoftmaxDpp::State::State(const SoftmaxDpp& model, std::span<const double> x)
    : model_(&model), x_(x.begin(), x.end()) {
  SUREFIELD_ASSERT(x.size() == model.size());
  rebuild();
}

void SoftmaxDpp::State::rebuild() {
  moves_ = 0;
  if (x_.empty()) return;
  const double value = log_det(model_->kernel, x_);
  require(value > -kInfinity,
          "softmax dpp: the point is singular: the rows of the kernel of the elements at 1 are "
          "linearly dependent; keep one of them below 1");
  value_ = value;
  Eigen::MatrixXd shifted = model_->kernel;  // L - I
  shifted.diagonal().array() -= 1;
  // G = (L - I) M^-1 is symmetric, hence M'^-1 (L - I).
  Eigen::MatrixXd transposed =
      shifted * Eigen::Map<const Eigen::VectorXd>(x_.data(), shifted.rows()).asDiagonal();
  transposed.diagonal().array() += 1;
  const Eigen::MatrixXd gains = transposed.partialPivLu().solve(shifted);
  gains_ = (gains + gains.transpose()) / 2;
}

void SoftmaxDpp::State::gradient(std::span<double> out) const {
  for (Index i = 0; i < size(); ++i) out[i] = gain(i);
}

void SoftmaxDpp::State::set(Index i, double v) {
  const double step = v - x_[i];
  if (step == 0) return;
  const double before = x_[i];
  const double factor = 1 + step * gain(i);
  x_[i] = v;
  if (++moves_ >= size() || !(factor > 1e-4 && factor < 1e4)) {
    try {
      rebuild();
    } catch (...) {  // stay where we were, where G and f are still right
      x_[i] = before;
      throw;
    }
    return;
  }
  value_ += std::log1p(step * gain(i));
  const Eigen::VectorXd column = gains_.col(static_cast<Eigen::Index>(i));
  gains_.noalias() -= (step / factor) * column * column.transpose();
}

SoftmaxDpp make_softmax_dpp(Eigen::MatrixXd kernel) {
  kernel = require_symmetric("softmax dpp: the kernel", std::move(kernel));
  if (kernel.rows() > 0) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> spectrum(kernel, Eigen::EigenvaluesOnly);
    const double smallest = spectrum.eigenvalues().minCoeff();
    const double largest = spectrum.eigenvalues().cwiseAbs().maxCoeff();
    require(smallest >= -1e-12 * largest,
            "softmax dpp: the kernel is not positive semidefinite: its smallest eigenvalue is ",
            smallest);
  }
  return {.kernel = std::move(kernel)};
}

}  // namespace surefield
