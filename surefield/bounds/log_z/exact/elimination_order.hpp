// In which order to sum out the variables of a field, and the tables that takes.
//
// Summing out a variable joins the variables it still shares a term with in one table. The order
// decides how large the tables get; the best is hard to find, so two are tried: min-fill
// (min_fill.hpp), which wins on irregular and on tree-like fields, and a sweep from one end of the
// graph to the other (E. Cuthill, J. McKee. Reducing the bandwidth of sparse symmetric matrices.
// ACM 1969), which wins on large grids. The one with the smaller sum of table sizes is returned.
#pragma once

#include <cstdint>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/core/concepts.hpp"

namespace surefield {

using Scopes = std::vector<std::vector<std::uint32_t>>;  ///< the variables of each term

struct EliminationOrder {
  std::vector<std::uint32_t> order;
  /// Per step: the later steps whose variables are in the table of the one summed out, ascending.
  std::vector<std::vector<std::uint32_t>> later;
  Index width = 0;  ///< variables of the largest table, the one summed out included
  bool complete =
      true;  ///< false: no order within the limit was found; `width` is then a lower bound for any
};

/// Variables with `skip` set take no part. May give up once the width is above `limit` and going on
/// would take long, or the budget is spent.
EliminationOrder elimination_order(Index variables, const Scopes& scopes, Subset skip, Index limit,
                                   const Budget& budget = {});

/// The same, incomplete as soon as it is known to be above `limit`: for those who have no use for it then.
EliminationOrder narrow_order(Index variables, const Scopes& scopes, Index limit);

}  // namespace surefield
