// What rounding does to a graph cut: what it does to its field, whose biases are exact sums rounded
// once and whose couplings are exact multiples, both counted there; and evaluate, which is one
// compensated sum of the numbers as given, parallel edges one by one.
#include <algorithm>

#include "surefield/models/graph_cut/graph_cut.hpp"
#include "surefield/models/rounding_count.hpp"

namespace surefield {

Facts facts_of(const GraphCut& model) {
  Facts facts = facts_of(model.field);
  SizeSum sizes;
  for (const double bias : model.bias) sizes.add(bias);
  for (const Edge& edge : model.edges) sizes.add(edge.weight);
  const auto terms = static_cast<double>(model.bias.size() + model.edges.size());
  facts.value_error =
      std::max(facts.value_error, compensated_error(terms, facts.magnitude, sizes.value()));
  facts.magnitude = std::max(facts.magnitude, sizes.value());
  settle(facts, submodularity_violation(model));
  return facts;
}

}  // namespace surefield
