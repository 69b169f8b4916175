// Which items a box fixes: a bound of log Z over the sets of a box needs each interval to be a
// point or the whole of [0, 1].
#pragma once

#include <string_view>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/models/factor_graph.hpp"

namespace surefield {

struct FixedItems {
  Assignment value;         ///< per item: 0, 1 or kFree
  std::vector<Index> free;  ///< the free items, ascending
};

/// Throws Error, opened by `what`, unless the box has n intervals, each [0, 1], 0 or 1. Without a
/// box every item is free.
FixedItems fixed_items(const Box* box, Index n, std::string_view what);

/// Throws Error, opened by `what`, unless beta is finite and > 0.
void require_inverse_temperature(double beta, std::string_view what);

}  // namespace surefield
