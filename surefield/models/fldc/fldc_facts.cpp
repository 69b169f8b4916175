// What rounding does to an FLDC: what it does to its two facility locations, of which values and gains
// are differences, one rounding more of at most both sizes together; the costs sum_d W_id - sum_e V_ie -
// u_i are exact sums rounded once; and evaluate is one compensated sum of the numbers as given. Numbers
// may have been multiplied by an inverse temperature before: one rounding more each, through the cost and
// through the best, and one to spare.
#include <algorithm>
#include <cmath>

#include "surefield/models/fldc/fldc.hpp"
#include "surefield/models/rounding_count.hpp"

namespace surefield {
namespace {

/// The sum over columns of the largest size in each: no sum of one best a column exceeds it.
double best_sizes(const FacilityLocation& part) {
  SizeSum sizes;
  for (Index d = 0; d < part.forest.lists(); ++d)
    if (const auto list = part.forest.of_list(d); !list.empty())
      sizes.add(std::max(std::abs(list.front().value), std::abs(list.back().value)));
  return sizes.value();
}

}  // namespace

Facts facts_of(const Fldc& model) {
  const Facts added = facts_of(model.best_weight);
  const Facts taken = facts_of(model.best_coherence);
  const double best = best_sizes(model.best_weight) + best_sizes(model.best_coherence);
  constexpr double kOwn = 2;
  SizeSum sizes;
  SizeSum value_error;
  GainErrors gains;
  for (Index i = 0; i < model.size(); ++i) {
    SizeSum size;
    size.add(model.utility[i]);
    for (Index d = 0; d < model.dimensions; ++d) size.add(model.weight(i, d));
    for (Index e = 0; e < model.concepts; ++e) size.add(model.together(i, e));
    sizes.add(size.value());
    const double cost = std::abs(model.best_weight.cost[i]);
    const double error = roundings(1) * cost + roundings(kOwn) * 2 * size.value();
    value_error.add(error);
    // The two gains are at most the cost, the item's own numbers and a best of every column.
    gains.add(error + roundings(1) * (cost + size.value() + best));
  }
  sizes.add(best);
  const Index columns = model.dimensions + model.concepts;
  const auto terms = static_cast<double>(model.size() * (1 + columns) + columns);
  Facts own;
  gains.write_to(own);
  constexpr double kUp = 1 + 8 * kUnitRoundoff;
  const double together = (added.magnitude + taken.magnitude) * kUp;
  Facts facts;
  facts.magnitude = std::max(together, sizes.value());
  value_error.add(std::max(added.value_error + taken.value_error + roundings(1) * together,
                           compensated_error(terms, together, sizes.value())));
  facts.value_error = value_error.value();
  facts.gain_error = (added.gain_error + taken.gain_error + own.gain_error) * kUp;
  facts.gain_error_sum = (added.gain_error_sum + taken.gain_error_sum + own.gain_error_sum) * kUp;
  settle(facts, submodularity_violation(model));
  return facts;
}

}  // namespace surefield
