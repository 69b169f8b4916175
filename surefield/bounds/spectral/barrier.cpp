#include "surefield/bounds/spectral/barrier.hpp"

#include <cmath>

#include "surefield/core/numeric.hpp"

namespace surefield {
namespace {

constexpr double kLate = 30;  // times the softness
constexpr double kWide =
    2;  // t S_ii, half a variance on the path: beyond, a step ends too near the edge

}  // namespace

SpectralBarrier::SpectralBarrier(const Quadratic& quadratic, SpectralKind kind)
    : quadratic_(&quadratic),
      atoms_(quadratic, kind),
      minus_couplings_(-quadratic.couplings.toDense()),
      peaks_(quadratic.size()) {}

void SpectralBarrier::couple(const Quadratic& quadratic) {
  quadratic_ = &quadratic;
  minus_couplings_ = -quadratic.couplings.toDense();
  atoms_.bend(quadratic);
}

void SpectralBarrier::cut(std::span<const CliqueInequality> cliques) {
  forms_.clear();
  for (const CliqueInequality& clique : cliques) forms_.push_back(form_of(clique));
}

bool SpectralBarrier::move(const SpectralPoint& to) {
  at_ = to;
  inverted_ = false;
  if (!to.l.allFinite() || !to.d.allFinite() || !to.y.allFinite()) return false;
  matrix_ = minus_couplings_;
  matrix_.diagonal() = to.d;
  gap_ = quadratic_->bias - to.l;
  constant_ = quadratic_->constant;
  for (std::size_t t = 0; t < forms_.size(); ++t) {
    const CliqueForm& form = forms_[t];
    const double y = to.y[static_cast<Eigen::Index>(t)];
    constant_ += y * form.constant;
    for (std::size_t k = 0; k < static_cast<std::size_t>(form.items); ++k)
      gap_[form.item[k]] += y * form.linear[k];
    form.for_each_pair([&](Eigen::Index i, Eigen::Index j, double pair) {
      matrix_(i, j) -= y * pair, matrix_(j, i) -= y * pair;
    });
  }
  if (!factor_.compute(matrix_)) return false;
  z_ = factor_.solve(gap_);
  return z_.allFinite();
}

void SpectralBarrier::invert() {
  if (inverted_) return;
  factor_.inverse(inverse_);
  inverted_ = true;
}

double SpectralBarrier::value(double weight, Eigen::VectorXd& slope_l, Eigen::VectorXd& slope_d) {
  const Eigen::Index n = at_.d.size();
  invert();
  slope_l.resize(n), slope_d.resize(n);
  double sum = constant_ + gap_.dot(z_) / 2;
  plain_ = sum;
  for (Eigen::Index i = 0; i < n; ++i) {
    SoftPeak& peak = peaks_[static_cast<std::size_t>(i)];
    peak = atoms_.peak(i, at_.l[i], at_.d[i], weight);
    plain_ += peak.value - peak.lag;
    sum += peak.value - 2 * weight * std::log(factor_.pivot(i));
    slope_l[i] = peak.mean - z_[i];
    slope_d[i] = peak.square - z_[i] * z_[i] / 2 - weight * inverse_(i, i);
  }
  return sum;
}

void SpectralBarrier::slope_y(double weight, Eigen::VectorXd& slope) const {
  slope.resize(cliques());
  for (Eigen::Index t = 0; t < cliques(); ++t)
    slope[t] = clique_at_moments(forms_[static_cast<std::size_t>(t)], weight);
}

void SpectralBarrier::weigh(double weight) {
  weights_.resize(atoms_.count(), at_.d.size());
  changes_.resize(atoms_.count(), at_.d.size());
  for (Eigen::Index i = 0; i < at_.d.size(); ++i)
    atoms_.weigh(i, at_.l[i], at_.d[i], weight, weights_.col(i).data());
}

bool SpectralBarrier::direction(double weight, double next, SpectralPoint& step) {
  const Eigen::Index n = at_.d.size();
  invert();
  hessian_.resize(2 * n, 2 * n);
  Eigen::VectorXd both(2 * n);
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index i = 0; i < n; ++i) {
      const double s = inverse_(i, j);
      if (i >= j) hessian_(i, j) = s;
      hessian_(n + i, j) = z_[i] * s;
      if (i >= j) hessian_(n + i, n + j) = s * (z_[i] * z_[j] + weight * s);
    }
  plain_ = constant_ + gap_.dot(z_) / 2;
  late_ = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    SoftPeak& peak = peaks_[static_cast<std::size_t>(i)];
    peak = atoms_.behind(i, at_.l[i], at_.d[i], next, weights_.col(i).data());
    // An atom that has lost its weight but should have it comes back too slowly by itself.
    if (peak.lag > kLate * next) {
      atoms_.weigh(i, at_.l[i], at_.d[i], peak.lag / 5, weights_.col(i).data());
      peak = atoms_.behind(i, at_.l[i], at_.d[i], next, weights_.col(i).data());
    }
    late_ += peak.lag;
    plain_ += peak.value;
    hessian_(i, i) += peak.ll;
    hessian_(n + i, i) += peak.ld;
    hessian_(n + i, n + i) += peak.dd;
    // Rounding may leave it without a factor: a touch more keeps the step one of descent.
    hessian_(i, i) *= 1 + 1e-11;
    hessian_(n + i, n + i) *= 1 + 1e-11;
    both[i] = z_[i] - peak.mean;
    both[n + i] = z_[i] * z_[i] / 2 + next * inverse_(i, i) - peak.square;
  }
  if (!newton_.compute(hessian_)) return false;
  const Eigen::VectorXd slope = both;
  both = newton_.solve(slope);
  decrement_ = slope.dot(both);
  step = {both.head(n), both.tail(n)};
  return both.allFinite();
}

void SpectralBarrier::follow(double next, const SpectralPoint& step) {
  for (Eigen::Index i = 0; i < at_.d.size(); ++i)
    atoms_.change(i, at_.l[i], at_.d[i], next, weights_.col(i).data(), step.l[i], step.d[i],
                  changes_.col(i).data());
}

bool SpectralBarrier::go(double length, const SpectralPoint& step) {
  const SpectralPoint from = at_;
  if (!move({from.l + length * step.l, from.d + length * step.d, from.y})) {
    move(from);
    return false;
  }
  constexpr double kLeast = 1e-17;  // an atom without weight would never come back
  for (Eigen::Index i = 0; i < at_.d.size(); ++i) {
    double sum = 0;
    for (Eigen::Index k = 0; k < weights_.rows(); ++k) {
      const double change = length * changes_(k, i);
      double& share = weights_(k, i);
      share = std::max(kLeast, share * (change < 0 ? std::exp(change) : 1 + change));
      sum += share;
    }
    weights_.col(i) /= sum;
  }
  return true;
}

double SpectralBarrier::clique_at_moments(const CliqueForm& form, double weight) const {
  double sum = form.constant;
  for (std::size_t k = 0; k < static_cast<std::size_t>(form.items); ++k)
    sum += form.linear[k] * z_[form.item[k]];
  form.for_each_pair(
      [&](Eigen::Index i, Eigen::Index j, double pair) { sum += pair * moment(i, j, weight); });
  return sum;
}

Eigen::MatrixXd SpectralBarrier::moments(double weight) {
  invert();
  return z_ * z_.transpose() + 2 * weight * inverse_;
}

Eigen::VectorXd SpectralBarrier::draw(const Eigen::VectorXd& noise, double weight) const {
  return z_ + std::sqrt(weight) * factor_.solve_upper(noise);
}

}  // namespace surefield
