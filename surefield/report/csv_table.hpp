// CSV: a line of names, then rows of as many fields. Text is quoted where it must be, numbers have
// 17 digits and read back to the same bits, what is not known or not finite is an empty field.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>

#include "surefield/core/assert.hpp"

namespace surefield {

/// In quotes, quotes doubled, if it holds a comma, a quote or a line break.
std::string csv_field(std::string_view text);
inline std::string csv_field(const char* text) { return csv_field(std::string_view(text)); }
inline std::string csv_field(const std::string& text) { return csv_field(std::string_view(text)); }
inline std::string csv_field(bool value) { return value ? "true" : "false"; }
inline std::string csv_field(std::integral auto value) { return fmt::format("{}", value); }
inline std::string csv_field(double value) {
  return std::isfinite(value) ? fmt::format("{:.17g}", value) : std::string();
}
template <class T>
std::string csv_field(const std::optional<T>& value) {
  return value ? csv_field(*value) : std::string();
}

/// One row, with its line end.
template <class... Fields>
std::string csv_line(const Fields&... fields) {
  std::string line;
  ((line += csv_field(fields), line += ','), ...);
  line.back() = '\n';
  return line;
}

class CsvTable {
 public:
  template <class... Names>
  explicit CsvTable(const Names&... names) : columns_(sizeof...(names)), out_(csv_line(names...)) {}

  template <class... Fields>
  void add(const Fields&... fields) {
    SUREFIELD_ASSERT(sizeof...(fields) == columns_);
    out_ += csv_line(fields...);
  }

  const std::string& text() const { return out_; }

 private:
  std::size_t columns_;
  std::string out_;
};

}  // namespace surefield
