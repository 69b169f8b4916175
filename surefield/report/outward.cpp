#include "surefield/report/outward.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "surefield/core/assert.hpp"

namespace surefield {
namespace {

constexpr int kAllDigits = 1074;  // after the point: the least denormal ends there

/// |value| in full, `digits.digits`.
std::string expansion(double value) {
  std::array<char, 1500> text{};
  const auto [end, fault] = std::to_chars(text.data(), text.data() + text.size(), std::abs(value),
                                          std::chars_format::fixed, kAllDigits);
  SUREFIELD_ASSERT(fault == std::errc());
  return {text.data(), end};
}

bool is_zero(std::string_view text) { return text.find_first_of("123456789") == text.npos; }

/// The next larger text of as many digits; one digit more where all are 9.
void increment(std::string& text) {
  for (std::size_t k = text.size(); k-- > 0;) {
    if (text[k] == '.') continue;
    if (text[k] != '9') {
      ++text[k];
      return;
    }
    text[k] = '0';
  }
  text.insert(0, 1, '1');
}

std::string rounded(double value, int digits, bool up) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  std::string text = expansion(value);
  const std::size_t point = text.find('.');
  const std::size_t kept = point + (digits > 0 ? 1 + static_cast<std::size_t>(digits) : 0);
  const bool lost = kept < text.size() && !is_zero(std::string_view(text).substr(kept));
  const bool negative = std::signbit(value);
  text.resize(kept, '0');
  if (lost && up != negative) increment(text);
  return negative && !is_zero(text) ? "-" + text : text;
}

}  // namespace

std::string round_down_text(double value, int digits) { return rounded(value, digits, false); }
std::string round_up_text(double value, int digits) { return rounded(value, digits, true); }

std::string round_up_significant(double value, int digits) {
  SUREFIELD_ASSERT(digits >= 1 && !(value < 0));
  if (!std::isfinite(value) || value == 0) return fmt::format("{}", value);
  const std::string text = expansion(value);
  const auto first = static_cast<long>(text.find_first_of("123456789"));
  const auto point = static_cast<long>(text.find('.'));
  const long exponent = first < point ? point - 1 - first : point - first;
  if (exponent >= -4)
    return round_up_text(value, static_cast<int>(std::max(0L, digits - 1 - exponent)));
  std::string mantissa =
      text.substr(static_cast<std::size_t>(first), static_cast<std::size_t>(digits));
  const std::size_t kept = mantissa.size();
  if (!is_zero(std::string_view(text).substr(static_cast<std::size_t>(first) + kept)))
    increment(mantissa);
  const bool carried = mantissa.size() > kept;
  mantissa.resize(kept);
  if (kept > 1) mantissa.insert(1, 1, '.');
  return fmt::format("{}e{:03}", mantissa, exponent + (carried ? 1 : 0));
}

namespace {

/// Beyond 1e15 the shortest text that reads back to the same double, which needs no rounding.
bool is_long(double value) { return std::abs(value) >= 1e15; }

}  // namespace

std::string round_down_text(const std::optional<double>& value, int digits) {
  if (!value) return "not known";
  return is_long(*value) ? fmt::format("{}", *value) : round_down_text(*value, digits);
}
std::string round_up_text(const std::optional<double>& value, int digits) {
  if (!value) return "not known";
  return is_long(*value) ? fmt::format("{}", *value) : round_up_text(*value, digits);
}

}  // namespace surefield
