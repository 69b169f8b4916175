// Where the entries of a table lie that is over part of a clique, seen from the entries of the whole clique.
//
//   entry y of the clique, with v = 0, is at offset(y) of the table over (v, some of the later variables); with v = 1 one further
//
// It depends on which of the later variables are in the table and on nothing else, so the many small tables of a sparse field share a
// few of them: each is made once. Cost of one: O(2^min(k, 11)) of k later variables.
#pragma once

#include <bit>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "surefield/core/concepts.hpp"

namespace surefield {

class CliqueLayout {
 public:
  static constexpr Index kBlockBits = 11;  ///< entries are gone through in blocks of 2^11

  /// `part`: bit b set where later variable b of `later` is in the table.
  CliqueLayout(Index later, std::uint64_t part);

  Index offset(Index y) const {
    Index result = 0;
    for (; y != 0; y &= y - 1) result += stride_[static_cast<Index>(std::countr_zero(y))];
    return result;
  }

  /// Calls one(j, offset), or run(j, count, offset, contiguous) for stretches, over the block of
  /// entries from `first` on.
  template <class One, class Run>
  void for_block(Index first, Index count, One&& one, Run&& run) const {
    Index at = offset(first);
    if (!offsets_.empty()) {
      for (Index j = 0; j < count; ++j) one(j, at + offsets_[j]);
      return;
    }
    const Index length = Index{1} << run_bits_;
    for (Index r = 0, j = 0; j < count; j += length) {
      run(j, length, at, contiguous_);
      if (++r < count / length) at += jump_[static_cast<Index>(std::countr_zero(r))];
    }
  }

 private:
  std::vector<Index> stride_;  // per later variable; 0 where the table does not hold it
  bool contiguous_ = false;
  Index run_bits_ = 0;
  std::vector<Index> jump_;
  std::vector<std::uint32_t> offsets_;  // of every entry of a block, where runs are short
};

/// Those made so far. Not for several threads at once.
class CliqueLayouts {
 public:
  /// Of a table over `steps`, ascending, of which the first is the variable v and the others are among `later`, at most 64 of them.
  const CliqueLayout& of(std::span<const std::uint32_t> steps,
                         const std::vector<std::uint32_t>& later);

  /// Forgets them all where they are so many that they take memory.
  void keep_few() {
    if (made_.size() > kMany) made_.clear();
  }

 private:
  static constexpr std::size_t kMany = 4096;  // 32 MB
  std::map<std::pair<Index, std::uint64_t>, CliqueLayout> made_;
};

}  // namespace surefield
