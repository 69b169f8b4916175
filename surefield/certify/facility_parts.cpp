#include "surefield/certify/facility_parts.hpp"

#include <cmath>
#include <utility>

#include "surefield/core/error.hpp"

namespace surefield {

DualDecomposition<MaxPart> facility_decomposition(std::span<const FacilityLocation* const> models,
                                                  double inverse_temperature) {
  const double beta = inverse_temperature;
  require(!models.empty(), "facility decomposition: there is no model");
  require(std::isfinite(beta) && beta > 0, "facility decomposition: the inverse temperature is ",
          beta, ", which must be finite and > 0");
  std::vector<double> linear(models[0]->size(), 0);
  std::vector<MaxPart> parts;
  for (const FacilityLocation* const model : models) {
    require(model->size() == linear.size(), "facility decomposition: the models have ",
            linear.size(), " and ", model->size(), " items, which must be the same");
    for (Index i = 0; i < linear.size(); ++i) linear[i] -= beta * model->cost[i];
    for (Index d = 0; d < model->benefit.groups(); ++d) {
      std::vector<std::uint32_t> members;
      std::vector<double> weight;
      for (const Entry& entry : model->benefit.of_group(d)) {
        if (entry.value == 0) continue;  // never the best of any set but by a tie with none
        members.push_back(entry.index);
        weight.push_back(beta * entry.value);
      }
      if (!members.empty()) parts.emplace_back(members, weight);
    }
  }
  return {std::move(parts), std::move(linear)};
}

DualDecomposition<MaxPart> facility_decomposition(const FacilityLocation& model,
                                                  double inverse_temperature) {
  const FacilityLocation* const one = &model;
  return facility_decomposition(std::span(&one, 1), inverse_temperature);
}

}  // namespace surefield
