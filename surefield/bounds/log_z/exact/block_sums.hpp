// Sums of e^v over blocks of 2^k sets, in total and for each item: pairwise within a block,
// compensated and with a running shift from block to block.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {

class BlockSums {
 public:
  explicit BlockSums(Index items) : with_(items) {}

  /// values[code] is v of the set `code | high`, bit i of which says whether item i is in; `high`
  /// has no bit of the block. The values are used up. Throws Error if one is NaN or +infinity.
  void add_block(std::span<double> values, std::uint64_t high);
  void add(const BlockSums& other);

  double log_total() const;
  /// (sum over the sets with item i) / (sum over all), which rounding must not take beyond 1.
  double share(Index i) const { return std::min(with_[i].value() / total_.value(), 1.0); }

 private:
  double factor_to(double shift);  // moves to the shift if it is higher; what to scale the rest by

  double shift_ = -kInfinity;
  CompensatedSum total_;
  std::vector<CompensatedSum> with_;
};

}  // namespace surefield
