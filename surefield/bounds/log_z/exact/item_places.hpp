// Where each item of a model stands among the free ones.
#pragma once

#include <vector>

#include "surefield/bounds/log_z/free_items.hpp"

namespace surefield {

inline constexpr Index kNotFree = static_cast<Index>(-1);

/// The place of every item in `which.free`, kNotFree where it is fixed.
inline std::vector<Index> places_of(const FreeItems& which) {
  std::vector<Index> place(which.value.size(), kNotFree);
  for (Index k = 0; k < which.free.size(); ++k) place[which.free[k]] = k;
  return place;
}

}  // namespace surefield
