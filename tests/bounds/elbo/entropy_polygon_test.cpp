#include "surefield/bounds/elbo/entropy_polygon.hpp"

#include <gtest/gtest.h>

#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"

namespace surefield {
namespace {

/// The line through the corners.
double height(const EntropyPolygon& polygon, double x) {
  const auto& corners = polygon.corners();
  for (std::size_t k = 1; k < corners.size(); ++k)
    if (x <= corners[k].x) {
      const auto [a, low] = corners[k - 1];
      const auto [b, high] = corners[k];
      const double t = (x - a) / (b - a);
      return low + t * (high - low);
    }
  return corners.back().height;
}

TEST(EntropyPolygon, LiesAboveTheEntropyWhateverIsTouched) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    double a = random.chance(0.3) ? 0 : random.uniform(),
           b = random.chance(0.3) ? 1 : random.uniform();
    if (seed % 10 == 0) b = a + 1e-9;
    const Interval in{std::min(a, b), std::min(1.0, std::max(a, b))};
    EntropyPolygon polygon(in, random.uniform(0.1, 4));
    for (int round = 0; round < 12; ++round) {
      const auto& corners = polygon.corners();
      ASSERT_EQ(corners.front().x, in.low);
      ASSERT_EQ(corners.back().x, in.high);
      for (std::size_t k = 1; k < corners.size(); ++k) ASSERT_GT(corners[k].x, corners[k - 1].x);
      for (int k = 0; k <= 200; ++k) {
        const double x = in.clamp(in.low + in.width() * k / 200);
        ASSERT_GE(height(polygon, x), entropy(x)) << x;
      }
      const double x = random.chance(0.2)   ? in.low
                       : random.chance(0.2) ? in.high
                                            : in.clamp(in.low + random.uniform() * in.width());
      polygon.touch(x);
      EXPECT_NEAR(polygon.excess(x), 0, 1e-10);
    }
  }
}

TEST(EntropyPolygon, TwoTangentsMeetByHand) {
  // Contacts at angles pi/4 and 3 pi/4, so at x = 1/2 +- sqrt(2)/4, by symmetry a corner at 1/2.
  const EntropyPolygon polygon({0, 1}, 2);
  ASSERT_EQ(polygon.corners().size(), 3U);
  EXPECT_NEAR(polygon.corners()[1].x, 0.5, 1e-12);
  const double contact = 0.5 - std::sqrt(2.0) / 4;
  // H(t) + H'(t) (1/2 - t) = -(log t + log(1 - t)) / 2
  EXPECT_NEAR(polygon.corners()[1].height, -(std::log(contact) + std::log(1 - contact)) / 2, 1e-12);
}

TEST(EntropyPolygon, APointIsItsOwnCorner) {
  const EntropyPolygon polygon({0.25, 0.25}, 0.5);
  ASSERT_EQ(polygon.corners().size(), 1U);
  EXPECT_NEAR(polygon.corners()[0].height, entropy(0.25), 1e-13);
  EXPECT_EQ(polygon.excess(0.25), 0);
}

}  // namespace
}  // namespace surefield
