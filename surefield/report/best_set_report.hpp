// The best set with its interval, as text, JSON and CSV.
#pragma once

#include <string>

#include "surefield/api/best_set.hpp"

namespace surefield {

/// At most `most_items` items are named; 0 names all.
std::string best_set_text(const BestSetResult& result, std::size_t most_items = 20);
std::string best_set_json(const BestSetResult& result);
/// One line an item of the set.
std::string best_set_csv(const BestSetResult& result);

/// (upper - lower) / max(1, |lower|); infinite where there is no upper end.
double relative_gap(const BestSetResult& result);

}  // namespace surefield
