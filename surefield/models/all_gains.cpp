#include "surefield/models/all_gains.hpp"

#include <algorithm>

#include "surefield/core/assert.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/models/fldc/fldc.hpp"
#include "surefield/models/flid/flid.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {
namespace {

/// gain_j += -sign sum_c min(best of the set, own weight), the set not empty.
void add_lesser(const std::vector<double>& matrix, Index columns, double sign,
                std::span<const std::uint32_t> set, std::vector<double>& best,
                std::span<double> gains) {
  if (columns == 0) return;
  best.assign(columns, -kInfinity);
  for (const std::uint32_t i : set)
    for (Index c = 0; c < columns; ++c) best[c] = std::max(best[c], matrix[i * columns + c]);
  const double* row = matrix.data();
  for (Index j = 0; j < gains.size(); ++j, row += columns) {
    double sum = 0;
    for (Index c = 0; c < columns; ++c) sum += std::min(best[c], row[c]);
    gains[j] -= sign * sum;
  }
}

}  // namespace

AllGains::AllGains(const AnyModel& model)
    : field_(model.as<PairwiseField>()),
      flid_(model.as<Flid>()),
      fldc_(model.as<Fldc>()),
      inside_(model.size(), 0) {
  if (field_ == nullptr && flid_ == nullptr && fldc_ == nullptr) set_.emplace(model.empty_set());
}

void AllGains::move_to(std::span<const std::uint32_t> set) {
  for (const std::uint32_t i : set) inside_[i] = 1;
  for (const std::uint32_t i : now_)
    if (!inside_[i]) set_->remove(i);
  for (const std::uint32_t i : set)
    if (!set_->contains(i)) set_->add(i);
  now_.assign(set.begin(), set.end());
}

void AllGains::operator()(std::span<const std::uint32_t> set, std::span<double> gains) {
  SUREFIELD_ASSERT(gains.size() == size());
  if (field_ != nullptr) {
    std::ranges::copy(field_->bias, gains.begin());
    for (const std::uint32_t i : set)
      for (std::size_t e = field_->start[i]; e < field_->start[i + 1]; ++e)
        gains[field_->neighbour[e]] += field_->coupling[e];
    return;
  }
  if (flid_ != nullptr || fldc_ != nullptr) {
    std::ranges::copy(flid_ ? flid_->utility : fldc_->utility, gains.begin());
    if (set.empty()) return;  // alone, an item is best everywhere
    if (flid_ != nullptr)
      return add_lesser(flid_->weights, flid_->dimensions, 1, set, best_, gains);
    add_lesser(fldc_->weights, fldc_->dimensions, 1, set, best_, gains);
    return add_lesser(fldc_->coherence, fldc_->concepts, -1, set, best_, gains);
  }
  move_to(set);
  for (Index j = 0; j < size(); ++j)
    if (!inside_[j]) gains[j] = set_->gain(j);
  for (const std::uint32_t i : set) inside_[i] = 0;
}

}  // namespace surefield
