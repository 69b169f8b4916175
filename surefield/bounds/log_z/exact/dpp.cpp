#include "surefield/bounds/log_z/exact/dpp.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <utility>

#include "surefield/core/box_of_sets.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/symmetric.hpp"

namespace surefield {
namespace {

Eigen::LLT<Eigen::MatrixXd> cholesky(Eigen::MatrixXd matrix) {
  Eigen::LLT<Eigen::MatrixXd> factor(std::move(matrix));
  require(factor.info() == Eigen::Success, "dpp: the kernel is not positive definite");
  return factor;
}

}  // namespace

DppExact exact_dpp(const LogDet& model, const Box& box, double beta) {
  require(beta == 1, "dpp: the inverse temperature is ", beta,
          ", but the determinant formula holds for 1 only");
  require_inside_unit(box, model.size());
  DppExact result{.log_z = 0, .marginals = std::vector<double>(model.size(), 0)};
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
  Eigen::MatrixXd kernel = model.kernel(free, free);
  if (!in.empty()) {
    const auto given = cholesky(model.kernel(in, in));
    result.log_z += log_det_of_factor(given.matrixLLT());
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
  result.log_z += log_det_of_factor(whole.matrixLLT());
  for (Eigen::Index r = 0; r < n; ++r)
    result.marginals[static_cast<Index>(free[static_cast<std::size_t>(r)])] =
        std::min(half.col(r).squaredNorm(), 1.0);
  return result;
}

DppExact exact_dpp(const LogDet& model, double beta) {
  return exact_dpp(model, unit_box(model.size()), beta);
}

}  // namespace surefield
