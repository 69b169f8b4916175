// Couplings that say most about the data among those whose field can be summed out: a graph of small
// treewidth.
//
// Greedy, one item after another: the item whose gains (learn/pair_gains.hpp) towards at most `width` items that already form a clique
// add up to most is joined with them, as Prim's algorithm does with one. Reversed, the order in which items
// came sums them out with tables over width + 1 items. Gains count less the price of a number that is
// learned, and a pair that gains less than that has no coupling. Of places that are worth the same an item takes
// the one with more items, where later ones find more to be joined with. At width 1 this is the tree of Chow and
// Liu, at width n - 1 every pair that pays has its coupling.
//
// Cost: O(pairs seen * width), linear in the data as in pair_support.hpp.
//
// C. Chow, C. Liu. Approximating discrete probability distributions with dependence trees. IEEE Transactions on
// Information Theory 14, 1968. F. Bach, M. Jordan. Thin junction trees. NIPS 2001.
#pragma once

#include <vector>

#include "surefield/learn/pair_gains.hpp"
#include "surefield/learn/pair_support.hpp"

namespace surefield {

/// Pairs of a graph with a perfect order of elimination whose tables are over at most width + 1 items.
PairSupport thin_support(const std::vector<PairGain>& gains, Index items, Index width,
                         double price = 1);

}  // namespace surefield
