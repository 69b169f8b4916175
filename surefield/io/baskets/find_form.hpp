// Whether a line is a set, one item of an order, or a row of zeros and ones; and whether the first
// line is a header: found out from the fields of the first lines. k is the number of fields.
//
// In this order:
//   matrix   k >= 2 is constant and every field below the first line is 0 or 1 (true, false), but
//            for a first column that numbers the rows. Three such columns cannot be sets: one would
//            hold an item twice. Two can, unless a row is 0,0 or 1,1: refused. A first line of
//            other words is the header.
//   long     k >= 2 is constant and the first line has one name of an order (order, invoice no,
//            transaction id, ...) and one of an item (item, product, sku, ...). Two names of a
//            kind, or lines of different lengths: refused.
//            Or k = 2, the first column numbers, the second none, and a number comes again.
//   lines    different k, or k = 1. Constant k, if one of these holds: nothing comes again in any
//            column, and no column of numbers stands beside one of words; no field is a number and
//            one stands in two columns; lines are filled up to three lengths or more.
//            Refused all the same: a first field that alone is a number (of the order?) or that
//            counts the others, on every line.
//   refused  anything else of constant k: a long table or sets of the same size.
// The header of lines: words above numbers, or numbered words (item 1, item 2). A word such as
// "items" alone above other words is refused. Cost: O(fields).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/io/baskets/basket_options.hpp"

namespace surefield {

struct HeadRow {
  Index line;
  std::vector<std::string> fields;
};

struct Layout {
  Form form = Form::kLines;
  bool header = false;
  Index columns = 0;               ///< of a table: long or matrix
  Index order = 0, item = 1;       ///< columns of the long form, from 0
  bool rows_are_numbered = false;  ///< the first column of a matrix is no item
};

/// Throws Error, naming file, line and the option that helps, where two readings remain or the
/// options do not fit the file.
Layout find_layout(std::span<const HeadRow> rows, const BasketOptions& options,
                   std::string_view name);

/// 0 or 1, or true or false in any case; nothing for another text.
std::optional<bool> bit_of(std::string_view text);

}  // namespace surefield
