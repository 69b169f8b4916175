// Many small sets in two arrays: what training walks through at random, without a pointer a set.
//
// Cost: 4 bytes an item and 8 a set. `distinct_sets` sorts, O(entries log sets).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/core/set_collection.hpp"

namespace surefield {

class FlatSets {
 public:
  Index size() const { return start_.size() - 1; }
  Index entries() const { return items_.size(); }
  std::span<const std::uint32_t> operator[](Index k) const {
    return {items_.data() + start_[k], start_[k + 1] - start_[k]};
  }
  void add(std::span<const std::uint32_t> set) {
    items_.insert(items_.end(), set.begin(), set.end());
    start_.push_back(items_.size());
  }

 private:
  std::vector<std::uint32_t> items_;
  std::vector<std::size_t> start_{0};
};

/// All sets, the empty ones too, each ascending. Throws Error for an item that is not below `items`
/// or that is twice in a set, and where there is no item or no set at all.
FlatSets flat_sets(const SetCollection& data);

struct DistinctSets {
  FlatSets sets;              ///< in lexicographic order
  std::vector<double> times;  ///< how often each was seen
};

DistinctSets distinct_sets(const FlatSets& sets);

/// In how many sets each item is.
std::vector<Index> item_counts(const FlatSets& sets, Index items);

}  // namespace surefield
