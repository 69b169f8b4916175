#include "surefield/io/field_factors.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

constexpr double kLargestLog = 700;  // exp(+-700) is a normal double
constexpr double kMostParts = 1000;

FactorGraph of_constant_and_bias(double constant, const std::vector<double>& bias) {
  FactorGraph graph;
  graph.variables = bias.size();
  if (constant != 0) graph.factors.push_back({{}, {constant}});
  for (Index i = 0; i < bias.size(); ++i)
    if (bias[i] != 0) graph.factors.push_back({{static_cast<std::uint32_t>(i)}, {0, bias[i]}});
  return graph;
}

}  // namespace

FactorGraph factor_graph_of(const PairwiseField& field) {
  FactorGraph graph = of_constant_and_bias(field.constant, field.bias);
  for (const auto& [from, to, coupling] : field.edges())
    if (coupling != 0) graph.factors.push_back({{from, to}, {0, 0, 0, coupling}});
  return graph;
}

FactorGraph factor_graph_of(const GibbsField& field) {
  FactorGraph graph = of_constant_and_bias(field.constant, field.bias);
  for (const auto& [variables, coefficient] : field.terms()) {
    require(variables.size() <= kLargestFactor, "factor graph: a monomial has ", variables.size(),
            " variables, more than the limit of ", kLargestFactor, " for a table");
    Factor factor{variables, std::vector<double>(Index{1} << variables.size(), 0.0)};
    factor.log_table.back() = coefficient;
    graph.factors.push_back(std::move(factor));
  }
  return graph;
}

std::vector<Factor> writable_factors(const FactorGraph& graph) {
  require_valid(graph);
  std::vector<Factor> result;
  for (Index f = 0; f < graph.factors.size(); ++f) {
    double largest = 0;
    for (const double entry : graph.factors[f].log_table)
      if (std::isfinite(entry)) largest = std::max(largest, std::abs(entry));
    const double parts = std::max(1.0, std::ceil(largest / kLargestLog));
    require(parts <= kMostParts, "factor graph: factor ", f, " has a log of size ", largest,
            ", too great for a file of plain numbers; write the model as JSON");
    Factor part = graph.factors[f];
    if (parts > 1)
      for (double& entry : part.log_table) entry /= parts;
    result.insert(result.end(), static_cast<Index>(parts), part);
  }
  return result;
}

}  // namespace surefield
