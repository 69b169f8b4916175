#include "surefield/bounds/spectral/spectral_boxes.hpp"

#include <gtest/gtest.h>

#include <cmath>

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
