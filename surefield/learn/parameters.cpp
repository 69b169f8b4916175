#include "surefield/learn/parameters.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

template <class M>
void require_count(const M& model, std::span<const double> theta, std::size_t wanted) {
  require(theta.size() == wanted, "parameters: there are ", theta.size(), " numbers for a ",
          M::kKind, " of ", model.size(), " items, which has ", wanted);
}

std::vector<double> copy_of(std::span<const double> numbers) {
  return {numbers.begin(), numbers.end()};
}

/// The groups of a table, with `value(item's value)` of each entry.
template <class Value>
std::vector<std::vector<Entry>> groups_of(const Incidence& table, Value&& value) {
  std::vector<std::vector<Entry>> groups(table.groups());
  for (Index g = 0; g < groups.size(); ++g)
    for (const Entry& entry : table.of_group(g)) groups[g].push_back({entry.index, value(entry)});
  return groups;
}

}  // namespace

std::vector<double> parameters(const Flid& model) {
  std::vector<double> theta = model.utility;
  theta.insert(theta.end(), model.weights.begin(), model.weights.end());
  return theta;
}

std::vector<double> parameters(const FacilityLocation& model) {
  std::vector<double> theta = model.cost;
  for (Index d = 0; d < model.benefit.groups(); ++d)
    for (const Entry& entry : model.benefit.of_group(d)) theta.push_back(entry.value);
  return theta;
}

std::vector<double> parameters(const Coverage& model) {
  std::vector<double> theta = model.cost;
  theta.insert(theta.end(), model.concept_weight.begin(), model.concept_weight.end());
  return theta;
}

std::vector<double> parameters(const PairwiseField& model) {
  std::vector<double> theta = model.bias;
  for (const Edge& edge : model.edges()) theta.push_back(edge.weight);
  return theta;
}

std::vector<double> parameters(const WeightedSum& model) {
  std::vector<double> theta;
  for (const auto& term : model.terms) theta.push_back(term.weight);
  return theta;
}

Flid with_parameters(const Flid& model, std::span<const double> theta) {
  require_count(model, theta, model.size() + model.weights.size());
  return make_flid(copy_of(theta.first(model.size())), copy_of(theta.subspan(model.size())),
                   model.dimensions);
}

FacilityLocation with_parameters(const FacilityLocation& model, std::span<const double> theta) {
  require_count(model, theta, model.size() + model.benefit.entries());
  std::size_t next = model.size();
  return make_facility_location(
      copy_of(theta.first(model.size())),
      groups_of(model.benefit, [&](const Entry&) { return theta[next++]; }));
}

Coverage with_parameters(const Coverage& model, std::span<const double> theta) {
  require_count(model, theta, model.size() + model.concept_weight.size());
  return make_coverage(copy_of(theta.first(model.size())), copy_of(theta.subspan(model.size())),
                       groups_of(model.members, [](const Entry& entry) { return entry.value; }));
}

PairwiseField with_parameters(const PairwiseField& model, std::span<const double> theta) {
  std::vector<Edge> edges = model.edges();
  require_count(model, theta, model.size() + edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e) edges[e].weight = theta[model.size() + e];
  return make_pairwise_field(copy_of(theta.first(model.size())), edges, model.constant);
}

WeightedSum with_parameters(const WeightedSum& model, std::span<const double> theta) {
  require_count(model, theta, model.terms.size());
  std::vector<WeightedSum::Term> terms = model.terms;
  for (std::size_t t = 0; t < terms.size(); ++t) terms[t].weight = theta[t];
  return make_weighted_sum(model.size(), std::move(terms));
}

std::size_t ParameterBlock::size() const {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

std::vector<ParameterBlock> parameter_blocks(const Flid& model) {
  return {{"utility", {model.size()}}, {"weights", {model.size(), model.dimensions}}};
}

std::vector<ParameterBlock> parameter_blocks(const FacilityLocation& model) {
  return {{"cost", {model.size()}}, {"benefit", {model.benefit.entries()}}};
}

std::vector<ParameterBlock> parameter_blocks(const Coverage& model) {
  return {{"cost", {model.size()}}, {"weights", {model.concept_weight.size()}}};
}

std::vector<ParameterBlock> parameter_blocks(const PairwiseField& model) {
  return {{"bias", {model.size()}}, {"coupling", {model.edges().size()}}};
}

std::vector<ParameterBlock> parameter_blocks(const WeightedSum& model) {
  return {{"factors", {model.terms.size()}}};
}

}  // namespace surefield
