// Sets as text that reads back to the same sets: one a line, items separated by commas, a label in
// double quotes where it must be, the empty set as "".
//
//   # surefield sets: one set a line, separated by commas, "" is the empty set
//   crib,"Sea Squirts, five"
//   ""
//
// The first line declares the rest, so that nothing has to be found out when it is read.
#pragma once

#include <string>
#include <string_view>

namespace surefield {

inline constexpr std::string_view kSetsDeclaration =
    "# surefield sets: one set a line, separated by commas, \"\" is the empty set";

/// The label as one field: in quotes if it is empty, holds a comma or a quote, starts with `#` or
/// has blanks around it. Throws Error if it holds a line end.
std::string set_field(std::string_view label);

/// Appends the line of a set, given the field of each of its items.
template <class Set, class FieldOf>
void append_set(std::string& text, const Set& set, FieldOf&& field_of) {
  if (set.empty()) text += "\"\"";
  bool first = true;
  for (const auto& item : set) {
    if (!first) text += ',';
    first = false;
    text += field_of(item);
  }
  text += '\n';
}

}  // namespace surefield
