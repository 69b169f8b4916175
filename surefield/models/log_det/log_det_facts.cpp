// What rounding does to a log determinant: as much as the condition of the kernel allows.
//
// Scale the kernel by powers of two to H = D L D with diagonal in [1/2, 2): exact, and every
// rounding of a Cholesky factorisation stays the same. A computed factor of any block is the exact
// one of H + E, |E_ij| <= gamma_{n+1} / (1 - gamma_{n+1}) sqrt(h_ii h_jj) (Higham, theorem 10.5),
// so that |E| <= gamma trace(H) in norm. A triangular solve adds 2 gamma_{n+2} trace(H). Removing
// elements rotates rows: n removals of at most n - 1 rotations, each off by 6 u of two rows no
// longer than sqrt(|H|), together 24 n (n-1) u |H| (ibid., lemma 19.7). All that is delta. With
// lambda <= the smallest eigenvalue of H, and so of all its blocks,
//
//   (1 - delta / lambda) H <= H + E <= (1 + delta / lambda) H
//
// in the order of matrices: log det is off by n log1p(delta / (lambda - delta)), and a gain, the
// log of an entry of an inverse, by log1p(delta / (lambda - delta)); both infinite unless delta <
// lambda. The logs themselves: a pivot lies between lambda / 2 and 1 of its diagonal entry.
//
// lambda is certified: if H - s I has a computed Cholesky factor, the smallest eigenvalue of H is
// at least s less the gamma trace(H) of that factorisation and the rounding of its diagonal.
//
// N. Higham. Accuracy and Stability of Numerical Algorithms, 2nd edition. SIAM 2002.
// S. M. Rump. Verification of positive definiteness. BIT 46, 2006.
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "surefield/core/numeric.hpp"
#include "surefield/models/log_det/log_det.hpp"
#include "surefield/models/rounding_count.hpp"

namespace surefield {
namespace {

/// H, with powers of two for D; nothing where an entry would leave the range of a double.
std::optional<Eigen::MatrixXd> scaled(const Eigen::MatrixXd& kernel) {
  const Eigen::Index n = kernel.rows();
  std::vector<int> power(static_cast<Index>(n));
  for (Eigen::Index i = 0; i < n; ++i) {
    int exponent = 0;
    std::frexp(kernel(i, i), &exponent);  // in [1/2, 1) times 2^exponent
    power[static_cast<Index>(i)] = exponent >= 0 ? exponent / 2 : -((1 - exponent) / 2);
  }
  Eigen::MatrixXd result(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) {
      const int shift = power[static_cast<Index>(i)] + power[static_cast<Index>(j)];
      result(i, j) = std::ldexp(kernel(i, j), -shift);
      if (std::ldexp(result(i, j), shift) != kernel(i, j)) return std::nullopt;
    }
  return result;
}

/// A certified lower bound of the smallest eigenvalue; 0 if there is none above.
double smallest_eigenvalue(const Eigen::MatrixXd& h, double gamma_trace) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(h, Eigen::EigenvaluesOnly);
  if (solver.info() != Eigen::Success) return 0;
  for (const double part : {0.999, 0.9, 0.5}) {
    const double s = part * solver.eigenvalues()[0];
    if (!(s > 0)) return 0;
    Eigen::MatrixXd shifted = h;
    shifted.diagonal().array() -= s;
    if (shifted.diagonal().minCoeff() <= 0) continue;
    if (Eigen::LLT<Eigen::MatrixXd>(shifted).info() != Eigen::Success) continue;
    return std::max(0.0, (s - gamma_trace - 4 * kUnitRoundoff) * (1 - 4 * kUnitRoundoff));
  }
  return 0;
}

}  // namespace

Facts facts_of(const LogDet& model) {
  Facts facts;
  facts.estimated = true;
  const auto n = static_cast<double>(model.size());
  if (n == 0) return facts;
  facts.value_error = facts.gain_error = facts.gain_error_sum = kInfinity;
  const auto h = scaled(model.kernel);
  const double gamma = roundings(n + 3);
  const double trace = 2 * n;
  const double lambda = h ? smallest_eigenvalue(*h, 2 * gamma * trace) : 0;
  // What a pivot's logarithm can be; the sets keep pivots above 2^-52 of the diagonal
  // (log_det.cpp).
  const double of_pivot = std::log(2 / std::max(lambda, 0x1p-52)) * (1 + 0x1p-40);
  SizeSum magnitude;
  double largest = 0;
  for (Eigen::Index i = 0; i < model.kernel.rows(); ++i) {
    const double size = std::abs(std::log(model.kernel(i, i))) * (1 + 0x1p-40) + of_pivot;
    magnitude.add(size);
    largest = std::max(largest, size);
  }
  facts.magnitude = magnitude.value();
  if (!h) return facts;
  const double norm = std::min(trace, h->cwiseAbs().rowwise().sum().maxCoeff() * (1 + 0x1p-20));
  const double delta =
      2 * gamma * trace * (1 + 2) + 25 * n * (n - 1) * kUnitRoundoff * norm * (1 + 0x1p-20);
  if (!(delta < lambda)) return facts;
  const double one = std::log1p(delta / (lambda - delta)) * (1 + 0x1p-40);
  facts.value_error = n * one + roundings(12) * facts.magnitude +
                      compensated_error(n, facts.magnitude, facts.magnitude);
  facts.gain_error = one + roundings(12) * largest + roundings(2 * n + 4);
  facts.gain_error_sum = n * facts.gain_error * (1 + 0x1p-40);
  return facts;
}

}  // namespace surefield
