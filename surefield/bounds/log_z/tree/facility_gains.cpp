#include "surefield/bounds/log_z/tree/facility_gains.hpp"

#include <algorithm>

#include "surefield/core/assert.hpp"
#include "surefield/core/lane_sums.hpp"

namespace surefield {

FacilityGains::FacilityGains(DenseFacility model) : model_(std::move(model)) {
  SUREFIELD_ASSERT(model_.floor_is_zero);
  std::vector<ItemNumber> order(model_.items);
  for (ItemNumber i = 0; i < order.size(); ++i) order[i] = i;
  for (Index d = 0; d < model_.customers; ++d) {
    std::ranges::stable_sort(
        order, [&](ItemNumber a, ItemNumber b) { return model_.row(a)[d] > model_.row(b)[d]; });
    ranking_.insert(ranking_.end(), order.begin(), order.end());
  }
}

double FacilityGains::from_below(std::span<const ItemNumber> in, std::span<const ItemNumber> rest,
                                 std::span<double> gains) const {
  const Index customers = model_.customers;
  std::vector<double> best(customers, 0);
  double value = model_.value;
  for (const ItemNumber k : in) {
    const double* const w = model_.row(k);
    value += model_.modular[k];
    for (Index d = 0; d < customers; ++d) best[d] = std::max(best[d], w[d]);
  }
  for (const double b : best) value += b;
  const double* const b = best.data();
  for (Index r = 0; r < rest.size(); ++r) {
    const double* const w = model_.row(rest[r]);
    gains[r] = model_.modular[rest[r]] +
               sum_over_lanes<4>(customers, [=](Index d) { return std::max(w[d] - b[d], 0.0); });
  }
  return value;
}

void FacilityGains::from_above(std::span<const ItemNumber> out, std::span<const ItemNumber> rest,
                               std::span<double> gains) const {
  std::vector<double> lead(model_.items, 0);  // what an item has over the second best, in total
  std::vector<std::uint8_t> is_out(model_.items, 0);
  for (const ItemNumber k : out) is_out[k] = 1;
  for (Index d = 0; d < model_.customers; ++d) {
    const ItemNumber* const ranking = ranking_.data() + d * model_.items;
    Index r = 0;
    while (r < model_.items && is_out[ranking[r]]) ++r;
    if (r == model_.items) break;  // all items are out
    const ItemNumber first = ranking[r++];
    while (r < model_.items && is_out[ranking[r]]) ++r;
    const double second = r < model_.items ? model_.row(ranking[r])[d] : 0;
    lead[first] += model_.row(first)[d] - second;
  }
  for (Index r = 0; r < rest.size(); ++r) gains[r] = model_.modular[rest[r]] + lead[rest[r]];
}

}  // namespace surefield
