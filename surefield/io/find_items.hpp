// Items as a user calls them, found and forced in or out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/io/item_lookup.hpp"

namespace surefield {

/// The places of items given by name or by id from 0. Throws Error, naming the option and the names
/// that are near, for one that does not exist.
std::vector<Index> find_items(const std::vector<std::string>& items, const ItemLookup& lookup,
                              const std::vector<std::string>& names, std::string_view option);

/// Fixes these items of the box at v, 0 or 1. Throws Error, naming the option, for one that does not
/// exist or is bounded otherwise already.
void fix_items(Box& box, const std::vector<std::string>& items, double v, const ItemLookup& lookup,
               const std::vector<std::string>& names, std::string_view option);

}  // namespace surefield
