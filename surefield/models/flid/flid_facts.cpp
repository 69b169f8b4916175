// What rounding does to a FLID: what it does to its facility location, whose costs sum_d W_id - u_i
// are exact sums rounded once, so that a value and a gain are off by that rounding of their costs
// too; and evaluate, one compensated sum of the numbers as given, which may be much larger than
// their sum. Numbers may have been multiplied by an inverse temperature or a weight and then added
// (sum_of): two roundings more each, through the cost and through the benefit.
#include <algorithm>
#include <cmath>

#include "surefield/models/flid/flid.hpp"
#include "surefield/models/rounding_count.hpp"

namespace surefield {

Facts facts_of(const Flid& model) {
  const Facts facility = facts_of(model.facility);
  constexpr double kOwn = 2;
  SizeSum sizes;
  SizeSum value_error;
  GainErrors gains;
  for (Index i = 0; i < model.size(); ++i) {
    SizeSum size;
    size.add(model.utility[i]);
    for (Index d = 0; d < model.dimensions; ++d) size.add(model.weight(i, d));
    sizes.add(size.value());
    const double error =
        roundings(1) * std::abs(model.facility.cost[i]) + roundings(kOwn) * 2 * size.value();
    value_error.add(error);
    gains.add(error);
  }
  for (Index d = 0; d < model.facility.forest.lists(); ++d) {
    const auto list = model.facility.forest.of_list(d);
    if (!list.empty())
      sizes.add(std::max(std::abs(list.front().value), std::abs(list.back().value)));
  }
  const auto terms = static_cast<double>(model.size() * (1 + model.dimensions) + model.dimensions);
  Facts own;
  gains.write_to(own);
  Facts facts;
  facts.magnitude = std::max(facility.magnitude, sizes.value());
  value_error.add(
      std::max(facility.value_error, compensated_error(terms, facility.magnitude, sizes.value())));
  facts.value_error = value_error.value();
  facts.gain_error = (facility.gain_error + own.gain_error) * (1 + 4 * kUnitRoundoff);
  facts.gain_error_sum = (facility.gain_error_sum + own.gain_error_sum) * (1 + 4 * kUnitRoundoff);
  settle(facts, submodularity_violation(model));
  return facts;
}

}  // namespace surefield
