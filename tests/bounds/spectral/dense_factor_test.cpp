#include "surefield/bounds/spectral/dense_factor.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

#include "surefield/core/random.hpp"

namespace surefield {
namespace {

// Around whole blocks, half ones, and where columns would meet in the cache.
constexpr Eigen::Index kSizes[] = {0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 70, 96, 131, 256};

Eigen::MatrixXd random_definite(Eigen::Index n, double least, Random& random) {
  Eigen::MatrixXd a(n, n);
  for (double& entry : a.reshaped()) entry = random.normal();
  return a * a.transpose() + least * Eigen::MatrixXd::Identity(n, n);
}

/// The formulas of the header, one number after the other.
struct Plain {
  Eigen::MatrixXd lower, inverse;

  explicit Plain(const Eigen::MatrixXd& a) {
    const Eigen::Index n = a.rows();
    lower.setZero(n, n), inverse.setZero(n, n);
    Eigen::MatrixXd turned = Eigen::MatrixXd::Identity(n, n);
    for (Eigen::Index j = 0; j < n; ++j)
      for (Eigen::Index i = j; i < n; ++i) {
        double sum = a(i, j);
        for (Eigen::Index k = 0; k < j; ++k) sum -= lower(i, k) * lower(j, k);
        lower(i, j) = i == j ? std::sqrt(sum) : sum * (1 / lower(j, j));
      }
    for (Eigen::Index j = 0; j < n; ++j)
      for (Eigen::Index i = 0; i <= j; ++i) {
        for (Eigen::Index k = i; k < j; ++k) turned(i, j) -= turned(i, k) * lower(j, k);
        turned(i, j) *= 1 / lower(j, j);
      }
    for (Eigen::Index j = 0; j < n; ++j)
      for (Eigen::Index i = j; i < n; ++i) {
        for (Eigen::Index k = i; k < n; ++k) inverse(i, j) += turned(i, k) * turned(j, k);
        inverse(j, i) = inverse(i, j);
      }
  }
};

TEST(DenseFactor, HasTheBitsOfThePlainFormulasAtEveryWidth) {
  for (const Eigen::Index n : kSizes) {
    SCOPED_TRACE(n);
    Random random(static_cast<std::uint64_t>(n) + 1);
    Eigen::MatrixXd a = random_definite(n, 1, random);
    const Plain plain(a);
    a.triangularView<Eigen::StrictlyUpper>().setConstant(
        std::numeric_limits<double>::quiet_NaN());  // not looked at
    DenseFactor factor;
    ASSERT_TRUE(factor.compute(a));
    for (Eigen::Index i = 0; i < n; ++i) EXPECT_EQ(factor.pivot(i), plain.lower(i, i));
    Eigen::MatrixXd inverse;
    factor.inverse(inverse);
    ASSERT_EQ(inverse.rows(), n);
    EXPECT_EQ(inverse, plain.inverse);
  }
}

TEST(DenseFactor, SolvesAndInverts) {
  for (const Eigen::Index n : kSizes) {
    if (n == 0) continue;
    SCOPED_TRACE(n);
    Random random(static_cast<std::uint64_t>(n) + 2);
    const Eigen::MatrixXd a = random_definite(n, 1, random);
    Eigen::VectorXd b(n);
    for (double& entry : b) entry = random.normal();
    DenseFactor factor;
    ASSERT_TRUE(factor.compute(a));
    Eigen::MatrixXd inverse;
    factor.inverse(inverse);
    EXPECT_LT((a * inverse - Eigen::MatrixXd::Identity(n, n)).cwiseAbs().maxCoeff(), 1e-10);
    EXPECT_EQ(inverse, inverse.transpose());
    EXPECT_LT((a * factor.solve(b) - b).cwiseAbs().maxCoeff(), 1e-10);
    const Eigen::VectorXd up = Eigen::LLT<Eigen::MatrixXd>(a).matrixU().solve(b);
    EXPECT_LT((factor.solve_upper(b) - up).cwiseAbs().maxCoeff(), 1e-10);
  }
}

TEST(DenseFactor, SizesMayChangeFromOneMatrixToTheNext) {
  DenseFactor factor;
  Random random(3);
  for (const Eigen::Index n : {40, 3, 64, 0, 33}) {
    const Eigen::MatrixXd a = random_definite(n, 1, random);
    ASSERT_TRUE(factor.compute(a));
    Eigen::MatrixXd inverse;
    factor.inverse(inverse);
    EXPECT_EQ(inverse, Plain(a).inverse);
  }
}

TEST(DenseFactor, RefusesWhatIsNotPositiveDefinite) {
  for (const Eigen::Index n : {1, 5, 8, 20, 70}) {
    Random random(static_cast<std::uint64_t>(n) + 4);
    const Eigen::MatrixXd good = random_definite(n, 1, random);
    for (Eigen::Index at = 0; at < n; ++at) {
      SCOPED_TRACE(at);
      DenseFactor factor;
      // The pivot here becomes negative, those before it stay.
      ASSERT_TRUE(factor.compute(good));
      const double square = factor.pivot(at) * factor.pivot(at);
      Eigen::MatrixXd bad = good;
      bad(at, at) -= 1.001 * square;
      EXPECT_FALSE(factor.compute(bad));
      bad(at, at) = good(at, at) - 0.999 * square;
      EXPECT_EQ(factor.compute(bad), Eigen::LLT<Eigen::MatrixXd>(bad).info() == Eigen::Success);
      for (const double wrong : {std::numeric_limits<double>::quiet_NaN(),
                                 std::numeric_limits<double>::infinity(), 0.0}) {
        bad = good;
        bad(at, at) = wrong;
        EXPECT_FALSE(factor.compute(bad));
      }
    }
  }
}

}  // namespace
}  // namespace surefield
