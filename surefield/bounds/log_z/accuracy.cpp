#include "surefield/bounds/log_z/accuracy.hpp"

#include <cmath>

#include "surefield/core/sum_of_sizes.hpp"

namespace surefield {
namespace {

/// No numbers to look at: the gains on the empty set and on the full one.
template <class M>
double gains_of(const M& model) {
  auto set = model.empty_set();
  double sum = std::abs(set.value());
  for (Index i = 0; i < model.size(); ++i) sum += std::abs(set.gain(i));
  for (Index i = 0; i < model.size(); ++i) set.add(i);
  for (Index i = 0; i < model.size(); ++i) sum += std::abs(set.gain(i));
  return sum + std::abs(set.value());
}

}  // namespace

Accuracy accuracy_of(const Flid& model) { return accuracy_of(model.facility); }
Accuracy accuracy_of(const GraphCut& model) { return accuracy_of(model.field); }

Accuracy accuracy_of(const FacilityLocation& model) {
  double sum = sum_of_sizes(model.cost);
  for (Index d = 0; d < model.benefit.groups(); ++d)
    for (const auto& entry : model.benefit.of_group(d)) sum += std::abs(entry.value);
  return {.magnitude = sum};
}

Accuracy accuracy_of(const Coverage& model) {
  return {.magnitude = sum_of_sizes(model.cost) + sum_of_sizes(model.concept_weight)};
}

Accuracy accuracy_of(const PairwiseField& model) {
  return {.magnitude =
              std::abs(model.constant) + sum_of_sizes(model.bias) + sum_of_sizes(model.coupling)};
}

Accuracy accuracy_of(const HypergraphCut& model) {
  double sum = sum_of_sizes(model.bias);
  for (const auto& edge : model.hyperedges) sum += std::abs(edge.weight);
  return {.magnitude = sum};
}

Accuracy accuracy_of(const GibbsField& model) {
  return {.magnitude = std::abs(model.constant) + sum_of_sizes(model.bias) +
                       sum_of_sizes(model.coefficient)};
}

Accuracy accuracy_of(const ConcaveOverModular& model) {
  double groups = 0;
  for (Index g = 0; g < model.groups.size(); ++g) {
    double all = 0;
    for (const auto& entry : model.members.of_group(g)) all += entry.value;
    groups += std::abs(model.groups[g].weight) * model.groups[g].shape(all);
  }
  return {.magnitude = sum_of_sizes(model.modular) + groups, .extension = model.tolerance * groups};
}

Accuracy accuracy_of(const LogDet& model) {
  return {.magnitude = gains_of(model), .estimated = true};
}
Accuracy accuracy_of(const BlackBox& model) {
  return {.magnitude = gains_of(model), .estimated = true};
}

Accuracy accuracy_of(const WeightedSum& model) {
  Accuracy sum;
  for (const auto& term : model.terms) {
    const Accuracy one = std::visit([](const auto& part) { return accuracy_of(part); }, term.model);
    sum.magnitude += std::abs(term.weight) * one.magnitude;
    sum.extension += std::abs(term.weight) * one.extension;
    sum.estimated |= one.estimated;
  }
  return sum;
}

}  // namespace surefield
