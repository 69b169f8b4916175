#include "surefield/bounds/elbo/sum_parts.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "surefield/bounds/elbo/facility_parts.hpp"
#include "surefield/bounds/elbo/field_parts.hpp"
#include "surefield/core/error.hpp"

namespace surefield {
namespace {

DualDecomposition<MaxPart> parts_of(const FacilityLocation& model, double factor) {
  return facility_decomposition(model, factor);
}
DualDecomposition<MaxPart> parts_of(const Flid& model, double factor) {
  return facility_decomposition(model.facility, factor);
}
DualDecomposition<MaxPart> parts_of(const Coverage& model, double factor) {
  return coverage_decomposition(model, factor);
}
DualDecomposition<StarPart> parts_of(const PairwiseField& model, double factor) {
  return field_decomposition(model, factor);
}
DualDecomposition<StarPart> parts_of(const GraphCut& model, double factor) {
  return field_decomposition(model.field, factor);
}

}  // namespace

std::optional<DualDecomposition<SumPart>> sum_decomposition(const WeightedSum& sum,
                                                            double inverse_temperature) {
  require(std::isfinite(inverse_temperature) && inverse_temperature > 0,
          "sum decomposition: the inverse temperature is ", inverse_temperature,
          ", which must be finite and > 0");
  std::vector<SumPart> parts;
  std::vector<double> linear(sum.size(), 0);
  double constant = 0;
  for (const auto& [weight, term] : sum.terms) {
    if (weight < 0) return std::nullopt;
    const bool added = std::visit(
        [&, factor = weight * inverse_temperature](const auto& model) {
          if constexpr (requires { parts_of(model, factor); }) {
            if (submodularity_violation(model)) return false;
            if (factor == 0) return true;
            const auto own = parts_of(model, factor);
            parts.insert(parts.end(), own.parts().begin(), own.parts().end());
            for (Index i = 0; i < linear.size(); ++i) linear[i] += own.linear()[i];
            constant += own.constant();
            return true;
          } else {
            return false;
          }
        },
        term);
    if (!added) return std::nullopt;
  }
  return DualDecomposition<SumPart>(std::move(parts), std::move(linear), constant);
}

}  // namespace surefield
