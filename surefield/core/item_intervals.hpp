// P(i in S) under a distribution over sets, item by item: values and their rounding, or certified intervals.
#pragma once

#include <string>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/claim.hpp"

namespace surefield {

struct ItemIntervals {
  std::vector<Interval> in;  ///< one an item, in the user's variables; empty where nothing is known
  bool exact = false;        ///< each is a value and its rounding
  std::string method;        ///< what they are from
  Basis basis = Basis::kProved;
};

}  // namespace surefield
