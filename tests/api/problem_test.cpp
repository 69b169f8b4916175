#include "surefield/api/problem.hpp"

#include <gtest/gtest.h>

#include "surefield/core/random.hpp"
#include "surefield/models/families.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

TEST(Problem, LeavesASubmodularModelAlone) {
  const Problem problem = make_problem(testing::random_pairwise(4, 0.5, 1));
  EXPECT_TRUE(problem.is_submodular());
  EXPECT_TRUE(problem.flips.empty());
  EXPECT_EQ(problem.box, unit_box(4));
}

TEST(Problem, FlipsABalancedFieldAndItsBox) {
  const std::vector<Edge> edges{{0, 1, 2.0},
                                {1, 2, -1.0}};  // attractive, repulsive: a tree is always balanced
  Box box = unit_box(3);
  box.low[0] = 0.1, box.high[0] = 0.3;
  box.low[1] = 0.6, box.high[1] = 0.9;
  const Problem problem = make_problem(make_pairwise_field({1, 2, 3}, edges, 0.5), {}, box);
  EXPECT_TRUE(problem.is_submodular());
  ASSERT_EQ(problem.flips.size(), 3U);
  EXPECT_NE(problem.flips[0], problem.flips[1]);
  EXPECT_EQ(problem.flips[1], problem.flips[2]);
  const Index flipped = problem.flips[0] ? 0 : 1;
  EXPECT_DOUBLE_EQ(problem.box.low[flipped], 1 - box.high[flipped]);
  EXPECT_DOUBLE_EQ(problem.box.high[flipped], 1 - box.low[flipped]);
  const auto user = in_user_variables(problem, problem.box.low);
  EXPECT_DOUBLE_EQ(user[flipped], box.high[flipped]);
}

TEST(Problem, FlipsACutThatIsBalanced) {
  const Problem problem = make_problem(make_graph_cut({0, 0}, {{0, 1, -2.0}}));
  EXPECT_TRUE(problem.is_submodular());
  EXPECT_EQ(problem.kind, "cut");
}

TEST(Problem, RefusesAFrustratedFieldNamingThePair) {
  const std::vector<Edge> edges{{0, 1, -1}, {1, 2, -1}, {0, 2, 1}};
  const auto field = make_pairwise_field({0, 0, 0}, edges);
  EXPECT_EQ(testing::refusal([&] { make_problem(field); }),
            "pairwise: not log-submodular: pair 0-2 has coupling 1, which must be <= 0 for a "
            "submodular field; no flip "
            "of variables mends it (--no-guarantee runs it all the same)");
  const Problem anyway = make_problem(field, {}, {}, {.no_guarantee = true});
  EXPECT_FALSE(anyway.is_submodular());
  EXPECT_EQ(anyway.violation, "pair 0-2 has coupling 1, which must be <= 0 for a submodular field");
}

TEST(Problem, RefusesNamesAndBoxesThatDoNotFit) {
  const auto field = make_pairwise_field({0, 0}, {});
  EXPECT_EQ(testing::refusal([&] { make_problem(field, {"one"}); }),
            "items: there are 1 names for 2 items");
  EXPECT_EQ(testing::refusal([&] { make_problem(field, {}, unit_box(3)); }),
            "box: it has 3 lower and 3 upper ends, but there are 2 coordinates");
  Box wide = unit_box(2);
  wide.high[1] = 2;
  EXPECT_EQ(testing::refusal([&] { make_problem(field, {}, wide); }),
            "box: coordinate 1 has the interval [0, 2], which must lie in [0, 1]");
}

}  // namespace
}  // namespace surefield
