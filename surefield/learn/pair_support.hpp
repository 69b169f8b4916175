// Which pairs of items get a coupling of their own: those the data can say something about.
//
//   met_ij = sets that hold both i and j       expected_ij = c_i c_j / N, were they independent
//   the pair is kept if max(met_ij, expected_ij) >= m            c_i: sets that hold i; N: all sets
//
// A pair that never met although it should have speaks for a negative coupling as a pair that often
// met does for a positive one: both kinds are kept. All other pairs have coupling 0. With m > 0 the
// pairs kept are at most sum_S |S| (|S| - 1) / (2 m) by what met and (sum_S |S|)^2 / (2 m N) by what
// was expected (Markov's inequality): linear in the data where the sizes of sets are bounded. m = 0
// keeps all n (n - 1) / 2.
//
// Cost: O(sum_S |S|^2 + pairs) time, O(entries + pairs) memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/learn/flat_sets.hpp"

namespace surefield {

/// A symmetric graph, every pair twice, once from either end.
struct PairSupport {
  std::vector<std::size_t> start{0};     ///< the ends of item i are start[i] .. start[i + 1]
  std::vector<std::uint32_t> neighbour;  ///< ascending per item
  std::vector<std::uint32_t> pair;  ///< which pair an end belongs to; pairs by (i < j), in order

  Index items() const { return start.size() - 1; }
  Index pairs() const { return neighbour.size() / 2; }
};

/// m where nothing is said: all pairs while they are at most 100,000, else those that met twice or should have.
double default_least_pair(Index items);

/// The pairs of weighted sets with max(met, expected) >= least. Throws Error unless least is finite
/// and >= 0, TooMuch where the budget has no memory for them.
PairSupport pair_support(const DistinctSets& sets, Index items, double least,
                         const Budget& budget = {});

/// The pairs of every item with its partners, each above it, ascending.
PairSupport support_of(const std::vector<std::vector<std::uint32_t>>& partners);

}  // namespace surefield
