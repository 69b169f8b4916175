// The order in which an algorithm visits the items, from a file.
//
//   2          or as JSON    [2, 0, "Sea Squirts"]    or one list an epoch    [[2, 0, 1], [0, 1, 2]]
//   0
//   Sea Squirts
//
// As text one item a line, by name or id from 0, `#` starting a comment line; a file whose first
// character is [ is JSON. Every list names every item once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/io/item_lookup.hpp"

namespace surefield {

/// One list an epoch, at least one. Throws Error by file and line (or place in the JSON).
std::vector<std::vector<Index>> parse_order(std::string_view text, std::string_view name,
                                            Index items, const ItemLookup& lookup);
std::vector<std::vector<Index>> read_order(const std::string& path, Index items,
                                           const ItemLookup& lookup);

}  // namespace surefield
