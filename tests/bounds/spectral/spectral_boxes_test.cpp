#include "surefield/bounds/spectral/spectral_boxes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "surefield/bounds/spectral/field_contraction.hpp"
#include "tests/bounds/spectral/random_signed_field.hpp"
#include "tests/support/best_field_elbo.hpp"
#include "tests/support/random_box.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

TEST(FieldContraction, KeepsTheBestPoint) {
  for (std::uint64_t seed = 1; seed <= 800; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = random.below(6);
    const PairwiseField field =
        testing::random_signed_field(n, random, testing::random_scale(random));
    const Box domain = random.chance(0.5) ? unit_box(n) : testing::random_box(n, random);
    double best = -kInfinity;
    std::vector<double> at;
    for (std::size_t code = 0; code < std::size_t{1} << n; ++code) {
      std::vector<double> x(n);
      for (Index i = 0; i < n; ++i) x[i] = (code >> i & 1) ? domain.high[i] : domain.low[i];
      const auto found = coordinate_ascent(Elbo(field.at(x)), domain, Order::natural(n),
                                           {.epochs = 3000, .tolerance = 1e-13});
      if (found.value > best) best = found.value, at = found.point;
    }
    // The box of one half of an item that holds the best point, too.
    Box box = domain;
    if (n > 0 && random.chance(0.7)) {
      const Index i = random.below(n);
      const double cut = domain.low[i] + domain[i].width() / 2;
      (at[i] > cut ? box.low : box.high)[i] = cut;
    }
    ASSERT_TRUE(contract_field(field, domain, box));
    // As a value: the point has its own rounding.
    for (Index i = 0; i < n; ++i) at[i] = box[i].clamp(at[i]);
    EXPECT_GE(Elbo(field.at(at)).value(), best - 1e-9 * (1 + std::abs(best)));
  }
}

// Neighbours that are settled pull by numbers of up to 2^56 that cancel: what is left of the sum is what the best point follows.
TEST(FieldContraction, HoldsWhereSumsLoseTheirSmallTerms) {
  int lost = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 3 + 2 * random.below(4);
    std::vector<double> bias(n, 0);
    bias[0] = random.uniform(-4, 4);
    std::vector<Edge> edges;
    Box domain = unit_box(n);
    __float128 slope = bias[0];
    double computed = bias[0];
    for (std::uint32_t i = 1; i < n; i += 2) {
      const double size = std::exp2(static_cast<double>(random.below(57)));
      for (const auto& [j, w] : {std::pair{i, size}, {i + 1, random.uniform(-2, 2) - size}}) {
        edges.push_back({0, j, w});
        domain.fix(j, 1);
        slope += w;
        computed += w;
      }
    }
    const double best = sigmoid(static_cast<double>(slope));
    lost += std::abs(sigmoid(computed) - best) > 1e-6;
    Box box = domain;
    ASSERT_TRUE(contract_field(make_pairwise_field(bias, edges), domain, box));
    EXPECT_LE(box.low[0], best * (1 + 1e-15));
    EXPECT_GE(box.high[0], best * (1 - 1e-15));
  }
  EXPECT_GE(lost, 30);  // the sums are bad enough to tell
}

TEST(SpectralBoxes, CloseTheGapAndAreNeverBelow) {
  int closed = 0;
  constexpr int kCases = 150;
  for (std::uint64_t seed = 1; seed <= kCases; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = random.below(8);
    const PairwiseField field =
        testing::random_signed_field(n, random, testing::random_scale(random));
    const Box box = random.chance(0.6) ? unit_box(n) : testing::random_box(n, random);
    const double best = testing::best_field_elbo(field, box, seed);
    const auto report = spectral_boxes(field, box, box.low, {.relative_gap = 1e-4, .nodes = 400});
    EXPECT_GE(report.bound, best - 1e-14 * (1 + std::abs(best)));
    EXPECT_LE(report.value, best + 1e-9 * (1 + std::abs(best)));
    require_inside(box, report.point);
    closed += report.status == Status::kConverged;
  }
  EXPECT_GE(closed, kCases * 9 / 10);
}

// Where the gap asked for is wide, much is cut off at the ends of intervals.
TEST(SpectralBoxes, AreNeverBelowWhereTheGapAskedForIsWide) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 1 + random.below(6);
    const PairwiseField field = testing::random_signed_field(n, random, 1);
    const double best = testing::best_field_elbo(field, unit_box(n), seed);
    const auto report = spectral_boxes(field, unit_box(n), std::vector<double>(n, 0),
                                       {.absolute_gap = random.uniform(0, 2), .nodes = 30});
    EXPECT_GE(report.bound, best - 1e-14 * (1 + std::abs(best)));
  }
}

TEST(SpectralBoxes, StopAtOnceAndKeepWhatIsKnown) {
  Random random(3);
  const PairwiseField field = testing::random_signed_field(20, random, 1);
  const auto report = spectral_boxes(field, unit_box(20), std::vector<double>(20, 0.5),
                                     {.known_bound = 1e6, .budget = Budget().within(0)});
  EXPECT_EQ(report.status, Status::kInterrupted);
  EXPECT_EQ(report.bound, 1e6);
  EXPECT_THROW(spectral_boxes(field, unit_box(20), std::vector<double>(20, 0.5),
                              {.budget = Budget().with_operations(100)}),
               TooMuch);
}

TEST(SpectralBoxes, GiveTheSameBitsOnAnyNumberOfThreads) {
  Random random(5);
  const PairwiseField field = testing::random_signed_field(15, random, 1);
  const auto run = [&](unsigned threads) {
    return spectral_boxes(field, unit_box(15), std::vector<double>(15, 0.5),
                          {.nodes = 20, .budget = Budget().with_threads(threads)});
  };
  const auto one = run(1), three = run(3);
  EXPECT_EQ(one.bound, three.bound);
  EXPECT_EQ(one.point, three.point);
}

}  // namespace
}  // namespace surefield
