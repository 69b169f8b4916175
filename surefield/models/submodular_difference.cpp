#include "surefield/models/submodular_difference.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "surefield/models/fldc/fldc.hpp"
#include "surefield/models/gibbs_field/gibbs_field.hpp"
#include "surefield/models/graph_cut/graph_cut.hpp"
#include "surefield/models/hypergraph_cut/hypergraph_cut.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "surefield/models/weighted_sum/weighted_sum.hpp"

namespace surefield {
namespace {

SubmodularDifference difference_of(const PairwiseField& field) {
  std::vector<Edge> falling, rising;
  for (const Edge& edge : field.edges())
    if (edge.weight > 0)
      rising.push_back({edge.from, edge.to, -edge.weight});
    else
      falling.push_back(edge);
  PairwiseField added = make_pairwise_field(field.bias, falling, field.constant);
  added.inherited_error = field.inherited_error;
  return {std::move(added), make_pairwise_field(std::vector<double>(field.size(), 0), rising)};
}

SubmodularDifference difference_of(const GibbsField& field) {
  std::vector<Monomial> falling, rising;
  for (const Monomial& term : field.terms())
    if (term.coefficient > 0 && term.variables.size() > 1)
      rising.push_back({term.variables, -term.coefficient});
    else
      falling.push_back(term);
  GibbsField added = make_gibbs_field(field.bias, falling, field.constant);
  added.inherited_error = field.inherited_error;
  return {std::move(added), make_gibbs_field(std::vector<double>(field.size(), 0), rising, 0)};
}

SubmodularDifference difference_of(const HypergraphCut& cut) {
  std::vector<Hyperedge> falling, rising;
  for (Hyperedge edge : cut.hyperedges) {
    auto& side = edge.weight < 0 ? rising : falling;
    edge.weight = std::abs(edge.weight);
    side.push_back(std::move(edge));
  }
  return {make_hypergraph_cut(cut.bias, std::move(falling)),
          make_hypergraph_cut(std::vector<double>(cut.size(), 0), std::move(rising))};
}

std::optional<SubmodularDifference> difference_of(const WeightedSum& sum) {
  std::vector<WeightedSum::Term> added, taken;
  for (const auto& [weight, model] : sum.terms) {
    if (weight == 0) continue;
    auto parts = submodular_difference(model);
    if (!parts) return std::nullopt;
    auto& same = weight > 0 ? added : taken;
    auto& other = weight > 0 ? taken : added;
    same.push_back({std::abs(weight), std::move(parts->added)});
    if (parts->taken) other.push_back({std::abs(weight), std::move(*parts->taken)});
  }
  return SubmodularDifference{make_weighted_sum(sum.size(), std::move(added)),
                              make_weighted_sum(sum.size(), std::move(taken))};
}

std::optional<SubmodularDifference> parts_by_family(const AnyModel& model) {
  if (const auto* field = model.as<PairwiseField>()) return difference_of(*field);
  if (const auto* cut = model.as<GraphCut>()) return difference_of(cut->field);
  if (const auto* field = model.as<GibbsField>()) return difference_of(*field);
  if (const auto* cut = model.as<HypergraphCut>()) return difference_of(*cut);
  if (const auto* fldc = model.as<Fldc>())
    return SubmodularDifference{fldc->best_weight, fldc->best_coherence};
  if (const auto* sum = model.as<WeightedSum>()) return difference_of(*sum);
  return std::nullopt;
}

}  // namespace

std::optional<SubmodularDifference> submodular_difference(const AnyModel& model) {
  if (!submodularity_violation(model)) return SubmodularDifference{model, std::nullopt};
  auto parts = parts_by_family(model);
  // Values < 0 of best items, monomials of mixed use: what was read off must be proved.
  if (!parts || submodularity_violation(parts->added) || submodularity_violation(*parts->taken))
    return std::nullopt;
  return parts;
}

Facts facts_with_parts(const AnyModel& model, const SubmodularDifference& parts, double beta) {
  Facts facts = model.facts().times(beta);
  if (!parts.taken) return facts;
  facts.submodularity = Submodularity::kProved;
  facts.violation.clear();
  constexpr double kUp = 1 + 8 * kUnitRoundoff;
  for (const AnyModel* part : {&parts.added, &*parts.taken}) {
    const Facts one = part->facts().times(beta);
    if (one.submodularity == Submodularity::kAssumed) facts.submodularity = one.submodularity;
    facts.value_error = (facts.value_error + one.value_error) * kUp;
    facts.gain_error = (facts.gain_error + one.gain_error) * kUp;
    facts.gain_error_sum = (facts.gain_error_sum + one.gain_error_sum) * kUp;
  }
  return facts;
}

}  // namespace surefield
