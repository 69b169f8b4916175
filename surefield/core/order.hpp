// The order in which the coordinates of an epoch are visited.
//
//   natural    0, 1, ..., n-1 every epoch
//   given      the lists given, in turn, the last one repeated
//   shuffled   a fresh permutation every epoch, a pure function of (seed, epoch)
//   coloured   one list, cut into classes whose coordinates do not interact, so that a class may be
//              settled all at once with the same result as one by one
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/core/concepts.hpp"

namespace surefield {

class Order {
 public:
  static Order natural(Index n);
  static Order shuffled(Index n, std::uint64_t seed);
  /// Throws Error unless every list is a permutation of 0 .. n-1 and there is at least one.
  static Order given(Index n, std::vector<std::vector<Index>> epochs);

  /// Throws Error unless the list is a permutation of 0 .. n-1 and the ends ascend to n.
  static Order coloured(Index n, std::vector<Index> list, std::vector<std::size_t> class_ends);

  /// The coordinates of epoch number `epoch`, 0 being the first. Valid until the next call.
  std::span<const Index> epoch(std::size_t epoch);

  /// Where each class of the list ends; empty if every coordinate stands alone.
  std::span<const std::size_t> class_ends() const { return class_ends_; }

 private:
  enum class Kind { kFixed, kShuffled };
  Order(Kind kind, std::uint64_t seed, std::vector<std::vector<Index>> lists)
      : kind_(kind), seed_(seed), lists_(std::move(lists)) {}

  Kind kind_;
  std::uint64_t seed_;
  std::vector<std::size_t> class_ends_;
  std::vector<std::vector<Index>> lists_;  // shuffled: one list, rewritten every epoch
};

}  // namespace surefield
