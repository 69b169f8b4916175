#include "surefield/bounds/elbo/facility_parts.hpp"

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

/// Adds up models, each times a factor >= 0.
class Collector {
 public:
  Collector(Index items, double inverse_temperature) : linear_(items, 0) {
    require(std::isfinite(inverse_temperature) && inverse_temperature > 0,
            "facility decomposition: the inverse temperature is ", inverse_temperature,
            ", which must be finite and > 0");
  }

  void add(const FacilityLocation& model, double factor) {
    add_cost(model.cost, factor);
    for (Index d = 0; d < model.benefit.groups(); ++d) {
      clear();
      for (const Entry& entry : model.benefit.of_group(d))
        if (entry.value != 0)  // else never the best of any set but by a tie with none
          add_member(entry.index, factor * entry.value, 1);
      close();
    }
  }

  void add(const Coverage& model, double factor) {
    add_cost(model.cost, factor);
    for (Index c = 0; c < model.concept_weight.size(); ++c) {
      if (model.concept_weight[c] == 0) continue;
      clear();
      for (const Entry& entry : model.members.of_group(c))
        if (entry.value > 0) add_member(entry.index, factor * model.concept_weight[c], entry.value);
      close();
    }
  }

  DualDecomposition<MaxPart> finish() { return {std::move(parts_), std::move(linear_)}; }

 private:
  void add_cost(std::span<const double> cost, double factor) {
    require(cost.size() == linear_.size(), "facility decomposition: the models have ",
            linear_.size(), " and ", cost.size(), " items, which must be the same");
    for (Index i = 0; i < linear_.size(); ++i) linear_[i] -= factor * cost[i];
  }

  void clear() {
    members_.clear();
    weight_.clear();
    chance_.clear();
  }

  void add_member(std::uint32_t item, double weight, double chance) {
    members_.push_back(item);
    weight_.push_back(weight);
    chance_.push_back(chance);
  }

  void close() {
    if (members_.size() == 1)
      linear_[members_[0]] += weight_[0] * chance_[0];
    else if (members_.size() > 1)
      parts_.emplace_back(members_, weight_, chance_);
  }

  std::vector<double> linear_;
  std::vector<MaxPart> parts_;
  std::vector<std::uint32_t> members_;  // of the part being put together
  std::vector<double> weight_, chance_;
};

}  // namespace

DualDecomposition<MaxPart> facility_decomposition(std::span<const FacilityLocation* const> models,
                                                  double inverse_temperature) {
  require(!models.empty(), "facility decomposition: there is no model");
  Collector collector(models[0]->size(), inverse_temperature);
  for (const FacilityLocation* const model : models) {
    if (const auto reason = submodularity_violation(*model))
      throw Error("facility decomposition: " + *reason);
    collector.add(*model, inverse_temperature);
  }
  return collector.finish();
}

DualDecomposition<MaxPart> facility_decomposition(const FacilityLocation& model,
                                                  double inverse_temperature) {
  const FacilityLocation* const one = &model;
  return facility_decomposition(std::span(&one, 1), inverse_temperature);
}

DualDecomposition<MaxPart> coverage_decomposition(const Coverage& model,
                                                  double inverse_temperature) {
  if (const auto reason = submodularity_violation(model))
    throw Error("coverage decomposition: " + *reason);
  Collector collector(model.size(), inverse_temperature);
  collector.add(model, inverse_temperature);
  return collector.finish();
}

}  // namespace surefield
