#include "surefield/io/baskets/table_columns.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "surefield/core/error.hpp"
#include "surefield/io/baskets/head_lines.hpp"
#include "surefield/io/baskets/header_words.hpp"
#include "surefield/io/item_lookup.hpp"
#include "surefield/io/text_scanner.hpp"

namespace surefield {
namespace {

using Header = std::vector<std::string>;

std::string listed_header(const Header& header) {
  std::string list;
  for (const auto& field : header) list.append(list.empty() ? "" : ", ").append(field);
  return escaped(list, 200);
}

/// The column that a name or a number from 1 means. `by_name` is set if it was a name.
Index column_of(const std::string& text, const HeadRow& first, bool header_possible, bool& by_name,
                std::string_view name) {
  if (const auto number = parse_whole(text)) {
    require(*number >= 1 && *number <= first.fields.size(), name, ":", first.line,
            ": --long: there is no column ", text, ", the line has ", first.fields.size());
    return *number - 1;
  }
  by_name = true;
  require(header_possible, name, ": --long: a column is named '", text,
          "', but --no-header says that there are no names; give its number");
  for (const bool plain : {false, true}) {
    std::optional<Index> found;
    for (Index j = 0; j < first.fields.size(); ++j) {
      const bool same =
          plain ? plain_word(first.fields[j]) == plain_word(text) : first.fields[j] == text;
      if (!same) continue;
      require(!found, name, ":", first.line, ": --long: two columns are called '", text,
              "'; give the number of one");
      found = j;
    }
    if (found) return *found;
  }
  fail(name, ":", first.line, ": --long: no column is called '", text, "'; there are ",
       listed_header(first.fields));
}

/// Columns by what the header calls them.
struct NamedColumns {
  std::vector<Index> orders, items;
};
NamedColumns named_columns(const Header& header) {
  NamedColumns found;
  for (Index j = 0; j < header.size(); ++j) {
    if (heads_orders(header[j])) found.orders.push_back(j);
    if (heads_items(header[j])) found.items.push_back(j);
  }
  return found;
}

bool long_header(std::span<const HeadRow> rows, Index order, Index item, std::string_view name) {
  const auto& first = rows[0].fields;
  if (heads_orders(first[order]) && heads_items(first[item])) return true;
  if (rows.size() < 2) return false;
  for (const Index column : {order, item})
    if (kind_of_column(rows.subspan(1), column) == ColumnKind::kNumbers)
      return !is_digits(first[column]);
  for (const HeadRow& row : rows.subspan(1))
    if (order < row.fields.size() && row.fields[order] == first[order]) return false;
  fail(name, ":", rows[0].line,
       ": the first line may be a header or data; type --header or --no-header");
}

}  // namespace

ColumnKind kind_of_column(std::span<const HeadRow> rows, Index column) {
  Index numbers = 0, words = 0;
  for (const HeadRow& row : rows)
    if (column < row.fields.size() && !row.fields[column].empty())
      ++(is_digits(row.fields[column]) ? numbers : words);
  if (numbers + words == 0 || (numbers > 0 && words > 0)) return ColumnKind::kMixed;
  return numbers > 0 ? ColumnKind::kNumbers : ColumnKind::kWords;
}

bool comes_again(std::span<const HeadRow> rows, Index column) {
  std::unordered_set<std::string_view> met;
  return std::ranges::any_of(rows, [&](const HeadRow& row) {
    return column < row.fields.size() && !row.fields[column].empty() &&
           !met.insert(row.fields[column]).second;
  });
}

bool columns_share(std::span<const HeadRow> rows, Index columns) {
  std::unordered_map<std::string_view, Index> column_of_field;
  for (const HeadRow& row : rows)
    for (Index j = 0; j < columns; ++j) {
      if (row.fields[j].empty()) continue;
      const auto [place, added] = column_of_field.emplace(row.fields[j], j);
      if (!added && place->second != j) return true;
    }
  return false;
}

bool names_order_and_item(const std::vector<std::string>& header) {
  const NamedColumns found = named_columns(header);
  return !found.orders.empty() && !found.items.empty();
}

Layout long_layout(std::span<const HeadRow> rows, const BasketOptions& options,
                   std::string_view name) {
  const HeadRow& first = rows[0];
  Layout layout{.form = Form::kLong, .columns = first.fields.size()};
  require(layout.columns >= 2, name, ":", first.line,
          ": the line has one field, but the long form has an order and an item");
  const bool header_possible = options.header.value_or(true);
  bool by_name = false;
  if (!options.order_column.empty()) {
    layout.order = column_of(options.order_column, first, header_possible, by_name, name);
    layout.item = column_of(options.item_column, first, header_possible, by_name, name);
    require(layout.order != layout.item, name,
            ": --long: the order and the item are the same column");
  } else {
    const NamedColumns found = header_possible ? named_columns(first.fields) : NamedColumns{};
    if (found.orders.size() == 1 && found.items.size() == 1) {
      layout.order = found.orders[0];
      layout.item = found.items[0];
      by_name = true;
    } else {
      require(layout.columns == 2 && found.orders.size() < 2 && found.items.size() < 2, name, ":",
              first.line,
              ": which columns are the order and the item? Type --long ORDER,ITEM; there are ",
              listed_header(first.fields));
    }
  }
  layout.header = options.header ? *options.header
                  : by_name      ? true
                                 : long_header(rows, layout.order, layout.item, name);
  require(layout.header || !by_name, name, ": --no-header: the columns have no names");
  return layout;
}

}  // namespace surefield
