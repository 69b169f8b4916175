#include "surefield/api/sample.hpp"

#include <gtest/gtest.h>

#include "surefield/api/generate.hpp"
#include "surefield/bounds/log_z/sampling/gibbs_sampling.hpp"
#include "surefield/models/families.hpp"
#include "tests/support/random_pairwise.hpp"

namespace surefield {
namespace {

TEST(Sample, UndoesFlipsAndSaysWhatItIs) {
  // Two variables that attract strongly and have large biases: nearly always both are in.
  const std::vector<Edge> edges{{0, 1, 4.0}};
  const Problem problem = make_problem(make_pairwise_field({3, 3}, edges));
  ASSERT_FALSE(problem.flips.empty());
  const SampleResult perfect = sample(problem, {.count = 200, .seed = 3});
  EXPECT_TRUE(perfect.exact);
  const auto both = std::count(perfect.sets.begin(), perfect.sets.end(), std::vector<Index>{0, 1});
  EXPECT_GT(both, 190);  // p = e^10 / (e^10 + 2 e^3 + 1) = 0.998
  EXPECT_FALSE(sample(problem, {.count = 5, .method = "gibbs"}).exact);
  EXPECT_EQ(testing::refusal([&] { sample(problem, {.method = "magic"}); }),
            "sample: the method 'magic' is not known; there are auto, perfect, gibbs");
}

// A grid of which a tree keeps next to no draw is drawn by elimination, a FLID from a tree, and where both lead nowhere Gibbs sampling is
// left; none of them takes long.
TEST(Sample, IsExactWhereThatEnds) {
  const auto drawn = [](const char* kind, Index items) {
    return sample(make_problem(generate(kind, {.items = items, .seed = 1})), {.count = 4});
  };
  const SampleResult grid = drawn("hard-grid", 100);
  EXPECT_TRUE(grid.exact);
  EXPECT_EQ(grid.acceptance, 1);
  const SampleResult flid = drawn("flid", 30);
  EXPECT_TRUE(flid.exact);
  EXPECT_GT(flid.acceptance, 0.5);
  EXPECT_LE(flid.acceptance, 1);
  const SampleResult coverage = drawn("contested-coverage", 100);
  EXPECT_FALSE(coverage.exact);
  EXPECT_TRUE(coverage.method.starts_with("gibbs: approximate")) << coverage.method;
  for (const SampleResult* found : {&grid, &flid, &coverage}) {
    EXPECT_TRUE(found->complete);
    EXPECT_EQ(found->sets.size(), 4U);
  }
}

// Weights whose sums round by more than a millionth: the chances of sets do too, and that is said.
TEST(Sample, SaysHowFarRoundingMovesTheChanceOfASet) {
  const SampleResult found = sample(
      make_problem(make_pairwise_field({1e11, -1e11, 1}, std::vector<Edge>{{0, 1, -1e11}})), {});
  EXPECT_FALSE(found.exact);
  EXPECT_TRUE(found.method.starts_with(
      "perfect up to rounding: the chance of a set is that of F to a factor within e^"))
      << found.method;
  EXPECT_EQ(found.acceptance, 1);
  for (const auto& set : found.sets)
    EXPECT_TRUE(set == std::vector<Index>{0} || set == (std::vector<Index>{0, 2}));
}

TEST(Sample, EveryWayIsAFunctionOfItsSeed) {
  const Problem grid = make_problem(generate("hard-grid", {.items = 30, .seed = 1}));
  const Problem flid = make_problem(generate("flid", {.items = 30, .seed = 1}));
  const auto drawn = [](const Problem& problem, const std::string& method, std::uint64_t seed) {
    return sample(problem, {.count = 20, .method = method, .seed = seed}).sets;
  };
  for (const Problem* problem : {&grid, &flid})
    for (const std::string method : {"auto", "perfect", "gibbs"}) {
      EXPECT_EQ(drawn(*problem, method, 1), drawn(*problem, method, 1)) << method;
      EXPECT_NE(drawn(*problem, method, 1), drawn(*problem, method, 2)) << method;
    }
}

TEST(Sample, ByGibbsIsTheSamplerAtTheTemperatureInTheBoxBySeed) {
  Box box = unit_box(6);
  box.fix(2, 1);
  const Problem problem = make_problem(testing::random_pairwise(6, 0.6, 3), {}, box);
  const auto found =
      sample(problem, {.count = 50, .method = "gibbs", .inverse_temperature = 3, .seed = 5}).sets;
  const auto drawn = gibbs_sample(problem.model, 50, &problem.box, {.beta = 3, .seed = 5});
  ASSERT_EQ(found.size(), drawn.size());
  for (std::size_t k = 0; k < found.size(); ++k)
    for (Index i = 0; i < 6; ++i)
      EXPECT_EQ(std::ranges::count(found[k], i), drawn[k][i]) << "set " << k << ", item " << i;
}

}  // namespace
}  // namespace surefield
