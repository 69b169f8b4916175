#include "surefield/bounds/spectral/spectral_bound.hpp"

#include <cmath>
#include <limits>

#include "surefield/bounds/spectral/definite.hpp"
#include "surefield/bounds/spectral/parabola_peak.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {
namespace {

/// What is left of one item, its roundings included.
double item_bound(const Quadratic& quadratic, Eigen::Index i, SpectralKind kind, double l, double d,
                  double tolerance) {
  const Interval in{quadratic.low[i], quadratic.high[i]};
  if (kind == SpectralKind::kElbo && quadratic.is_bent())
    return bent_peak(l, d, quadratic.bend[i], quadratic.bend_at[i], in, tolerance).bound;
  if (kind == SpectralKind::kElbo) return parabola_peak(l, d, in, tolerance).bound;
  const double both = l + d / 2;
  const double margin = gamma_of(16) * (std::abs(l) + std::abs(d) + 1);
  return (kind == SpectralKind::kLogZ ? softplus(both) : std::max(0.0, both)) + margin;
}

SpectralProof prove(const Quadratic& quadratic, SpectralKind kind, const Eigen::VectorXd& z,
                    const Eigen::VectorXd& d, double tolerance, const Budget& budget) {
  const auto n = static_cast<Eigen::Index>(quadratic.size());
  const auto shift = definite_shift(quadratic.couplings, d, budget);
  SpectralProof proof{kInfinity, Eigen::VectorXd(n), Eigen::VectorXd(n), Eigen::VectorXd(n)};
  if (!shift || !z.allFinite()) return proof;
  constexpr double kTiny = std::numeric_limits<double>::min();
  CompensatedSum sum;
  double error = quadratic.error, sizes = std::abs(quadratic.constant);
  sum.add(quadratic.constant);
  for (Eigen::Index i = 0; i < n; ++i) {
    // At least d_i + shift, so that D - W has the shift to spare.
    const double raised = (d[i] + *shift) * (1 + 4 * kUnitRoundoff) + kTiny;
    double product = raised * z[i], size = std::abs(product), terms = 4;
    for (Eigen::SparseMatrix<double>::InnerIterator it(quadratic.couplings, i); it; ++it) {
      const double term = it.value() * z[it.row()];
      product -= term, size += std::abs(term), terms += 1;
    }
    const double l = quadratic.bias[i] - product;
    const double moved = gamma_of(terms + 2) * (size + std::abs(quadratic.bias[i])) + terms * kTiny;
    const double form = z[i] * product / 2;
    const double peak = item_bound(quadratic, i, kind, l, raised, tolerance);
    proof.l[i] = l, proof.d[i] = raised, proof.peak[i] = peak;
    sum.add(form), sum.add(peak);
    sizes += std::abs(form) + std::abs(peak);
    error += moved * (1 + std::abs(z[i]));
  }
  // The sum of sizes and errors themselves is off by n roundings; a compensated sum by one.
  const double roundings = 4 * static_cast<double>(n) + 16;
  error = (error + gamma_of(16) * sizes + gamma_of(roundings) * gamma_of(roundings) * sizes) *
          (1 + gamma_of(roundings));
  const double bound = sum.value() + error;
  if (!std::isnan(bound)) proof.bound = bound;
  return proof;
}

}  // namespace

SpectralProof spectral_proof(const Quadratic& quadratic, const Eigen::VectorXd& z,
                             const Eigen::VectorXd& d, double tolerance, const Budget& budget) {
  return prove(quadratic, SpectralKind::kElbo, z, d, tolerance, budget);
}

double spectral_bound(const Quadratic& quadratic, SpectralKind kind, const Eigen::VectorXd& z,
                      const Eigen::VectorXd& d, double tolerance, const Budget& budget) {
  return prove(quadratic, kind, z, d, tolerance, budget).bound;
}

}  // namespace surefield
