// A progress bar as text, a pure function of what is done, of the time and of the columns there
// are.
//
//   table1 [############..................]  41 %, 3 s left
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

namespace surefield::cli {

constexpr std::size_t kLongestBar = 30;   ///< columns
constexpr std::size_t kShortestBar = 10;  ///< where there is less room, it is left out

/// 7 s, 3 min 20 s, 2 h 5 min; rounded up.
inline std::string time_text(double seconds) {
  const auto whole = static_cast<long long>(std::ceil(std::clamp(seconds, 0.0, 1e9)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

/// At most `width` columns; nothing if not even the numbers fit. The time left is said from a
/// hundredth of the work and one second on: before, it would be a guess.
inline std::string progress_text(std::string_view label, double fraction, double elapsed,
                                 std::size_t width) {
  const double share = std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) : 0.0;
  std::string numbers = fmt::format("{:3.0f} %", std::floor(100 * share));
  if (share >= 0.01 && elapsed >= 1)
    numbers += fmt::format(", {} left", time_text(elapsed * (1 - share) / share));
  const std::size_t beside = label.size() + numbers.size() + 4;  // blanks and brackets
  if (width < beside + kShortestBar) return numbers.size() <= width ? numbers : std::string();
  const std::size_t bar = std::min(kLongestBar, width - beside);
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(bar));
  return fmt::format("{} [{}{}] {}", label, std::string(filled, '#'),
                     std::string(bar - filled, '.'), numbers);
}

}  // namespace surefield::cli
