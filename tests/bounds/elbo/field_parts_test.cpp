#include "surefield/bounds/elbo/field_parts.hpp"

#include <gtest/gtest.h>

#include "surefield/bounds/elbo/dual_descent.hpp"
#include "surefield/bounds/elbo/edge_decomposition.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/global_search.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

TEST(FieldParts, AreTheSameFunctionAsTheElbo) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed);
    const Index n = random.below(9);
    const PairwiseField field = testing::random_pairwise(n, 0.6, seed);
    const double beta = random.uniform(0.2, 3);
    const auto dual = field_decomposition(field, beta);
    std::vector<double> x(n);
    for (double& u : x) u = random.chance(0.2) ? 1 : random.uniform();
    EXPECT_NEAR(dual.value(x), Elbo(field.at(x), beta).value(), 1e-10) << seed;
    std::size_t edges = 0, couplings = 0;
    for (const StarPart& star : dual.parts()) edges += star.weights().size();
    for (const double w : field.coupling) couplings += w != 0;
    EXPECT_EQ(2 * edges, couplings) << "every edge in one star";
  }
}

TEST(FieldParts, OneStarCoversAStar) {
  const std::vector<Edge> edges{{0, 2, -1}, {1, 2, -2}, {2, 3, 3}};
  const auto dual = field_decomposition(make_pairwise_field({1, 2, 3, 4}, edges, 5), 2);
  ASSERT_EQ(dual.parts().size(), 1U);
  EXPECT_EQ(dual.parts()[0].members()[0], 2U);
  EXPECT_EQ(dual.linear(), (std::vector{2.0, 4.0, 6.0, 8.0}));
  EXPECT_EQ(dual.constant(), 10);
}

TEST(FieldParts, NoMultiplierFallsBelowTheBest) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 1 + random.below(4);
    std::vector<double> bias(n);
    for (double& b : bias) b = random.uniform(-3, 5);
    const auto edges = testing::random_edges(n, 0.9, -6, seed % 3 == 0 ? 6 : 0, random);
    const PairwiseField field = make_pairwise_field(bias, edges, 1);  // odd cycles, either sign
    const auto dual = field_decomposition(field);
    const Box box = unit_box(n);
    const double best =
        testing::global_maximum([&](std::span<const double> x) { return dual.value(x); }, box);
    const std::vector<double> y(n, 0.5);
    const auto result =
        minimise(dual, box, y, best, dual.tangent(y, dual.shares(y)), {.iterations = 60});
    EXPECT_GE(result.bound, best);
  }
}

TEST(FieldParts, RefusesATemperature) {
  EXPECT_EQ(testing::refusal([] { field_decomposition(make_pairwise_field({1}, {}), 0); }),
            "field decomposition: the inverse temperature is 0, which must be finite and > 0");
}

}  // namespace
}  // namespace surefield
