#include "surefield/io/box_file.hpp"

#include <vector>

#include "surefield/core/error.hpp"
#include "surefield/io/lines.hpp"
#include "surefield/io/number_text.hpp"
#include "surefield/io/read_file.hpp"
#include "surefield/io/text_scanner.hpp"

namespace surefield {
namespace {

/// Takes the last word off the line: an item's name may hold blanks, the two numbers behind it do
/// not.
std::string_view take_last_word(std::string_view& line) {
  const auto blank = line.find_last_of(" \t");
  const std::string_view word = blank == std::string_view::npos ? line : line.substr(blank + 1);
  line = trimmed(line.substr(0, line.size() - word.size()));
  return word;
}

double bound(std::string_view word, const Lines& at, std::string_view which) {
  const auto [value, problem] = parse_number(word);
  if (!problem.empty() || value < 0 || value > 1)
    at.fail_here("found ", in_quotes(word), ", expected a number from 0 to 1 (the ", which,
                 " end)");
  return value;
}

}  // namespace

Box parse_box(std::string_view text, std::string_view name, Index items, const ItemLookup& lookup) {
  Box box = unit_box(items);
  std::vector<bool> seen(items, false);
  Lines lines(text, name);
  while (lines.next()) {
    std::string_view item = lines.line();
    if (item.empty() || item[0] == '#') continue;
    const double high = bound(take_last_word(item), lines, "upper");
    const double low = bound(take_last_word(item), lines, "lower");
    const auto i = lookup.find(item);
    if (!i) lines.fail_here("found ", in_quotes(item), ", expected ", lookup.expected());
    if (seen[*i])
      lines.fail_here("item ", in_quotes(item), " is there twice, expected each item once");
    if (low > high)
      lines.fail_here("found the interval [", low, ", ", high, "], whose ends must be in order");
    seen[*i] = true;
    box.low[*i] = low;
    box.high[*i] = high;
  }
  return box;
}

Box read_box(const std::string& path, Index items, const ItemLookup& lookup) {
  return parse_box(read_file(path), path, items, lookup);
}

std::string box_text(const Box& box, std::span<const std::string> names, Index first_id) {
  std::string text;
  for (Index i = 0; i < box.size(); ++i) {
    if (box[i] == Interval{0, 1}) continue;
    if (names.empty()) {
      append_number(text, i + first_id);
    } else {
      const std::string& name = names[i];
      require(!name.empty() && name == trimmed(name) && name.find('\n') == std::string::npos &&
                  name[0] != '#',
              "box: the item name ", in_quotes(name),
              " must be one line that does not start with '#', without blanks around it");
      text += name;
    }
    text += ' ';
    append_line(text, box.low[i], box.high[i]);
  }
  return text;
}

}  // namespace surefield
