#include "surefield/models/set_values.hpp"

#include <algorithm>

#include "surefield/core/numeric.hpp"
#include "surefield/models/fldc/fldc.hpp"
#include "surefield/models/flid/flid.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {
namespace {

using Items = std::span<const std::uint32_t>;

double value_of(const PairwiseField& field, Items set) {
  CompensatedSum sum;
  sum.add(field.constant);
  for (Index k = 0; k < set.size(); ++k) {
    sum.add(field.bias[set[k]]);
    auto at = field.neighbour.begin() + static_cast<std::ptrdiff_t>(field.start[set[k]]);
    const auto end = field.neighbour.begin() + static_cast<std::ptrdiff_t>(field.start[set[k] + 1]);
    for (const auto j : set.subspan(k + 1)) {  // both lists ascend
      at = std::lower_bound(at, end, j);
      if (at == end) break;
      if (*at == j) sum.add(field.coupling[static_cast<Index>(at - field.neighbour.begin())]);
    }
  }
  return sum.value();
}

/// sign (max - sum) of every column over the set.
void add_columns(const std::vector<double>& matrix, Index columns, double sign, Items set,
                 CompensatedSum& sum) {
  for (Index c = 0; c < columns; ++c) {
    double best = -kInfinity;
    for (const auto i : set) {
      best = std::max(best, matrix[i * columns + c]);
      sum.add(-sign * matrix[i * columns + c]);
    }
    if (best > -kInfinity) sum.add(sign * best);
  }
}

}  // namespace

SetValues::SetValues(const AnyModel& model)
    : model_(&model),
      field_(model.as<PairwiseField>()),
      flid_(model.as<Flid>()),
      fldc_(model.as<Fldc>()) {
  if (field_ == nullptr && flid_ == nullptr && fldc_ == nullptr) chosen_.assign(model.size(), 0);
}

double SetValues::operator()(Items set) {
  sorted_.assign(set.begin(), set.end());
  std::ranges::sort(sorted_);
  if (field_ != nullptr) return value_of(*field_, sorted_);
  if (flid_ != nullptr || fldc_ != nullptr) {
    CompensatedSum sum;
    for (const auto i : sorted_) sum.add(flid_ ? flid_->utility[i] : fldc_->utility[i]);
    if (flid_ != nullptr) add_columns(flid_->weights, flid_->dimensions, 1, sorted_, sum);
    if (fldc_ != nullptr) {
      add_columns(fldc_->weights, fldc_->dimensions, 1, sorted_, sum);
      add_columns(fldc_->coherence, fldc_->concepts, -1, sorted_, sum);
    }
    return sum.value();
  }
  for (const auto i : sorted_) chosen_[i] = 1;
  const double value = model_->evaluate(chosen_);
  for (const auto i : sorted_) chosen_[i] = 0;
  return value;
}

}  // namespace surefield
