#include "surefield/api/over_items.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {
namespace {

/// A ring, every item as likely in as out: F = -w sum_i x_i + w sum_i x_i x_(i+1) = w/4 sum_i s_i s_(i+1) - n w/4 with s = 2 x - 1.
AnyModel ring(std::uint32_t n, double w) {
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < n; ++i) edges.push_back({i, (i + 1) % n, w});
  return make_pairwise_field(std::vector<double>(n, -w), edges);
}

/// Z = ((2 cosh(w/4))^n + (2 sinh(w/4))^n) e^(-n w/4), the trace of its transfer matrices.
double log_z_of_ring(std::uint32_t n, double w) {
  const double t = std::tanh(w / 4);
  return n * (std::log(2 * std::cosh(w / 4)) - w / 4) + std::log1p(std::pow(t, n));
}

OverItems over(const std::string& name, std::uint32_t n) {
  FitResult fit;
  fit.model = ring(n, 1.5);
  fit.model_name = name;
  const SetCollection data{.items = n, .sets = {{0, 1}, {}, {2}}, .names = {}};
  return over_items(fit, {.training = data, .held_out = data}, Support::kAllSets, Budget());
}

// A thin field is learned with its log Z; of many items the quick bound of a pairwise field is a bound.
TEST(OverItems, LogZIsExactWhereTheFamilyIsMadeForIt) {
  constexpr std::uint32_t n = 2500;
  const double truth = log_z_of_ring(n, 1.5);
  const Interval thin = over("thin", n).normaliser, pairwise = over("pairwise", n).normaliser;
  EXPECT_LE(thin.low, truth);
  EXPECT_GE(thin.high, truth);
  EXPECT_LT(thin.width(), 1e-7);
  EXPECT_LE(pairwise.low, truth);
  EXPECT_GE(pairwise.high, truth);
  EXPECT_GT(pairwise.width(), 1e-7);
}

// log Z is 6 +- 1 for the two sets of a fold, 10 +- 4 for the one of the other: 2 on average, and the values 9 - 6, 7 - 6 and 15 - 10.
TEST(OverItems, FoldsArePooledSetBySet) {
  const std::vector<OverItems> folds{{.values = {9, 7}, .normaliser = {5, 7}, .items = -2},
                                     {.values = {15}, .normaliser = {6, 14}, .items = -8}};
  const PooledOverItems all = pooled(folds);
  EXPECT_EQ(all.values, (std::vector<double>{3, 1, 5}));
  EXPECT_DOUBLE_EQ(all.half, 2);
  EXPECT_DOUBLE_EQ(all.mean.low, 1);
  EXPECT_DOUBLE_EQ(all.mean.high, 5);
  EXPECT_NEAR(all.standard_error, std::sqrt(4.0 / 3), 1e-15);
  EXPECT_DOUBLE_EQ(all.items, -4);
}

TEST(OverItems, WithoutABoundOfLogZTheMeanHasNoLowerEnd) {
  const std::vector<OverItems> folds{{.values = {9, 7}, .normaliser = {5, 7}, .items = -2},
                                     {.values = {15}, .normaliser = {6, kInfinity}, .items = -8}};
  const PooledOverItems all = pooled(folds);
  EXPECT_EQ(all.values, (std::vector<double>{3, 1, 9}));
  EXPECT_EQ(all.half, kInfinity);
  EXPECT_EQ(all.mean.low, -kInfinity);
}

}  // namespace
}  // namespace surefield
