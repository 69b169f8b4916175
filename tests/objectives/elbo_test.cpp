#include "surefield/objectives/elbo.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "surefield/core/random.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "tests/support/objective_laws.hpp"
#include "tests/support/random_box.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

static_assert(Line<EntropyLine>);
static_assert(Objective<Elbo<PairwiseField::State>>);

constexpr double kSlopes[] = {0,   1e-9, 1,    -1,  5,    -5,  36,   -36,  37.5,  -37.5, 40,
                              -40, 699,  -699, 701, -701, 800, -800, 1e10, -1e10, 1e300, -1e300};
constexpr double kPoints[] = {0,   1e-320, 1e-300, 1e-17,     1e-9,        0.2, 0.5 - 1e-12,
                              0.5, 0.75,   0.999,  1 - 1e-12, 1 - 0x1p-53, 1};

TEST(EntropyLine, ObeysTheLawsAtEverySlope) {
  for (const double slope : kSlopes)
    for (const Interval in :
         {Interval{0, 1}, Interval{0.2, 0.7}, Interval{0, 1e-6}, Interval{0.9, 1}}) {
      SCOPED_TRACE(::testing::Message()
                   << "slope " << slope << " on " << in.low << ".." << in.high);
      testing::check_line_laws(EntropyLine(slope), in, 1 + std::abs(slope));
    }
}

TEST(EntropyLine, RiseIsNeverNan) {
  for (const double sign : {1.0, -1.0})
    for (const double size :
         {0.0, 1.0, 40.0, 699.9, 700.0, 745.2, 800.0, 1e300, 1.7e308, kInfinity})
      for (const double from : kPoints)
        for (const double to : kPoints) {
          const EntropyLine line(sign * size);
          ASSERT_FALSE(std::isnan(line.rise(from, to)))
              << sign * size << ": " << from << " to " << to;
          ASSERT_FALSE(std::isnan(line.slope(from)));
          ASSERT_EQ(std::isfinite(line.rise(from, to)), size < kInfinity || from == to);
          ASSERT_TRUE((Interval{0, 1}).contains(line.argmax({0, 1})));
        }
}

TEST(EntropyLine, InfiniteSlopesGoToTheEnds) {
  EXPECT_EQ(EntropyLine(kInfinity).argmax({0.1, 0.6}), 0.6);
  EXPECT_EQ(EntropyLine(-kInfinity).argmax({0.1, 0.6}), 0.1);
  EXPECT_EQ(EntropyLine(kInfinity).rise(0, 0.5), kInfinity);
  EXPECT_EQ(EntropyLine(kInfinity).rise(1, 0.5), -kInfinity);
  EXPECT_EQ(EntropyLine(-kInfinity).rise(0.5, 0), kInfinity);
  EXPECT_EQ(EntropyLine(-kInfinity).rise(1, 1), 0);
}

// Nodes of any degree, four among them: many at once have the bits of one by one, with and without a box.
TEST(Elbo, BatchesHaveTheBitsOfLinesAsked) {
  std::array<int, 8> seen{};
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    const Index n = 1 + seed % 12;
    const PairwiseField model = testing::random_pairwise(n, 0.5, seed);
    std::vector<double> x(n), partials(n), peaks(n), boxed(n);
    for (double& v : x) v = random.uniform();
    const auto state = model.at(x);
    const Elbo elbo(state, 0.7);
    auto ids = permutation(n, random);
    state.partials(ids, partials);
    elbo.peak_batch(ids, peaks);
    const Box box = seed % 2 ? unit_box(n) : testing::random_box(n, random);
    elbo.argmax_batch(ids, box, boxed);
    for (Index k = 0; k < n; ++k) {
      ++seen[std::min<std::size_t>(7, model.neighbours().of(ids[k]).size())];
      ASSERT_EQ(partials[k], state.partial(ids[k])) << "seed " << seed;
      ASSERT_EQ(box[ids[k]].clamp(peaks[k]), boxed[k]) << "seed " << seed;
      ASSERT_NEAR(peaks[k], elbo.line(ids[k]).peak(), 1e-15) << "seed " << seed;
    }
  }
  for (const int degree : {0, 3, 4, 5}) EXPECT_GT(seen[degree], 0) << degree;
}

TEST(EntropyLine, ByHand) {
  EXPECT_DOUBLE_EQ(EntropyLine(2).rise(0, 0.5), 1 + std::log(2));
  EXPECT_DOUBLE_EQ(EntropyLine(2).rise(0, 1), 2);
  EXPECT_DOUBLE_EQ(EntropyLine(0).argmax({0, 1}), 0.5);
  EXPECT_DOUBLE_EQ(EntropyLine(2).slope(0.5), 2);
  EXPECT_EQ(EntropyLine(-9).slope(0), kInfinity);
  EXPECT_EQ(EntropyLine(9).slope(1), -kInfinity);
  // From 0 and 1 to the peak: softplus(slope) and softplus(-slope).
  for (const double slope : {-30.0, -3.0, 0.0, 0.5, 20.0}) {
    const EntropyLine line(slope);
    const double peak = line.argmax({0, 1});
    EXPECT_NEAR(line.rise(0, peak), softplus(slope), 1e-15 * softplus(slope));
    EXPECT_NEAR(line.rise(1, peak), softplus(-slope), 1e-12 * softplus(-slope) + 1e-25);
  }
}

// The plain form with 64 bits of mantissa, good to about 1e-19 (1 + |slope|).
long double plain_rise(long double slope, long double from, long double to) {
  const auto h = [](long double u) {
    return (u > 0 ? -u * std::log(u) : 0) + (u < 1 ? -(1 - u) * std::log1p(-u) : 0);
  };
  return slope * (to - from) + (h(to) - h(from));
}

TEST(EntropyLine, RiseKeepsItsDigitsNearThePeakAndFarFromIt) {
  // The peak itself is known to an ulp of the slope only, so a rise next to it may be off by that
  // times the step.
  for (const double slope : {0.0, 0.3, -1.0, 4.0, -10.0, 30.0, -40.0, 500.0, -600.0}) {
    const EntropyLine line(slope);
    const double peak = line.argmax({0, 1});
    for (const double base : {peak, 0.5, 0.1, 0.97, 1e-7})
      for (const double step : {0.3, 1e-2, 1e-4, 1e-6, 1e-8}) {
        const double from = base;
        const double to = base + step < 1 ? base + step : base - step;
        if (to < 0 || from > 1 - 1e-9) continue;
        const long double truth = plain_rise(slope, from, to);
        const double noise = 4e-19 * (1 + std::abs(slope)) + 4e-16 * std::abs(slope) * step;
        EXPECT_NEAR(static_cast<double>(line.rise(from, to) - truth), 0,
                    static_cast<double>(2e-14L * std::abs(truth)) + noise)
            << "slope " << slope << ", " << from << " to " << to;
        EXPECT_NEAR(static_cast<double>(line.rise(to, from) + truth), 0,
                    static_cast<double>(2e-14L * std::abs(truth)) + noise)
            << "slope " << slope << ", " << to << " to " << from;
      }
  }
}

TEST(EntropyLine, TinyRisesFarFromThePeakDoNotCancel) {
  // slope 600 at 0.25: 600 - logit(0.25) = 600 + log 3; a step of 2^-40 rises by step * slope -
  // step^2 / (2 u (1 - u)).
  const double step = 0x1p-40;
  const double expected = step * (600 + std::log(3)) - step * step / (2 * 0.1875);
  EXPECT_NEAR(EntropyLine(600).rise(0.25, 0.25 + step), expected, 1e-15 * expected);
}

TEST(Elbo, ObeysTheLaws) {
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    const Index n = seed % 6;
    const double beta = seed % 3 == 0 ? 2.5 : 1;
    const auto model = testing::random_pairwise(n, 0.5, seed);
    const auto values = reference::all_values(model);
    const auto by_definition = [&](std::span<const double> x) {
      double sum = beta * reference::multilinear(values, x);
      for (const double v : x) sum -= x_log_x(v) + x_log_x(1 - v);
      return sum;
    };
    Box box = unit_box(n);
    if (seed % 2 == 0)
      for (Index i = 0; i < n; ++i) box.low[i] = 0.3, box.high[i] = i == 0 ? 0.3 : 0.8;
    testing::check_objective_laws([&](auto x) { return Elbo(model.at(x), beta); }, by_definition,
                                  box, seed);
  }
}

TEST(Elbo, RefusesATemperatureThatIsNone) {
  const auto model = make_pairwise_field({0.0}, {});
  const auto refusal = [&](double beta) {
    return testing::refusal([&] { Elbo(model.at(std::vector{0.5}), beta); });
  };
  EXPECT_EQ(refusal(0), "elbo: the inverse temperature is 0, which must be finite and > 0");
  EXPECT_EQ(refusal(-1), "elbo: the inverse temperature is -1, which must be finite and > 0");
  EXPECT_EQ(refusal(kInfinity),
            "elbo: the inverse temperature is inf, which must be finite and > 0");
}

}  // namespace
}  // namespace surefield
