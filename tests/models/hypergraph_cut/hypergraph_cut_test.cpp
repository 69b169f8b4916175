#include "surefield/models/hypergraph_cut/hypergraph_cut.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/models/graph_cut/graph_cut.hpp"
#include "tests/support/random_hypergraph.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/set_laws.hpp"
#include "tests/support/state_laws.hpp"

namespace surefield {
namespace {

static_assert(Model<HypergraphCut>);

TEST(HypergraphCut, StateObeysTheLaws) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    testing::check_state_laws(testing::random_hypergraph_cut(seed % 10, seed, seed), seed);
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    testing::check_state_laws(testing::random_hypergraph_cut(seed % 9, seed, seed, -2), seed,
                              {.submodular = false});
}

TEST(HypergraphCut, SetObeysTheLaws) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed)
    testing::check_set_laws(testing::random_hypergraph_cut(seed % 10, seed, seed, -2), seed);
}

TEST(HypergraphCut, ThreeNodesByHand) {
  const HypergraphCut model = make_hypergraph_cut({1, 0, -1}, {undirected_hyperedge({0, 1, 2}, 4)});
  EXPECT_DOUBLE_EQ(model.evaluate(std::vector<std::uint8_t>{0, 0, 0}), 0);
  EXPECT_DOUBLE_EQ(model.evaluate(std::vector<std::uint8_t>{1, 0, 0}), 5);
  EXPECT_DOUBLE_EQ(model.evaluate(std::vector<std::uint8_t>{1, 1, 1}), 0);
  const auto state = model.at(std::vector{0.5, 0.25, 0.5});
  EXPECT_DOUBLE_EQ(state.value(), 3.0);  // 0.5 - 0.5 + 4 (1 - 0.5 * 0.75 * 0.5 - 0.5 * 0.25 * 0.5)
  EXPECT_DOUBLE_EQ(state.partial(0), 2.0);  // 1 + 4 (0.75 * 0.5 - 0.25 * 0.5)
  EXPECT_DOUBLE_EQ(state.partial(1), 0.0);  // 4 (0.5 * 0.5 - 0.5 * 0.5)
}

TEST(HypergraphCut, DirectedByHand) {
  const HypergraphCut model = make_hypergraph_cut({0, 0, 0}, {{2.0, {0}, {1, 2}}});
  EXPECT_DOUBLE_EQ(model.evaluate(std::vector<std::uint8_t>{1, 1, 0}), 2);
  EXPECT_DOUBLE_EQ(model.evaluate(std::vector<std::uint8_t>{1, 1, 1}), 0);
  EXPECT_DOUBLE_EQ(model.evaluate(std::vector<std::uint8_t>{0, 1, 0}), 0);
  const auto state = model.at(std::vector{0.5, 0.25, 0.5});
  EXPECT_DOUBLE_EQ(state.value(), 0.875);    // 2 * 0.5 (1 - 0.125)
  EXPECT_DOUBLE_EQ(state.partial(0), 1.75);  // 2 (1 - 0.125)
  EXPECT_DOUBLE_EQ(state.partial(1), -0.5);  // -2 * 0.5 * 0.5
}

TEST(HypergraphCut, AHyperedgeOfOneNodeIsNeverCut) {
  const HypergraphCut model = make_hypergraph_cut({1.5}, {undirected_hyperedge({0}, 4)});
  EXPECT_DOUBLE_EQ(model.evaluate(std::vector<std::uint8_t>{1}), 1.5);
  EXPECT_DOUBLE_EQ(model.at(std::vector{0.3}).partial(0), 1.5);
}

// A graph is a hypergraph: both cuts must agree on every set.
TEST(HypergraphCut, PairsAreTheGraphCut) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const bool directed = seed % 2 == 0;
    Random random(seed);
    const auto edges = testing::random_edges(7, 0.5, 0, 2, random);
    std::vector<Hyperedge> hyperedges;
    for (const auto& [from, to, weight] : edges)
      hyperedges.push_back(directed ? Hyperedge{weight, {from}, {to}}
                                    : undirected_hyperedge({from, to}, weight));
    const std::vector<double> bias(7, -0.5);
    const auto graph = reference::all_values(make_graph_cut(bias, edges, directed));
    const auto hypergraph = reference::all_values(make_hypergraph_cut(bias, hyperedges));
    for (Index code = 0; code < graph.size(); ++code)
      EXPECT_NEAR(hypergraph[code], graph[code], 1e-12);
  }
}

TEST(HypergraphCut, WeightsOfAtLeastZeroAreSubmodular) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const auto model = testing::random_hypergraph_cut(seed % 8, seed % 12, seed);
    ASSERT_EQ(submodularity_violation(model), std::nullopt);
    ASSERT_LE(reference::submodularity_gap(reference::all_values(model), model.size()), 1e-12);
  }
}

TEST(HypergraphCut, NamesTheHyperedgeThatIsNotSubmodular) {
  const auto model = make_hypergraph_cut(
      {0, 0, 0},
      {undirected_hyperedge({0, 1}, 1), undirected_hyperedge({0, 2}, 0), {-1, {0}, {1}}});
  EXPECT_EQ(submodularity_violation(model),
            "hyperedge 2 has weight -1, which must be >= 0 for a submodular cut");
  EXPECT_GT(reference::submodularity_gap(
                reference::all_values(make_hypergraph_cut({0, 0}, {{-1, {0}, {1}}})), 2),
            0);
}

TEST(HypergraphCut, ParallelHyperedgesCountTogether) {
  EXPECT_EQ(submodularity_violation(make_hypergraph_cut({0, 0}, {{1, {0}, {1}}, {-1, {0}, {1}}})),
            std::nullopt);
  EXPECT_EQ(
      submodularity_violation(
          make_hypergraph_cut({0, 0}, {{1, {0}, {1}}, {-1 - 0x1p-52, {0}, {1}}})),
      "hyperedge 1 has weight -2.220446049250313e-16, which must be >= 0 for a submodular cut");
}

TEST(HypergraphCut, ALargeHyperedgeComesBackFromUnderflow) {
  std::vector<std::uint32_t> all(2000);
  for (std::uint32_t i = 0; i < 2000; ++i) all[i] = i;
  const auto model =
      make_hypergraph_cut(std::vector<double>(2000, 0.0), {undirected_hyperedge(all, 3)});
  auto state = model.at(std::vector<double>(2000, 0.5));
  EXPECT_DOUBLE_EQ(state.value(), 3);
  for (Index i = 1; i < 2000; ++i) state.set(i, 1);
  EXPECT_NEAR(state.partial(0), -3, 1e-12);
  state.set(0, 5e-324);
  EXPECT_NEAR(state.value(), 3, 1e-12);
  for (Index i = 1; i < 2000; ++i) state.set(i, 0);
  EXPECT_NEAR(state.partial(0), 3, 1e-12);
}

TEST(HypergraphCut, RefusesWhatIsNotAHypergraph) {
  const auto refusal = [](std::vector<double> bias, std::vector<Hyperedge> hyperedges) {
    return testing::refusal([&] { make_hypergraph_cut(bias, hyperedges); });
  };
  EXPECT_EQ(refusal({0, NAN}, {}), "hypergraph cut: node 1 has bias nan, which must be finite");
  EXPECT_EQ(refusal({0, 0}, {{1, {0}, {1}}, {NAN, {0}, {1}}}),
            "hypergraph cut: hyperedge 1 has weight nan, which must be finite");
  EXPECT_EQ(refusal({0, 0}, {{1, {}, {1}}}), "hypergraph cut: hyperedge 0 has no node in its tail");
  EXPECT_EQ(refusal({0, 0}, {{1, {1}, {}}}), "hypergraph cut: hyperedge 0 has no node in its head");
  EXPECT_EQ(refusal({0, 0}, {{1, {1}, {2}}}),
            "hypergraph cut: hyperedge 0 holds node 2, but there are 2");
  EXPECT_EQ(refusal({0, 0}, {{1, {1, 0, 1}, {0}}}),
            "hypergraph cut: hyperedge 0 holds node 1 twice in its tail");
}

}  // namespace
}  // namespace surefield
