#include "surefield/io/edge_list.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <sstream>

#include "surefield/io/read_file.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/shared_data.hpp"

namespace surefield {
namespace {

GraphCut cut_of(std::string_view text) {
  return std::get<GraphCut>(parse_edge_model(text, "f", EdgeMeaning::kCut));
}
PairwiseField field_of_text(std::string_view text, EdgeMeaning meaning) {
  return std::get<PairwiseField>(parse_edge_model(text, "f", meaning));
}

TEST(EdgeList, ByHandInEveryMeaning) {
  const std::string text = "# a triangle less a side\n3 2\r\n1 2 5\r\n2 3 -1.5";
  EXPECT_EQ(cut_of(text).edges, (std::vector<Edge>{{0, 1, 5}, {1, 2, -1.5}}));
  EXPECT_EQ(cut_of(text).size(), 3U);
  const auto directed = std::get<GraphCut>(parse_edge_model(text, "f", EdgeMeaning::kDirectedCut));
  EXPECT_TRUE(directed.directed);
  EXPECT_EQ(directed.evaluate(std::vector<std::uint8_t>{0, 1, 0}), -1.5);
  EXPECT_EQ(field_of_text(text, EdgeMeaning::kCouplings).edges(),
            (std::vector<Edge>{{0, 1, 5}, {1, 2, -1.5}}));
}

TEST(EdgeList, AQuadraticCountsEveryEntryOffTheDiagonalTwice) {
  const auto field = field_of_text("2 3\n1 1 -3\n1 2 5\n2 2 1\n", EdgeMeaning::kQuadratic);
  EXPECT_EQ(field.evaluate(std::vector<std::uint8_t>{1, 1}), 8);  // -3 + 1 + 2 * 5
  const auto couplings = field_of_text("2 3\n1 1 -3\n1 2 5\n2 2 1\n", EdgeMeaning::kCouplings);
  EXPECT_EQ(couplings.evaluate(std::vector<std::uint8_t>{1, 1}), 3);  // -3 + 1 + 5
}

TEST(EdgeList, TheWeightIsOneWhereNoneIsGiven) {
  EXPECT_EQ(cut_of("3 2\n1 2\n3 1\n").edges, (std::vector<Edge>{{0, 1, 1}, {2, 0, 1}}));
  EXPECT_EQ(cut_of("0 0").size(), 0U);
  EXPECT_EQ(cut_of("4 0\n").size(), 4U);
}

TEST(EdgeList, WritesWhatItReads) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed);
    const Index n = seed % 8;
    const auto edges = testing::random_edges(n, 0.6, -2, 3, random);
    for (const bool directed : {false, true}) {
      const auto cut = make_graph_cut(std::vector<double>(n, 0.0), edges, directed);
      const auto meaning = directed ? EdgeMeaning::kDirectedCut : EdgeMeaning::kCut;
      const auto again = std::get<GraphCut>(parse_edge_model(edge_list_text(cut), "f", meaning));
      EXPECT_EQ(again.edges, cut.edges) << seed;
      EXPECT_EQ(again.directed, directed);
      EXPECT_EQ(again.size(), n);
    }
    auto field = testing::random_pairwise(n, 0.6, seed);
    field.constant = 0;
    for (const auto meaning : {EdgeMeaning::kCouplings, EdgeMeaning::kQuadratic}) {
      const auto again = field_of_text(edge_list_text(field, meaning), meaning);
      EXPECT_EQ(again.bias, field.bias) << seed;
      EXPECT_EQ(again.edges(), field.edges()) << seed;
    }
  }
}

TEST(EdgeList, RefusesByFileAndLine) {
  const auto refusal = [](std::string_view text, EdgeMeaning meaning = EdgeMeaning::kCut) {
    return testing::refusal([&] { parse_edge_model(text, "g.txt", meaning); });
  };
  EXPECT_EQ(refusal(""),
            "g.txt:1: the file ends, expected a number of nodes, a whole number from 0");
  EXPECT_EQ(refusal("3 1\n0 2 1"), "g.txt:2: found '0', expected a node from 1 to 3");
  EXPECT_EQ(refusal("3 1\n1 4 1"), "g.txt:2: found '4', expected a node from 1 to 3");
  EXPECT_EQ(refusal("3 1\n1 2 abc"), "g.txt:2: found 'abc', expected a number (a weight)");
  EXPECT_EQ(refusal("3 1\n1 2 nan"), "g.txt:2: found 'nan', expected a finite number (a weight)");
  EXPECT_EQ(refusal("3 1\n2 2 1"), "g.txt:2: found the edge '2 2', expected two different nodes");
  EXPECT_EQ(refusal("3 2\n1 2 1\n2 3\n"),
            "g.txt:3: found an edge without a weight, expected all edges with one or none");
  EXPECT_EQ(refusal("3 2\n1 2\n2 3 1\n"),
            "g.txt:3: found an edge with a weight, expected all edges with one or none");
  EXPECT_EQ(refusal("3 1\n1 2 1\n2 3 1\n"),
            "g.txt:3: found '2', expected the end of the file after 1 edges");
  EXPECT_EQ(refusal("3 3\n1 2 1\n2 3 1\n"), "g.txt:4: the file ends, expected a node from 1 to 3");
  EXPECT_EQ(refusal("3 9999999999\n1 2 1\n"),
            "g.txt:1: found '9999999999', but the rest of the file can hold at most 2 edges");
  EXPECT_EQ(refusal("9999999999 0\n"),
            "g.txt:1: found '9999999999', but a file of this size may have at most 1048589 nodes");
  EXPECT_EQ(refusal("2 2\n1 2 1e308\n1 2 1e308\n", EdgeMeaning::kQuadratic),
            "g.txt: pairwise field: edge 0-1 has coupling inf, which must be finite");
  EXPECT_EQ(testing::refusal([] {
              edge_list_text(make_graph_cut({0, 2}, {}));
            }),
            "edge list: node 1 has bias 2, but the edge list of a cut holds none; write the model "
            "as JSON");
  EXPECT_EQ(testing::refusal([] {
              edge_list_text(make_pairwise_field({0, 2}, {}, 3));
            }),
            "edge list: the field has the constant 3, but an edge list holds none; write the model "
            "as JSON");
}

TEST(EdgeList, TheStoredCutsOfTheGsetHaveTheirValues) {
  SUREFIELD_NEEDS_DATA("maxcut_gset");
  struct Row {
    std::string name;
    Index nodes, edges;
    double value;  // best_known.txt; of G14 the stored vector cuts 3058, six below the best known
    bool vector;
  };
  const std::vector<Row> rows{{"G1", 800, 19176, 11624, true},
                              {"G2", 800, 19176, 11620, true},
                              {"G14", 800, 4694, 3058, true},
                              {"G6", 800, 19176, 2175, false},
                              {"G22", 2000, 19990, 13359, false}};
  for (const auto& [name, nodes, edges, value, has_vector] : rows) {
    const auto file = testing::shared_data("maxcut_gset/" + name + ".txt").string();
    const auto cut = std::get<GraphCut>(read_edge_model(file, EdgeMeaning::kCut));
    EXPECT_EQ(cut.size(), nodes) << name;
    EXPECT_EQ(cut.edges.size(), edges) << name;
    EXPECT_EQ(submodularity_violation(cut).has_value(), name == "G6");
    if (!has_vector) continue;
    std::string signs =
        read_file(testing::shared_data("maxcut_gset/" + name + "_best_cut_vector.txt").string());
    std::replace(signs.begin(), signs.end(), ',', ' ');
    std::istringstream in(signs);
    std::vector<std::uint8_t> chosen;
    for (int sign = 0; in >> sign;) chosen.push_back(sign > 0);
    ASSERT_EQ(chosen.size(), nodes);
    EXPECT_EQ(cut.evaluate(chosen), value) << name;
  }
}

TEST(EdgeList, EveryBiqMacFileReadsAndASmallOneHasItsPublishedOptimum) {
  SUREFIELD_NEEDS_DATA("qubo_biqmac");
  const auto files = testing::shared_files("qubo_biqmac", ".sparse");
  EXPECT_EQ(files.size(), 8U);
  for (const auto& file : files) read_edge_model(file.string(), EdgeMeaning::kQuadratic);
  for (const auto* name :
       {"g05_60.0", "g05_80.0", "pm1s_80.0", "pw01_100.0", "pw05_100.0", "t2g10_5555", "w01_100.0"})
    read_edge_model(testing::shared_data(std::string("maxcut_biqmac/") + name).string(),
                    EdgeMeaning::kCut);

  // gka1b, 20 variables: the least value of x^T Q x is -133 (optimal_gka.txt). Gray code, one flip
  // a step.
  const auto field = std::get<PairwiseField>(read_edge_model(
      testing::shared_data("qubo_biqmac/gka1b.sparse").string(), EdgeMeaning::kQuadratic));
  ASSERT_EQ(field.size(), 20U);
  auto set = field.empty_set();
  double value = 0;
  double least = 0;
  for (std::uint32_t code = 1; code < 1U << 20; ++code) {
    const Index i = static_cast<Index>(std::countr_zero(code));
    const double gain = set.gain(i);
    if (set.contains(i)) {
      set.remove(i);
      value -= gain;
    } else {
      set.add(i);
      value += gain;
    }
    least = std::min(least, value);
  }
  EXPECT_EQ(least, -133);
}

}  // namespace
}  // namespace surefield
