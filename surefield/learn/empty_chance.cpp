#include "surefield/learn/empty_chance.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {

EmptyChance with_empty_chance(const Flid& model, double log_z_without_empty, double chance) {
  require(chance > 0 && chance < 1, "flid: the chance of the empty set is ", chance,
          ", which must be > 0 and < 1");
  const Index dimensions = model.dimensions;
  if (dimensions == 0 || model.size() == 0) return {.model = model, .raised = 0};
  std::vector<double> least(dimensions, kInfinity);
  for (Index i = 0; i < model.size(); ++i)
    for (Index d = 0; d < dimensions; ++d) least[d] = std::min(least[d], model.weight(i, d));
  double room = 0;  // by how much F can be lowered
  for (const double weight : least) room += weight;

  const double raised = std::max(-logit(chance) - log_z_without_empty, -room);
  std::vector<double> shift(dimensions, raised / static_cast<double>(dimensions));
  if (raised < 0)  // each dimension gives in proportion to what it has
    for (Index d = 0; d < dimensions; ++d) shift[d] = room > 0 ? raised * (least[d] / room) : 0;
  auto utility = model.utility;
  auto weights = model.weights;
  for (double& u : utility) u += raised;
  for (Index i = 0; i < model.size(); ++i)
    for (Index d = 0; d < dimensions; ++d) {
      double& weight = weights[i * dimensions + d];
      weight = std::max(0.0, weight + shift[d]);
    }
  return {.model = make_flid(std::move(utility), std::move(weights), dimensions), .raised = raised};
}

}  // namespace surefield
