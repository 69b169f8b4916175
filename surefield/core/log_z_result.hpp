// What was found about log Z: every value with its side, and the tightest interval. Plain data,
// filled by the front door, written by the formats in report/.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/claim.hpp"
#include "surefield/core/concepts.hpp"

namespace surefield {

/// What rounding may leave open of an answer that is called exact.
inline constexpr double kSixDigits = 1e-6;

enum class Side { kLower, kUpper, kExact, kEstimate };
std::string_view text_of(Side side);

struct LogZValue {
  std::string method;
  Side side;
  double value = 0;  ///< a bound with its rounding already taken off; an exact value as computed
  double standard_error = 0;  ///< of an estimate
  double error = 0;           ///< of an exact value, by rounding
  double seconds = 0;
  bool outside =
      false;  ///< of an estimate: it lies outside what is proved by more than three errors
};

struct LogZResult {
  std::string model_kind;
  Index items = 0;
  std::vector<LogZValue> values;                             ///< in the order they were made
  std::vector<std::pair<std::string, std::string>> refused;  ///< method, and why it does not apply
  std::optional<double> lower, upper;                        ///< the tightest there are
  std::string lower_method, upper_method;                    ///< what gave them
  Basis basis = Basis::kProved;                              ///< of the weaker end
  /// As computed by an exact method; lower and upper are its rounding apart. Not exact where rounding
  /// leaves fewer than six digits.
  bool exact = false;
  double value = 0;  ///< where exact
  /// Empty, or why nothing is certified: two methods contradict each other.
  std::string failure;
  bool interrupted = false;  ///< the budget was spent before all that was asked for
  double seconds = 0;

  std::vector<std::string> names;   ///< of the items, or empty
  std::vector<Interval> marginals;  ///< contain P(i in S), for every item; empty unless asked for
  bool marginals_exact = false;     ///< each interval is a value and its rounding
  std::string marginals_method;     ///< what they are from; empty if no method gave any
  bool marginals_wanted = false;

  bool is_bounded() const { return lower && upper; }
  /// Infinite where an end is missing.
  double width() const;
  /// "best items", or "mean field, hoelder" where the ends come from two methods.
  std::string method() const;
  /// Throws Contradiction where it failed: for answers that are made of this one.
  const LogZResult& sound() const;
};

}  // namespace surefield
