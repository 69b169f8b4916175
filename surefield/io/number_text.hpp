// Numbers as text that reads back to the same bits: the shortest digits that do.
#pragma once

#include <array>
#include <charconv>
#include <string>

namespace surefield {

/// Appends the number; a double takes at most 24 characters.
template <class Number>
void append_number(std::string& text, Number value) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  text.append(digits.data(), end);
}

/// Appends the numbers with one character after each.
template <class... Numbers>
void append_line(std::string& text, Numbers... values) {
  ((append_number(text, values), text += ' '), ...);
  text.back() = '\n';
}

}  // namespace surefield
