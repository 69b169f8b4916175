#include "surefield/bounds/log_z/hoelder/hoelder.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/bounds/log_z/exact/elimination.hpp"
#include "tests/support/all_families.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

TEST(Hoelder, IsAnUpperBoundOnEveryFamily) {
  int exact_ones = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const Index n = seed % 8;
    const double beta = seed % 3 == 0 ? 0.3 : seed % 3 == 1 ? 1 : 2.5;
    const Box box = seed % 2 == 0 ? unit_box(n) : testing::random_fixing(n, seed);
    testing::for_each_exact_family(n, seed, [&](const char* name, const auto& model) {
      const double exact = testing::log_z_in(model, box, beta);
      for (const std::size_t iterations : {0, 1, 30}) {  // valid however early it stops
        const auto bound = hoelder_bound(
            model, &box, {.beta = beta, .iterations = iterations, .width = 2 + seed % 3});
        ASSERT_GE(bound.log_z_upper, exact)
            << name << " seed " << seed << " after " << iterations << " iterations";
        ASSERT_EQ(bound.marginals.size(), n);
        if (!bound.exact) continue;
        ++exact_ones;
        EXPECT_NEAR(bound.log_z_upper, exact, testing::rounding_of(model, beta))
            << name << " seed " << seed;
      }
    });
  }
  EXPECT_GT(exact_ones, 1000);
}

// Not submodular: nothing in the inequality asks for it.
TEST(Hoelder, HoldsForAnyModel) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const Index n = 1 + seed % 7;
    const Box box = testing::random_fixing(n, seed);
    Random random(seed);
    std::vector<double> bias(n);
    for (double& b : bias) b = random.uniform(-2, 2);
    const auto mixed = make_pairwise_field(bias, testing::random_edges(n, 0.8, -3, 3, random));
    EXPECT_GE(hoelder_bound(mixed, &box, {.iterations = 20, .width = 2}).log_z_upper,
              testing::log_z_in(mixed, box, 1));
    const auto gibbs = testing::random_gibbs(n, 5, seed);
    EXPECT_GE(hoelder_bound(gibbs, &box, {.iterations = 20}).log_z_upper,
              testing::log_z_in(gibbs, box, 1));
    const auto negative = testing::random_facility(n, 3, seed, true);
    EXPECT_GE(hoelder_bound(negative, &box, {.iterations = 20}).log_z_upper,
              testing::log_z_in(negative, box, 1))
        << seed;
    const auto difference =
        make_weighted_sum(n, {{1, AnyModel(testing::random_flid(n, 2, seed))},
                              {-0.5, AnyModel(testing::random_coverage(n, 2, seed))}});
    EXPECT_GE(hoelder_bound(difference, &box, {.iterations = 20}).log_z_upper,
              testing::log_z_in(difference, box, 1));
  }
}

// More items than states: concepts and concave groups are rounded up, never down, and not by much.
TEST(Hoelder, MergedStatesStayAbove) {
  Random random(3);
  const Index n = 12;
  std::vector<Entry> members, weights;
  for (std::uint32_t i = 0; i < n; ++i) {
    members.push_back({i, random.uniform(0.05, 0.6)});
    weights.push_back({i, random.uniform(0.1, 2)});
  }
  const auto coverage =
      make_coverage(std::vector<double>(n, 0.2), {3.0}, std::vector<std::vector<Entry>>{members});
  const auto concave =
      make_concave_over_modular(std::vector<double>(n, -0.3), {{2.0, make_concave("power", 0.5)}},
                                std::vector<std::vector<Entry>>{weights});
  const auto check = [&](const auto& model) {
    const double exact = testing::log_z_in(model, unit_box(n), 1);
    const auto bound = hoelder_bound(model);
    EXPECT_GE(bound.log_z_upper, exact);
    EXPECT_LE(bound.log_z_upper, exact + 0.05);
    EXPECT_FALSE(bound.exact);
  };
  check(coverage);
  check(concave);
}

// One dimension is one part: the formula is log Z itself, and the marginals are the true ones.
TEST(Hoelder, OneDimensionIsExact) {
  const auto model = make_flid({std::log(2), std::log(3)}, {1, 2}, 1);
  // F: 0; log 2; log 3; log 6 + 2 - 3. Z = 1 + 2 + 3 + 6/e.
  const auto bound = hoelder_bound(model);
  const double z = 6 + 6 / std::exp(1);
  EXPECT_TRUE(bound.exact);
  EXPECT_NEAR(bound.log_z_upper, std::log(z), 1e-10);
  EXPECT_NEAR(bound.marginals[0], (2 + 6 / std::exp(1)) / z, 1e-10);
  EXPECT_NEAR(bound.marginals[1], (3 + 6 / std::exp(1)) / z, 1e-10);
}

TEST(Hoelder, OptimisingTightensAndWeightsAddUp) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto model = testing::random_flid(10, 4, seed);
    const double exact = testing::log_z_in(model, unit_box(10), 1);
    const auto crude = hoelder_bound(model, nullptr, {.iterations = 0});
    const auto fine = hoelder_bound(model);
    EXPECT_LT(fine.log_z_upper - exact, 0.6 * (crude.log_z_upper - exact));
    double sum = 0;
    for (const double p : fine.weights) sum += p;
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

PairwiseField hard_grid(std::uint32_t side, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> bias(side * side);
  for (double& b : bias) b = random.uniform(0, 4);
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < side * side; ++i) {
    if ((i + 1) % side != 0) edges.push_back({i, i + 1, random.uniform(-4, 0)});
    if (i + side < side * side) edges.push_back({i, i + side, random.uniform(-4, 0)});
  }
  return make_pairwise_field(bias, edges);
}

// Strips are tighter than trees, and the wider the tighter.
TEST(Hoelder, StripsBeatTreesOnAHardGrid) {
  const auto model = hard_grid(10, 1);
  const double exact = eliminate(model, nullptr, {.marginals = false}).log_z;
  const double trees = hoelder_bound(model, nullptr, {.width = 2}).log_z_upper;
  const double narrow = hoelder_bound(model, nullptr, {.width = 4}).log_z_upper;
  const double wide = hoelder_bound(model, nullptr, {.width = 8}).log_z_upper;
  EXPECT_GE(wide, exact);
  EXPECT_LT(wide, narrow);
  EXPECT_LT(narrow, trees);
  EXPECT_LT(wide - exact, 1.0);   // 127.6 exact, 0.868 measured
  EXPECT_GT(trees - exact, 5.0);  // 6.38
  const auto whole = hoelder_bound(model, nullptr, {.width = 14});
  EXPECT_TRUE(whole.exact);
  EXPECT_NEAR(whole.log_z_upper, exact, 1e-7);
}

TEST(Hoelder, RefusesWithTheReason) {
  const auto kernel = make_log_det(testing::random_kernel(3, 1), 2);
  EXPECT_EQ(testing::refusal([&] { hoelder_bound(kernel); }),
            "hoelder: a model of the kind log-det is not given as a sum of simple terms");
  const auto sum = make_weighted_sum(3, {{1, AnyModel(kernel)}});
  EXPECT_EQ(testing::refusal([&] { hoelder_bound(AnyModel(sum)); }),
            "hoelder: a model of the kind sum is not given as a sum of simple terms");
  const auto large = make_pairwise_field({100, -100}, std::vector<Edge>{{0, 1, -100}});
  EXPECT_EQ(testing::refusal([&] { hoelder_bound(large, nullptr, {.beta = 1e308}); }),
            "hoelder: the numbers of the model times the inverse temperature add up to inf, which "
            "must be finite");
  const auto model = make_pairwise_field({0, 0}, {});
  EXPECT_EQ(testing::refusal([&] { hoelder_bound(model, nullptr, {.width = 1}); }),
            "hoelder: the width is 1, which must be from 2 to 20");
  EXPECT_EQ(testing::refusal([&] { hoelder_bound(model, nullptr, {.beta = kInfinity}); }),
            "hoelder: the inverse temperature is inf, which must be finite and > 0");
  Box box = unit_box(2);
  box.low[0] = 0.5;
  EXPECT_EQ(
      testing::refusal([&] { hoelder_bound(model, &box); }),
      "hoelder: coordinate 0 has the interval [0.5, 1], which must be [0, 1], [0, 0] or [1, 1]");
}

}  // namespace
}  // namespace surefield
