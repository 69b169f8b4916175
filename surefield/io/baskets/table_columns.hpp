// Columns of the first rows of a table: what they hold, and which of them are the order and the
// item of the long form.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/io/baskets/find_form.hpp"

namespace surefield {

enum class ColumnKind { kNumbers, kWords, kMixed };  ///< digits alone; none of digits; both

/// Of the fields that are not empty; mixed if there is none.
ColumnKind kind_of_column(std::span<const HeadRow> rows, Index column);
/// A field of the column stands there twice.
bool comes_again(std::span<const HeadRow> rows, Index column);
/// A field that is not empty stands in two columns.
bool columns_share(std::span<const HeadRow> rows, Index columns);
/// A header with a name of an order and another of an item.
bool names_order_and_item(const std::vector<std::string>& header);

/// The columns that the options or the header name, else the two there are. Header: as the options
/// say; if columns are named by name; a name above numbers; not where the first field comes again
/// below. Throws Error, naming --long or --header, where that does not tell.
Layout long_layout(std::span<const HeadRow> rows, const BasketOptions& options,
                   std::string_view name);

}  // namespace surefield
