#include "surefield/core/lbfgs.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/core/numeric.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

TEST(Lbfgs, FindsTheMinimumOfAQuadratic) {
  const SmoothFunction f = [](std::span<const double> x, std::span<double> gradient) {
    double value = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double scale = std::pow(10, static_cast<double>(i % 4));
      const double step = x[i] - static_cast<double>(i);
      value += scale * step * step;
      gradient[i] = 2 * scale * step;
    }
    return value;
  };
  const auto found = minimise(std::vector<double>(20, 5), f, {.progress = 0});
  EXPECT_EQ(found.status, Status::kConverged);
  EXPECT_NEAR(found.value, 0, 1e-12);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_NEAR(found.point[i], static_cast<double>(i), 1e-6);
}

TEST(Lbfgs, FollowsTheValleyOfRosenbrock) {
  const SmoothFunction f = [](std::span<const double> x, std::span<double> gradient) {
    const double a = 1 - x[0];
    const double b = x[1] - x[0] * x[0];
    gradient[0] = -2 * a - 400 * x[0] * b;
    gradient[1] = 200 * b;
    return a * a + 100 * b * b;
  };
  const auto found = minimise({-1.2, 1}, f, {.progress = 0});
  EXPECT_NEAR(found.point[0], 1, 1e-6);
  EXPECT_NEAR(found.point[1], 1, 1e-6);
}

TEST(Lbfgs, ReturnsTheBestPointWhateverEndsIt) {
  std::size_t calls = 0;
  double least = kInfinity;
  const SmoothFunction f = [&](std::span<const double> x, std::span<double> gradient) {
    gradient[0] = 2 * x[0];
    const double value = ++calls > 3 ? std::nan("") : x[0] * x[0];
    least = std::min(least, value);
    return value;
  };
  const auto broken = minimise({1e6}, f);
  EXPECT_EQ(broken.value, least);
  EXPECT_EQ(broken.status, Status::kInterrupted);
  EXPECT_EQ(broken.point[0] * broken.point[0], least);
  const SmoothFunction linear = [](std::span<const double> x, std::span<double> gradient) {
    gradient[0] = 1;
    return x[0];
  };
  const auto endless = minimise({0}, linear, {.iterations = 5});  // no minimum at all
  EXPECT_NE(endless.status, Status::kConverged);
  EXPECT_EQ(endless.value, endless.point[0]);
  EXPECT_LT(endless.value, 0);
}

TEST(Lbfgs, NothingToDo) {
  const SmoothFunction f = [](std::span<const double>, std::span<double>) { return 7.0; };
  EXPECT_EQ(minimise({}, f).value, 7);
  const auto still = minimise({3}, [](std::span<const double>, std::span<double> gradient) {
    gradient[0] = 0;
    return 2.0;
  });
  EXPECT_EQ(still.value, 2);
  EXPECT_EQ(still.point, std::vector<double>{3});
  EXPECT_EQ(minimise({3}, [](std::span<const double> x, std::span<double>) { return x[0]; },
                     {.iterations = 0})
                .evaluations,
            1U);
}

TEST(Lbfgs, RefusesWithTheReason) {
  const SmoothFunction bad = [](std::span<const double>, std::span<double> gradient) {
    gradient[0] = 0;
    return std::nan("");
  };
  EXPECT_EQ(testing::refusal([&] { minimise({1}, bad); }),
            "lbfgs: the value or the gradient at the start is not finite");
  EXPECT_EQ(testing::refusal([&] { minimise({1}, bad, {.iterations = 0}); }),
            "lbfgs: the value at the start is nan, which must be finite");
  EXPECT_EQ(testing::refusal([&] { minimise({1}, bad, {.memory = 0}); }),
            "lbfgs: the memory is 0, which must be >= 1");
  EXPECT_EQ(testing::refusal([&] { minimise({1}, bad, {.gradient = -1}); }),
            "lbfgs: the tolerances are -1 and 1e-09, which must be >= 0");
}

}  // namespace
}  // namespace surefield
