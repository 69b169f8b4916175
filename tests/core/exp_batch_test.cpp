#include "surefield/core/exp_batch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "surefield/core/random.hpp"

namespace surefield {
namespace {

TEST(ExpBatch, WithinTwoUlpOfTheExactValue) {
  Random random(1);
  std::vector<double> z{0, -0.0, 1, -1, 709, -707, 1e-300, -1e-300, 0x1p-53};
  for (int k = 0; k < 20000; ++k) z.push_back(random.uniform(-707, 709));
  for (int k = 0; k < 20000; ++k) z.push_back(random.uniform(-1, 1));
  auto e = z;
  exp_batch(e);
  for (std::size_t k = 0; k < z.size(); ++k) {
    const auto exact = static_cast<double>(std::exp(static_cast<long double>(z[k])));
    EXPECT_NEAR(e[k], exact, 2 * exact * std::numeric_limits<double>::epsilon()) << z[k];
  }
}

TEST(ExpBatch, OutsideItsRange) {
  std::vector<double> z{-707.5, -1e300, -std::numeric_limits<double>::infinity(),
                        710,    1e300,  std::numeric_limits<double>::quiet_NaN()};
  exp_batch(z);
  EXPECT_EQ(z[0], 0);
  EXPECT_EQ(z[1], 0);
  EXPECT_EQ(z[2], 0);
  EXPECT_NEAR(z[3] / std::exp(709.0), 1, 1e-15);
  EXPECT_EQ(z[4], z[3]);
  EXPECT_TRUE(std::isnan(z[5]));
}

}  // namespace
}  // namespace surefield
