// What a data set looks like before anything is learned from it.
#pragma once

#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/core/set_collection.hpp"

namespace surefield {

struct SetStatistics {
  Index sets = 0, items = 0;
  double mean_size = 0, median_size = 0;
  Index largest_size = 0;
  Index empty_sets = 0, distinct_sets = 0;
  Index never_seen = 0;             ///< items in no set
  std::vector<Index> counts;        ///< in how many sets each item is
  std::vector<Index> by_frequency;  ///< the items, most frequent first, ties in order
  std::vector<Index> sets_of_size;  ///< how many sets there are of each size, from 0
};

/// Throws Error as flat_sets does.
SetStatistics set_statistics(const SetCollection& data);

}  // namespace surefield
