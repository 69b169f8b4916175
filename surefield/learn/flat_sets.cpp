#include "surefield/learn/flat_sets.hpp"

#include <algorithm>

#include "surefield/core/error.hpp"
#include "surefield/core/random.hpp"

namespace surefield {

FlatSets flat_sets(const SetCollection& data) {
  require(data.items > 0, "sets: there is no item, but at least one is needed");
  require(!data.sets.empty(), "sets: there is no set, but at least one is needed");
  FlatSets flat;
  std::vector<std::uint32_t> sorted;
  for (Index k = 0; k < data.sets.size(); ++k) {
    sorted = data.sets[k];
    std::sort(sorted.begin(), sorted.end());
    require(sorted.empty() || sorted.back() < data.items, "sets: set ", k, " holds item ",
            sorted.empty() ? 0 : sorted.back(), ", but there are ", data.items,
            " items, numbered from 0");
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    require(twice == sorted.end(), "sets: set ", k, " holds item ",
            twice == sorted.end() ? 0 : *twice, " twice, but each may be there once");
    flat.add(sorted);
  }
  return flat;
}

DistinctSets distinct_sets(const FlatSets& sets) {
  const auto less = [&](Index a, Index b) {
    return std::lexicographical_compare(sets[a].begin(), sets[a].end(), sets[b].begin(),
                                        sets[b].end());
  };
  auto order = natural_order(sets.size());
  std::sort(order.begin(), order.end(), less);
  DistinctSets distinct;
  for (Index k = 0; k < order.size(); ++k) {
    if (k == 0 || less(order[k - 1], order[k])) {
      distinct.sets.add(sets[order[k]]);
      distinct.times.push_back(0);
    }
    ++distinct.times.back();
  }
  return distinct;
}

std::vector<Index> item_counts(const FlatSets& sets, Index items) {
  std::vector<Index> counts(items, 0);
  for (Index k = 0; k < sets.size(); ++k)
    for (const auto i : sets[k]) ++counts[i];
  return counts;
}

}  // namespace surefield
