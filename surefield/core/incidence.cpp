#include "surefield/core/incidence.hpp"

#include "surefield/core/assert.hpp"

namespace surefield {

Incidence::Incidence(Index items, std::span<const std::vector<Entry>> groups)
    : group_start_(groups.size() + 1, 0), item_start_(items + 1, 0) {
  std::size_t entries = 0;
  for (const auto& group : groups) entries += group.size();
  by_group_.reserve(entries);
  by_item_.resize(entries);
  for (Index g = 0; g < groups.size(); ++g) {
    for (const Entry& entry : groups[g]) {
      SUREFIELD_ASSERT(entry.index < items);
      by_group_.push_back(entry);
      ++item_start_[entry.index + 1];
    }
    group_start_[g + 1] = by_group_.size();
  }
  for (Index i = 0; i < items; ++i) item_start_[i + 1] += item_start_[i];
  auto next = item_start_;
  for (Index g = 0; g < groups.size(); ++g)
    for (const Entry& entry : of_group(g))
      by_item_[next[entry.index]++] = {static_cast<std::uint32_t>(g), entry.value};
}

}  // namespace surefield
