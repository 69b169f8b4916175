#include "surefield/core/projected_lbfgs.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
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
    const std::size_t n = seed % 2 == 0 ? 6 : 21;  // fewer than run side by side, and more
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

/// Asks where the header says: the two loops with every product taken anew, over the variables that are free now.
TEST(ProjectedLbfgs, AsksWhereThePlainFormulasSay) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto n = static_cast<Eigen::Index>(seed % 2 == 0 ? 5 : 29);
    Eigen::MatrixXd a(n, n);
    Eigen::VectorXd b(n);
    for (double& part : a.reshaped()) part = random.normal();
    for (double& part : b) part = random.uniform(-2, 2);
    a = (a * a.transpose() / static_cast<double>(n) + 0.3 * Eigen::MatrixXd::Identity(n, n)).eval();
    std::vector<Eigen::VectorXd> asked;
    const SmoothFunction f = [&](std::span<const double> x, std::span<double> g) {
      asked.push_back(Eigen::Map<const Eigen::VectorXd>(x.data(), n));
      const Eigen::VectorXd rise = a * asked.back();
      std::ranges::copy(rise - b, g.begin());
      return asked.back().dot(rise / 2 - b);
    };
    const std::size_t memory = 4;
    minimise_below(Vector(static_cast<std::size_t>(n), -0.1),
                   Vector(static_cast<std::size_t>(n), 0), f,
                   {.iterations = 12, .memory = memory, .progress = 0});
    std::vector<Eigen::VectorXd> moves, changes;
    Eigen::VectorXd x = asked[0];
    int frees = 0;
    Eigen::VectorXd before;
    for (std::size_t k = 1; k < asked.size(); ++k) {
      const Eigen::VectorXd g = a * x - b;
      const Eigen::VectorXd free =
          (x.array() < 0 || g.array() > 0).select(Eigen::VectorXd::Ones(n), 0.0);
      if (k > 1 && free != before) ++frees;
      before = free;
      const auto dot = [&](const Eigen::VectorXd& u, const Eigen::VectorXd& v) {
        return (u.array() * v.array() * free.array()).sum();
      };
      Eigen::VectorXd d = -g.cwiseProduct(free);
      std::vector<double> along(moves.size());
      double scale = 0;
      for (std::size_t s = moves.size(); s-- > 0;) {
        const double curvature = dot(moves[s], changes[s]), length = dot(changes[s], changes[s]);
        if (!(curvature > 1e-12 * length) || length == 0) continue;
        if (scale == 0) scale = curvature / length;
        along[s] = dot(moves[s], d) / curvature;
        d -= along[s] * changes[s].cwiseProduct(free);
      }
      d *= scale > 0 ? scale : 1 / std::max(1.0, d.norm());
      for (std::size_t s = 0; s < moves.size(); ++s) {
        const double curvature = dot(moves[s], changes[s]), length = dot(changes[s], changes[s]);
        if (!(curvature > 1e-12 * length) || length == 0) continue;
        d += (along[s] - dot(changes[s], d) / curvature) * moves[s].cwiseProduct(free);
      }
      // t is halved until the value falls enough.
      const double value = x.dot(a * x / 2 - b);
      double t = 1;
      for (;; ++k, t /= 2) {
        ASSERT_LT(k, asked.size());
        const Eigen::VectorXd next = (x + t * d).cwiseMin(0);
        ASSERT_LT((next - asked[k]).cwiseAbs().maxCoeff(), 1e-7);
        if (asked[k].dot(a * asked[k] / 2 - b) <= value - 1e-4 * g.dot(x - asked[k])) break;
      }
      moves.push_back(asked[k] - x), changes.push_back(a * (asked[k] - x));
      if (moves.size() > memory) moves.erase(moves.begin()), changes.erase(changes.begin());
      x = asked[k];
    }
    EXPECT_GE(frees, 1);
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
