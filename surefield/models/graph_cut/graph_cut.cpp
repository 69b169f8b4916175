#include "surefield/models/graph_cut/graph_cut.hpp"

#include <cmath>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {

double GraphCut::evaluate(Subset chosen) const {
  CompensatedSum sum;
  for (Index i = 0; i < size(); ++i)
    if (chosen[i]) sum.add(bias[i]);
  for (const auto& [from, to, weight] : edges) {
    const bool cut = directed ? chosen[from] && !chosen[to] : chosen[from] != chosen[to];
    if (cut) sum.add(weight);
  }
  return sum.value();
}

GraphCut make_graph_cut(std::vector<double> bias, std::vector<Edge> edges, bool directed) {
  const Index n = bias.size();
  for (Index i = 0; i < n; ++i)
    require(std::isfinite(bias[i]), "graph cut: node ", i, " has bias ", bias[i],
            ", which must be finite");
  auto linear = bias;
  auto couplings = edges;
  for (auto& [from, to, weight] : couplings) {
    require(from < n && to < n, "graph cut: edge ", from, "-", to, " leaves the ", n, " nodes");
    require(from != to, "graph cut: edge ", from, "-", to, " joins a node to itself");
    require(std::isfinite(weight), "graph cut: edge ", from, "-", to, " has weight ", weight,
            ", which must be finite");
    linear[from] += weight;
    if (!directed) linear[to] += weight;
    weight *= directed ? -1 : -2;
  }
  GraphCut model{
      .bias = std::move(bias), .edges = std::move(edges), .directed = directed, .field = {}};
  model.field = make_pairwise_field(std::move(linear), couplings);
  return model;
}

std::optional<std::string> submodularity_violation(const GraphCut& model) {
  for (const auto& [from, to, coupling] : model.field.edges())
    if (coupling > 0)
      return message("edge ", from, "-", to, " has weight ",
                     model.directed ? -coupling : -coupling / 2,
                     ", which must be >= 0 for a submodular cut");
  return std::nullopt;
}

}  // namespace surefield
