#include "surefield/bounds/spectral/factor_inverse.hpp"

#include <array>

namespace surefield {
namespace {

constexpr Eigen::Index kSmallFactor = 16, kSmallGram = 32;

using MatrixPart = Eigen::Ref<Eigen::MatrixXd>;

/// Column by column: L^-1 e_j by substitution.
void invert_small_lower(MatrixPart l) {
  const Eigen::Index n = l.rows();
  std::array<double, kSmallFactor> column;
  for (Eigen::Index j = 0; j < n; ++j) l(j, j) = 1 / l(j, j);
  for (Eigen::Index j = 0; j < n; ++j) {
    double* const x = column.data();
    x[j] = l(j, j);
    for (Eigen::Index i = j + 1; i < n; ++i) x[i] = -l(i, j) * x[j];
    for (Eigen::Index k = j + 1; k < n; ++k) {
      x[k] *= l(k, k);
      for (Eigen::Index i = k + 1; i < n; ++i) x[i] -= l(i, k) * x[k];
    }
    for (Eigen::Index i = j; i < n; ++i) l(i, j) = x[i];
  }
}

void invert_lower(MatrixPart l) {
  const Eigen::Index n = l.rows(), half = n / 2;
  if (n <= kSmallFactor) return invert_small_lower(l);
  const auto a = l.topLeftCorner(half, half);
  const auto c = l.bottomRightCorner(n - half, n - half);
  auto b = l.bottomLeftCorner(n - half, half);
  invert_lower(a);
  invert_lower(c);
  const Eigen::MatrixXd left = c.triangularView<Eigen::Lower>() * b;
  b.noalias() = -(left * a.triangularView<Eigen::Lower>());
}

/// The lower triangle of L'L.
void gram_of_lower(const Eigen::Ref<const Eigen::MatrixXd>& l, MatrixPart gram) {
  const Eigen::Index n = l.rows(), half = n / 2;
  if (n <= kSmallGram) {
    gram.setZero();
    const Eigen::MatrixXd lower = l.triangularView<Eigen::Lower>();
    gram.selfadjointView<Eigen::Lower>().rankUpdate(lower.transpose());
    return;
  }
  const auto b = l.bottomLeftCorner(n - half, half);
  const auto c = l.bottomRightCorner(n - half, n - half);
  auto first = gram.topLeftCorner(half, half);
  gram_of_lower(l.topLeftCorner(half, half), first);
  gram_of_lower(c, gram.bottomRightCorner(n - half, n - half));
  first.selfadjointView<Eigen::Lower>().rankUpdate(b.transpose());
  gram.bottomLeftCorner(n - half, half).noalias() =
      c.triangularView<Eigen::Lower>().transpose() * b;
}

}  // namespace

void inverse_of_factor(const Eigen::MatrixXd& factor, Eigen::MatrixXd& inverse) {
  Eigen::MatrixXd lower = factor;
  invert_lower(lower);
  inverse.resize(factor.rows(), factor.cols());
  gram_of_lower(lower, inverse);
  inverse.triangularView<Eigen::StrictlyUpper>() = inverse.transpose();
}

}  // namespace surefield
