// What a run returns: the point, its value, a bound on every other value, and why it stopped.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "surefield/core/concepts.hpp"

namespace surefield {

/// How a run ended. The point of the report is usable in every case but kFailed.
enum class Status {
  kDone,         ///< a one-pass algorithm settled every coordinate
  kConverged,    ///< no coordinate moved by more than the tolerance
  kEpochLimit,   ///< the epochs asked for are used up
  kInterrupted,  ///< asked to stop: time, or the user
  kShort,        ///< done, but short of the gap or width that was asked for
  kFailed        ///< the numbers cannot be trusted: a value that is not finite, or drift
};

std::string_view text_of(Status status);

struct TracePoint {
  double epoch;    ///< sweeps done so far; a double greedy pass counts from 0 to 1
  double value;    ///< objective at the point that would be returned now; NaN unless a trace was
                   ///< asked for, because it can cost as much as the epoch itself
  double seconds;  ///< since the start of the run; filled in by the observer, 0 without one
  /// Inside a double greedy pass, the value at the point that comes from the top; else NaN.
  double top = std::numeric_limits<double>::quiet_NaN();
};

/// Called after every epoch with the trace point just made; returns whether to go on. It may fill
/// in the seconds.
using Observer = std::function<bool(TracePoint&)>;

struct Report {
  Status status = Status::kDone;
  std::vector<double> point;
  double value = 0;
  std::optional<double> upper_bound;  ///< no point of the box has a larger value; empty if unknown
  double epochs = 0;
  std::vector<TracePoint> trace;  ///< one entry an epoch where a trace was asked for
};

}  // namespace surefield
