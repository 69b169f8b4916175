#include "surefield/objectives/quadratic.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/objective_laws.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

static_assert(Line<QuadraticLine>);
static_assert(Objective<QuadraticProgram::State>);

// Entries in [-scale, 0], some 0 on and off the diagonal.
QuadraticProgram random_quadratic(Index n, double scale, Random& random) {
  const auto rows = static_cast<Eigen::Index>(n);
  Eigen::MatrixXd hessian = Eigen::MatrixXd::Zero(rows, rows);
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index j = 0; j <= i; ++j)
      if (random.chance(0.6)) hessian(i, j) = hessian(j, i) = -scale * random.uniform();
  std::vector<double> linear(n);
  for (double& h : linear) h = random.chance(0.2) ? 0 : scale * random.uniform(-2, 3);
  return make_quadratic(hessian, linear, random.uniform(-1, 1));
}

// 1/2 x' H x + h' x + c with plain loops over a dense matrix.
double by_definition(const QuadraticProgram& program, std::span<const double> x) {
  const Eigen::MatrixXd hessian(program.hessian);
  double sum = program.constant;
  for (Index i = 0; i < x.size(); ++i) {
    sum += program.linear[i] * x[i];
    for (Index j = 0; j < x.size(); ++j)
      sum +=
          0.5 * x[i] * x[j] * hessian(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
  }
  return sum;
}

TEST(Quadratic, ObeysTheLawsOnAnyBox) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    const Index n = seed % 8;
    const double scale = seed % 3 == 0 ? 1e6 : seed % 3 == 1 ? 1 : 1e-3;
    const auto program = random_quadratic(n, scale, random);
    Box box = unit_box(n);
    for (Index i = 0; i < n; ++i) {
      box.low[i] = random.uniform(-5, 5);
      box.high[i] = box.low[i] + (random.chance(0.2) ? 0 : random.uniform(0, 4));
    }
    testing::check_objective_laws([&](auto x) { return program.at(x); },
                                  [&](auto x) { return by_definition(program, x); }, box, seed);
  }
}

TEST(Quadratic, TwoVariablesByHand) {
  const auto program = make_quadratic(Eigen::MatrixXd{{-2.0, -1.0}, {-1.0, 0.0}}, {3.0, 1.0}, 0.5);
  auto state = program.at(std::vector{1.0, -2.0});
  EXPECT_DOUBLE_EQ(state.value(), 2.5);  // 1/2 (-2 + 2 * 2) + 3 - 2 + 0.5
  const auto line = state.line(0);       // field: -2 + 2 + 3 = 3, curvature -2
  EXPECT_DOUBLE_EQ(line.slope(1), 3);
  EXPECT_DOUBLE_EQ(line.slope(2), 1);
  EXPECT_DOUBLE_EQ(line.rise(1, 2), 2);  // width 1 times the slope at 1.5, which is 2
  EXPECT_DOUBLE_EQ(line.argmax({0, 9}), 2.5);
  EXPECT_DOUBLE_EQ(line.argmax({0, 2}), 2);
  EXPECT_DOUBLE_EQ(state.line(1).argmax({-4, 4}), -2);  // slope -1 * 1 + 1 = 0, flat: stay
  state.set(0, 0.5);
  EXPECT_DOUBLE_EQ(state.line(1).slope(7), 0.5);
  EXPECT_DOUBLE_EQ(state.line(1).argmax({-4, 4}), 4);
}

TEST(Quadratic, RiseDoesNotCancel) {
  const QuadraticLine line(0, 1e8, -1);               // value 1e8 u - u^2 / 2
  EXPECT_EQ(line.rise(1e8 - 0x1p-10, 1e8), 0x1p-21);  // two values of 5e15 would differ by 0 or 1
  EXPECT_EQ(line.rise(0.3, 0.3), 0);
}

TEST(Quadratic, DoesNotDriftOverManyMoves) {
  Random random(1);
  const auto program = random_quadratic(20, 1, random);
  std::vector<double> x(20, 0.5);
  auto state = program.at(x);
  // Far out the field is known to 1e-4 only; two small sweeps later nothing of that must be left.
  for (int move = 0; move < 2000; ++move) {
    const Index i = random.below(20);
    state.set(i, x[i] = random.uniform(-1e12, 1e12));
  }
  for (Index move = 0; move < 40; ++move) state.set(move % 20, x[move % 20] = random.uniform());
  const auto fresh = program.at(x);
  for (Index i = 0; i < 20; ++i)
    EXPECT_NEAR(state.line(i).slope(x[i]), fresh.line(i).slope(x[i]), 1e-13);
}

TEST(Quadratic, SparseAndDenseAreTheSame) {
  QuadraticProgram::Matrix sparse(2, 2);
  sparse.insert(0, 1) = -1;
  sparse.insert(1, 0) = -1;
  const auto program = make_quadratic(sparse, {1.0, 1.0});
  EXPECT_DOUBLE_EQ(program.at(std::vector{1.0, 2.0}).value(), 1);  // -2 + 3
}

TEST(Quadratic, RefusesWhatIsNotDrSubmodular) {
  const auto refusal = [](const Eigen::MatrixXd& hessian, std::vector<double> linear,
                          double constant = 0) {
    return testing::refusal([&] { make_quadratic(hessian, linear, constant); });
  };
  EXPECT_EQ(refusal(Eigen::MatrixXd{{0.0, 0.5}, {0.5, 0.0}}, {0, 0}),
            "quadratic: entry 0-1 of the matrix is 0.5, which must be finite and <= 0");
  EXPECT_EQ(refusal(Eigen::MatrixXd{{0.0, 0.0}, {0.0, 1e-300}}, {0, 0}),
            "quadratic: entry 1-1 of the matrix is 1e-300, which must be finite and <= 0");
  EXPECT_EQ(refusal(Eigen::MatrixXd{{0.0, -1.0}, {-2.0, 0.0}}, {0, 0}),
            "quadratic: the matrix has entries 0-1 = -1 and 1-0 = -2, which must be equal");
  EXPECT_EQ(refusal(Eigen::MatrixXd{{NAN}}, {0}),
            "quadratic: the matrix has entry 0-0 = nan, which must be finite");
  EXPECT_EQ(refusal(Eigen::MatrixXd{{-1.0}}, {0, 0}),
            "quadratic: the matrix has 1 rows and 1 columns, but there are 2 variables");
  EXPECT_EQ(refusal(Eigen::MatrixXd(1, 2), {0}),
            "quadratic: the matrix has 1 rows and 2 columns, but must be square");
  EXPECT_EQ(refusal(Eigen::MatrixXd{{-1.0}}, {INFINITY}),
            "quadratic: variable 0 has the linear term inf, which must be finite");
  EXPECT_EQ(refusal(Eigen::MatrixXd{{-1.0}}, {0}, NAN),
            "quadratic: the constant is nan, which must be finite");
  QuadraticProgram::Matrix one_sided(2, 2);
  one_sided.insert(1, 0) = -1;
  EXPECT_EQ(testing::refusal([&] {
              make_quadratic(one_sided, {0, 0});
            }),
            "quadratic: entries 1-0 and 0-1 of the matrix are -1 and 0, which must be equal");
}

}  // namespace
}  // namespace surefield
