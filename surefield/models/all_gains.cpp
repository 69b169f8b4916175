#include "surefield/models/all_gains.hpp"

#include <algorithm>

#include "surefield/core/assert.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

AllGains::AllGains(const AnyModel& model)
    : field_(model.as<PairwiseField>()), set_(model.empty_set()), inside_(model.size(), 0) {}

void AllGains::move_to(std::span<const std::uint32_t> set) {
  for (const std::uint32_t i : set) inside_[i] = 1;
  for (const std::uint32_t i : now_)
    if (!inside_[i]) set_.remove(i);
  for (const std::uint32_t i : set)
    if (!set_.contains(i)) set_.add(i);
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
  move_to(set);
  for (Index j = 0; j < size(); ++j)
    if (!inside_[j]) gains[j] = set_.gain(j);
  for (const std::uint32_t i : set) inside_[i] = 0;
}

}  // namespace surefield
