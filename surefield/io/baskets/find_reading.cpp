#include "surefield/io/baskets/find_reading.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "surefield/core/sets_text.hpp"
#include "surefield/io/baskets/fields.hpp"
#include "surefield/io/baskets/find_separator.hpp"
#include "surefield/io/baskets/head_lines.hpp"

namespace surefield {
namespace {

/// What a declared file is, where the options do not say otherwise.
BasketOptions as_declared(BasketOptions options) {
  if (!options.separator) options.separator = Separator::kComma;
  if (!options.form && options.order_column.empty()) options.form = Form::kLines;
  if (!options.header) options.header = false;
  if (!options.encoding) options.encoding = Encoding::kUtf8;
  return options;
}

/// Separators alone: a blank line.
bool is_blank_row(const HeadRow& row) {
  return row.fields.size() > 1 &&
         std::ranges::all_of(row.fields, [](const auto& field) { return field.empty(); });
}

}  // namespace

Reading find_reading(std::string_view head, BasketOptions options, std::string_view name) {
  std::string_view start = head;
  if (trimmed(cut_line(start)) == kSetsDeclaration) options = as_declared(std::move(options));
  const std::vector<HeadLine> lines = head_lines(head);
  Reading reading;
  reading.encoding = options.encoding;
  reading.rows = lines.size();
  reading.separated = options.separator || std::ranges::any_of(lines, [](const HeadLine& line) {
                        return trimmed(line.text).find_first_of(",;\t| ") != std::string_view::npos;
                      });
  reading.separator = options.separator ? *options.separator : find_separator(lines, name);
  std::vector<HeadRow> rows;
  Fields fields;
  for (const HeadLine& line : lines) {
    fields.split(line.text, reading.separator, name, line.number);
    rows.push_back({line.number, fields.copy()});
  }
  std::erase_if(rows, is_blank_row);
  reading.layout = find_layout(rows, options, name);
  return reading;
}

}  // namespace surefield
