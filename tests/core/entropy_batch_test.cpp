#include "surefield/core/entropy_batch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "surefield/core/random.hpp"

namespace surefield {
namespace {

TEST(EntropyBatch, IsWithinFourUlpOfTheExactValue) {
  Random random(5);
  std::vector<double> u{0.5, 0x1p-53, 1 - 0x1p-53, 1e-300, 0.25, 0.75};
  for (int k = 0; k < 20000; ++k) u.push_back(random.uniform());
  for (int k = 0; k < 20000; ++k) u.push_back(std::pow(10, random.uniform(-300, 0)));
  for (int k = 0; k < 20000; ++k) u.push_back(1 - std::pow(10, random.uniform(-16, 0)));
  auto h = u;
  entropy_batch(h);
  for (std::size_t i = 0; i < u.size(); ++i) {
    const long double x = u[i];
    const long double exact = x <= 0 || x >= 1 ? 0 : -x * std::log(x) - (1 - x) * std::log1p(-x);
    ASSERT_LE(std::abs(h[i] - exact), 4 * (std::nextafter(h[i], 1.0) - h[i])) << "at " << u[i];
  }
}

TEST(EntropyBatch, IsTotal) {
  std::vector<double> u{0.0, 1.0, 5e-324, 1e-310, std::nan("")};
  entropy_batch(u);
  EXPECT_EQ(u[0], 0);
  EXPECT_EQ(u[1], 0);
  EXPECT_NEAR(u[2], 0, 1e-300);
  EXPECT_NEAR(u[3], 0, 1e-300);
  EXPECT_GE(u[3], 0);
  EXPECT_TRUE(std::isnan(u[4]));
  entropy_batch({});
}

TEST(EntropyBatch, DoesNotDependOnWhereInTheBatchANumberStands) {
  Random random(6);
  std::vector<double> u(37);
  for (double& v : u) v = random.uniform();
  auto together = u;
  entropy_batch(together);
  for (std::size_t i = 0; i < u.size(); ++i) {
    double alone = u[i];
    entropy_batch({&alone, 1});
    EXPECT_EQ(alone, together[i]);
  }
}

}  // namespace
}  // namespace surefield
