#include "surefield/bounds/log_z/exact/log_determinant.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <optional>
#include <vector>

#include "surefield/core/numeric.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {
namespace {

__extension__ typedef __float128 Quad;

constexpr Eigen::Index kQuad = 256;  // rows

/// The pivots of M - c I = L D L', if all are positive.
std::optional<std::vector<double>> quad_pivots(const Eigen::MatrixXd& matrix, double shift) {
  const auto n = static_cast<std::size_t>(matrix.rows());
  std::vector<Quad> l(n * n, 0);
  std::vector<Quad> pivot(n);
  std::vector<double> result(n);
  for (std::size_t j = 0; j < n; ++j) {
    const auto column = static_cast<Eigen::Index>(j);
    Quad d = static_cast<Quad>(matrix(column, column)) - shift;
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
  return result;
}

std::optional<std::vector<double>> double_pivots(const Eigen::MatrixXd& matrix, double shift) {
  const auto n = matrix.rows();
  const Eigen::LLT<Eigen::MatrixXd> factor(matrix - shift * Eigen::MatrixXd::Identity(n, n));
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

LogDeterminant log_determinant(const Eigen::MatrixXd& matrix) {
  const auto n = static_cast<double>(matrix.rows());
  if (matrix.rows() == 0) return {};
  const bool quad = matrix.rows() <= kQuad;
  const auto pivots_of = quad ? quad_pivots : double_pivots;
  const double unit = quad ? 0x1p-113 : kUnitRoundoff;
  const double delta = 8 * (n + 2) * unit * matrix.trace();
  const auto pivots = pivots_of(matrix, 0);
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
    if (pivots_of(matrix, shift)) {
      const double lambda = shift - delta;
      result.error = n * std::log1p(delta / (lambda - delta)) + gamma_of(16) * (sizes + n);
      break;
    }
  return result;
}

}  // namespace surefield
