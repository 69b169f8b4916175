#include "surefield/bounds/elbo/edge_part.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"

namespace surefield {
namespace {

double line_maximum(double slope, double weight, Interval in) {
  const double u = weight > 0 ? in.clamp(sigmoid(slope / weight)) : (slope > 0 ? in.high : in.low);
  return slope * u + weight * entropy(u);
}

/// The best value given x.
double profile(const EdgePart& part, double x) {
  return part.slope_x * x + part.entropy_x * entropy(x) +
         line_maximum(part.slope_y + part.weight * x, part.entropy_y, part.box_y);
}

/// A grid in x, then a search from each of its local maxima: a lower bound of the maximum.
double slow_maximum(const EdgePart& part) {
  constexpr int kPoints = 120;
  std::array<double, kPoints + 1> value;
  const Interval in = part.box_x;
  const auto at = [&](int k) { return in.clamp(in.low + in.width() * k / kPoints); };
  for (int k = 0; k <= kPoints; ++k) value[k] = profile(part, at(k));
  double best = -kInfinity;
  for (int k = 0; k <= kPoints; ++k) {
    if ((k > 0 && value[k] < value[k - 1]) || (k < kPoints && value[k] < value[k + 1])) continue;
    for (const double side : {-0.7, 0.0, 0.7}) {  // two maxima may share a grid point
      double x = in.clamp(at(k) + side * in.width() / kPoints), top = profile(part, x);
      for (double step = in.width() / kPoints / 2; step > 1e-9; step /= 2)
        for (const double move : {-step, step})
          if (const double now = profile(part, in.clamp(x + move)); now > top)
            top = now, x = in.clamp(x + move);
      best = std::max(best, top);
    }
  }
  return best;
}

double size_of(const EdgePart& part) {
  return std::abs(part.weight) + std::abs(part.slope_x) + std::abs(part.slope_y) + part.entropy_x +
         part.entropy_y;
}

double any_size(Random& random) {
  if (random.chance(0.1)) return 0;
  return random.chance(0.5) ? random.uniform(0, 8) : std::pow(10, random.uniform(-12, 6));
}

Interval any_interval(Random& random) {
  if (random.chance(0.5)) return {0, 1};
  const double a = random.uniform(), b = random.uniform();
  switch (random.below(6)) {
    case 0:
      return {a, a};
    case 1:
      return {0, a};
    case 2:
      return {a, 1};
    case 3:
      return {0, 0};
    case 4:
      return {1, 1};
    default:
      return {std::min(a, b), std::max(a, b)};
  }
}

EdgePart any_part(Random& random) {
  EdgePart part;
  part.weight = -any_size(random);
  part.slope_x = random.chance(0.5) ? any_size(random) : -any_size(random);
  part.slope_y = random.chance(0.5) ? any_size(random) : -any_size(random);
  if (random.chance(0.5)) {  // where two maxima compete
    part.slope_x = -part.weight * random.uniform();
    part.slope_y = random.chance(0.2) ? part.slope_x : -part.weight * random.uniform();
  }
  const auto any_entropy = [&] {
    if (random.chance(0.1)) return 0.0;
    return random.chance(0.7) ? random.uniform() : std::pow(10, random.uniform(-12, 3));
  };
  part.entropy_x = any_entropy();
  part.entropy_y = random.chance(0.2) ? part.entropy_x : any_entropy();
  part.box_x = any_interval(random);
  part.box_y = any_interval(random);
  if (random.chance(0.2)) {  // the same with a weight > 0
    part.weight = -part.weight;
    part.slope_x = -part.slope_x;
  }
  return part;
}

TEST(EdgePart, BoundIsNeverBelowTheMaximumAndHardlyAbove) {
  Random random(1);
  for (int round = 0; round < 20000; ++round) {
    const EdgePart part = any_part(random);
    const EdgePeaks peaks = edge_peaks(part);
    const double truth = slow_maximum(part);
    ASSERT_GE(peaks.bound(), truth) << "round " << round;
    ASSERT_LE(peaks.bound(), truth + 1e-10 * size_of(part)) << "round " << round;
  }
}

TEST(EdgePart, EveryPeakIsAPointOfTheBoxThatReachesItsBound) {
  Random random(2);
  int two = 0;
  for (int round = 0; round < 50000; ++round) {
    const EdgePart part = any_part(random);
    const EdgePeaks peaks = edge_peaks(part);
    two += peaks.count == 2;
    for (int k = 0; k < peaks.count; ++k) {
      const auto [bound, x, y] = peaks.peak[k];
      ASSERT_GE(x, part.box_x.low - 1e-15) << "round " << round;
      ASSERT_LE(x, part.box_x.high + 1e-15) << "round " << round;
      ASSERT_GE(y, part.box_y.low - 1e-15) << "round " << round;
      ASSERT_LE(y, part.box_y.high + 1e-15) << "round " << round;
      ASSERT_NEAR(part.value(x, y), bound, 1e-8 * size_of(part)) << "round " << round;
    }
  }
  EXPECT_GT(two, 5000);
}

TEST(EdgePart, WithoutACouplingTheEndsAreApart) {
  const EdgePeaks peaks =
      edge_peaks({.slope_x = 2, .slope_y = -1, .entropy_x = 1, .entropy_y = 0.5});
  EXPECT_NEAR(peaks.bound(), softplus(2) + 0.5 * softplus(-2), 1e-13);  // c log(1 + e^{s/c})
  EXPECT_NEAR(peaks.best().x, sigmoid(2), 1e-15);
  EXPECT_NEAR(peaks.best().y, sigmoid(-2), 1e-15);
}

TEST(EdgePart, WithoutEntropiesACornerIsBest) {
  const EdgePeaks peaks = edge_peaks({.weight = -3, .slope_x = 2, .slope_y = 1.5});
  EXPECT_NEAR(peaks.bound(), 2, 1e-13);  // (0,0): 0, (1,0): 2, (0,1): 1.5, (1,1): 0.5
  EXPECT_EQ(peaks.best().x, 1);
  EXPECT_EQ(peaks.best().y, 0);
}

TEST(EdgePart, ASymmetricEdgeHasTwoMirroredPeaks) {
  const EdgePart part{.weight = -8, .slope_x = 4, .slope_y = 4, .entropy_x = 1, .entropy_y = 1};
  const EdgePeaks peaks = edge_peaks(part);
  ASSERT_EQ(peaks.count, 2);
  EXPECT_NEAR(peaks.peak[0].bound, peaks.peak[1].bound, 1e-10);
  EXPECT_NEAR(peaks.peak[0].x, peaks.peak[1].y, 1e-6);
  EXPECT_NEAR(peaks.peak[0].x + peaks.peak[0].y, 1, 1e-6);
  EXPECT_LT(peaks.peak[0].x, 0.1);
  // a fixed point of x = sigmoid(4 - 8 y), y = sigmoid(4 - 8 x)
  EXPECT_NEAR(peaks.peak[0].x, sigmoid(4 - 8 * peaks.peak[0].y), 1e-5);
}

TEST(EdgePart, AWeakCouplingHasOnePeak) {
  // gain = weight^2 / (entropy_x entropy_y) = 16: the map is a contraction
  const EdgePart part{.weight = -4, .slope_x = 2, .slope_y = 2, .entropy_x = 1, .entropy_y = 1};
  const EdgePeaks peaks = edge_peaks(part);
  EXPECT_EQ(peaks.count, 1);
  EXPECT_NEAR(peaks.bound(), part.value(0.5, 0.5), 1e-9);
}

TEST(EdgePart, NearTheFoldNothingIsLost) {
  Random random(3);  // derivative of the map near 1, where two of three fixed points meet
  for (int round = 0; round < 10000; ++round) {
    const double gain = 16 * (1 + std::pow(10, random.uniform(-12, 0)));
    const double c = random.uniform(0.1, 1);
    const double w = -c * std::sqrt(gain);
    const double tilt = random.chance(0.3) ? 0 : std::pow(10, random.uniform(-14, -2));
    const EdgePart part{w, -w / 2 + tilt, -w / 2 - random.uniform() * tilt, c, c, {0, 1}, {0, 1}};
    const double bound = edge_peaks(part).bound();
    const double truth = slow_maximum(part);
    ASSERT_GE(bound, truth) << "round " << round;
    ASSERT_LE(bound, truth + 1e-9) << "round " << round;
  }
}

}  // namespace
}  // namespace surefield
