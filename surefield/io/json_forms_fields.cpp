// Models that are sums over edges, hyperedges and monomials: pairwise, cut, hypergraph cut, Gibbs.
#include <nlohmann/json.hpp>

#include "surefield/io/json_forms.hpp"

namespace surefield {
namespace {

std::vector<Edge> edges_of(const JsonCursor& edges, Index nodes) {
  std::vector<Edge> result(edges.size());
  for (Index e = 0; e < result.size(); ++e) {
    const auto edge = edges.element(e);
    if (edge.size() != 3)
      edge.fail_here("has ", edge.size(), " numbers, which must be two nodes and a weight");
    result[e] = {edge.element(0).index(nodes, "nodes"), edge.element(1).index(nodes, "nodes"),
                 edge.element(2).number()};
  }
  return result;
}

void add_edges(const std::vector<Edge>& edges, OrderedJson& object) {
  auto& rows = object["edges"] = OrderedJson::array();
  for (const auto& [from, to, weight] : edges)
    rows.push_back(OrderedJson::array({from, to, weight}));
}

double constant_of(const JsonCursor& object) {
  const auto constant = object.find("constant");
  return constant ? constant->number() : 0;
}

}  // namespace

template <>
PairwiseField model_from_json<PairwiseField>(const JsonCursor& object) {
  object.allow_only({"constant", "bias", "edges"}, model_keys(object));
  const double constant = constant_of(object);
  auto bias = object.at("bias").numbers();
  const auto edges = edges_of(object.at("edges"), bias.size());
  return object.making([&] { return make_pairwise_field(std::move(bias), edges, constant); });
}

void add_to_json(const PairwiseField& model, OrderedJson& object) {
  object["constant"] = model.constant;
  object["bias"] = model.bias;
  add_edges(model.edges(), object);
}

template <>
GraphCut model_from_json<GraphCut>(const JsonCursor& object) {
  object.allow_only({"directed", "bias", "edges"}, model_keys(object));
  auto bias = object.at("bias").numbers();
  auto edges = edges_of(object.at("edges"), bias.size());
  const auto directed = object.find("directed");
  const bool is_directed = directed && directed->truth();
  return object.making(
      [&] { return make_graph_cut(std::move(bias), std::move(edges), is_directed); });
}

void add_to_json(const GraphCut& model, OrderedJson& object) {
  object["directed"] = model.directed;
  object["bias"] = model.bias;
  add_edges(model.edges, object);
}

template <>
HypergraphCut model_from_json<HypergraphCut>(const JsonCursor& object) {
  object.allow_only({"bias", "hyperedges"}, model_keys(object));
  auto bias = object.at("bias").numbers();
  const auto list = object.at("hyperedges");
  std::vector<Hyperedge> hyperedges(list.size());
  for (Index e = 0; e < hyperedges.size(); ++e) {
    const auto one = list.element(e);
    const auto nodes = [&](std::string_view key) {
      const auto array = one.at(key);
      return array.indices(bias.size(), "nodes");
    };
    const double weight = one.at("weight").number();
    if (one.find("nodes")) {
      one.allow_only({"weight", "nodes"});
      hyperedges[e] = undirected_hyperedge(nodes("nodes"), weight);
    } else {
      one.allow_only({"weight", "tail", "head"});
      hyperedges[e] = {weight, nodes("tail"), nodes("head")};
    }
  }
  return object.making([&] { return make_hypergraph_cut(std::move(bias), std::move(hyperedges)); });
}

void add_to_json(const HypergraphCut& model, OrderedJson& object) {
  object["bias"] = model.bias;
  auto& list = object["hyperedges"] = OrderedJson::array();
  for (const auto& [weight, tail, head] : model.hyperedges) {
    auto& one = list.emplace_back();
    one["weight"] = weight;
    if (tail == head) {
      one["nodes"] = tail;
    } else {
      one["tail"] = tail;
      one["head"] = head;
    }
  }
}

template <>
GibbsField model_from_json<GibbsField>(const JsonCursor& object) {
  object.allow_only({"constant", "bias", "terms"}, model_keys(object));
  const double constant = constant_of(object);
  auto bias = object.at("bias").numbers();
  const auto list = object.at("terms");
  std::vector<Monomial> terms(list.size());
  for (Index a = 0; a < terms.size(); ++a) {
    const auto term = list.element(a);
    term.allow_only({"variables", "coefficient"});
    const auto variables = term.at("variables");
    terms[a] = {variables.indices(bias.size(), "variables"), term.at("coefficient").number()};
  }
  return object.making([&] { return make_gibbs_field(std::move(bias), terms, constant); });
}

void add_to_json(const GibbsField& model, OrderedJson& object) {
  object["constant"] = model.constant;
  object["bias"] = model.bias;
  auto& list = object["terms"] = OrderedJson::array();
  for (const auto& [variables, coefficient] : model.terms()) {
    auto& term = list.emplace_back();
    term["variables"] = variables;
    term["coefficient"] = coefficient;
  }
}

}  // namespace surefield
