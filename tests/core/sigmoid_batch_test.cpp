#include "surefield/core/sigmoid_batch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "surefield/core/random.hpp"

namespace surefield {
namespace {

TEST(SigmoidBatch, IsWithinThreeUlpOfTheExactValue) {
  Random random(3);
  std::vector<double> z(100003);
  for (double& v : z) v = random.uniform(-1, 1) * std::pow(10, random.uniform(-9, 2.849));
  auto s = z;
  sigmoid_batch(s);
  for (std::size_t i = 0; i < z.size(); ++i) {
    const long double e = std::exp(-std::abs(static_cast<long double>(z[i])));
    const long double exact = z[i] < 0 ? e / (1 + e) : 1 / (1 + e);
    const long double ulp = std::nextafter(s[i], 2.0) - s[i];
    ASSERT_LE(std::abs(s[i] - exact), 3 * ulp) << "at " << z[i];
  }
}

TEST(SigmoidBatch, IsTotal) {
  std::vector<double> z{0.0, -0.0, INFINITY, -INFINITY, 1e300, -1e300, 5e-324};
  sigmoid_batch(z);
  EXPECT_EQ(z[0], 0.5);
  EXPECT_EQ(z[1], 0.5);
  EXPECT_EQ(z[2], 1);
  EXPECT_NEAR(z[3], 0, 1e-307);
  EXPECT_EQ(z[4], 1);
  EXPECT_NEAR(z[5], 0, 1e-307);
  EXPECT_EQ(z[6], 0.5);
  std::vector<double> nan{NAN};
  sigmoid_batch(nan);
  EXPECT_TRUE(std::isnan(nan[0]));
  sigmoid_batch({});
}

TEST(SigmoidBatch, DoesNotDependOnWhereInTheBatchANumberStands) {
  Random random(4);
  std::vector<double> z(37);
  for (double& v : z) v = random.uniform(-30, 30);
  auto together = z;
  sigmoid_batch(together);
  for (std::size_t i = 0; i < z.size(); ++i) {
    double alone = z[i];
    sigmoid_batch({&alone, 1});
    EXPECT_EQ(alone, together[i]);
  }
}

}  // namespace
}  // namespace surefield
