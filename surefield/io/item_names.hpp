// Item names: one item a line, `id category: name` or `id name`, ids in order from 0 or 1.
//
//   1 toys: Roll n Swirl Ball Ramp : Baby Toys : Baby
//   2 toys: Five Sea Squirts
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/concepts.hpp"

namespace surefield {

struct ItemNames {
  Index first_id = 1;
  std::vector<std::string> names;
  std::vector<std::string>
      categories;  ///< empty where a line has none: the first word that ends in a colon
};

/// Names are UTF-8; a file that is not is taken as ISO 8859-1 and converted. Blank lines are
/// skipped.
ItemNames parse_item_names(std::string_view text, std::string_view name);
ItemNames read_item_names(const std::string& path);
std::string item_names_text(const ItemNames& items);

}  // namespace surefield
