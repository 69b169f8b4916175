// What was found about log Z: every value with its side, and the tightest interval. Plain data,
// filled by the front door, written by the formats in report/.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/concepts.hpp"

namespace surefield {

enum class Side { kLower, kUpper, kExact, kEstimate };
std::string_view text_of(Side side);

struct LogZValue {
  std::string method;
  Side side;
  double value = 0;
  double standard_error = 0;  ///< of an estimate
  double seconds = 0;
};

struct LogZResult {
  std::string model_kind;
  Index items = 0;
  std::vector<LogZValue> values;                             ///< in the order they were made
  std::vector<std::pair<std::string, std::string>> refused;  ///< method, and why it does not apply
  std::optional<double> lower, upper;                        ///< the tightest proved
  bool exact = false;  ///< some method is exact: lower == upper, to rounding
  double seconds = 0;

  std::vector<std::string> names;   ///< of the items, or empty
  std::vector<Interval> marginals;  ///< contain P(i in S), for every item; empty unless asked for
  bool marginals_exact = false;     ///< each interval is a point, right to rounding
  std::string marginals_method;     ///< what they are from; empty if no method gave any
  bool marginals_wanted = false;
};

}  // namespace surefield
