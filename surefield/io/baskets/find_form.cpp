#include "surefield/io/baskets/find_form.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <unordered_set>

#include "surefield/core/error.hpp"
#include "surefield/io/baskets/head_lines.hpp"
#include "surefield/io/baskets/header_words.hpp"
#include "surefield/io/baskets/table_columns.hpp"
#include "surefield/io/text_scanner.hpp"

namespace surefield {
namespace {

using HeadRows = std::span<const HeadRow>;

constexpr std::string_view kSayForm =
    "; type --form lines if every line is a set, --long ORDER,ITEM (names or numbers of columns) "
    "if "
    "it is one item of an order";
constexpr std::string_view kSayHeader =
    "; type --header if the first line is one, --no-header if it is data";

Index filled(const HeadRow& row) {
  Index k = row.fields.size();
  while (k > 0 && row.fields[k - 1].empty()) --k;
  return k;
}

/// Words that stand above numbers in some column.
bool words_above_numbers(HeadRows rows) {
  if (rows.size() < 2) return false;
  for (Index j = 0; j < rows[0].fields.size(); ++j)
    if (kind_of_column(rows.subspan(1), j) == ColumnKind::kNumbers && !rows[0].fields[j].empty() &&
        !is_digits(rows[0].fields[j]))
      return true;
  return false;
}

bool is_header_of_lines(HeadRows rows, std::string_view name) {
  const auto& first = rows[0].fields;
  const auto is_number = [](const std::string& field) { return is_digits(field); };
  const auto all_numbers = [&](const HeadRow& row) {
    return std::all_of(row.fields.begin(), row.fields.begin() + static_cast<long>(filled(row)),
                       is_number);
  };
  if (rows.size() > 1 && std::ranges::none_of(first, is_number) &&
      std::ranges::all_of(rows.subspan(1), all_numbers))
    return true;
  bool numbered = true;
  for (Index j = 0; j < first.size(); ++j) numbered &= heads_place(first[j], j + 1);
  if (numbered) return true;
  if (filled(rows[0]) != 1 || !heads_lines(first[0])) return false;
  for (const HeadRow& row : rows.subspan(1))
    if (std::ranges::find(row.fields, first[0]) != row.fields.end()) return false;
  fail(name, ":", rows[0].line, ": ", in_quotes(first[0]), " may be an item or a header",
       kSayHeader);
}

/// A number that is no item: of the order, or of the items that follow.
void refuse_odd_first_fields(HeadRows data, std::string_view name) {
  if (data.size() < 3) return;
  bool counts = true, numbers = true, any = false;
  for (const HeadRow& row : data) {
    const Index k = filled(row);
    if (k == 0) continue;  // the empty set
    const std::string& first = row.fields[0];
    counts &= first == std::to_string(k - 1);
    numbers &= is_digits(first) || (k == 1 && first.empty());
    for (Index j = 1; j < k; ++j) numbers &= !is_digits(row.fields[j]);
    any |= k > 1;
  }
  if (!any) return;
  require(
      !counts, name, ":", data[0].line,
      ": the first field of every line is the number of the others; take it out, or type --form "
      "lines if it is an item");
  require(!numbers, name, ":", data[0].line,
          ": every line starts with a number, and no other field is one; take it out if it is the "
          "order's, or type --form lines if it is an item");
}

/// Of lines that are no matrix and whose header has no known names.
Form form_by_columns(HeadRows data, Index columns, std::string_view name) {
  bool numbers = false, words = false, again = false;
  for (Index j = 0; j < columns; ++j) {
    const ColumnKind kind = kind_of_column(data, j);
    numbers |= kind != ColumnKind::kWords;
    words |= kind == ColumnKind::kWords;
    again |= comes_again(data, j);
  }
  std::unordered_set<Index> lengths;
  for (const HeadRow& row : data) lengths.insert(filled(row));
  const bool pair = columns == 2 && kind_of_column(data, 0) == ColumnKind::kNumbers &&
                    kind_of_column(data, 1) == ColumnKind::kWords;
  if (pair && comes_again(data, 0)) return Form::kLong;
  if (data.size() < 2 || (!again && !(numbers && words)) || lengths.size() > 2 ||
      (!numbers && columns_share(data, columns)))
    return Form::kLines;
  fail(name, ":", data[0].line, ": every line has ", columns,
       " fields: it may be a set, or one item of an order", kSayForm);
}

Layout matrix_layout(HeadRows rows, const BasketOptions& options, std::string_view name) {
  const auto all_bits = [](const HeadRow& row, Index from) {
    return std::all_of(row.fields.begin() + static_cast<long>(from), row.fields.end(),
                       [](const std::string& field) { return bit_of(field).has_value(); });
  };
  Layout layout{.form = Form::kMatrix, .columns = rows[0].fields.size()};
  const HeadRows below = rows.size() > 1 ? rows.subspan(1) : rows;
  layout.rows_are_numbered =
      layout.columns > 1 && !std::ranges::all_of(below, [](const HeadRow& row) {
        return row.fields.empty() || bit_of(row.fields[0]).has_value();
      });
  const bool bits = all_bits(rows[0], layout.rows_are_numbered ? 1 : 0);
  layout.header = options.header.value_or(!bits);
  require(options.header || !bits || layout.columns != 2 || layout.rows_are_numbered ||
              bit_of(rows[0].fields[0]) == bit_of(rows[0].fields[1]),
          name, ":", rows[0].line, ": the first line may name the items or be a set", kSayHeader);
  return layout;
}

/// Zeros and ones below the first line; nothing if not, refused where they can also be sets.
bool is_matrix(HeadRows data, Index columns, std::string_view name) {
  if (columns < 2 || data.empty()) return false;
  for (const Index from : {Index{0}, Index{1}}) {
    if (columns - from < 2) continue;
    bool bits = true, certain = columns - from > 2;
    for (const HeadRow& row : data) {
      for (Index j = from; j < columns && bits; ++j) bits = bit_of(row.fields[j]).has_value();
      if (!bits) break;
      certain |= bit_of(row.fields[from]) == bit_of(row.fields[from + 1]);
    }
    if (!bits) continue;
    require(certain, name, ":", data[0].line,
            ": lines of 0 and 1 may be sets of the items 0 and 1 or rows of a matrix; type --form "
            "lines or --form matrix");
    return true;
  }
  return false;
}

}  // namespace

std::optional<bool> bit_of(std::string_view text) {
  if (text == "1" || text == "0") return text == "1";
  const std::string word = text.size() <= 5 ? plain_word(text) : "";
  if (word.size() != text.size() || (word != "true" && word != "false")) return std::nullopt;
  return word == "true";
}

Layout find_layout(std::span<const HeadRow> rows, const BasketOptions& options,
                   std::string_view name) {
  const bool named = !options.order_column.empty() || !options.item_column.empty();
  require(!named || !options.form || options.form == Form::kLong, name, ": --form is ",
          options.form ? text_of(*options.form) : "", ", but --long is for --form long");
  if (rows.empty()) return {.form = options.form.value_or(Form::kLines)};
  const Index columns = rows[0].fields.size();
  Index odd_line = 0;
  for (const HeadRow& row : rows)
    if (row.fields.size() != columns && odd_line == 0) odd_line = row.line;
  const auto table = [&](Layout layout) {
    require(odd_line == 0, name, ":", odd_line, ": the line has another number of fields than the ",
            columns, " of the first line, but a ", text_of(layout.form),
            layout.form == Form::kLong ? " table" : "", " has the same in all");
    return layout;
  };
  if (named || options.form == Form::kLong) return table(long_layout(rows, options, name));
  if (options.form == Form::kMatrix) return table(matrix_layout(rows, options, name));
  const auto lines = [&] {
    return Layout{.form = Form::kLines,
                  .header = options.header ? *options.header : is_header_of_lines(rows, name)};
  };
  if (options.form == Form::kLines) return lines();

  const bool may_have_header = options.header.value_or(true);
  const HeadRows below = options.header == false ? rows : rows.subspan(1);
  if (odd_line == 0 && is_matrix(below, columns, name)) return matrix_layout(rows, options, name);
  if (may_have_header && names_order_and_item(rows[0].fields)) {
    require(odd_line == 0, name, ":", odd_line,
            ": the header names an order and an item, but the lines differ in their number of "
            "fields; a set a line has no column of orders (--form lines --no-header takes all "
            "fields as items)");
    return long_layout(rows, options, name);
  }
  const bool header = options.header.value_or(odd_line == 0 && words_above_numbers(rows));
  const HeadRows data = header ? rows.subspan(1) : rows;
  if (odd_line == 0 && columns >= 2 && form_by_columns(data, columns, name) == Form::kLong) {
    BasketOptions how = options;
    how.order_column = std::string("1");  // a literal is a false -Wrestrict of GCC 12 (PR 105329)
    how.item_column = std::string("2");
    return long_layout(rows, how, name);
  }
  refuse_odd_first_fields(data, name);
  return lines();
}

}  // namespace surefield
