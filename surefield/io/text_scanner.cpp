#include "surefield/io/text_scanner.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace surefield {
namespace {

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

constexpr Index kShown = 40;

}  // namespace

std::string escaped(std::string_view text, Index most) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  std::string result;
  for (const char c : text.substr(0, most)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f)
      result += c;
    else
      result.append("\\x").append(1, kHex[byte >> 4]).append(1, kHex[byte & 15]);
  }
  return text.size() > most ? result + "..." : result;
}

std::string in_quotes(std::string_view text) {
  return std::string(1, '\'').append(escaped(text, kShown)).append(1, '\'');
}

ParsedNumber parse_number(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || end != text.data() + text.size() || problem == std::errc::invalid_argument)
    return {0, "a number"};
  // A number too small for a double would read as 0, and a 0 in a table means something else.
  if (problem == std::errc::result_out_of_range) return {0, "a number that fits a double"};
  if (!std::isfinite(value)) return {0, "a finite number"};
  return {value, {}};
}

TextScanner::TextScanner(std::string_view text, std::string_view name, Comments comments)
    : text_(text), name_(name), comments_(comments) {
  if (text_.starts_with("\xEF\xBB\xBF")) position_ = 3;  // a byte order mark
}

void TextScanner::skip_line() {
  const auto end = text_.find('\n', position_);
  position_ = end == std::string_view::npos ? text_.size() : end;
}

bool TextScanner::at_comment() const {
  if (!line_start_ || comments_ == Comments::kNone) return false;
  if (comments_ == Comments::kHash) return text_[position_] == '#';
  return text_[position_] == 'c' &&
         (position_ + 1 == text_.size() || is_blank(text_[position_ + 1]));
}

void TextScanner::skip_blanks() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '\n') {
      ++line_;
      line_start_ = true;
    }
    if (is_blank(c))
      ++position_;
    else if (at_comment())
      skip_line();
    else
      return;
  }
}

bool TextScanner::at_end() {
  skip_blanks();
  return position_ == text_.size();
}

bool TextScanner::at_line_end() {
  while (position_ < text_.size() && text_[position_] != '\n' && is_blank(text_[position_]))
    ++position_;
  return position_ == text_.size() || text_[position_] == '\n';
}

std::string_view TextScanner::token(std::string_view expected) {
  if (at_end()) fail_here("the file ends, expected ", expected);
  const Index start = position_;
  while (position_ < text_.size() && !is_blank(text_[position_])) ++position_;
  line_start_ = false;
  return text_.substr(start, position_ - start);
}

double TextScanner::number(std::string_view what) {
  const auto describe = [what](std::string_view kind) {
    return what.empty() ? std::string(kind) : message(kind, " (", what, ")");
  };
  if (at_end()) fail_here("the file ends, expected ", describe("a number"));
  const auto text = token({});
  const auto [value, expected] = parse_number(text);
  if (!expected.empty()) refuse(text, describe(expected));
  return value;
}

std::uint64_t TextScanner::whole(std::string_view what, std::uint64_t low, std::uint64_t high) {
  const auto expected = [&] {
    if (high == UINT64_MAX) return message(what, ", a whole number from ", low);
    return low > high ? message(what, ", of which there are none")
                      : message(what, " from ", low, " to ", high);
  };
  if (at_end()) fail_here("the file ends, expected ", expected());
  const auto text = token({});
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || value < low || value > high)
    refuse(text, expected());
  return value;
}

Index TextScanner::count(std::string_view things, Index bytes_each) {
  const std::uint64_t value = whole(message("a number of ", things), 0, UINT64_MAX);
  const Index most = (bytes_left() + 1) / bytes_each;  // the last thing needs no separator
  if (value > most)
    fail_here("found '", value, "', but the rest of the file can hold at most ", most, " ", things);
  return value;
}

Index TextScanner::implied_count(std::string_view things) {
  const std::uint64_t value = whole(message("a number of ", things), 0, UINT64_MAX);
  const Index most = std::min<Index>(bytes() + kFreeCount, UINT32_MAX);
  if (value > most)
    fail_here("found '", value, "', but a file of this size may have at most ", most, " ", things);
  return value;
}

void TextScanner::expect_end(std::string_view after) {
  if (at_end()) return;
  refuse(token({}), message("the end of the file after ", after));
}

void TextScanner::refuse(std::string_view token, std::string_view expected) const {
  fail_here("found ", in_quotes(token), ", expected ", expected);
}

}  // namespace surefield
