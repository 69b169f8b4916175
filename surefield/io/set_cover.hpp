// OR-Library set cover, as coverage: every row is a concept, every column an item with its cost.
//
//   2 3               rows, columns
//   1 2 2             cost of every column
//   2                 row 1 is covered by two columns:
//   1 3
//   1                 row 2 by one:
//   2
//
// Steiner triple systems (`data.N`): columns and rows, then three columns a row, every cost 1.
// Columns count from 1.
#pragma once

#include <string>
#include <string_view>

#include "surefield/models/coverage/coverage.hpp"

namespace surefield {

/// Every row has the same weight; covering is certain (probability 1).
Coverage parse_set_cover(std::string_view text, std::string_view name, double row_weight = 1);
Coverage read_set_cover(const std::string& path, double row_weight = 1);
Coverage parse_steiner_cover(std::string_view text, std::string_view name, double row_weight = 1);
Coverage read_steiner_cover(const std::string& path, double row_weight = 1);

/// Throws Error if a concept has not weight row_weight or an item covers one with a probability
/// below 1.
std::string set_cover_text(const Coverage& model, double row_weight = 1);

}  // namespace surefield
