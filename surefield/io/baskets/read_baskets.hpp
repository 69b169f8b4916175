// Baskets from a file as it comes: one set a line, `order,item` lines or a 0/1 matrix; any of five
// separators; a header or none; UTF-8, ISO 8859-1 or Windows-1252.
//
// What is not said is decided from the first MiB (find_separator.hpp, find_form.hpp) and the labels
// (label_list.hpp); where two readings remain the file is refused with the option that tells. Items
// are labels. They are ordered by number if all are whole numbers, else as they appear.
//
// The empty set is a line `""`, a matrix row of zeros, or an order whose only line has no item. A
// blank line is no set, unless the options say so; so is a line of separators alone. A line whose
// first character is # is a comment; one that equals kSetsDeclaration declares the file.
//
// Cost: one pass, O(bytes) time; the sets, each label and each order number once, and a few MiB.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/set_collection.hpp"
#include "surefield/io/baskets/basket_options.hpp"
#include "surefield/io/baskets/find_form.hpp"

namespace surefield {

struct Baskets {
  SetCollection data;              ///< the names are the labels
  std::vector<Index> first_lines;  ///< of each item

  // What was understood.
  Separator separator = Separator::kComma;
  bool separated = true;  ///< false if every line is one field and nothing was said
  Layout layout;
  Encoding encoding = Encoding::kUtf8;
  std::string order_name, item_name;  ///< of the columns of a long table with a header
  Index comments = 0;
  Index lines_without_item = 0;  ///< of a long table
};

/// Throws Error, naming file and line.
Baskets parse_baskets(std::string_view text, std::string_view name,
                      const BasketOptions& options = {});
/// `-` is stdin.
Baskets read_baskets(const std::string& path, const BasketOptions& options = {});

/// "g.csv: 9835 sets of 169 items, one set a line, separated by commas".
std::string understood(const Baskets& baskets, std::string_view name);

}  // namespace surefield
