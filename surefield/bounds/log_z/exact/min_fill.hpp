// Min-fill: always sum out the variable whose neighbours lack the fewest edges among themselves.
//
// D. Koller, N. Friedman. Probabilistic Graphical Models. MIT Press 2009, section 9.4.3.2. Ties go
// to the smaller table, then to the smaller number. Cost: fills are kept up to date edge by edge,
// O(smaller degree) per edge added.
#pragma once

#include <cstdint>
#include <vector>

#include "surefield/core/budget.hpp"
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

/// How long to go on once a table is over the limit: steps of work, about ten a microsecond.
inline constexpr Index kMinFillPatience = 10'000'000;

/// Ends early, incomplete, once a table is over the limit and patience or the budget is spent.
MinFill min_fill(const Adjacency& graph, Subset skip, Index limit,
                 Index patience = kMinFillPatience, const Budget& budget = {});

}  // namespace surefield
