#include "surefield/bounds/log_z/exact/dpp.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <utility>

#include "surefield/bounds/log_z/exact/log_determinant.hpp"
#include "surefield/core/box_of_sets.hpp"
#include "surefield/core/error.hpp"

namespace surefield {
namespace {

Eigen::LLT<Eigen::MatrixXd> cholesky(Eigen::MatrixXd matrix) {
  Eigen::LLT<Eigen::MatrixXd> factor(std::move(matrix));
  require(factor.info() == Eigen::Success, "dpp: the kernel is not positive definite");
  return factor;
}

}  // namespace

ExactLogZ exact_dpp(const LogDet& model, const Box& box, double beta) {
  require(beta == 1, "dpp: the inverse temperature is ", beta,
          ", but the determinant formula holds for 1 only");
  require_inside_unit(box, model.size());
  ExactLogZ result{.log_z = 0, .error = 0, .marginals = std::vector<double>(model.size(), 0)};
  std::vector<Eigen::Index> in;
  std::vector<Eigen::Index> free;
  for (Index i = 0; i < model.size(); ++i) {
    const Interval interval = box[i];
    require(is_of_sets(interval), "dpp: coordinate ", i, " has the interval [", interval.low, ", ",
            interval.high, "], which must be [0, 1], [0, 0] or [1, 1]");
    if (interval.low == 1) {
      in.push_back(static_cast<Eigen::Index>(i));
      result.marginals[i] = 1;
    } else if (interval.high == 1) {
      free.push_back(static_cast<Eigen::Index>(i));
    }
  }
  // The subsets that hold A sum up to det(L + I on the rest): no quotient, nothing cancels.
  std::vector<Eigen::Index> kept = in;
  kept.insert(kept.end(), free.begin(), free.end());
  const Eigen::MatrixXd all = model.kernel(kept, kept);
  Eigen::VectorXd identity = Eigen::VectorXd::Ones(all.rows());
  identity.head(static_cast<Eigen::Index>(in.size())).setZero();
  const LogDeterminant found = log_determinant(all, identity);
  result.log_z = found.value;
  result.error = found.error;
  require(
      std::isfinite(result.error),
      "dpp: the kernel may be singular to working precision, so that nothing can be said of its "
      "determinant");
  if (free.empty()) return result;
  // P(i out of S) is (M^-1)_ii of that matrix, as well known as its determinant.
  const std::vector<double> proved = one_less_inverse(all, identity);
  Eigen::MatrixXd kernel = model.kernel(free, free);
  if (!in.empty()) {
    const auto given = cholesky(model.kernel(in, in));
    const Eigen::MatrixXd explained = given.matrixL().solve(model.kernel(in, free));
    kernel.noalias() -= explained.transpose() * explained;
  }
  // L = C C' gives L (I + L)^-1 = C (I + C'C)^-1 C': sums of squares, so that a tiny marginal keeps
  // its digits, which 1 - (I + L)^-1 would lose.
  const Eigen::MatrixXd c = cholesky(std::move(kernel)).matrixL();
  const auto n = c.rows();
  const auto whole = cholesky(Eigen::MatrixXd::Identity(n, n) + c.transpose() * c);
  const Eigen::MatrixXd half = whole.matrixL().solve(c.transpose());
  const double off = std::expm1(2 * result.error);
  for (std::size_t r = 0; r < free.size(); ++r) {
    const double squares = half.col(static_cast<Eigen::Index>(r)).squaredNorm();
    const double known = proved[in.size() + r];
    // An ill-conditioned kernel leaves the squares few digits.
    const bool agree = std::abs(squares - known) <= off / 2;
    result.marginals[static_cast<Index>(free[r])] = std::clamp(agree ? squares : known, 0.0, 1.0);
  }
  return result;
}

ExactLogZ exact_dpp(const LogDet& model, double beta) {
  return exact_dpp(model, unit_box(model.size()), beta);
}

}  // namespace surefield
