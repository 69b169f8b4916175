#include "surefield/bounds/spectral/definite.hpp"

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>
#include <cmath>

#include "surefield/core/rounding.hpp"

namespace surefield {
namespace {

constexpr Eigen::Index kAlwaysDense = 150;
constexpr double kSparseCost = 6;  // of an operation, against a dense one

/// The sum of g_i^2, rounded up, and what underflow can do to n^2 inner products.
double rump_shift(const Eigen::VectorXd& diagonal, const Eigen::VectorXd& row_counts) {
  const auto n = static_cast<double>(diagonal.size());
  double sum = 0;
  for (Eigen::Index i = 0; i < diagonal.size(); ++i) {
    const double gamma = gamma_of(row_counts[i] + 8);
    sum += gamma / (1 - gamma) * diagonal[i];
  }
  return sum * (1 + gamma_of(n + 8)) + 1e-300 * (n + 1) * (n + 1) * (1 + diagonal.maxCoeff());
}

/// How many numbers each column of the factor has is known from the pattern alone.
class CountedFactor : public Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> {
 public:
  const int* starts() const { return m_matrix.outerIndexPtr(); }
};

std::optional<double> dense_shift(const Eigen::SparseMatrix<double>& couplings,
                                  const Eigen::VectorXd& diagonal) {
  const Eigen::Index n = diagonal.size();
  Eigen::MatrixXd matrix = -couplings.toDense();
  matrix.diagonal() = diagonal;
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(matrix);
  if (factor.info() != Eigen::Success || !matrix.diagonal().allFinite() ||
      !(matrix.diagonal().array() > 0).all())
    return std::nullopt;
  return rump_shift(diagonal, Eigen::VectorXd::Constant(n, static_cast<double>(n)));
}

}  // namespace

std::optional<double> definite_shift(const Eigen::SparseMatrix<double>& couplings,
                                     const Eigen::VectorXd& diagonal, const Budget& budget) {
  const Eigen::Index n = diagonal.size();
  if (n == 0) return 0.0;
  if (!diagonal.allFinite() || !(diagonal.array() > 0).all()) return std::nullopt;
  const double size = static_cast<double>(n);
  const Work dense{.operations = size * size * size / 6, .bytes = 8 * size * size};
  if (n <= kAlwaysDense) return dense_shift(couplings, diagonal);

  budget.require({.operations = 100 * size, .bytes = 64 * (size + couplings.nonZeros())},
                 "positive definiteness");
  Eigen::SparseMatrix<double> matrix = -couplings;
  for (Eigen::Index i = 0; i < n; ++i) matrix.coeffRef(i, i) = diagonal[i];
  matrix.makeCompressed();
  CountedFactor factor;
  factor.analyzePattern(matrix);
  const int* const starts = factor.starts();
  Work sparse{.operations = 0, .bytes = 16.0 * starts[n]};
  for (Eigen::Index j = 0; j < n; ++j) {
    const double count = starts[j + 1] - starts[j];
    sparse.operations += kSparseCost * count * count / 2;
  }
  if (dense.operations < sparse.operations) {
    budget.require(dense, "positive definiteness");
    return dense_shift(couplings, diagonal);
  }
  budget.require(sparse, "positive definiteness");
  factor.factorize(matrix);
  if (factor.info() != Eigen::Success) return std::nullopt;
  const auto& lower = factor.matrixL().nestedExpression();
  Eigen::VectorXd counts = Eigen::VectorXd::Zero(n);
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator it(lower, j); it; ++it) {
      if (!std::isfinite(it.value())) return std::nullopt;
      counts[it.row()] += 1;
    }
  return rump_shift(factor.permutationP() * diagonal, counts);
}

}  // namespace surefield
