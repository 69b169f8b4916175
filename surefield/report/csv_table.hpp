// CSV: a line of names, then rows of as many fields. Text is quoted where it must be, numbers have
// 17 digits and read back to the same bits, what is not known or not finite is an empty field.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <initializer_list>
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

class CsvTable {
 public:
  explicit CsvTable(std::initializer_list<std::string_view> names) : columns_(names.size()) {
    for (const auto name : names) put(csv_field(name));
    end();
  }

  template <class... Fields>
  void add(const Fields&... fields) {
    SUREFIELD_ASSERT(sizeof...(fields) == columns_);
    (put(csv_field(fields)), ...);
    end();
  }

  const std::string& text() const { return out_; }

 private:
  void put(const std::string& field) {
    out_ += (first_ ? "" : ",") + field;
    first_ = false;
  }
  void end() {
    out_ += '\n';
    first_ = true;
  }

  std::size_t columns_;
  std::string out_;
  bool first_ = true;
};

}  // namespace surefield
