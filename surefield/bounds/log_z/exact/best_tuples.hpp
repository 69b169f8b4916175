// Tuples of best items, one a dimension, of which the exact log Z of a FLID is made (flid_exact.hpp): the items by their ranks, and a search that adds
// up what the consistent tuples weigh, or once log Z is known the probabilities of the items.
//
// Memory: O(n D) a share, of which there are 64: best items of the first dimension, every 64th.
#pragma once

#include <cstdint>
#include <vector>

#include "surefield/bounds/log_z/exact/dense_facility.hpp"
#include "surefield/bounds/log_z/exact/flid_exact.hpp"

namespace surefield {

/// The items with their ranks in all dimensions, and what each is worth when it is free.
struct BestRanks {
  /// Of the first `added` customers of one table the best is added, of the first `taken` of another, if
  /// there is one, it is taken away.
  BestRanks(const DenseFacility& dense, Index added, const DenseFacility* other = nullptr,
            Index taken = 0);
  double worth_of(std::uint32_t i, Index d) const { return worth[i * dimensions + d]; }
  std::uint32_t rank_of(std::uint32_t i, Index d) const { return rank[i * dimensions + d]; }

  Index items, dimensions;
  std::vector<double> modular;
  std::vector<double> worth;  // as the best of a dimension, item by item
  std::vector<std::uint32_t> rank;
  std::vector<std::uint32_t> by_last;  // all items, ascending in the last dimension
  std::vector<double> log_free;        // log(1 + e^{u'})
  std::vector<double> in_if_free;      // sigmoid(u')
};

/// log Z; the empty set is a tuple of none. The result does not depend on the number of threads.
double log_z_of_tuples(const BestRanks& ranks, const FlidExactOptions& options);

struct TupleProbabilities {
  std::vector<double> in;    ///< P(i in S)
  std::vector<double> best;  ///< P(i is the best of d), item by item; empty if not wanted
};

TupleProbabilities probabilities_of_tuples(const BestRanks& ranks, double log_z, bool best,
                                           const FlidExactOptions& options);

}  // namespace surefield
