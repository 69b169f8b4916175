#include "surefield/core/symmetric.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

TEST(Symmetric, AveragesWhatDiffersByRounding) {
  const Eigen::MatrixXd matrix = require_symmetric("a", Eigen::MatrixXd{{4.0, 1e-13}, {0.0, 1.0}});
  EXPECT_EQ(matrix(0, 1), 5e-14);
  EXPECT_EQ(matrix(1, 0), 5e-14);
  EXPECT_EQ(matrix(0, 0), 4);
  EXPECT_EQ(require_symmetric("a", Eigen::MatrixXd(0, 0)).size(), 0);
}

TEST(Symmetric, NamesWhatIsWrong) {
  const auto refusal = [](const Eigen::MatrixXd& matrix) {
    return testing::refusal([&] { require_symmetric("a b: the matrix", matrix); });
  };
  EXPECT_EQ(refusal(Eigen::MatrixXd(1, 2)),
            "a b: the matrix has 1 rows and 2 columns, but must be square");
  EXPECT_EQ(refusal(Eigen::MatrixXd{{0.0, 1.0}, {INFINITY, 0.0}}),
            "a b: the matrix has entry 1-0 = inf, which must be finite");
  EXPECT_EQ(refusal(Eigen::MatrixXd{{0.0, 1.0}, {-1.0, 0.0}}),
            "a b: the matrix has entries 0-1 = 1 and 1-0 = -1, which must be equal");
}

TEST(Symmetric, LogDeterminantOfAFactor) {
  EXPECT_DOUBLE_EQ(log_det_of_factor(Eigen::MatrixXd{{2.0, 9.0}, {1.0, 3.0}}), std::log(36));
  EXPECT_EQ(log_det_of_factor(Eigen::MatrixXd(0, 0)), 0);
}

}  // namespace
}  // namespace surefield
