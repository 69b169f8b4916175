// A box: lines `item low high` for the items that are not free, 0 <= low <= high <= 1. `#` starts a
// comment line.
//
//   3 1 1             item 3 is in every set
//   Sea Squirts 0 0   this one in none
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "surefield/core/box.hpp"
#include "surefield/io/item_lookup.hpp"

namespace surefield {

/// [0, 1] for every item the file does not name. An item may be named once.
Box parse_box(std::string_view text, std::string_view name, Index items, const ItemLookup& lookup);
Box read_box(const std::string& path, Index items, const ItemLookup& lookup);

/// By name if there are names, else by id from first_id.
std::string box_text(const Box& box, std::span<const std::string> names, Index first_id);

}  // namespace surefield
