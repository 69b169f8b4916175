#include "surefield/bounds/spectral/parabola_peak.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"

namespace surefield {
namespace {

long double parabola_value(long double l, long double d, long double x) {
  const long double h = (x > 0 ? -x * std::log(x) : 0) + (x < 1 ? -(1 - x) * std::log1p(-x) : 0);
  return l * x + d * x * x / 2 + h;
}

/// The best of a grid and of grids around its best three cells: a value attained, near the maximum.
long double best_parabola_value(long double l, long double d, Interval in) {
  long double best = -kInfinity, low = in.low, high = in.high, at = low;
  for (int round = 0; round < 8; ++round) {
    constexpr int kCells = 200;
    for (int k = 0; k <= kCells; ++k) {
      const long double x = low + (high - low) * k / kCells;
      const long double value = parabola_value(l, d, x);
      if (value > best) best = value, at = x;
    }
    const long double cell = (high - low) / kCells;
    low = std::max<long double>(in.low, at - cell),
    high = std::min<long double>(in.high, at + cell);
  }
  return best;
}

TEST(ParabolaPeak, IsNeverBelowAValueAndCloseToTheBest) {
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double scale = std::pow(10, random.uniform(-8, 8));
    double d = scale * random.uniform(-1, 1), l = scale * random.uniform(-1, 1);
    if (random.chance(0.3)) l = -d / 2 + random.uniform(-1e-3, 1e-3);  // two peaks that compete
    if (random.chance(0.1)) d = 4, l = -2;                             // a flat one
    Interval in{0, 1};
    if (random.chance(0.5)) {
      in.low = random.uniform(), in.high = random.uniform(in.low, 1);
      if (random.chance(0.2)) in.high = in.low;
    }
    const ParabolaPeak peak = parabola_peak(l, d, in);
    const long double best = best_parabola_value(l, d, in);
    EXPECT_GE(peak.bound, best);
    const double size = std::abs(l) + std::abs(d) + 2;
    EXPECT_LE(peak.bound, static_cast<double>(best) + 2e-10 + 2e-14 * size);
    EXPECT_TRUE(in.contains(peak.at));
  }
}

TEST(ParabolaPeak, BentIsNeverBelowAValueAndCloseToTheBest) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double scale = std::pow(10, random.uniform(-3, 3));
    const double d = scale * random.uniform(-1, 1), l = scale * random.uniform(-1, 1),
                 bend = random.chance(0.1) ? 0 : scale * random.uniform(-2, 2);
    Interval in{0, 1};
    if (random.chance(0.5)) in.low = random.uniform(), in.high = random.uniform(in.low, 1);
    const double at = random.chance(0.1) ? in.low : random.chance(0.1) ? in.high : random.uniform();
    const ParabolaPeak peak = bent_peak(l, d, bend, at, in);
    long double best = -kInfinity;
    for (const bool above : {false, true}) {
      const Interval side =
          above ? Interval{in.clamp(at), in.high} : Interval{in.low, in.clamp(at)};
      const long double slope = above && at < in.high ? bend : 0, left = slope * at;
      if (above && !(at < in.high)) continue;
      if (!above && !(in.low < at)) continue;
      best = std::max(best, best_parabola_value(l + slope, d, side) - left);
    }
    EXPECT_GE(peak.bound, best);
    EXPECT_LE(peak.bound, static_cast<double>(best) + 2e-10 + 2e-14 * (scale + 2));
    EXPECT_TRUE(in.contains(peak.at));
  }
}

TEST(ParabolaPeak, ByHand) {
  // H alone has its maximum log 2 at 1/2; -2x + 2x^2 + H is flat to the fourth order there: log 2 - 1/2.
  EXPECT_NEAR(parabola_peak(0, 0, {0, 1}).bound, std::log(2.0), 1e-12);
  EXPECT_NEAR(parabola_peak(-2, 4, {0, 1}).bound, std::log(2.0) - 0.5, 1e-9);
  // On a point it is the value: 3/4 + 1/2 * 2 / 4 + log 2 at 1/2 for l = 3/2, d = 2.
  EXPECT_NEAR(parabola_peak(1.5, 2, {0.5, 0.5}).bound, 1 + std::log(2.0), 1e-12);
  EXPECT_EQ(parabola_peak(kInfinity, 1, {0, 1}).bound, kInfinity);
  // -100 max(0, x - 1/4) keeps x at 1/4: H(1/4) = 2 log 2 - 3/4 log 3.
  EXPECT_NEAR(bent_peak(0, 0, -100, 0.25, {0, 1}).bound, 2 * std::log(2.0) - 0.75 * std::log(3.0),
              1e-12);
}

}  // namespace
}  // namespace surefield
