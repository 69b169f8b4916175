#include "surefield/models/rounding.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/sum_of_sizes.hpp"

namespace surefield {
namespace {

constexpr double kUnit = 4e-15;

}  // namespace

double rounding_of(const FacilityLocation& model) {
  double sum = sum_of_sizes(model.cost);
  for (Index d = 0; d < model.benefit.groups(); ++d) {
    double largest = 0;
    for (const Entry& entry : model.benefit.of_group(d))
      largest = std::max(largest, std::abs(entry.value));
    sum += largest;
  }
  return kUnit * sum;
}

double rounding_of(const Flid& model) { return rounding_of(model.facility); }

double rounding_of(const Coverage& model) {
  return kUnit * (sum_of_sizes(model.cost) + sum_of_sizes(model.concept_weight));
}

double rounding_of(const PairwiseField& model) {  // every edge is there twice
  return kUnit *
         (std::abs(model.constant) + sum_of_sizes(model.bias) + sum_of_sizes(model.coupling) / 2);
}

double rounding_of(const GraphCut& model) { return rounding_of(model.field); }

double rounding_of(const HypergraphCut& model) {
  double sum = sum_of_sizes(model.bias);
  for (const Hyperedge& edge : model.hyperedges) sum += std::abs(edge.weight);
  return kUnit * sum;
}

double rounding_of(const GibbsField& model) {
  return kUnit *
         (std::abs(model.constant) + sum_of_sizes(model.bias) + sum_of_sizes(model.coefficient));
}

double rounding_of(const ConcaveOverModular& model) {
  double groups = 0;
  for (Index g = 0; g < model.groups.size(); ++g) {
    double total = 0;
    for (const Entry& entry : model.members.of_group(g)) total += entry.value;
    groups += std::abs(model.groups[g].weight) * model.groups[g].shape(total);
  }
  return kUnit * sum_of_sizes(model.modular) + (kUnit + model.tolerance) * groups;
}

double rounding_of(const LogDet&) { return 0; }
double rounding_of(const BlackBox&) { return 0; }

double rounding_of(const WeightedSum& model) {
  double sum = 0;
  for (const auto& [weight, part] : model.terms)
    if (weight != 0)
      sum +=
          std::abs(weight) * std::visit([](const auto& inner) { return rounding_of(inner); }, part);
  return sum;
}

}  // namespace surefield
