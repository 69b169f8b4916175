#include "surefield/io/csv_items.hpp"

#include "surefield/io/text_scanner.hpp"

namespace surefield {
namespace {

/// Reads a field that starts with a quote; stands behind its closing quote after.
std::string quoted_field(const Lines& at, std::string_view& left) {
  const std::string_view whole = left;
  std::string field;
  for (left.remove_prefix(1); !left.empty(); left.remove_prefix(1)) {
    if (left[0] != '"') {
      field += left[0];
      continue;
    }
    left.remove_prefix(1);
    if (left.empty() || left[0] != '"') return field;
    field += '"';
  }
  at.fail_here("found ", in_quotes(whole), ", expected a closing quote on the same line");
}

}  // namespace

std::vector<std::string> csv_items(const Lines& at) {
  std::vector<std::string> fields;
  std::string_view left = at.line();
  while (true) {
    left.remove_prefix(std::min(left.size(), left.find_first_not_of(" \t")));
    if (left.starts_with('"')) {
      fields.push_back(quoted_field(at, left));
      const std::string_view behind = trimmed(left.substr(0, left.find(',')));
      if (!behind.empty())
        at.fail_here("found ", in_quotes(behind), " behind a closing quote, expected a comma");
    } else {
      fields.emplace_back(trimmed(left.substr(0, left.find(','))));
    }
    if (fields.back().empty()) at.fail_here("field ", fields.size(), " is empty, expected an item");
    const auto comma = left.find(',');
    if (comma == std::string_view::npos) return fields;
    left.remove_prefix(comma + 1);
  }
}

}  // namespace surefield
