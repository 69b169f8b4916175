// Which sets a logistic regression of one item on the others has to look at, where all are too many.
//
//   A   sets that hold the item itself or a rare neighbour of it, one in at most `rare` sets: all of them
//   B   the others: `controls` of them, 10 for each set with the item if that is more, each counted as often as B
//       is larger than what was seen of it
//
// Ten controls a case leave a tenth of the variance that the cases have anyway: of e_ij sets that items by themselves would
// share, the sum over B has variance e_ij^2 / m by m sightings of j, the cases e_ij, and m = 10 e_ij. In B every field h_i moves by
// frequent neighbours alone: one in `rare` sets of N is met in 2 of 2 N / rare controls, or its coupling would be seen from one side
// only. The sum over B is estimated without bias, from the same
// controls at every point, so that the loss stays convex and smooth (case-control sampling; W. Fithian,
// T. Hastie, Local case-control sampling, Annals of Statistics 2014). Where controls reach all of B it is exact.
//
// Cost a row: the sets looked at, times their sizes; `rare` balances the two kinds. A row whose neighbours stand in
// fewer sets than that is summed up exactly.
#pragma once

#include <cstdint>
#include <vector>

#include "surefield/learn/flat_sets.hpp"
#include "surefield/learn/pair_support.hpp"

namespace surefield {

inline constexpr Index kControlsACase = 10;

/// How the rows of all items are summed up.
struct ControlPlan {
  double rare = 0;                    ///< items in so many sets or fewer bring all their sets
  Index controls = 0;                 ///< sets of B for a sampled row, at least
  std::vector<std::uint8_t> sampled;  ///< by item, where that is cheaper; none: all rows are exact
};

/// Sets that the rows of all items meet, were they exact: each through every neighbour that it holds.
double sets_met(const DistinctSets& sets, const PairSupport& support);

/// All rows are exact where they meet at most so many sets together; else what is cheapest.
ControlPlan control_plan(const DistinctSets& sets, const PairSupport& support, double most_work);

/// The same sets in an order drawn at random, so that any run of them is a sample.
DistinctSets shuffled(const DistinctSets& sets);

}  // namespace surefield
