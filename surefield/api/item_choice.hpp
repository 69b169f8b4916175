// Items that somebody names, to be forced in or out.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/io/item_lookup.hpp"

namespace surefield {

/// The places of items given by name or by id from 0. Throws Error, naming the option and the names
/// that are near, for one that does not exist.
std::vector<Index> find_items(std::span<const std::string> items, const ItemLookup& lookup,
                              const std::vector<std::string>& names, std::string_view option);

/// Each of them to v. Throws Error, naming the option, for one that is bounded away from it.
void fix_items(Box& box, std::span<const Index> items, double v,
               const std::vector<std::string>& names, std::string_view option);

}  // namespace surefield
