#include "surefield/io/baskets/label_list.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "surefield/core/error.hpp"
#include "surefield/io/baskets/head_lines.hpp"
#include "surefield/io/item_lookup.hpp"
#include "surefield/io/text_scanner.hpp"
#include "surefield/io/utf8.hpp"

namespace surefield {
namespace {

/// What the bytes 0x80 to 0x9F are in Windows-1252; 0 where they are nothing.
constexpr std::array<std::uint16_t, 32> kWindows{
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c < 0x80; });
}
bool has_high_control(std::string_view text) {
  return std::ranges::any_of(text, [](unsigned char c) { return c >= 0x80 && c < 0xA0; });
}

/// Nothing if a byte is no character.
std::optional<std::string> utf8_of_windows(std::string_view bytes) {
  std::string result;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 || byte >= 0xA0) {
      result += utf8_of_latin1({&c, 1});
      continue;
    }
    const unsigned code = kWindows[byte - 0x80U];
    if (code == 0) return std::nullopt;
    if (code < 0x800) {
      result += static_cast<char>(0xC0 | (code >> 6));
    } else {
      result += static_cast<char>(0xE0 | (code >> 12));
      result += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    }
    result += static_cast<char>(0x80 | (code & 0x3F));
  }
  return result;
}

}  // namespace

std::uint32_t LabelList::place(std::string_view label, Index line) {
  if (const auto found = places_.find(label); found != places_.end()) return found->second;
  const auto place = static_cast<std::uint32_t>(first_lines_.size());
  places_.emplace(label, place);
  first_lines_.push_back(line);
  return place;
}

std::vector<std::string> LabelList::decoded(std::optional<Encoding>& encoding, bool mark,
                                            std::string_view name) const {
  std::vector<std::string> labels(size());
  for (const auto& [label, place] : places_) labels[place] = label;
  const auto refuse = [&](Index place, std::string_view what) {
    fail(name, ":", first_lines_[place], ": found ", in_quotes(labels[place]), ", ", what);
  };
  std::optional<Index> foreign, control, beyond;  // first of each kind
  for (Index k = 0; k < labels.size(); ++k) {
    if (std::ranges::any_of(labels[k], [](unsigned char c) { return c < 0x20 && c != '\t'; }))
      refuse(k, "a label with a control character");
    if (is_ascii(labels[k])) continue;
    auto& kind = is_utf8(labels[k]) ? beyond : foreign;
    if (!kind) kind = k;
    if (!control && has_high_control(labels[k])) control = k;
  }
  constexpr std::string_view kSay = "; type --encoding latin1 or --encoding windows-1252";
  if (!encoding) {
    if (foreign) {
      if (mark || beyond) refuse(*foreign, message("which is not UTF-8 as others are", kSay));
      if (control) refuse(*control, message("which is neither UTF-8 nor ISO 8859-1", kSay));
    }
    encoding = foreign ? Encoding::kLatin1 : Encoding::kUtf8;
  }
  if (*encoding == Encoding::kUtf8) {
    if (foreign) refuse(*foreign, message("which is not UTF-8", kSay));
    return labels;
  }
  for (Index k = 0; k < labels.size(); ++k) {
    if (*encoding == Encoding::kLatin1) {
      labels[k] = utf8_of_latin1(labels[k]);
      continue;
    }
    auto text = utf8_of_windows(labels[k]);
    if (!text) refuse(k, "which is not windows-1252; type another --encoding");
    labels[k] = std::move(*text);
  }
  return labels;
}

std::optional<std::vector<std::uint32_t>> order_of_numbers(const std::vector<std::string>& labels) {
  std::vector<std::uint64_t> numbers;
  numbers.reserve(labels.size());
  for (const auto& label : labels) {
    const auto number = is_digits(label) ? parse_whole(label) : std::nullopt;
    if (!number || (label.size() > 1 && label[0] == '0')) return std::nullopt;
    numbers.push_back(*number);
  }
  std::vector<std::uint32_t> order(labels.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t k) { return numbers[k]; });
  return order;
}

}  // namespace surefield
