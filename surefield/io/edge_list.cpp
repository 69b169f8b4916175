#include "surefield/io/edge_list.hpp"

#include <array>
#include <utility>

#include "surefield/core/error.hpp"
#include "surefield/io/number_text.hpp"
#include "surefield/io/read_file.hpp"
#include "surefield/io/text_scanner.hpp"

namespace surefield {
namespace {

constexpr std::array<std::pair<std::string_view, EdgeMeaning>, 4> kMeanings{
    {{"cut", EdgeMeaning::kCut},
     {"directed-cut", EdgeMeaning::kDirectedCut},
     {"couplings", EdgeMeaning::kCouplings},
     {"quadratic", EdgeMeaning::kQuadratic}}};

}  // namespace

std::vector<std::string> edge_meaning_names() {
  std::vector<std::string> names;
  for (const auto& [name, meaning] : kMeanings) names.emplace_back(name);
  return names;
}

EdgeMeaning edge_meaning_named(std::string_view name) {
  std::string list;
  for (const auto& [known, meaning] : kMeanings) {
    if (known == name) return meaning;
    list.append(list.empty() ? "" : ", ").append(known);
  }
  fail("the meaning of the edges is ", in_quotes(name), ", which must be one of ", list);
}

namespace {

PairwiseField field_of_list(const EdgeList& list, double scale) {
  std::vector<double> bias(list.nodes, 0.0);
  std::vector<Edge> couplings;
  couplings.reserve(list.edges.size());
  for (const auto& [from, to, weight] : list.edges)
    if (from == to)
      bias[from] += weight;
    else
      couplings.push_back({from, to, scale * weight});
  return make_pairwise_field(std::move(bias), couplings);
}

}  // namespace

EdgeList parse_edge_list(std::string_view text, std::string_view name, bool loops) {
  TextScanner scanner(text, name, TextScanner::Comments::kHash);
  EdgeList list;
  list.nodes = scanner.implied_count("nodes");
  const Index count = scanner.count("edges", 4);
  list.edges.reserve(count);
  bool weighted = false;
  for (Index e = 0; e < count; ++e) {
    const auto from = scanner.whole("a node", 1, list.nodes);
    const auto to = scanner.whole("a node", 1, list.nodes);
    if (from == to && !loops)
      scanner.fail_here("found the edge '", from, " ", to, "', expected two different nodes");
    const bool has_weight = !scanner.at_line_end();
    if (e == 0) weighted = has_weight;
    if (has_weight != weighted)
      scanner.fail_here("found an edge ", has_weight ? "with" : "without",
                        " a weight, expected all edges with one or none");
    list.edges.push_back({static_cast<std::uint32_t>(from - 1), static_cast<std::uint32_t>(to - 1),
                          has_weight ? scanner.number("a weight") : 1.0});
  }
  scanner.expect_end(message(count, " edges"));
  return list;
}

EdgeModel parse_edge_model(std::string_view text, std::string_view name, EdgeMeaning meaning) {
  const bool cut = meaning == EdgeMeaning::kCut || meaning == EdgeMeaning::kDirectedCut;
  EdgeList list = parse_edge_list(text, name, !cut);
  return naming_file(name, [&]() -> EdgeModel {
    if (cut)
      return make_graph_cut(std::vector<double>(list.nodes, 0.0), std::move(list.edges),
                            meaning == EdgeMeaning::kDirectedCut);
    return field_of_list(list, meaning == EdgeMeaning::kQuadratic ? 2 : 1);
  });
}

EdgeModel read_edge_model(const std::string& path, EdgeMeaning meaning) {
  return parse_edge_model(read_file(path), path, meaning);
}

std::string edge_list_text(const GraphCut& model) {
  std::string text;
  append_line(text, model.size(), model.edges.size());
  for (Index i = 0; i < model.size(); ++i)
    require(model.bias[i] == 0, "edge list: node ", i, " has bias ", model.bias[i],
            ", but the edge list of a cut holds none; write the model as JSON");
  for (const auto& [from, to, weight] : model.edges) append_line(text, from + 1, to + 1, weight);
  return text;
}

std::string edge_list_text(const PairwiseField& model, EdgeMeaning meaning) {
  require(model.constant == 0, "edge list: the field has the constant ", model.constant,
          ", but an edge list holds none; write the model as JSON");
  const auto edges = model.edges();
  const double scale = meaning == EdgeMeaning::kQuadratic ? 0.5 : 1;
  Index lines = edges.size();
  for (const double b : model.bias) lines += b != 0;
  std::string text;
  append_line(text, model.size(), lines);
  for (Index i = 0; i < model.size(); ++i)
    if (model.bias[i] != 0) append_line(text, i + 1, i + 1, model.bias[i]);
  for (const auto& [from, to, weight] : edges) append_line(text, from + 1, to + 1, scale * weight);
  return text;
}

}  // namespace surefield
