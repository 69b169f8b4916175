#include "surefield/bounds/spectral/spectral_newton.hpp"

#include <algorithm>
#include <cmath>

namespace surefield {

SpectralPoint dominant_point(const Quadratic& quadratic) {
  const auto n = static_cast<Eigen::Index>(quadratic.size());
  SpectralPoint point{Eigen::VectorXd(n), Eigen::VectorXd(n)};
  for (Eigen::Index i = 0; i < n; ++i) {
    double sum = 0;
    for (Eigen::SparseMatrix<double>::InnerIterator it(quadratic.couplings, i); it; ++it)
      sum += std::abs(it.value());
    point.d[i] = sum;
  }
  const double most = n > 0 ? point.d.maxCoeff() : 0;
  point.d = 1.01 * point.d.array() + std::max(0.01 * most, 1e-3 * std::min(1.0, most + 1e-3));
  const Eigen::VectorXd middle = (quadratic.low + quadratic.high) / 2;
  point.l = quadratic.bias - (point.d.cwiseProduct(middle) - quadratic.couplings * middle);
  return point;
}

SpectralSearchResult spectral_newton(SpectralBarrier& barrier, SpectralPoint start,
                                     const SpectralSearchOptions& options) {
  SpectralSearchResult result;
  const auto n = static_cast<double>(start.d.size());
  result.point = std::move(start);
  if (!barrier.move(result.point) || result.point.d.size() == 0) return result;
  double weight = options.begin > 0 ? options.begin : 0.1 * result.point.d.mean();
  double now = barrier.value(weight);
  while (result.steps < options.steps && !options.budget.spent()) {
    ++result.steps;
    double decrement = 0;
    const SpectralPoint step = barrier.newton(decrement);
    if (!(decrement > 0) || !std::isfinite(now)) break;
    const SpectralPoint from = barrier.point();
    double length = 1;
    bool moved = false;
    for (int halving = 0; halving < 30 && !moved; ++halving, length *= 0.5) {
      if (!barrier.move({from.l + length * step.l, from.d + length * step.d})) continue;
      const double there = barrier.value(weight);
      moved = there <= now - 0.1 * length * decrement + 1e-13 * std::abs(now);
      if (moved) now = there;
    }
    if (!moved) {
      barrier.move(from);
      barrier.value(weight);
      break;
    }
    // What barrier and softening leave is about (2 + log K) n weight.
    const double end = options.precision * std::max(1.0, std::abs(now)) / (4 * n);
    if (length < 0.5 || decrement > n * weight) continue;  // not near the path yet
    if (weight <= end) {
      if (decrement < 0.1 * n * weight) break;
      continue;
    }
    weight = std::max(weight * options.fall, 0.9 * end);
    now = barrier.value(weight);
    if (now + n * weight < options.enough) break;
  }
  result.point = barrier.point();
  result.z = barrier.z();
  result.weight = weight;
  result.spread.resize(result.point.d.size());
  for (Eigen::Index i = 0; i < result.spread.size(); ++i) {
    const SoftPeak& peak = barrier.peak(i);
    result.spread[i] = result.point.d[i] * std::max(0.0, 2 * peak.square - peak.mean * peak.mean);
  }
  return result;
}

}  // namespace surefield
