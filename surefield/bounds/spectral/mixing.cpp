#include "surefield/bounds/spectral/mixing.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "surefield/core/random.hpp"

namespace surefield {
namespace {

constexpr double kNothing = 1e-12;

/// Where an item goes: t = 2x - 1, its standard deviation times 2, and its d.
struct MixedItem {
  double t, deviation, d;
};

/// The root of theta + sinh(theta) gamma/2 = alpha/2: Newton from beyond it, on a convex function.
double mixed_angle(double alpha, double gamma) {
  const double half = std::abs(alpha) / 2;
  double theta = gamma > 0 ? std::min(half, std::asinh(2 * half / gamma)) : half;
  for (int step = 0; step < 50; ++step) {
    const double excess = theta + gamma / 2 * std::sinh(theta) - half;
    const double move = excess / (1 + gamma / 2 * std::cosh(theta));
    theta -= move;
    if (!(std::abs(move) > 1e-14 * theta)) break;
  }
  return std::copysign(std::max(theta, 0.0), alpha);
}

MixedItem mixed_item(SpectralKind kind, double alpha, double gamma) {
  const double rho = std::hypot(alpha, gamma);
  if (kind == SpectralKind::kLogZ) {
    const double theta = mixed_angle(alpha, gamma);
    const double flat = 1 / std::cosh(theta);
    return {std::tanh(theta), flat, 2 * gamma / flat};
  }
  const double u = kind == SpectralKind::kElbo ? std::tanh(rho / 2) : 1;
  if (rho < kNothing) return {0, 0, kind == SpectralKind::kElbo ? 4.0 : 2 * rho};
  return {u * alpha / rho, u * gamma / rho, 2 * rho / u};
}

}  // namespace

MixingResult mix(const Quadratic& quadratic, SpectralKind kind, const MixingOptions& options) {
  const auto n = static_cast<Eigen::Index>(quadratic.size());
  const auto rank =
      std::min(n, static_cast<Eigen::Index>(std::ceil(std::sqrt(2.0 * static_cast<double>(n))))) +
      2;
  const double numbers = static_cast<double>(rank) * static_cast<double>(n);
  options.budget.require({.operations = 200 * static_cast<double>(rank) *
                                        static_cast<double>(quadratic.couplings.nonZeros()),
                          .bytes = 16 * numbers},
                         "spectral bound");
  Random random(options.seed);
  MixingResult result;
  result.vectors.resize(rank, n);
  result.d.setZero(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    auto v = result.vectors.col(i);
    for (double& entry : v) entry = random.normal();
    v[0] = 0;
    v *= 0.5 / std::max(kNothing, v.norm());
    v[0] = 0.5;
  }
  Eigen::VectorXd g(rank);
  Ticks ticks(options.budget, 64);
  while (result.sweeps < options.sweeps && !ticks.spent()) {
    ++result.sweeps;
    double moved = 0, all = 0;
    for (Eigen::Index i = 0; i < n; ++i) {
      if (ticks.spent()) break;
      g.setZero();
      for (Eigen::SparseMatrix<double>::InnerIterator it(quadratic.couplings, i); it; ++it)
        g += it.value() * result.vectors.col(it.row());
      const double alpha = g[0] + quadratic.bias[i];
      g[0] = 0;
      const double gamma = g.norm();
      const MixedItem item = mixed_item(kind, alpha, gamma);
      auto v = result.vectors.col(i);
      v = gamma > 0 ? Eigen::VectorXd(item.deviation / (2 * gamma) * g)
                    : Eigen::VectorXd::Zero(rank);
      v[0] = (1 + item.t) / 2;
      moved += std::abs(item.d - result.d[i]);
      all += std::abs(item.d);
      result.d[i] = item.d;
    }
    if (moved <= options.progress * all) break;
  }
  result.z = result.vectors.row(0);
  return result;
}

double least_eigenvalue(const Eigen::SparseMatrix<double>& couplings, const Eigen::VectorXd& d,
                        std::uint64_t seed, const Budget& budget) {
  const Eigen::Index n = d.size();
  const Eigen::Index most = std::min<Eigen::Index>(n, 250);
  Random random(seed);
  Eigen::MatrixXd basis(n, most);
  Eigen::VectorXd diagonal(most), below(most), v(n);
  for (double& entry : v) entry = random.normal();
  v.normalize();
  double least = 0;
  for (Eigen::Index k = 0; k < most; ++k) {
    basis.col(k) = v;
    Eigen::VectorXd w = d.cwiseProduct(v) - couplings * v;
    diagonal[k] = v.dot(w);
    for (int twice = 0; twice < 2; ++twice)
      w -= basis.leftCols(k + 1) * (basis.leftCols(k + 1).transpose() * w).eval();
    below[k] = w.norm();
    const bool last =
        k + 1 == most || below[k] <= 1e-14 * d.cwiseAbs().maxCoeff() || budget.spent();
    if (last || k % 25 == 24) {
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> ritz;
      ritz.computeFromTridiagonal(diagonal.head(k + 1), below.head(k));
      const double off = below[k] * std::abs(ritz.eigenvectors()(k, 0));
      least = ritz.eigenvalues()[0] - off;
      if (last || off <= 1e-4 * std::abs(ritz.eigenvalues()[0])) break;
    }
    v = w / below[k];
  }
  return least;
}

}  // namespace surefield
