#include "surefield/bounds/log_z/exact/log_determinant.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "surefield/core/numeric.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {
namespace {

__extension__ typedef __float128 Quad;

constexpr Eigen::Index kQuad = 256;  // rows

/// M - c I = L D L' with ones on the diagonal of L, row by row.
struct QuadFactors {
  std::vector<Quad> l, pivot;
};

/// The pivots, if all are positive; the factors go to `factors` if it is given.
std::optional<std::vector<double>> quad_pivots(const Eigen::MatrixXd& matrix,
                                               const Eigen::VectorXd& added, double shift,
                                               QuadFactors* factors = nullptr) {
  const auto n = static_cast<std::size_t>(matrix.rows());
  std::vector<Quad> l(n * n, 0);
  std::vector<Quad> pivot(n);
  std::vector<double> result(n);
  for (std::size_t j = 0; j < n; ++j) {
    const auto column = static_cast<Eigen::Index>(j);
    Quad d = static_cast<Quad>(matrix(column, column)) + added(column) - shift;
    for (std::size_t k = 0; k < j; ++k) d -= l[j * n + k] * l[j * n + k] * pivot[k];
    result[j] = static_cast<double>(d);
    if (!(result[j] > 0) || !std::isfinite(result[j])) return std::nullopt;
    pivot[j] = d;
    for (std::size_t i = j + 1; i < n; ++i) {
      Quad sum = matrix(static_cast<Eigen::Index>(i), column);
      for (std::size_t k = 0; k < j; ++k) sum -= l[i * n + k] * l[j * n + k] * pivot[k];
      l[i * n + j] = sum / d;
    }
  }
  if (factors != nullptr) *factors = {std::move(l), std::move(pivot)};
  return result;
}

std::optional<std::vector<double>> double_pivots(const Eigen::MatrixXd& matrix,
                                                 const Eigen::VectorXd& added, double shift) {
  const auto n = matrix.rows();
  Eigen::MatrixXd shifted = matrix;
  shifted.diagonal().array() += added.array();
  shifted.diagonal().array() -= shift;
  const Eigen::LLT<Eigen::MatrixXd> factor(shifted);
  if (factor.info() != Eigen::Success) return std::nullopt;
  std::vector<double> result;
  for (Eigen::Index j = 0; j < n; ++j) {
    const double root = factor.matrixLLT()(j, j);
    if (!(root > 0) || !std::isfinite(root)) return std::nullopt;
    result.push_back(root * root);
  }
  return result;
}

}  // namespace

std::vector<double> one_less_inverse(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& added) {
  const auto n = static_cast<std::size_t>(matrix.rows());
  std::vector<double> result(n);
  if (matrix.rows() > kQuad) {
    Eigen::MatrixXd whole = matrix;
    whole.diagonal().array() += added.array();
    const Eigen::LLT<Eigen::MatrixXd> factor(std::move(whole));
    const Eigen::MatrixXd inverse =
        factor.matrixL().solve(Eigen::MatrixXd::Identity(matrix.rows(), matrix.rows()));
    for (std::size_t i = 0; i < n; ++i)
      result[i] = 1 - inverse.col(static_cast<Eigen::Index>(i)).squaredNorm();
    return result;
  }
  QuadFactors factors;
  quad_pivots(matrix, added, 0, &factors);
  std::vector<Quad> w(n);  // L w = e_i, so that (M^-1)_ii = sum_k w_k^2 / pivot_k
  for (std::size_t i = 0; i < n; ++i) {
    Quad rest = 1;
    for (std::size_t k = i; k < n; ++k) {
      w[k] = k == i ? 1 : 0;
      for (std::size_t j = i; j < k; ++j) w[k] -= factors.l[k * n + j] * w[j];
      rest -= w[k] * w[k] / factors.pivot[k];
    }
    result[i] = static_cast<double>(rest);
  }
  return result;
}

LogDeterminant log_determinant(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& added) {
  const auto n = static_cast<double>(matrix.rows());
  if (matrix.rows() == 0) return {};
  const bool quad = matrix.rows() <= kQuad;
  const auto pivots_of = [&](double shift) {
    return quad ? quad_pivots(matrix, added, shift) : double_pivots(matrix, added, shift);
  };
  const double unit = quad ? 0x1p-113 : kUnitRoundoff;
  const double delta = 8 * (n + 2) * unit * (matrix.trace() + added.sum());
  const auto pivots = pivots_of(0);
  LogDeterminant result{.value = 0, .error = kInfinity};
  if (!pivots || !std::isfinite(delta)) return result;
  CompensatedSum sum;
  double sizes = 0, least = kInfinity;
  for (const double pivot : *pivots) {
    sum.add(std::log(pivot));
    sizes += std::abs(std::log(pivot));
    least = std::min(least, pivot);
  }
  result.value = sum.value();
  for (double shift = least / 2; shift > 2 * delta; shift /= 16)
    if (pivots_of(shift)) {
      const double lambda = shift - delta;
      result.error = n * std::log1p(delta / (lambda - delta)) + gamma_of(16) * (sizes + n);
      break;
    }
  return result;
}

}  // namespace surefield
