// A sparse table of groups and the items they hold, readable from either side in one stretch of
// memory.
//
// Every set function here that is a sum over groups (dimensions, concepts, hyperedges, monomials)
// stores its entries in one of these. Cost: O(entries) to build, 16 bytes per entry and side.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/core/concepts.hpp"

namespace surefield {

struct Entry {
  std::uint32_t index;  ///< the item when read by group, the group when read by item
  double value;
  bool operator==(const Entry&) const = default;
};

class Incidence {
 public:
  Incidence() : group_start_(1, 0), item_start_(1, 0) {}
  /// Groups in the given order, entries of each in the given order; every index must be below
  /// `items`.
  Incidence(Index items, std::span<const std::vector<Entry>> groups);

  Index items() const { return item_start_.size() - 1; }
  Index groups() const { return group_start_.size() - 1; }
  Index entries() const { return by_group_.size(); }

  std::span<const Entry> of_group(Index g) const {
    return {by_group_.data() + group_start_[g], by_group_.data() + group_start_[g + 1]};
  }
  std::span<const Entry> of_item(Index i) const {
    return {by_item_.data() + item_start_[i], by_item_.data() + item_start_[i + 1]};
  }

 private:
  std::vector<std::size_t> group_start_, item_start_;
  std::vector<Entry> by_group_, by_item_;
};

}  // namespace surefield
