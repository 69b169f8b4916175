// log Z to a width asked for, at the least cost: exact where that is cheap, else certified.
//
//   1. an exact method within small limits (exact_answer.hpp)            milliseconds
//   2. branch and bound to the width, where F is submodular              at most `seconds`
//   3. an exact method within large limits                               at most about `seconds`
//   4. mean field from below, Hoelder's inequality from above
//
// The first that reaches the width ends it; what is found on the way is intersected, so the
// interval is valid whenever it ends. Steps 1, 3 and 4 hold for every F. `log_z` in log_z.hpp runs
// all methods and compares them instead.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "surefield/api/problem.hpp"

namespace surefield {

struct LogZIntervalOptions {
  double inverse_temperature = 1;
  double width = 1e-3;   ///< > 0
  double seconds = 10;   ///< at most, of branch and bound
  bool exact = true;     ///< steps 1 and 3; without, certified bounds only
  unsigned threads = 1;  ///< the interval does not depend on it, unless time runs out
  std::function<bool()> go_on = {};
};

struct LogZInterval {
  std::optional<double> lower, upper;  ///< natural logarithm; empty where nothing is proved
  bool exact = false;                  ///< lower == upper, but for rounding
  std::string method;  ///< what gave the ends: "best items", "branch and bound", ...
  double seconds = 0;

  bool is_known() const { return lower && upper; }
  /// Infinite where an end is missing.
  double width() const;
};

/// Throws Error where an interval of the box is not [0, 1], 0 or 1, and for a temperature or a
/// width that is not > 0.
LogZInterval log_z_interval(const Problem& problem, const LogZIntervalOptions& options);

}  // namespace surefield
