#include "surefield/core/scaled_product.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "surefield/core/random.hpp"

namespace surefield {
namespace {

/// The product by definition, one binary exponent aside, so that it cannot underflow on the way.
double product_of(const std::vector<double>& factors, std::size_t left_out) {
  double mantissa = 1;
  long exponent = 0;
  for (std::size_t k = 0; k < factors.size(); ++k) {
    if (k == left_out) continue;
    if (factors[k] == 0) return 0;
    int shift = 0;
    mantissa *= std::frexp(factors[k], &shift);
    exponent += shift;
    mantissa = std::frexp(mantissa, &shift);
    exponent += shift;
  }
  return std::ldexp(mantissa, static_cast<int>(std::max(exponent, -5000L)));
}

double random_factor(Random& random) {
  switch (random.below(8)) {
    case 0:
      return 0;
    case 1:
      return 1;
    case 2:
      return std::pow(10, random.uniform(-320, 0));  // subnormal numbers included
    case 3:
      return std::numeric_limits<double>::denorm_min();
    default:
      return random.uniform(0.01, 1);
  }
}

void expect_near(double got, double expected) {
  // One unit of the smallest double where the result is subnormal.
  EXPECT_NEAR(got, expected, 1e-12 * expected + std::numeric_limits<double>::denorm_min());
}

TEST(ScaledProduct, FollowsItsFactorsThroughReplacements) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random(seed);
    std::vector<double> factors(1 + seed % 13);
    ScaledProduct product;
    for (double& factor : factors) product.multiply(factor = random_factor(random));
    for (int move = 0; move < 100; ++move) {
      const std::size_t k = random.below(factors.size());
      product.divide(factors[k]);
      product.multiply(factors[k] = random_factor(random));
      expect_near(product.value(), product_of(factors, factors.size()));
      for (std::size_t j = 0; j < factors.size(); ++j)
        expect_near(product.without(factors[j]), product_of(factors, j));
    }
  }
}

TEST(ScaledProduct, ZerosAreCountedAndLeaveAgain) {
  ScaledProduct product;
  EXPECT_EQ(product.value(), 1);
  product.multiply(0.5);
  product.multiply(0);
  EXPECT_EQ(product.value(), 0);
  EXPECT_EQ(product.without(0), 0.5);
  EXPECT_EQ(product.without(0.5), 0);
  product.multiply(0);
  EXPECT_EQ(product.without(0), 0) << "the other zero is still in";
  product.divide(0);
  product.divide(0);
  EXPECT_EQ(product.value(), 0.5);
}

TEST(ScaledProduct, ComesBackFromFarBelowTheSmallestDouble) {
  ScaledProduct product;
  for (int k = 0; k < 2000; ++k) product.multiply(0.5);
  EXPECT_EQ(product.value(), 0);
  for (int k = 0; k < 1000; ++k) product.divide(0.5);
  EXPECT_EQ(product.value(), 0x1p-1000);
  EXPECT_EQ(product.without(0.5), 0x1p-999);
  for (int k = 0; k < 1000; ++k) product.divide(0.5);
  EXPECT_EQ(product.value(), 1);
  for (int k = 0; k < 3; ++k) product.multiply(std::numeric_limits<double>::denorm_min());
  for (int k = 0; k < 2; ++k) product.divide(std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(product.value(), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(product.without(std::numeric_limits<double>::denorm_min()), 1);
}

TEST(ScaledProduct, DriftsSlowly) {
  Random random(3);
  std::vector<double> factors(40, 1);
  ScaledProduct product;
  for (int move = 0; move < 200000; ++move) {
    const std::size_t k = random.below(factors.size());
    product.divide(factors[k]);
    product.multiply(factors[k] = random.uniform(0.01, 1));
  }
  EXPECT_NEAR(product.value() / product_of(factors, factors.size()), 1, 1e-12);
}

}  // namespace
}  // namespace surefield
