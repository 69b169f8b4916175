#include "surefield/bounds/spectral/barrier.hpp"

#include <cmath>

#include "surefield/core/numeric.hpp"

namespace surefield {

SpectralBarrier::SpectralBarrier(const Quadratic& quadratic, SpectralKind kind)
    : quadratic_(&quadratic),
      atoms_(quadratic, kind),
      minus_couplings_(-quadratic.couplings.toDense()),
      peaks_(quadratic.size()) {}

bool SpectralBarrier::move(const SpectralPoint& to) {
  at_ = to;
  inverted_ = false;
  if (!to.l.allFinite() || !to.d.allFinite()) return false;
  matrix_ = minus_couplings_;
  matrix_.diagonal() = to.d;
  factor_.compute(matrix_);
  if (factor_.info() != Eigen::Success) return false;
  gap_ = quadratic_->bias - to.l;
  z_ = factor_.solve(gap_);
  return z_.allFinite();
}

double SpectralBarrier::value(double weight) {
  const Eigen::Index n = at_.d.size();
  weight_ = weight;
  if (!inverted_) {
    inverse_ = Eigen::MatrixXd::Identity(n, n);
    factor_.solveInPlace(inverse_);
    inverted_ = true;
  }
  slope_l_.resize(n), slope_d_.resize(n);
  double sum = gap_.dot(z_) / 2;
  for (Eigen::Index i = 0; i < n; ++i) {
    const SoftPeak peak = atoms_.peak(i, at_.l[i], at_.d[i], weight);
    peaks_[static_cast<std::size_t>(i)] = peak;
    sum += peak.value - 2 * weight * std::log(factor_.matrixLLT()(i, i));
    slope_l_[i] = peak.mean - z_[i];
    slope_d_[i] = peak.square - z_[i] * z_[i] / 2 - weight * inverse_(i, i);
  }
  return sum;
}

SpectralPoint SpectralBarrier::newton(double& decrement) {
  const Eigen::Index n = at_.d.size();
  hessian_.resize(2 * n, 2 * n);
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index i = 0; i < n; ++i) {
      const double s = inverse_(i, j);
      hessian_(i, j) = s;
      hessian_(n + i, j) = z_[i] * s;
      hessian_(n + i, n + j) = s * (z_[i] * z_[j] + weight_ * s);
    }
  for (Eigen::Index i = 0; i < n; ++i) {
    const SoftPeak& peak = peaks_[static_cast<std::size_t>(i)];
    hessian_(i, i) += peak.ll;
    hessian_(n + i, i) += peak.ld;
    hessian_(n + i, n + i) += peak.dd;
    // Rounding may leave it without a factor: a touch more keeps the step one of descent.
    hessian_(i, i) *= 1 + 1e-11;
    hessian_(n + i, n + i) *= 1 + 1e-11;
  }
  Eigen::VectorXd step(2 * n);
  step << -slope_l_, -slope_d_;
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(hessian_);
  if (factor.info() != Eigen::Success) {
    decrement = -1;
    return at_;
  }
  const Eigen::VectorXd slope = step;
  factor.solveInPlace(step);
  decrement = slope.dot(step);
  return {step.head(n), step.tail(n)};
}

Eigen::VectorXd SpectralBarrier::draw(const Eigen::VectorXd& noise, double weight) const {
  return z_ + std::sqrt(weight) * factor_.matrixU().solve(noise);
}

}  // namespace surefield
