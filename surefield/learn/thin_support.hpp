// Couplings that say most about the data among those whose field can be summed out: a graph of small
// treewidth.
//
//   gain_ij = met_ij log(met_ij / e_ij) - met_ij + e_ij      about what a coupling adds to the log-likelihood
//   e_ij    = N q_i q_j / P(not empty)                       sets that would hold both, were items by themselves
//
// Greedy, one item after another: the item whose gains towards at most `width` items that already form a clique
// add up to most is joined with them, as Prim's algorithm does with one. Reversed, the order in which items
// came sums them out with tables over width + 1 items. Gains count less one, the price of a number that is
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

#include "surefield/learn/flat_sets.hpp"
#include "surefield/learn/pair_support.hpp"

namespace surefield {

/// A pair, i < j, and what a coupling of it would add.
struct PairGain {
  std::uint32_t i, j;
  double gain;
};

/// In how many sets the pairs of a support met, in the order of its pairs.
std::vector<double> times_met(const DistinctSets& sets, const PairSupport& pairs);

/// The gains of the pairs of a support, in its order. `alone`: the chance of every item by itself;
/// of all sets, or given that they are not empty.
std::vector<PairGain> pair_gains(const DistinctSets& sets, const PairSupport& pairs,
                                 const std::vector<double>& alone, bool given_non_empty);

/// Pairs of a graph with a perfect order of elimination whose tables are over at most width + 1 items.
PairSupport thin_support(const std::vector<PairGain>& gains, Index items, Index width);

}  // namespace surefield
