// What rounding does to a coverage.
//
// A factor 1 - p x is computed as (1 - x) + x (1 - p), two roundings in either term and one to add:
// gamma_3, so the product of a concept of k items is off by gamma_{6k} (rounding_count.hpp), at
// most 1 in size. Then
//   State::value    w (1 - product): gamma_{6k + 2} |w_c|, and -cost x, in one compensated sum
//   State::partial  w p product / factor: gamma_{6k + 3} |w_c| p_ic, and D additions for D concepts
//   evaluate        the product of 1 - p in one go, gamma_{2k}: less than the above
// A product of equal factors rounds the same way k times, so the k is really there.
#include "surefield/models/coverage/coverage.hpp"
#include "surefield/models/rounding_count.hpp"

namespace surefield {

Facts facts_of(const Coverage& model) {
  SizeSum magnitude;
  SizeSum value_error;
  const auto of_product = [&](Index c) {
    return 6 * static_cast<double>(model.members.of_group(c).size());
  };
  for (Index c = 0; c < model.concept_weight.size(); ++c) {
    magnitude.add(model.concept_weight[c]);
    value_error.add(roundings(of_product(c) + 2) * model.concept_weight[c]);
  }
  GainErrors gains;
  for (Index i = 0; i < model.size(); ++i) {
    magnitude.add(model.cost[i]);
    value_error.add(roundings(1) * model.cost[i]);
    const auto entries = model.members.of_item(i);
    const auto count = static_cast<double>(entries.size());
    SizeSum error;
    error.add(roundings(count) * model.cost[i]);
    for (const auto& [c, p] : entries)
      error.add(roundings(of_product(c) + 3 + count) * model.concept_weight[c] * p);
    error.add((3 * count + 1) * kTiniest);
    gains.add(error.value());
  }
  const auto terms = static_cast<double>(model.size() + model.concept_weight.size());
  return facts_of_sum(terms, 2 * terms, magnitude, value_error, gains,
                      submodularity_violation(model));
}

}  // namespace surefield
