// What is certain about a number while it is still being worked on: the news that long work gives to whoever watches it.
//
// Every end has its rounding taken off already, as those of a Claim have; an end that is not known yet is left empty.
// The watcher is called from the thread that works, now and then, and must return at once. It only looks: the
// answer is as good as without, and the same but for the last digits of an interval of log Z by branch and bound, which pauses to tell.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>

namespace surefield {

struct BoundsNow {
  std::optional<double> low = {}, high = {};
  std::string_view by = {};  ///< the method under way
};

using BoundsWatcher = std::function<void(const BoundsNow&)>;

/// What was told and shown so far: an end never leaves the other again.
struct BoundsSoFar {
  enum class News { kNone, kNearer, kFirst };

  std::optional<double> low = {}, high = {};

  /// Of an end that was not known, of one that is nearer, or neither.
  News news_in(const BoundsNow& now) const {
    if ((now.low && !low) || (now.high && !high)) return News::kFirst;
    const bool nearer = (now.low && *now.low > *low) || (now.high && *now.high < *high);
    return nearer ? News::kNearer : News::kNone;
  }

  void add(const BoundsNow& now) {
    if (now.low) low = low ? std::max(*now.low, *low) : *now.low;
    if (now.high) high = high ? std::min(*now.high, *high) : *now.high;
  }
};

}  // namespace surefield
