// The first lines of a file of baskets that hold data: no blank lines, no comments. What a file is
// is decided from these, by pure functions; every later line is held to it.
#pragma once

#include <string_view>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/io/baskets/line_source.hpp"
#include "surefield/io/lines.hpp"

namespace surefield {

struct HeadLine {
  Index number;
  std::string_view text;
};

inline std::vector<HeadLine> head_lines(std::string_view head) {
  std::vector<HeadLine> lines;
  for (Index number = 1; !head.empty(); ++number) {
    const std::string_view line = cut_line(head);
    const std::string_view content = trimmed(line);
    if (!content.empty() && content.front() != '#') lines.push_back({number, line});
  }
  return lines;
}

/// Digits alone: an id, an EAN, 007.
inline bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace surefield
