#include "surefield/bounds/spectral/spectral_newton.hpp"

#include <algorithm>
#include <cmath>

namespace surefield {
namespace {

constexpr double kFirstFall = 0.3;
// How far from the path: decrements in units of n times the weight.
constexpr double kNear = 0.1, kAway = 6;
// How far the weight falls in a step: by how far the last one got.
constexpr double kAhead = 0.3, kSlow = 0.4, kCareful = 0.8, kBack = 1;

}  // namespace

SpectralPoint middle_point(const Quadratic& quadratic, Eigen::VectorXd d) {
  const Eigen::VectorXd middle = (quadratic.low + quadratic.high) / 2;
  Eigen::VectorXd l = quadratic.bias - (d.cwiseProduct(middle) - quadratic.couplings * middle);
  return {std::move(l), std::move(d)};
}

SpectralPoint dominant_point(const Quadratic& quadratic) {
  const auto n = static_cast<Eigen::Index>(quadratic.size());
  Eigen::VectorXd d(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    double sum = 0;
    for (Eigen::SparseMatrix<double>::InnerIterator it(quadratic.couplings, i); it; ++it)
      sum += std::abs(it.value());
    d[i] = sum;
  }
  const double most = n > 0 ? d.maxCoeff() : 0;
  d = 1.01 * d.array() + std::max(0.01 * most, 1e-3 * std::min(1.0, most + 1e-3));
  return middle_point(quadratic, std::move(d));
}

SpectralSearchResult spectral_newton(SpectralBarrier& barrier, SpectralPoint start,
                                     const SpectralSearchOptions& options) {
  SpectralSearchResult result;
  const auto n = static_cast<double>(start.d.size());
  result.point = std::move(start);
  if (!barrier.move(result.point) || result.point.d.size() == 0) return result;
  double weight = options.begin > 0 ? options.begin : 0.1 * result.point.d.mean();
  double fall = kFirstFall;
  bool low = false;  // the weight is as low as it needs to be: back to the path, and done
  barrier.weigh(weight);
  SpectralPoint step;
  while (result.steps < options.steps && !options.budget.spent()) {
    ++result.steps;
    const double next = low ? weight : fall * weight;
    if (!barrier.direction(weight, next, step)) break;
    const double size = std::max(1.0, std::abs(barrier.plain()));
    const double above = barrier.plain() - options.enough;
    // What barrier and softening leave is about (2 + log K) n weight.
    const double left = 4 * n * weight, off = barrier.decrement() / (n * next);
    const bool fine = left <= options.precision * size || left <= options.patience * above;
    if (above < 0 || (low && off < kNear)) break;
    low = fine;
    barrier.follow(next, step);
    double length = 1;
    int tries = 0;
    while (tries < 20 && !barrier.go(length, step)) ++tries, length *= 0.7;
    if (tries == 20) break;
    weight += length * (next - weight);
    fall = off > kAway ? kBack : length > 0.7 ? kAhead : length > 0.3 ? kSlow : kCareful;
  }
  result.point = barrier.point();
  result.z = barrier.z();
  result.weight = weight;
  result.spread.resize(result.point.d.size());
  for (Eigen::Index i = 0; i < result.spread.size(); ++i)
    result.spread[i] = result.point.d[i] * barrier.variance(i);
  return result;
}

}  // namespace surefield
