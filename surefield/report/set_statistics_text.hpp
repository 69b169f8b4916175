// What a data set looks like, for a person to read.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "surefield/learn/set_statistics.hpp"

namespace surefield {

/// A few lines: sets and items, sizes, oddities that are there, the most frequent items by name,
/// else by id from `first_id`.
std::string set_statistics_text(const SetStatistics& statistics, std::span<const std::string> names,
                                Index first_id = 1, Index most_items = 5);

}  // namespace surefield
