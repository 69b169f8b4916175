#include "surefield/cli/number_rule.hpp"

#include <charconv>
#include <cmath>
#include <optional>

#include "surefield/core/error.hpp"

namespace surefield::cli {
namespace {

constexpr std::size_t kShown = 40;  // characters of a text that is refused

std::string quoted(const std::string& text) {
  return message("'", text.size() > kShown ? text.substr(0, kShown) + "..." : text, "'");
}

std::optional<double> real(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.starts_with('+')) return std::nullopt;
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole_text = end == text.data() + text.size() && fault == std::errc();
  return whole_text && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// What converts it afterwards would read a leading 0 as octal, so there may be none.
std::optional<std::uint64_t> whole(std::string_view text) {
  if (text.size() > 1 && text.starts_with('0')) return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole_text = end == text.data() + text.size() && fault == std::errc();
  return whole_text ? std::optional(value) : std::nullopt;
}

template <class Rule>
CLI::Validator validator(const Rule& rule, const std::string& range) {
  return {[rule](std::string& text) { return refusal_of(text, rule); }, range};
}

}  // namespace

std::string refusal_of(const std::string& text, const NumberRule& rule) {
  const auto value = real(text);
  return value && rule.allows(*value) ? "" : message(quoted(text), " is not ", rule.words);
}

std::string refusal_of(const std::string& text, const WholeRule& rule) {
  const auto value = whole(text);
  if (value && rule.allows(*value)) return "";
  if (value && *value > rule.high && rule.high == kCounted.high)
    return message(quoted(text), " is more than ", rule.high, ", the most that can be counted");
  return message(quoted(text), " is not ", words_of(rule));
}

CLI::Validator takes(const NumberRule& rule) { return validator(rule, std::string(rule.range)); }

CLI::Validator takes(const WholeRule& rule) {
  const bool open = rule.high == kCounted.high || rule.high == kAnySeed.high;
  return validator(rule, !open           ? message(rule.low, "..", rule.high)
                         : rule.low == 0 ? std::string()
                                         : message("FROM ", rule.low));
}

}  // namespace surefield::cli
