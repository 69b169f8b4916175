#include "surefield/bounds/spectral/atoms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "surefield/core/numeric.hpp"

namespace surefield {
namespace {

constexpr Eigen::Index kEntropyAtoms = 41;

}  // namespace

Atoms::Atoms(const Quadratic& quadratic, SpectralKind kind) : kind_(kind) {
  const auto n = static_cast<Eigen::Index>(quadratic.size());
  const Eigen::Index count = kind == SpectralKind::kElbo ? kEntropyAtoms : 2;
  at_.resize(count, n);
  height_.setZero(count, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index k = 0; k < count; ++k) {
      const double turn =
          std::numbers::pi * static_cast<double>(k) / static_cast<double>(count - 1);
      const double share = k + 1 == count ? 1 : (1 - std::cos(turn)) / 2;
      const double x = quadratic.low[i] + share * (quadratic.high[i] - quadratic.low[i]);
      at_(k, i) = x;
      if (kind == SpectralKind::kElbo) height_(k, i) = entropy(x);
    }
  if (!quadratic.is_bent()) return;
  over_.setZero(count, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double bend = quadratic.bend_at[i];
    if (!(quadratic.low[i] < bend && bend < quadratic.high[i])) continue;
    Eigen::Index near = 1;
    for (Eigen::Index k = 2; k + 1 < count; ++k)
      if (std::abs(at_(k, i) - bend) < std::abs(at_(near, i) - bend)) near = k;
    at_(near, i) = bend;
    height_(near, i) = entropy(bend);
    for (Eigen::Index k = 0; k < count; ++k) over_(k, i) = std::max(0.0, at_(k, i) - bend);
  }
  plain_ = height_;
  bend(quadratic);
}

void Atoms::bend(const Quadratic& quadratic) {
  if (over_.size() > 0) height_ = plain_ + over_ * quadratic.bend.asDiagonal();
}

void Atoms::weigh(Eigen::Index i, double l, double d, double softness, double* weights) const {
  const double soft = kind_ == SpectralKind::kLogZ ? 1 : softness;
  double high = -kInfinity, sum = 0;
  for (Eigen::Index k = 0; k < at_.rows(); ++k) {
    weights[k] = at_(k, i) * (l + d * at_(k, i) / 2) + height_(k, i);
    high = std::max(high, weights[k]);
  }
  for (Eigen::Index k = 0; k < at_.rows(); ++k) {
    weights[k] = std::exp(std::max(-40.0, (weights[k] - high) / soft));
    sum += weights[k];
  }
  for (Eigen::Index k = 0; k < at_.rows(); ++k) weights[k] /= sum;
}

SoftPeak Atoms::behind(Eigen::Index i, double l, double d, double softness,
                       const double* weights) const {
  const double soft = kind_ == SpectralKind::kLogZ ? 1 : softness;
  double high = -kInfinity, x = 0, q = 0, xx = 0, xq = 0, qq = 0, r = 0, xr = 0, qr = 0,
         mean_height = 0;
  for (Eigen::Index k = 0; k < at_.rows(); ++k) {
    const double w = weights[k], a = at_(k, i), b = a * a / 2;
    const double e = a * (l + d * a / 2) + height_(k, i);
    const double rest = w * (e / soft - std::log(w));
    high = std::max(high, e);
    mean_height += w * e;
    x += w * a, q += w * b, xx += w * a * a, xq += w * a * b, qq += w * b * b;
    r += rest, xr += a * rest, qr += b * rest;
  }
  return {.value = kind_ == SpectralKind::kLogZ ? softplus(l + d / 2) : high,
          .mean = x + (xr - x * r),
          .square = q + (qr - q * r),
          .ll = std::max(0.0, xx - x * x) / soft,
          .ld = (xq - x * q) / soft,
          .dd = std::max(0.0, qq - q * q) / soft,
          .variance = std::max(0.0, xx - x * x),
          .lag = exact() ? 0 : high - mean_height};
}

void Atoms::change(Eigen::Index i, double l, double d, double softness, const double* weights,
                   double step_l, double step_d, double* change) const {
  const double soft = kind_ == SpectralKind::kLogZ ? 1 : softness;
  double mean = 0;
  for (Eigen::Index k = 0; k < at_.rows(); ++k) {
    const double a = at_(k, i);
    const double e = a * (l + step_l + (d + step_d) * a / 2) + height_(k, i);
    change[k] = e / soft - std::log(weights[k]);
    mean += weights[k] * change[k];
  }
  for (Eigen::Index k = 0; k < at_.rows(); ++k) change[k] -= mean;
}

SoftPeak Atoms::peak(Eigen::Index i, double l, double d, double softness) const {
  const double soft = kind_ == SpectralKind::kLogZ ? 1 : softness;
  const double* const at = at_.col(i).data();
  const double* const height = height_.col(i).data();
  std::array<double, kEntropyAtoms> weight;
  const auto count = static_cast<std::size_t>(at_.rows());
  double high = -kInfinity;
  for (std::size_t k = 0; k < count; ++k) {
    weight[k] = at[k] * (l + d * at[k] / 2) + height[k];
    high = std::max(high, weight[k]);
  }
  const double* const over = over_.size() > 0 ? over_.col(i).data() : nullptr;
  double sum = 0, x = 0, q = 0, xx = 0, xq = 0, qq = 0, bent = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const double below = (weight[k] - high) / soft;
    if (below < -40) continue;
    const double w = std::exp(below), a = at[k], b = a * a / 2;
    sum += w, x += w * a, q += w * b, xx += w * a * a, xq += w * a * b, qq += w * b * b;
    if (over != nullptr) bent += w * over[k];
  }
  x /= sum, q /= sum;
  return {.value = high + soft * std::log(sum),
          .mean = x,
          .square = q,
          .ll = std::max(0.0, xx / sum - x * x) / soft,
          .ld = (xq / sum - x * q) / soft,
          .dd = std::max(0.0, qq / sum - q * q) / soft,
          .variance = std::max(0.0, xx / sum - x * x),
          .lag = exact() ? 0 : soft * std::log(sum),
          .over = bent / sum};
}

}  // namespace surefield
