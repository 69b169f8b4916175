#include "surefield/models/graph_cut/graph_cut.hpp"

#include <cmath>

#include "surefield/core/error.hpp"
#include "surefield/core/exact_sum.hpp"
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
  std::vector<std::size_t> start(n + 1, 0);  // the edges of node i, read by node
  auto couplings = edges;
  for (auto& [from, to, weight] : couplings) {
    require(from < n && to < n, "graph cut: edge ", from, "-", to, " leaves the ", n, " nodes");
    require(from != to, "graph cut: edge ", from, "-", to, " joins a node to itself");
    require(std::isfinite(weight), "graph cut: edge ", from, "-", to, " has weight ", weight,
            ", which must be finite");
    ++start[from + 1];
    if (!directed) ++start[to + 1];
    weight *= directed ? -1 : -2;
    require(std::isfinite(weight), "graph cut: edge ", from, "-", to, " is worth ", weight,
            " as a coupling, which must be finite");
  }
  for (Index i = 0; i < n; ++i) start[i + 1] += start[i];
  std::vector<double> weights(start[n]);
  auto next = start;
  for (const auto& [from, to, weight] : edges) {
    weights[next[from]++] = weight;
    if (!directed) weights[next[to]++] = weight;
  }
  std::vector<double> linear(n);  // bias_i plus the weights of its edges: one rounding
  for (Index i = 0; i < n; ++i) {
    ExactSum sum;
    sum.add(bias[i]);
    for (std::size_t e = start[i]; e < start[i + 1]; ++e) sum.add(weights[e]);
    linear[i] = sum.value();
    require(std::isfinite(linear[i]), "graph cut: node ", i,
            " has a bias and weights that add up to ", linear[i], ", which must be finite");
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
