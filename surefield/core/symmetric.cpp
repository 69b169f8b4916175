#include "surefield/core/symmetric.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {

Eigen::MatrixXd require_symmetric(std::string_view what, Eigen::MatrixXd matrix) {
  const Eigen::Index n = matrix.rows();
  require(matrix.cols() == n, what, " has ", n, " rows and ", matrix.cols(),
          " columns, but must be square");
  double largest = 0;
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) {
      require(std::isfinite(matrix(i, j)), what, " has entry ", i, "-", j, " = ", matrix(i, j),
              ", which must be finite");
      largest = std::max(largest, std::abs(matrix(i, j)));
    }
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = i + 1; j < n; ++j) {
      const double upper = matrix(i, j);
      const double lower = matrix(j, i);
      require(std::abs(upper - lower) <= 1e-12 * largest, what, " has entries ", i, "-", j, " = ",
              upper, " and ", j, "-", i, " = ", lower, ", which must be equal");
      matrix(i, j) = matrix(j, i) = lower + (upper - lower) / 2;
    }
  return matrix;
}

double log_det_of_factor(const Eigen::MatrixXd& factor) {
  CompensatedSum sum;
  for (Eigen::Index r = 0; r < factor.rows(); ++r) sum.add(2 * std::log(factor(r, r)));
  return sum.value();
}

}  // namespace surefield
