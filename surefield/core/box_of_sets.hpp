// Boxes that speak of sets: every item in, out or free, so that a sum over sets has a meaning.
#pragma once

#include "surefield/core/box.hpp"
#include "surefield/core/concepts.hpp"

namespace surefield {

/// In, out or free.
inline bool is_of_sets(Interval in) {
  return in == Interval{0, 1} || in == Interval{0, 0} || in == Interval{1, 1};
}

inline bool is_of_sets(const Box& box) {
  for (Index i = 0; i < box.size(); ++i)
    if (!is_of_sets(box[i])) return false;
  return true;
}

}  // namespace surefield
