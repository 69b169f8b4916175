#include "surefield/core/lbfgs.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <stdexcept>

#include "surefield/core/error.hpp"
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

TEST(Lbfgs, HalvesWhereParabolasCreep) {
  // Items by themselves, or all at once: log Z explodes beyond a point, as that of a field whose couplings win.
  const SmoothFunction f = [](std::span<const double> x, std::span<double> gradient) {
    double together = -1000;
    for (const double part : x) together += 2000 * part;
    double value = softplus(together);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double often = 0.1 + 0.08 * static_cast<double>(i);
      value += softplus(x[i]) - often * x[i];
      gradient[i] = sigmoid(x[i]) - often + 2000 * sigmoid(together);
    }
    return value;
  };
  const std::vector<double> start(10, -3.0);
  const LbfgsReport halves = minimise(start, f, {.progress = 1e-7, .by_halves = true});
  const LbfgsReport parabolas = minimise(start, f, {.progress = 1e-7});
  EXPECT_EQ(halves.status, Status::kConverged);
  EXPECT_LE(halves.value, parabolas.value + 1e-7);
  EXPECT_LT(5 * halves.evaluations, parabolas.evaluations);
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
  EXPECT_EQ(found.ending, LbfgsEnding::kConverged);
  const auto short_of_it = minimise({-1.2, 1}, f, {.iterations = 3, .progress = 0});
  EXPECT_EQ(short_of_it.ending, LbfgsEnding::kIterations);
  EXPECT_EQ(short_of_it.status, Status::kEpochLimit);
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
  EXPECT_EQ(broken.ending, LbfgsEnding::kNotFinite);
  EXPECT_EQ(broken.status, Status::kInterrupted);
  EXPECT_EQ(broken.point[0] * broken.point[0], least);
  const SmoothFunction linear = [](std::span<const double> x, std::span<double> gradient) {
    gradient[0] = 1;
    return x[0];
  };
  const auto endless = minimise({0}, linear, {.iterations = 5});  // no minimum at all
  EXPECT_NE(endless.ending, LbfgsEnding::kConverged);
  EXPECT_NE(endless.status, Status::kConverged);
  EXPECT_EQ(endless.value, endless.point[0]);
  EXPECT_LT(endless.value, 0);
}

double square(std::span<const double> x, std::span<double> gradient) {
  gradient[0] = 2 * x[0];
  return x[0] * x[0];
}

/// A parabola of slope 4 and curvature 0.2, which a first step of length 1 does not end.
SmoothFunction throwing_at(std::size_t call, std::function<void()> action) {
  return [call, action = std::move(action), calls = std::size_t{0}](
             std::span<const double> x, std::span<double> gradient) mutable {
    if (++calls == call) action();
    gradient[0] = 0.2 * (x[0] - 20);
    return 0.1 * (x[0] - 20) * (x[0] - 20);
  };
}

// The solver says that its line search failed by these very types.
TEST(Lbfgs, WhatTheFunctionThrowsComesOutAsItIs) {
  for (const std::size_t call : {1U, 2U, 3U}) {
    EXPECT_THROW(minimise({0}, throwing_at(call, [] { throw std::logic_error("mine"); })),
                 std::logic_error);
    EXPECT_THROW(minimise({0}, throwing_at(call, [] { throw std::runtime_error("mine"); })),
                 std::runtime_error);
    EXPECT_THROW(minimise({0}, throwing_at(call, [] { throw 7; })), int);
    EXPECT_EQ(testing::refusal([&] { minimise({0}, throwing_at(call, [] { fail("my rule"); })); }),
              "my rule");
  }
  EXPECT_THROW(minimise({}, throwing_at(1, [] { throw std::runtime_error("mine"); })),
               std::runtime_error);
}

// f = |x| + x/2 has its least value 0 at a kink, where no gradient is small.
TEST(Lbfgs, AKinkEndsTheLineSearchAndIsNotCalledConvergence) {
  double least = kInfinity;
  const SmoothFunction kink = [&](std::span<const double> x, std::span<double> gradient) {
    gradient[0] = x[0] < 0 ? -0.5 : 1.5;
    const double value = std::abs(x[0]) + x[0] / 2;
    least = std::min(least, value);
    return value;
  };
  const auto found = minimise({10.3}, kink, {.progress = 0});
  EXPECT_EQ(found.ending, LbfgsEnding::kLineSearch);
  EXPECT_NE(found.status, Status::kConverged);
  EXPECT_EQ(found.value, least);
  EXPECT_LT(found.value, 1e-6);
}

// The gradient points uphill: no line has a lower point.
TEST(Lbfgs, AWrongGradientIsNoConvergence) {
  const auto found = minimise({3}, [](std::span<const double> x, std::span<double> gradient) {
    gradient[0] = -2 * x[0];
    return x[0] * x[0];
  });
  EXPECT_EQ(found.ending, LbfgsEnding::kLineSearch);
  EXPECT_EQ(found.value, 9);
}

TEST(Lbfgs, IsNeverAskedAtAPointThatIsNotFinite) {
  // Flat but for the gradient it claims: interpolation has nothing to go by.
  const SmoothFunction flat = [](std::span<const double> x, std::span<double> gradient) {
    if (!std::isfinite(x[0])) fail("asked at ", x[0]);
    gradient[0] = x[0] > 1e150 ? 0.0 : 1e-300;
    return 0.0;
  };
  EXPECT_NO_THROW(minimise({0}, flat, {.gradient = 0}));
}

TEST(Lbfgs, ABudgetEndsItWithTheBestPointSoFar) {
  std::atomic<bool> stop{false};
  std::size_t calls = 0;
  double least = kInfinity;
  const SmoothFunction valley = [&](std::span<const double> x, std::span<double> gradient) {
    const double a = 1 - x[0];
    const double b = x[1] - x[0] * x[0];
    gradient[0] = -2 * a - 400 * x[0] * b;
    gradient[1] = 200 * b;
    if (++calls == 5) stop = true;
    least = std::min(least, a * a + 100 * b * b);
    return a * a + 100 * b * b;
  };
  const auto found = minimise({-1.2, 1}, valley, {.budget = Budget().stopped_by(stop)});
  EXPECT_EQ(found.ending, LbfgsEnding::kStopped);
  EXPECT_EQ(found.status, Status::kInterrupted);
  EXPECT_EQ(found.evaluations, 5U);
  EXPECT_EQ(found.value, least);
  // Spent before it began: the start, with its value.
  const auto late = minimise({4}, square, {.budget = Budget().within(0)});
  EXPECT_EQ(late.ending, LbfgsEnding::kStopped);
  EXPECT_EQ(late.value, 16);
  EXPECT_EQ(late.evaluations, 1U);
}

TEST(Lbfgs, ConvergenceAtTheLastIterationAllowedIsConvergence) {
  const auto found = minimise({1}, square, {.iterations = 1, .progress = 0});
  EXPECT_EQ(found.value, 0);  // a step of length 1 ends at 0
  EXPECT_EQ(found.ending, LbfgsEnding::kConverged);
  EXPECT_EQ(minimise({1}, square, {.iterations = std::size_t{1} << 40}).ending,
            LbfgsEnding::kConverged);
}

TEST(Lbfgs, EndingsHaveNames) {
  EXPECT_EQ(text_of(LbfgsEnding::kConverged), "converged");
  EXPECT_EQ(text_of(LbfgsEnding::kIterations), "iterations used up");
  EXPECT_EQ(text_of(LbfgsEnding::kLineSearch), "line search failed");
  EXPECT_EQ(text_of(LbfgsEnding::kNotFinite), "not finite");
  EXPECT_EQ(text_of(LbfgsEnding::kStopped), "stopped");
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
