// Min-fill: always sum out the variable whose neighbours lack the fewest edges among themselves.
//
// D. Koller, N. Friedman. Probabilistic Graphical Models. MIT Press 2009, section 9.4.3.2. Ties go
// to the smaller table, then to the smaller number. Cost: fills are kept up to date edge by edge,
// O(smaller degree) per edge added.
#pragma once

#include <cstdint>
#include <vector>

#include "surefield/core/concepts.hpp"

namespace surefield {

/// The neighbours of every variable, ascending, without itself.
using Adjacency = std::vector<std::vector<std::uint32_t>>;

struct MinFill {
  std::vector<std::uint32_t> order;
  Index width = 0;  ///< variables of the largest table
  bool complete =
      true;  ///< false: the width was above the limit, and finishing would have taken long
};

MinFill min_fill(const Adjacency& graph, Subset skip, Index limit);

}  // namespace surefield
