#include "surefield/objectives/softmax_dpp.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"
#include "tests/support/objective_laws.hpp"
#include "tests/support/random_kernel.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

static_assert(Line<SoftmaxLine>);
static_assert(Objective<SoftmaxDpp::State>);

// log E det L_S by enumeration of the subsets.
double by_definition(const SoftmaxDpp& model, std::span<const double> x) {
  const Index n = model.size();
  std::vector<double> determinants(std::size_t{1} << n);
  for (std::size_t code = 0; code < determinants.size(); ++code) {
    std::vector<Eigen::Index> members;
    for (Index i = 0; i < n; ++i)
      if (code >> i & 1) members.push_back(static_cast<Eigen::Index>(i));
    determinants[code] = members.empty() ? 1 : model.kernel(members, members).eval().determinant();
  }
  return std::log(reference::multilinear(determinants, x));
}

TEST(SoftmaxDpp, ObeysTheLaws) {
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    const Index n = seed % 7;
    const auto model = make_softmax_dpp(testing::random_kernel(n, seed, 0.3, seed % 2 ? 0.5 : 1.5));
    Box box = unit_box(n);
    if (seed % 4 == 0 && n > 0) box.low[0] = 0.2, box.high[0] = 0.7;
    testing::check_objective_laws([&](auto x) { return model.at(x); },
                                  [&](auto x) { return by_definition(model, x); }, box, seed,
                                  {.tolerance = 1e-9});
  }
}

TEST(SoftmaxDpp, ObeysTheLawsWithASingularKernelBelowOne) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Random random(seed);
    const auto model = make_softmax_dpp(testing::random_gram(5, 2, random));
    Box box = unit_box(5);
    for (double& high : box.high) high = 0.9;
    testing::check_objective_laws([&](auto x) { return model.at(x); },
                                  [&](auto x) { return by_definition(model, x); }, box, seed,
                                  {.tolerance = 1e-9});
  }
}

TEST(SoftmaxDpp, OneElementByHand) {
  const auto model = make_softmax_dpp(Eigen::MatrixXd{{3.0}});
  auto state = model.at(std::vector{0.5});
  EXPECT_DOUBLE_EQ(state.value(), std::log(2));  // 0.5 * (3 - 1) + 1
  const auto line = state.line(0);               // G = 2 / 2
  EXPECT_DOUBLE_EQ(line.slope(0.5), 1);
  EXPECT_DOUBLE_EQ(line.slope(1), 2.0 / 3);  // 2 / 3
  EXPECT_DOUBLE_EQ(line.rise(0.5, 1), std::log(1.5));
  EXPECT_EQ(line.argmax({0.1, 0.8}), 0.8);
  state.set(0, 1);
  EXPECT_DOUBLE_EQ(state.value(), std::log(3));
}

TEST(SoftmaxDpp, EvaluatesLikeItsDefinition) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Random random(seed);
    const auto model = make_softmax_dpp(testing::random_kernel(6, seed));
    std::vector<double> x(6);
    for (double& v : x) v = random.uniform();
    EXPECT_NEAR(model.evaluate(x), by_definition(model, x), 1e-10);
  }
}

TEST(SoftmaxDpp, ManyMovesDoNotDrift) {
  Random random(3);
  const auto model = make_softmax_dpp(testing::random_kernel(12, 3, 0.01, 2));
  std::vector<double> x(12, 0.5);
  auto state = model.at(x);
  for (int move = 0; move < 500; ++move) {
    const Index i = random.below(12);
    state.set(i, x[i] = random.chance(0.3) ? random.below(2) : random.uniform());
    ASSERT_NEAR(state.value(), model.evaluate(x), 1e-9) << "at move " << move;
  }
}

TEST(SoftmaxDpp, ScaleAloneIsNotSingular) {
  const auto model = make_softmax_dpp(Eigen::MatrixXd{{1e20, 0.0}, {0.0, 1.0}});
  EXPECT_DOUBLE_EQ(model.at(std::vector{1.0, 1.0}).value(), std::log(1e20));
}

TEST(SoftmaxDpp, RefusesSingularPointsAndStaysWhereItWas) {
  const auto model =
      make_softmax_dpp(Eigen::MatrixXd{{1.0, 1.0}, {1.0, 1.0}});  // two copies of one row
  const std::string reason =
      "softmax dpp: the point is singular: the rows of the kernel of the elements at 1 are "
      "linearly "
      "dependent; keep one of them below 1";
  EXPECT_EQ(testing::refusal([&] { model.at(std::vector{1.0, 1.0}); }), reason);
  EXPECT_EQ(model.evaluate(std::vector{1.0, 1.0}), -kInfinity);
  auto state = model.at(std::vector{1.0, 0.5});
  EXPECT_DOUBLE_EQ(state.value(), std::log(0.5));  // det {{1, 1}, {0.5, 1}}
  EXPECT_EQ(testing::refusal([&] { state.set(1, 1); }), reason);
  EXPECT_EQ(state.coordinate(1), 0.5);
  EXPECT_DOUBLE_EQ(state.value(), std::log(0.5));
  const auto line = state.line(1);  // 1 - u = 0.5 (1 + (u - 0.5) * -2)
  EXPECT_EQ(line.argmax({0, 1}), 0);
  EXPECT_EQ(line.slope(1), -kInfinity);
  EXPECT_EQ(line.rise(0, 1), -kInfinity);
  EXPECT_EQ(line.rise(1, 0), kInfinity);
  EXPECT_EQ(line.rise(1, 1), 0);
  state.set(1, 0.25);
  EXPECT_DOUBLE_EQ(state.value(), std::log(0.75));
}

TEST(SoftmaxDpp, RefusesWhatIsNoKernel) {
  const auto refusal = [](const Eigen::MatrixXd& kernel) {
    return testing::refusal([&] { make_softmax_dpp(kernel); });
  };
  EXPECT_EQ(refusal(Eigen::MatrixXd(2, 3)),
            "softmax dpp: the kernel has 2 rows and 3 columns, but must be square");
  EXPECT_EQ(refusal(Eigen::MatrixXd{{1.0, 0.5}, {0.25, 1.0}}),
            "softmax dpp: the kernel has entries 0-1 = 0.5 and 1-0 = 0.25, which must be equal");
  EXPECT_EQ(refusal(Eigen::MatrixXd{{-2.0}}),
            "softmax dpp: the kernel is not positive semidefinite: its smallest eigenvalue is -2");
  EXPECT_EQ(refusal(Eigen::MatrixXd{{0.0}}), "(nothing was refused)");
}

// Two multiples of one vector: rounding may leave a pivot just above 0, which is none.
TEST(SoftmaxDpp, APivotThatIsAllRoundingIsSingular) {
  Random random(1);
  const std::vector<double> all(2, 1.0);
  for (int draw = 0; draw < 200; ++draw) {
    Eigen::Vector2d v;
    for (double& entry : v) entry = random.uniform(0.1, 1);
    const SoftmaxDpp model{.kernel = v * v.transpose()};
    EXPECT_EQ(model.evaluate(all), -kInfinity) << draw;
  }
}

}  // namespace
}  // namespace surefield
