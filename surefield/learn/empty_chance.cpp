#include "surefield/learn/empty_chance.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {

namespace {

/// Raises F by what it returns on all sets but the empty one, through utilities and weights.
double raise_for_chance(std::vector<double>& utility, std::vector<double>& weights,
                        Index dimensions, double log_z_without_empty, double chance) {
  require(chance > 0 && chance < 1, "flid: the chance of the empty set is ", chance,
          ", which must be > 0 and < 1");
  if (weights.empty()) return 0;
  std::vector<double> least(dimensions, kInfinity);
  for (std::size_t k = 0; k < weights.size(); ++k)
    least[k % dimensions] = std::min(least[k % dimensions], weights[k]);
  double room = 0;  // by how much F can be lowered
  for (const double weight : least) room += weight;

  const double raised = std::max(-logit(chance) - log_z_without_empty, -room);
  std::vector<double> shift(dimensions, raised / static_cast<double>(dimensions));
  if (raised < 0)  // each dimension gives in proportion to what it has
    for (Index d = 0; d < dimensions; ++d) shift[d] = room > 0 ? raised * (least[d] / room) : 0;
  for (double& u : utility) u += raised;
  for (std::size_t k = 0; k < weights.size(); ++k)
    weights[k] = std::max(0.0, weights[k] + shift[k % dimensions]);
  return raised;
}

}  // namespace

EmptyChance<Flid> with_empty_chance(const Flid& model, double log_z_without_empty, double chance) {
  auto utility = model.utility;
  auto weights = model.weights;
  const double raised =
      raise_for_chance(utility, weights, model.dimensions, log_z_without_empty, chance);
  return {.model = make_flid(std::move(utility), std::move(weights), model.dimensions),
          .raised = raised};
}

EmptyChance<Fldc> with_empty_chance(const Fldc& model, double log_z_without_empty, double chance) {
  auto utility = model.utility;
  auto weights = model.weights;
  const double raised =
      raise_for_chance(utility, weights, model.dimensions, log_z_without_empty, chance);
  return {.model = make_fldc(std::move(utility), std::move(weights), model.dimensions,
                             model.coherence, model.concepts),
          .raised = raised};
}

}  // namespace surefield
