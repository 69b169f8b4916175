#include "surefield/bounds/log_z/hoelder/forest_bound.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/api/generate.hpp"
#include "surefield/bounds/log_z/hoelder/hoelder.hpp"
#include "surefield/core/numeric.hpp"
#include "tests/support/log_z_reference.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

TEST(ForestBound, ATriangleByHand) {
  // Couplings w on all three edges, no bias, 1 forest of two edges (0-1, 0-2) and one of one (1-2):
  // p = 2/3 and 1/3 but for the grain of 2^-20. Without a search the bound is
  // p log(Z of a path with w / p) + q log(Z of an edge with w / q and a free item).
  const double w = -1.5, p = 2.0 / 3, q = 1.0 / 3;
  const std::vector<Edge> edges{{0, 1, w}, {0, 2, w}, {1, 2, w}};
  const PairwiseField model = make_pairwise_field({0, 0, 0}, edges);
  const double path = std::log(4 + std::pow(1 + std::exp(w / p), 2));  // the middle out, in
  const double edge = std::log(2 * (3 + std::exp(w / q)));
  const ForestBound found = forest_bound(model, nullptr, {.rounds = 0});
  EXPECT_EQ(found.forests, 2U);
  EXPECT_NEAR(found.log_z_upper, p * path + q * edge, 1e-5);
  EXPECT_LT(forest_bound(model).log_z_upper, found.log_z_upper);
  EXPECT_GE(forest_bound(model).log_z_upper, std::log(4 + 3 * std::exp(w) + std::exp(3 * w)));
}

TEST(ForestBound, IsNeverBelowTheTruthAndExactOnForests) {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = seed % 10;
    const PairwiseField model = testing::random_field_of_any_sign(
        n, seed % 4 == 0 ? 0.9 : 0.35, std::pow(10, random.uniform(-4, 3)), seed);
    const double beta = random.uniform(0.1, 3);
    const Box box = testing::random_fixed_box(n, seed);
    const auto truth = testing::exact_by_definition(model, box, beta);
    const ForestBound found = forest_bound(model, &box, {.beta = beta, .rounds = seed % 5});
    const double slack = 1e-13 * testing::scale_of(truth, beta);  // of the truth itself
    ASSERT_GE(found.log_z_upper, truth.log_z - slack);
    if (found.forests == 1) {
      ASSERT_NEAR(found.log_z_upper, truth.log_z, 1e3 * slack);
    }
  }
}

TEST(ForestBound, HasTheSameBitsOnAnyNumberOfThreads) {
  const AnyModel any =
      generate("soft-grid", {.items = 150 * 150, .groups = {}, .density = {}, .seed = 2});
  const PairwiseField& model = *any.as<PairwiseField>();
  const ForestBound one = forest_bound(model, nullptr, {.rounds = 3});
  for (const unsigned threads : {2U, 3U})
    EXPECT_EQ(forest_bound(model, nullptr, {.rounds = 3, .budget = Budget().with_threads(threads)})
                  .log_z_upper,
              one.log_z_upper);
}

// A star: at its centre 50,000 equal messages are added up and round the same way; one of another kind takes them off again, since a large
// bias of the centre would have a margin of its own that covers it. The truth is two terms.
TEST(ForestBound, CountsTheRoundingOfManyEqualMessages) {
  constexpr std::uint32_t kLeaves = 50000;
  const auto softplus_of = [](long double x) {
    return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
  };
  for (const double w : {-0.1, 0.3, -0.7, -1.3, -0.31, 0.57, -2.1, 0.77}) {
    const long double message = softplus_of(0.25L + w) - softplus_of(0.25L);
    const double back = -std::round(static_cast<double>(kLeaves * message)),
                 far = 2 * std::abs(back);
    std::vector<Edge> edges{{0, kLeaves + 1, back}};
    for (std::uint32_t k = 1; k <= kLeaves; ++k) edges.push_back({0, k, w});
    std::vector<double> bias(kLeaves + 2, 0.25);
    bias.back() = far;
    const PairwiseField star = make_pairwise_field(bias, edges);
    const long double there = softplus_of(far);
    const long double field = 0.25L + kLeaves * message + (softplus_of(far + back) - there);
    const long double truth = kLeaves * softplus_of(0.25L) + there + softplus_of(field);
    const ForestBound found = forest_bound(star, nullptr, {.rounds = 0});
    EXPECT_GE(found.log_z_upper, truth) << w;
    EXPECT_LE(found.log_z_upper, truth + 1e-4) << w;
  }
}

TEST(ForestBound, TheSearchComesNearToTheBoundByLbfgs) {
  const AnyModel any =
      generate("hard-grid", {.items = 30 * 30, .groups = {}, .density = {}, .seed = 1});
  const PairwiseField& model = *any.as<PairwiseField>();
  const double best = hoelder_bound(any, nullptr, {.width = 2}).log_z_upper;
  const double none = forest_bound(model, nullptr, {.rounds = 0}).log_z_upper;
  const double found = forest_bound(model, nullptr, {.rounds = 10}).log_z_upper;
  EXPECT_LT(found - best, 0.35 * (none - best));
}

TEST(ForestBound, RefusesWhatItCannotBound) {
  const PairwiseField model = make_pairwise_field({1, 2}, std::vector<Edge>{{0, 1, 1}});
  const Box half{{0, 0}, {1, 0.5}};
  EXPECT_EQ(testing::refusal([&] { forest_bound(model, &half); }),
            "forests: every item must be in, out or free");
  EXPECT_EQ(testing::refusal([&] { forest_bound(model, nullptr, {.beta = kInfinity}); }),
            "forests: the inverse temperature is inf, which must be finite");
  std::vector<Edge> dense;
  for (std::uint32_t i = 0; i < 200; ++i)
    for (std::uint32_t j = 0; j < i; ++j) dense.push_back({j, i, 1});
  const PairwiseField clique = make_pairwise_field(std::vector<double>(200, 0.0), dense);
  EXPECT_EQ(testing::refusal([&] { forest_bound(clique); }),
            "forests: the graph is so dense that its edges do not fit into 64 forests");
  const PairwiseField huge = make_pairwise_field({1e308, 1e308}, std::vector<Edge>{{0, 1, 1e308}});
  EXPECT_EQ(forest_bound(huge, nullptr, {.beta = 10}).log_z_upper, kInfinity);
}

}  // namespace
}  // namespace surefield
