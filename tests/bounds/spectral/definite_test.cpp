#include "surefield/bounds/spectral/definite.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "surefield/core/random.hpp"

namespace surefield {
namespace {

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

Eigen::SparseMatrix<double> random_couplings(Eigen::Index n, double density, double scale,
                                             Random& random) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = i + 1; j < n; ++j)
      if (random.chance(density)) {
        const double w = scale * random.normal();
        entries.emplace_back(i, j, w), entries.emplace_back(j, i, w);
      }
  Eigen::SparseMatrix<double> couplings(n, n);
  couplings.setFromTriplets(entries.begin(), entries.end());
  return couplings;
}

double least_of(const Eigen::SparseMatrix<double>& couplings, const Eigen::VectorXd& d) {
  LongMatrix matrix = (-couplings.toDense()).cast<long double>();
  matrix.diagonal() = d.cast<long double>();
  return static_cast<double>(
      Eigen::SelfAdjointEigenSolver<LongMatrix>(matrix, Eigen::EigenvaluesOnly).eigenvalues()[0]);
}

TEST(Definite, TheShiftCoversWhatIsNegative) {
  int proved = 0, refused = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const bool large = seed % 40 == 0;  // sparse
    const auto n = static_cast<Eigen::Index>(large ? 160 + random.below(40) : 1 + random.below(12));
    const double scale = std::pow(10, random.uniform(-8, 8));
    const auto couplings = random_couplings(n, large ? 0.02 : 0.6, scale, random);
    Eigen::VectorXd d = Eigen::VectorXd::Constant(n, scale);
    // To within rounding of singular, on either side.
    d.array() += -least_of(couplings, d) +
                 scale * std::pow(10, random.uniform(-18, -13)) * (random.chance(0.5) ? 1 : -1);
    const auto shift = definite_shift(couplings, d);
    shift ? ++proved : ++refused;
    if (shift) {
      EXPECT_GE(least_of(couplings, d), -*shift * (1 + 1e-3));
      EXPECT_LE(*shift, 1e-11 * d.sum());
    }
  }
  EXPECT_GT(proved, 50);
  EXPECT_GT(refused, 50);
}

TEST(Definite, RefusesWhatIsIndefinite) {
  Eigen::SparseMatrix<double> couplings(2, 2);
  couplings.insert(0, 1) = 3, couplings.insert(1, 0) = 3;
  EXPECT_FALSE(definite_shift(couplings, Eigen::Vector2d(1, 1)).has_value());  // det = 1 - 9
  EXPECT_TRUE(definite_shift(couplings, Eigen::Vector2d(4, 4)).has_value());   // det = 16 - 9
  EXPECT_FALSE(definite_shift(couplings, Eigen::Vector2d(4, NAN)).has_value());
  EXPECT_FALSE(definite_shift(couplings, Eigen::Vector2d(-4, -4)).has_value());
  EXPECT_EQ(definite_shift(Eigen::SparseMatrix<double>(0, 0), Eigen::VectorXd(0)), 0.0);
}

}  // namespace
}  // namespace surefield
