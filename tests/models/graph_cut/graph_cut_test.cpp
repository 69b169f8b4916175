#include "surefield/models/graph_cut/graph_cut.hpp"

#include <gtest/gtest.h>

#include "tests/support/random_pairwise.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/set_laws.hpp"
#include "tests/support/state_laws.hpp"

namespace surefield {
namespace {

static_assert(Model<GraphCut>);

GraphCut random_cut(Index n, bool directed, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> bias(n);
  for (double& b : bias) b = random.uniform(-2, 2);
  auto edges = testing::random_edges(n, 0.5, 0, 2, random);
  for (auto& edge : edges)
    if (random.chance(0.5)) std::swap(edge.from, edge.to);
  return make_graph_cut(bias, edges, directed);
}

TEST(GraphCut, StateObeysTheLaws) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    testing::check_state_laws(random_cut(seed % 9, seed % 2 == 0, seed), seed);
}

TEST(GraphCut, SetObeysTheLaws) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    testing::check_set_laws(random_cut(seed % 9, seed % 2 == 0, seed), seed);
}

TEST(GraphCut, TwoNodesByHand) {
  const GraphCut model = make_graph_cut({1.0, -1.0}, {{0, 1, 3.0}});
  const auto state = model.at(std::vector{0.5, 0.25});
  EXPECT_DOUBLE_EQ(state.value(), 1.75);     // 0.5 - 0.25 + 3 (0.5 + 0.25 - 2 * 0.125)
  EXPECT_DOUBLE_EQ(state.partial(0), 2.5);   // 1 + 3 (1 - 2 * 0.25)
  EXPECT_DOUBLE_EQ(state.partial(1), -1.0);  // -1 + 3 (1 - 2 * 0.5)
}

TEST(GraphCut, DirectedByHandHasNoFactorOneHalf) {
  const GraphCut model = make_graph_cut({0.0, 0.0}, {{0, 1, 3.0}}, true);
  EXPECT_DOUBLE_EQ(model.evaluate(std::vector<std::uint8_t>{1, 0}), 3);
  EXPECT_DOUBLE_EQ(model.evaluate(std::vector<std::uint8_t>{0, 1}), 0);
  const auto state = model.at(std::vector{0.5, 0.25});
  EXPECT_DOUBLE_EQ(state.value(), 1.125);    // 3 * 0.5 * 0.75
  EXPECT_DOUBLE_EQ(state.partial(0), 2.25);  // 3 * 0.75
  EXPECT_DOUBLE_EQ(state.partial(1), -1.5);  // -3 * 0.5
}

TEST(GraphCut, NamesTheEdgeThatIsNotSubmodular) {
  EXPECT_EQ(submodularity_violation(make_graph_cut({0, 0}, {{0, 1, -2.0}})),
            "edge 0-1 has weight -2, which must be >= 0 for a submodular cut");
  EXPECT_EQ(submodularity_violation(make_graph_cut({0, 0}, {{1, 0, -2.0}}, true)),
            "edge 0-1 has weight -2, which must be >= 0 for a submodular cut");
  EXPECT_EQ(submodularity_violation(make_graph_cut({0, 0}, {{0, 1, 2.0}})), std::nullopt);
}

TEST(GraphCut, RefusesWhatIsNotAGraph) {
  const auto refusal = [](std::vector<double> bias, std::vector<Edge> edges) {
    return testing::refusal([&] { make_graph_cut(bias, edges); });
  };
  EXPECT_EQ(refusal({0, NAN}, {}), "graph cut: node 1 has bias nan, which must be finite");
  EXPECT_EQ(refusal({0, 0}, {{0, 2, 1}}), "graph cut: edge 0-2 leaves the 2 nodes");
  EXPECT_EQ(refusal({0, 0}, {{1, 1, 1}}), "graph cut: edge 1-1 joins a node to itself");
  EXPECT_EQ(refusal({0, 0}, {{0, 1, NAN}}),
            "graph cut: edge 0-1 has weight nan, which must be finite");
}

}  // namespace
}  // namespace surefield
