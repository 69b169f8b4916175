// Text for a person to read: tables whose columns never touch, and lines of a name and what it is.
//
// A column is as wide as its widest cell, in characters of UTF-8; two blanks between two columns;
// numbers are written to the right. What a terminal would obey is written as `?`: a file must not
// be able to write over the user's screen.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace surefield {

/// Control characters replaced by `?`.
std::string printable(std::string_view text);

/// "model         flid, n = 20", at least two blanks between the two.
std::string named_line(std::string_view name, std::string_view text);

class TextTable {
 public:
  enum class Side { kLeft, kRight };
  struct Column {
    std::string head;
    Side side = Side::kRight;
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// One cell a column.
  void add(std::vector<std::string> cells);
  /// A line of its own after the last row, indented by so much more than the rows.
  void add_line(std::string text, std::size_t indent = 0);

  /// With a line of heads, unless all are empty; no blanks at the end of a line.
  std::string text(std::string_view indent = "  ") const;

 private:
  struct Row {
    std::vector<std::string> cells;  // empty: a line
    std::string line;
  };
  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

/// Two columns without heads, both to the left: a name and what it is.
std::string two_columns(const std::vector<std::pair<std::string, std::string>>& rows);

}  // namespace surefield
