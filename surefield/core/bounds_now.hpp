// What is certain about a number while it is still being worked on: the news that long work gives to whoever watches it.
//
// Every end has its rounding taken off already, as those of a Claim have; an end that is not known yet is left empty.
// The watcher is called from the thread that works, now and then, and must return at once. It only looks: the
// answer is as good as without, and the same but for the last digits of an interval of log Z by branch and bound, which pauses to tell.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

namespace surefield {

struct BoundsNow {
  std::optional<double> low = {}, high = {};
  std::string_view by = {};  ///< the method under way
};

using BoundsWatcher = std::function<void(const BoundsNow&)>;

}  // namespace surefield
