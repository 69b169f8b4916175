// The lines of a text, numbered from 1, without the blanks around them. CRLF and a missing last
// line end need no care.
#pragma once

#include <string_view>

#include "surefield/core/concepts.hpp"
#include "surefield/core/error.hpp"

namespace surefield {

inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

class Lines {
 public:
  /// The text and the name must outlive this.
  Lines(std::string_view text, std::string_view name) : left_(text), name_(name) {
    if (left_.starts_with("\xEF\xBB\xBF")) left_.remove_prefix(3);  // a byte order mark
  }

  /// Moves to the next line; false after the last.
  bool next() {
    if (left_.empty()) return false;
    const auto end = left_.find('\n');
    line_ = trimmed(left_.substr(0, end));
    left_.remove_prefix(end == std::string_view::npos ? left_.size() : end + 1);
    ++number_;
    return true;
  }
  std::string_view line() const { return line_; }
  Index number() const { return number_; }

  /// Throws Error: "file:line: ...".
  template <class... Parts>
  [[noreturn]] void fail_here(const Parts&... parts) const {
    fail(name_, ":", number_, ": ", parts...);
  }

 private:
  std::string_view left_;
  std::string_view name_;
  std::string_view line_;
  Index number_ = 0;
};

}  // namespace surefield
