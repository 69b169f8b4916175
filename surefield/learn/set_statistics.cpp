#include "surefield/learn/set_statistics.hpp"

#include <algorithm>

#include "surefield/core/random.hpp"
#include "surefield/learn/flat_sets.hpp"

namespace surefield {

SetStatistics set_statistics(const SetCollection& data) {
  const FlatSets sets = flat_sets(data);
  SetStatistics result;
  result.sets = sets.size();
  result.items = data.items;
  result.mean_size = static_cast<double>(sets.entries()) / static_cast<double>(sets.size());
  std::vector<Index> sizes(sets.size());
  for (Index k = 0; k < sets.size(); ++k) sizes[k] = sets[k].size();
  std::sort(sizes.begin(), sizes.end());
  const Index middle = sizes.size() / 2;
  result.median_size = sizes.size() % 2 == 1
                           ? static_cast<double>(sizes[middle])
                           : static_cast<double>(sizes[middle - 1] + sizes[middle]) / 2;
  result.largest_size = sizes.back();
  result.sets_of_size.assign(sizes.back() + 1, 0);
  for (const Index size : sizes) ++result.sets_of_size[size];
  result.empty_sets = result.sets_of_size[0];
  result.distinct_sets = distinct_sets(sets).times.size();
  result.counts = item_counts(sets, data.items);
  result.never_seen = static_cast<Index>(std::count(result.counts.begin(), result.counts.end(), 0));
  result.by_frequency = natural_order(data.items);
  std::stable_sort(result.by_frequency.begin(), result.by_frequency.end(),
                   [&](Index a, Index b) { return result.counts[a] > result.counts[b]; });
  return result;
}

}  // namespace surefield
