#include "surefield/report/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "surefield/core/assert.hpp"

namespace surefield {
namespace {

constexpr std::size_t kNameWidth = 12;

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & '\xC0') != '\x80'; }));
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = '?';
  return out;
}

std::string named_line(std::string_view name, std::string_view text) {
  return fmt::format("{:<{}}  {}\n", name, kNameWidth, text);
}

void TextTable::add(std::vector<std::string> cells) {
  SUREFIELD_ASSERT(cells.size() == columns_.size());
  for (auto& cell : cells) cell = printable(cell);
  rows_.push_back({std::move(cells), {}});
}

void TextTable::add_line(std::string text, std::size_t indent) {
  rows_.push_back({{}, std::string(indent, ' ') + printable(text)});
}

std::string TextTable::text(std::string_view indent) const {
  std::vector<std::size_t> width;
  bool headed = false;
  for (const auto& [head, side] : columns_) {
    width.push_back(characters(head));
    headed = headed || !head.empty();
  }
  for (const Row& row : rows_)
    for (std::size_t c = 0; c < row.cells.size(); ++c)
      width[c] = std::max(width[c], characters(row.cells[c]));
  std::string out;
  const auto put = [&](const auto& cell_of) {
    std::string line(indent);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const std::string& cell = cell_of(c);
      const std::string blanks(width[c] - characters(cell), ' ');
      line +=
          (c > 0 ? "  " : "") + (columns_[c].side == Side::kRight ? blanks + cell : cell + blanks);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  };
  if (headed) put([&](std::size_t c) -> const std::string& { return columns_[c].head; });
  for (const Row& row : rows_)
    if (row.cells.empty())
      out += std::string(indent) + row.line + '\n';
    else
      put([&](std::size_t c) -> const std::string& { return row.cells[c]; });
  return out;
}

std::string two_columns(const std::vector<std::pair<std::string, std::string>>& rows) {
  TextTable table({{"", TextTable::Side::kLeft}, {"", TextTable::Side::kLeft}});
  for (const auto& [name, what] : rows) table.add({name, what});
  return table.text();
}

}  // namespace surefield
