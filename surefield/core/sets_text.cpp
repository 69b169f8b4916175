#include "surefield/core/sets_text.hpp"

#include "surefield/core/error.hpp"

namespace surefield {

std::string set_field(std::string_view label) {
  constexpr std::string_view kBlanks = " \t\v\f";
  require(label.find_first_of("\r\n") == std::string_view::npos, "sets: the label '", label,
          "' holds a line end, but a set is one line");
  const bool plain = !label.empty() && label.find_first_of(",\"") == std::string_view::npos &&
                     label.front() != '#' &&
                     kBlanks.find(label.front()) == std::string_view::npos &&
                     kBlanks.find(label.back()) == std::string_view::npos;
  if (plain) return std::string(label);
  std::string field = "\"";
  for (const char c : label) field.append(c == '"' ? 2 : 1, c);
  return field + '"';
}

}  // namespace surefield
