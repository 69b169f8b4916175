#include "surefield/io/hyperedge_list.hpp"

#include <gtest/gtest.h>

#include "surefield/core/random.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/shared_data.hpp"

namespace surefield {
namespace {

using Nodes = std::vector<std::uint32_t>;

TEST(HyperedgeList, ByHandInBothForms) {
  const auto plain = parse_hyperedges("7 9\r\n\n9 a, 7\n", "f");
  EXPECT_EQ(plain.items, (std::vector<std::string>{"7", "9", "a"}));
  EXPECT_EQ(plain.model.hyperedges, (std::vector<Hyperedge>{undirected_hyperedge({0, 1}, 1),
                                                            undirected_hyperedge({1, 2, 0}, 1)}));
  const auto listed =
      parse_hyperedges("nodes\r\nx\r\nb c\r\nedges\r\n{'b c', \"x\"}\r\n{'x'}", "f");
  EXPECT_EQ(listed.items, (std::vector<std::string>{"x", "b c"}));
  EXPECT_EQ(listed.model.hyperedges[0].tail, (Nodes{1, 0}));
  EXPECT_EQ(listed.model.hyperedges[1].head, (Nodes{0}));
  EXPECT_EQ(parse_hyperedges("", "f").model.size(), 0U);
}

TEST(HyperedgeList, RefusesByFileAndLine) {
  const auto refusal = [](std::string_view text) {
    return testing::refusal([&] { parse_hyperedges(text, "h.txt"); });
  };
  EXPECT_EQ(refusal("nodes\na\nb\n"), "h.txt:3: the file ends, expected a line 'edges'");
  EXPECT_EQ(refusal("nodes\na\na\nedges\n"), "h.txt:3: node 'a' is listed twice");
  EXPECT_EQ(refusal("nodes\na\nedges\n{'a', 'b'}\n"),
            "h.txt:4: found 'b', expected one of the 1 listed nodes");
  EXPECT_EQ(refusal("a b\na a\n"), "h.txt:2: node 'a' is twice in the hyperedge");
  EXPECT_EQ(refusal("{}\n"), "h.txt:1: the hyperedge is empty, expected one or more nodes");
  EXPECT_EQ(refusal("{'a'\n"), "h.txt:1: found '{'a'', expected both braces or none");
  EXPECT_EQ(refusal("{'a}\n"), "h.txt:1: found ''a', expected a closing quote on the same line");
  EXPECT_EQ(refusal("'a'b\n"), "h.txt:1: found 'b' behind a closing quote, expected a separator");
  EXPECT_EQ(refusal("'' b\n"), "h.txt:1: found an empty name, expected a node");
  const auto writing = [](std::vector<double> bias, std::vector<Hyperedge> edges,
                          std::vector<std::string> names) {
    return testing::refusal([&] { hyperedges_text(make_hypergraph_cut(bias, edges), names); });
  };
  EXPECT_EQ(
      writing({1}, {}, {}),
      "hyperedges: node 0 has bias 1, but a hyperedge list holds none; write the model as JSON");
  EXPECT_EQ(writing({0, 0}, {{1, {0}, {1}}}, {}),
            "hyperedges: hyperedge 0 must be undirected with weight 1; write the model as JSON");
  EXPECT_EQ(writing({0}, {}, {"edges"}),
            "hyperedges: the node name 'edges' cannot be written in a hyperedge list");
  EXPECT_EQ(writing({0}, {}, {"a", "b"}), "hyperedges: there are 2 names, but 1 nodes");
}

TEST(HyperedgeList, WritesWhatItReads) {
  const std::vector<std::string> odd{"plain", "two words", "it's",  "{1}",
                                     "a,b",   "7",         "\"q\"", "nodes"};
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed);
    std::vector<Hyperedge> edges;
    for (Index e = 0; e < random.below(6); ++e) {
      Nodes nodes{static_cast<std::uint32_t>(random.below(odd.size()))};
      for (std::uint32_t i = 0; i < odd.size(); ++i)
        if (i != nodes[0] && random.chance(0.3)) nodes.push_back(i);
      edges.push_back(undirected_hyperedge(nodes, 1));
    }
    const auto model = make_hypergraph_cut(std::vector<double>(odd.size(), 0.0), edges);
    const auto again = parse_hyperedges(hyperedges_text(model, odd), "f");
    EXPECT_EQ(again.model.hyperedges, model.hyperedges) << seed;
    EXPECT_EQ(again.items, odd) << seed;
    EXPECT_EQ(parse_hyperedges(hyperedges_text(model), "f").model.hyperedges, model.hyperedges)
        << seed;
  }
}

TEST(HypergraphData, HasItsNodesAndHyperedges) {
  SUREFIELD_NEEDS_DATA("hypergraphs");
  struct Row {
    std::string file;
    Index nodes, edges;
  };
  const std::vector<Row> rows{{"NDC-classes-unique-hyperedges.txt", 1161, 1088},
                              {"contact-primary-school.txt", 242, 12704},
                              {"diseasome.txt", 516, 481},
                              {"email-enron.txt", 148, 1514}};
  for (const auto& [file, nodes, edges] : rows) {
    const auto read = read_hyperedges(testing::shared_data("hypergraphs/" + file).string());
    EXPECT_EQ(read.items.size(), nodes) << file;
    EXPECT_EQ(read.model.size(), nodes) << file;
    EXPECT_EQ(read.model.hyperedges.size(), edges) << file;
    EXPECT_EQ(parse_hyperedges(hyperedges_text(read.model, read.items), "f").model.hyperedges,
              read.model.hyperedges);
  }
}

}  // namespace
}  // namespace surefield
