// The sets as an item with few neighbours sees them: by which of its neighbours they hold.
//
//   sum_S [softplus(h_i(S)) - x_i h_i(S)] = sum_P [times_P softplus(h_P) - holding_P h_P]     h_P = b_i + sum_{j in P} w_ij
//
// over subsets P of the neighbours of i; times_P sets hold just these of them, holding_P of those hold i too. Of d
// neighbours there are at most 2^d patterns, however many sets they stand in: in a field of small treewidth most items
// have a few neighbours that nearly every set knows. What is counted once serves all evaluations.
//
// Cost: once O(n + sets met), as much as one evaluation set by set; 24 bytes a pattern, at most a quarter of the sets met.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/learn/pair_support.hpp"

namespace surefield {

class RowPatterns {
 public:
  struct Pattern {
    std::uint32_t neighbours;  ///< bit k: the k-th neighbour of the item; never 0
    double times, holding;
  };

  /// The sets that hold item j are holder[start[j]] .. holder[start[j + 1]]. Rows with `skip` set, if any is given, have no table.
  RowPatterns(const PairSupport& support, std::span<const std::size_t> start,
              std::span<const std::uint32_t> holder, std::span<const double> times,
              std::span<const std::uint8_t> skip);
  RowPatterns() = default;

  /// None where item i has too many neighbours, or meets too few sets, for a table to pay.
  std::span<const Pattern> of(Index i) const {
    return {patterns_.data() + start_[i], patterns_.data() + start_[i + 1]};
  }

 private:
  std::vector<std::size_t> start_;
  std::vector<Pattern> patterns_;
};

}  // namespace surefield
