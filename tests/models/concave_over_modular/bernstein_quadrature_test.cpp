#include "surefield/models/concave_over_modular/bernstein_quadrature.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/core/random.hpp"

namespace surefield {
namespace {

std::vector<Concave> shapes() {
  std::vector<Concave> result{{Concave::Kind::kLog}, {Concave::Kind::kRatio}};
  for (const double a : {1e-6, 0.01, 0.25, 0.5, 0.75, 0.99, 1 - 1e-9})
    result.push_back({Concave::Kind::kPower, a});
  return result;
}

/// psi'(y).
double slope(const Concave& psi, double y) {
  if (psi.kind == Concave::Kind::kPower) return psi.parameter * std::pow(y, psi.parameter - 1);
  return psi.kind == Concave::Kind::kLog ? 1 / (1 + y) : 1 / ((1 + y) * (1 + y));
}

double slope(const BernsteinQuadrature& rule, double y) {
  double sum = rule.slope;
  for (Index q = 0; q < rule.size(); ++q)
    if (std::isfinite(rule.node[q]))
      sum +=
          rule.weight[q] * (rule.node[q] / rule.unit) * std::exp(-rule.node[q] * (y / rule.unit));
  return sum;
}

struct Worst {
  double value = 0, slope = 0;
};

Worst worst_error(const Concave& psi, const BernsteinQuadrature& rule, double smallest,
                  double largest) {
  Worst worst;
  constexpr int kGrid = 400;
  for (int k = 0; k <= kGrid; ++k) {
    const double y = std::min(largest, smallest * std::pow(largest / smallest, k / double{kGrid}));
    worst.value = std::max(worst.value, std::abs(rule(y) / psi(y) - 1));
    worst.slope = std::max(worst.slope, std::abs(slope(rule, y) / slope(psi, y) - 1));
  }
  return worst;
}

TEST(BernsteinQuadrature, MeetsValueAndSlopeToTheToleranceOnTheWholeRange) {
  for (const Concave& psi : shapes())
    for (const double tolerance : {1e-2, 1e-6, 1e-10, 1e-13})
      for (const double smallest : {1e-30, 1e-6, 0.3, 1.0, 1e4})
        for (const double span : {1.0, 7.0, 1e3, 1e6, 1e12}) {
          const auto rule = bernstein_quadrature(psi, smallest, smallest * span, tolerance);
          const Worst worst = worst_error(psi, rule, smallest, smallest * span);
          // 5e-14: the pow and the sums of this very test.
          EXPECT_LE(worst.value, tolerance + 5e-14) << text_of(psi.kind) << " " << psi.parameter
                                                    << " from " << smallest << " over " << span;
          EXPECT_LE(worst.slope, tolerance + 5e-14) << text_of(psi.kind) << " " << psi.parameter
                                                    << " from " << smallest << " over " << span;
          EXPECT_EQ(rule(0), 0);
          EXPECT_LE(static_cast<double>(rule.size()),
                    nodes_needed(psi, smallest, smallest * span, tolerance));
          for (Index q = 0; q < rule.size(); ++q) {
            EXPECT_GE(rule.weight[q], 0) << "not a Bernstein function";
            EXPECT_GT(rule.node[q], 0);
          }
        }
}

TEST(BernsteinQuadrature, AtMostEightyNodesForTenDigitsOverSixDecades) {
  for (const Concave& psi : shapes())
    for (const double smallest : {1e-6, 1e-3, 1.0}) {
      const auto rule =
          bernstein_quadrature(psi, smallest, smallest * 1e7, 1e-10);  // ten items of up to 10^6
      EXPECT_LE(rule.size(), 80U) << text_of(psi.kind) << " " << psi.parameter << " from "
                                  << smallest;
    }
}

TEST(BernsteinQuadrature, AHundredDecadesAreWithinTheLimit) {
  for (const Concave& psi : shapes()) {
    ASSERT_LE(nodes_needed(psi, 1e-20, 1e80, 1e-10), static_cast<double>(kMostNodes));
    const auto rule = bernstein_quadrature(psi, 1e-20, 1e80, 1e-10);
    EXPECT_LE(rule.size(), kMostNodes);
    const Worst worst = worst_error(psi, rule, 1e-20, 1e80);
    EXPECT_LE(worst.value, 1e-10) << text_of(psi.kind) << " " << psi.parameter;
    EXPECT_LE(worst.slope, 1e-10) << text_of(psi.kind) << " " << psi.parameter;
  }
}

TEST(BernsteinQuadrature, SaturatingIsOneNodeAndPowerOneIsNone) {
  const auto saturating = bernstein_quadrature({Concave::Kind::kSaturating}, 1e-3, 1e3, 1e-10);
  EXPECT_EQ(saturating.size(), 1U);
  EXPECT_DOUBLE_EQ(saturating(2), 1 - std::exp(-2.0));
  const auto linear = bernstein_quadrature({Concave::Kind::kPower, 1}, 1e-3, 1e3, 1e-10);
  EXPECT_EQ(linear.size(), 0U);
  EXPECT_DOUBLE_EQ(linear(2), 2);
  EXPECT_DOUBLE_EQ(linear_quadrature(3)(2), 6);
  EXPECT_DOUBLE_EQ(jump_quadrature(3)(1e-9), 3);
  EXPECT_EQ(jump_quadrature(3)(0), 0);
}

TEST(BernsteinQuadrature, SquaringAlongTheChainAgreesWithExponentials) {
  for (const Concave& psi : shapes()) {
    const auto rule = bernstein_quadrature(psi, 1e-2, 1e5, 1e-12);
    std::vector<double> decay(rule.size());
    std::vector<double> rise(rule.size());
    for (const double m : {1e-2, 0.37, 1.0, 977.0, 1e5}) {
      rule.exponentials(m, decay.data(), rise.data());
      for (Index q = 0; q < rule.size(); ++q) {
        const double z = rule.node[q] * (m / rule.unit);
        if (std::exp(-z) > 1e-279) {
          EXPECT_NEAR(decay[q] / std::exp(-z), 1, 2e-15 * (4 + z))
              << z;  // as well as z itself allows
        } else if (std::exp(-z) < 1e-281) {
          EXPECT_EQ(decay[q], 0) << z;
        }
        EXPECT_NEAR(rise[q] / -std::expm1(-z), 1, 1e-14) << z;
      }
    }
  }
}

}  // namespace
}  // namespace surefield
