// Why an item suits a basket or does not: what each item of the basket does to its gain.
//
//   effect of j on i = [F(S + i) - F(S)] - [F(S - j + i) - F(S - j)]       j in S
//
// What i would gain less, or more, if j were not there: of a pairwise field the coupling of i and j, of a
// FLID what j's presence costs i, of any F an exact second difference. The effects need not add up to the
// gain where more than two items act together. Cost: two changes of a set and a gain an item of the
// basket.
#pragma once

#include <span>
#include <vector>

#include "surefield/api/user_set.hpp"

namespace surefield {

struct Reason {
  Index item;     ///< of the basket
  double effect;  ///< > 0: it raises the gain
};

/// Of the items of the basket, all in the set, which is left as it was; the largest sizes first, ties in
/// order, at most `most`, none of effect 0.
std::vector<Reason> reasons_for(Index i, UserSet& set, std::span<const Index> basket, Index most);

}  // namespace surefield
