// What a number that somebody gives may be: one table of rules, for the command line and for Python.
//
//   --seconds: '1m' is not a number of seconds >= 0
//   seconds: -1 is not a number of seconds >= 0
//
// NaN and infinities are refused by every rule.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace surefield {

struct NumberRule {
  std::string_view words;  ///< "a number > 0", as the refusal ends
  std::string_view range;  ///< "POSITIVE", as the help shows it
  double low;
  bool above_low;  ///< low itself is refused
  double high = std::numeric_limits<double>::max();

  bool allows(double value) const {  // not NaN, which is on no side of anything
    return (above_low ? value > low : value >= low) && value <= high;
  }
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

  bool allows(std::uint64_t value) const { return value >= low && value <= high; }
};

inline constexpr WholeRule kAnySeed{0, std::numeric_limits<std::uint64_t>::max()};
/// Of things that are counted: what no memory holds is refused here, not by a failed allocation.
inline constexpr WholeRule kCounted{0, std::uint64_t{1} << 40};
inline constexpr WholeRule kAtLeastOne{1, std::uint64_t{1} << 40};
inline constexpr WholeRule kThreads{1, 1024};

/// "a whole number from 1 to 1024", "a whole number >= 0".
std::string words_of(const WholeRule& rule);

}  // namespace surefield
