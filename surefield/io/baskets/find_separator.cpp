#include "surefield/io/baskets/find_separator.hpp"

#include <array>
#include <vector>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

constexpr std::array kMarks{Separator::kComma, Separator::kSemicolon, Separator::kTab,
                            Separator::kPipe};

struct MarkCounts {
  std::array<Index, kMarks.size()> of{};  ///< outside quotes
  bool inner_blanks = false;              ///< a blank between two words of a field, outside quotes
  bool digits_only = true;                ///< but for marks and blanks
};

/// A quote opens at the start of a field, whichever mark may end the one before.
MarkCounts count_marks(std::string_view line) {
  MarkCounts counts;
  line = trimmed(line);
  bool field_start = true;
  char before = ',';
  for (Index k = 0; k < line.size(); ++k) {
    const char c = line[k];
    if (c == '"' && field_start) {
      for (++k; k < line.size() && line[k] != '"'; ++k)
        counts.digits_only &= line[k] >= '0' && line[k] <= '9';
      field_start = false;
      before = '"';
      continue;
    }
    bool mark = false;
    for (Index m = 0; m < kMarks.size(); ++m)
      if (c == static_cast<char>(kMarks[m])) {
        ++counts.of[m];
        mark = true;
      }
    if (mark) {
      field_start = true;
    } else if (c == ' ') {
      // "a b": the next character that is no blank tells.
      Index next = k;
      while (next < line.size() && line[next] == ' ') ++next;
      const bool word = next < line.size() &&
                        std::string_view(",;\t|\"").find(line[next]) == std::string_view::npos;
      counts.inner_blanks |= word && !field_start && before != '"';
      k = next - 1;
      continue;
    } else {
      field_start = false;
      counts.digits_only &= c >= '0' && c <= '9';
    }
    before = c;
  }
  return counts;
}

}  // namespace

Separator find_separator(std::span<const HeadLine> lines, std::string_view name) {
  std::array<Index, kMarks.size()> total{}, first_line{};
  std::array<bool, kMarks.size()> constant;
  constant.fill(true);
  std::array<Index, kMarks.size()> each{};
  bool digits_only = true;
  Index inner = 0;  // the first line with blanks inside a field
  for (Index k = 0; k < lines.size(); ++k) {
    const MarkCounts counts = count_marks(lines[k].text);
    digits_only &= counts.digits_only;
    if (counts.inner_blanks && inner == 0) inner = lines[k].number;
    for (Index m = 0; m < kMarks.size(); ++m) {
      if (counts.of[m] > 0 && total[m] == 0) first_line[m] = lines[k].number;
      total[m] += counts.of[m];
      if (k == 0) each[m] = counts.of[m];
      constant[m] = constant[m] && counts.of[m] == each[m] && counts.of[m] > 0;
    }
  }
  std::vector<Index> met, tables;
  for (Index m = 0; m < kMarks.size(); ++m) {
    if (total[m] > 0) met.push_back(m);
    if (total[m] > 0 && constant[m]) tables.push_back(m);
  }
  if (met.empty()) {
    if (inner == 0) return Separator::kComma;
    if (digits_only) return Separator::kBlanks;
    fail(name, ":", inner,
         ": words with blanks between them, and no line has a comma, semicolon, tab or pipe; type "
         "--separator space if blanks separate the items, --separator comma if they are within");
  }
  if (met.size() == 1) {
    if (inner > 0 && digits_only)
      fail(name, ":", inner, ": numbers are separated by blanks here and by ",
           text_of(kMarks[met[0]]), " on line ", first_line[met[0]], "; type --separator ",
           text_of(kMarks[met[0]]), " or --separator space");
    return kMarks[met[0]];
  }
  if (tables.size() == 1) return kMarks[tables[0]];
  std::string list;
  Index line = 0;
  for (const Index m : met) {
    list.append(list.empty() ? "" : " or --separator ").append(text_of(kMarks[m]));
    line = std::max(line, first_line[m]);
  }
  fail(name, ":", line, ": several marks could separate the fields; type --separator ", list);
}

}  // namespace surefield
