#include "surefield/bounds/log_z/exact/dpp.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <utility>

#include "surefield/bounds/log_z/exact/log_determinant.hpp"
#include "surefield/core/box_of_sets.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/rounding.hpp"

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
  Eigen::MatrixXd all = model.kernel(kept, kept);
  bool added = true;  // exactly, else the sum is of another matrix
  for (auto r = static_cast<Eigen::Index>(in.size()); r < all.rows(); ++r) {
    const double diagonal = all(r, r);
    all(r, r) = diagonal + 1;
    added &= all(r, r) - 1 == diagonal;
  }
  const LogDeterminant found = log_determinant(all);
  result.log_z = found.value;
  // One rounding of the diagonal moves log det by no more than its share of det(I + L)'s derivative,
  // P(i out of S) <= 1, times the rounding.
  result.error = found.error + (added ? 0 : kUnitRoundoff * all.diagonal().sum());
  require(std::isfinite(result.error),
          "dpp: the kernel may be singular to working precision, so that nothing can be said of its "
          "determinant");
  Eigen::MatrixXd kernel = model.kernel(free, free);
  if (!in.empty()) {
    const auto given = cholesky(model.kernel(in, in));
    if (free.empty()) return result;
    const Eigen::MatrixXd explained = given.matrixL().solve(model.kernel(in, free));
    kernel.noalias() -= explained.transpose() * explained;
  }
  if (free.empty()) return result;
  // L = C C' gives det(I + L) = det(I + C'C) and L (I + L)^-1 = C (I + C'C)^-1 C': sums of squares,
  // so that a tiny marginal keeps its digits, which 1 - (I + L)^-1 would lose.
  const Eigen::MatrixXd c = cholesky(std::move(kernel)).matrixL();
  const auto n = c.rows();
  const auto whole = cholesky(Eigen::MatrixXd::Identity(n, n) + c.transpose() * c);
  const Eigen::MatrixXd half = whole.matrixL().solve(c.transpose());
  for (Eigen::Index r = 0; r < n; ++r)
    result.marginals[static_cast<Index>(free[static_cast<std::size_t>(r)])] =
        std::min(half.col(r).squaredNorm(), 1.0);
  return result;
}

ExactLogZ exact_dpp(const LogDet& model, double beta) {
  return exact_dpp(model, unit_box(model.size()), beta);
}

}  // namespace surefield
