// What separates the fields of a file, found out from its first lines.
//
// Marks are comma, semicolon, tab and pipe outside double quotes.
//   one mark occurs                   it separates, unless fields of numbers hold blanks (1 2,3)
//   several occur                     the one that gives every line the same number of fields, two
//                                     or more, if it is the only one that does; else refused
//   none, and no blanks within lines  every line is one field
//   none, numbers parted by blanks    white space separates
//   none, words parted by blanks      refused: "whole milk" may be one item or two
// Cost: O(bytes).
#pragma once

#include <span>
#include <string_view>

#include "surefield/io/baskets/basket_options.hpp"
#include "surefield/io/baskets/head_lines.hpp"

namespace surefield {

/// Throws Error, naming file, line and --separator, where two readings remain.
Separator find_separator(std::span<const HeadLine> lines, std::string_view name);

}  // namespace surefield
