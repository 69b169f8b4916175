// The order in which the coordinates of an epoch are visited.
//
//   natural    0, 1, ..., n-1 every epoch
//   given      the lists given, in turn, the last one repeated
//   shuffled   a fresh permutation every epoch, a pure function of (seed, epoch)
//   coloured   one list, cut into classes whose coordinates do not interact, so that a class may be
//              settled all at once with the same result as one by one (core/colouring.hpp)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/core/colouring.hpp"
#include "surefield/core/concepts.hpp"

namespace surefield {

class Order {
 public:
  static Order natural(Index n);
  static Order shuffled(Index n, std::uint64_t seed);
  /// Throws Error unless every list is a permutation of 0 .. n-1 and there is at least one.
  static Order given(Index n, std::vector<std::vector<Index>> epochs);

  /// Throws Error unless the order is a permutation of 0 .. n-1 and all ends ascend to the end.
  static Order coloured(Index n, Colouring colouring);

  /// The coordinates of epoch number `epoch`, 0 being the first. Valid until the next call.
  std::span<const Index> epoch(std::size_t epoch);

  /// Where each class of the list ends; empty if every coordinate stands alone.
  std::span<const std::size_t> class_ends() const { return colouring_.class_ends; }
  /// Classes, blocks and waves of a coloured order; of the rest, empty. Its own order is empty: that is
  /// epoch(0).
  const Colouring& colouring() const { return colouring_; }

 private:
  enum class Kind { kFixed, kShuffled };
  Order(Kind kind, std::uint64_t seed, std::vector<std::vector<Index>> lists)
      : kind_(kind), seed_(seed), lists_(std::move(lists)) {}

  Kind kind_;
  std::uint64_t seed_;
  Colouring colouring_;
  std::vector<std::vector<Index>> lists_;  // shuffled: one list, rewritten every epoch
};

}  // namespace surefield
