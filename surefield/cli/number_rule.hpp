// What a number on the command line may be: one table of rules, checked on the text as it was
// typed, before anything is converted.
//
//   --seconds: '1m' is not a number of seconds >= 0
//
// NaN, infinities, hexadecimal and what does not fit a double or 64 bits are refused by every rule;
// a whole number is digits without leading zeros: -1 never becomes 2^64 - 1, nor 010 an octal 8.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace surefield::cli {

struct NumberRule {
  std::string_view words;  ///< "a number > 0", as the refusal ends
  std::string_view range;  ///< "POSITIVE", as the help shows it
  double low;
  bool above_low;  ///< low itself is refused
  double high = std::numeric_limits<double>::max();
};

inline constexpr NumberRule kFinite{"a number", "", -std::numeric_limits<double>::max(), false};
inline constexpr NumberRule kSeconds{"a number of seconds >= 0", "NONNEGATIVE", 0, false};
inline constexpr NumberRule kPositive{"a number > 0", "POSITIVE", 0, true};
inline constexpr NumberRule kNonNegative{"a number >= 0", "NONNEGATIVE", 0, false};
inline constexpr double kJustBelowOne = 0x1.fffffffffffffp-1;
inline constexpr NumberRule kBelowOne{"a number >= 0 and < 1", "[0,1)", 0, false, kJustBelowOne};
inline constexpr NumberRule kBetween{"a number > 0 and < 1", "(0,1)", 0, true, kJustBelowOne};
inline constexpr NumberRule kChance{"a number > 0 and <= 1", "(0,1]", 0, true, 1};

struct WholeRule {
  std::uint64_t low, high;
};

inline constexpr WholeRule kSeed{0, std::numeric_limits<std::uint64_t>::max()};
/// Of things that are counted: what no memory holds is refused here, not by a failed allocation.
inline constexpr WholeRule kCount{0, std::uint64_t{1} << 40};
inline constexpr WholeRule kAtLeastOne{1, std::uint64_t{1} << 40};
inline constexpr WholeRule kThreads{1, 1024};

/// "a whole number from 1 to 1024", "a whole number >= 0".
std::string words_of(const WholeRule& rule);

/// Empty if the text is such a number, else why not, in one line.
std::string refusal_of(const std::string& text, const NumberRule& rule);
std::string refusal_of(const std::string& text, const WholeRule& rule);

/// For `->check(...)` of an option, of each element where it is a list.
CLI::Validator takes(const NumberRule& rule);
CLI::Validator takes(const WholeRule& rule);

}  // namespace surefield::cli
