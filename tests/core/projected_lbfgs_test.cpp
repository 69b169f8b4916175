#include "surefield/core/projected_lbfgs.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"

namespace surefield {
namespace {

using Vector = std::vector<double>;

TEST(ProjectedLbfgs, TwoVariablesByHand) {
  // (x - 1)^2 + (y + 2)^2 + x y with x <= 0: at x = 0 the gradient is -2 + y < 0, so x stays; y = -2.
  const SmoothFunction f = [](std::span<const double> x, std::span<double> g) {
    g[0] = 2 * (x[0] - 1) + x[1];
    g[1] = 2 * (x[1] + 2) + x[0];
    return (x[0] - 1) * (x[0] - 1) + (x[1] + 2) * (x[1] + 2) + x[0] * x[1];
  };
  const auto found = minimise_below({5, 5}, Vector{0, kInfinity}, f);
  EXPECT_EQ(found.status, Status::kConverged);
  EXPECT_EQ(found.point[0], 0);
  EXPECT_NEAR(found.point[1], -2, 1e-7);
  EXPECT_NEAR(found.value, 1, 1e-12);
}

TEST(ProjectedLbfgs, FindsTheMinimumOfConvexQuadraticsUnderBounds) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    const std::size_t n = 6;
    std::vector<Vector> a(n, Vector(n, 0.0));
    Vector b(n);
    for (std::size_t k = 0; k < n; ++k) {
      Vector v(n);
      for (double& part : v) part = random.uniform(-1, 1);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) a[i][j] += v[i] * v[j];
      a[k][k] += 0.05;
      b[k] = random.uniform(-2, 2);
    }
    const SmoothFunction f = [&](std::span<const double> x, std::span<double> g) {
      double value = 0;
      for (std::size_t i = 0; i < n; ++i) {
        double row = 0;
        for (std::size_t j = 0; j < n; ++j) row += a[i][j] * x[j];
        g[i] = row - b[i];
        value += x[i] * (row / 2 - b[i]);
      }
      return value;
    };
    const auto found =
        minimise_below(Vector(n, 1.0), Vector(n, 0.0), f, {.iterations = 1000, .progress = 0});
    // The conditions of Karush, Kuhn and Tucker, enough for a convex function.
    Vector g(n);
    f(found.point, g);
    for (std::size_t k = 0; k < n; ++k) {
      EXPECT_LE(found.point[k], 0);
      if (found.point[k] < 0)
        EXPECT_NEAR(g[k], 0, 1e-6) << seed;
      else
        EXPECT_LE(g[k], 1e-6) << seed;
    }
  }
}

TEST(ProjectedLbfgs, EndsByItsBudgetAndRefusesABadStart) {
  const SmoothFunction f = [](std::span<const double> x, std::span<double> g) {
    g[0] = std::exp(x[0]);
    return g[0];
  };
  const auto stopped =
      minimise_below({0}, Vector{1}, f, {.budget = Budget().asking([] { return false; })});
  EXPECT_EQ(stopped.status, Status::kInterrupted);
  EXPECT_EQ(stopped.value, 1);
  EXPECT_THROW(minimise_below({0}, Vector{}, f), Error);
  const SmoothFunction nowhere = [](std::span<const double>, std::span<double> g) {
    g[0] = 0;
    return std::nan("");
  };
  EXPECT_THROW(minimise_below({0}, Vector{1}, nowhere), Error);
}

}  // namespace
}  // namespace surefield
