// Who may move: a byte for each coordinate in the sequence of a coloured order, and one for each of its blocks.
//
// Whoever visits a block takes those of it that are awake, eight bytes at a time, since most sleep; whoever moves wakes its neighbours,
// wherever they are. Threads may wake at once. Coordinates of the state that are not in the order, copies of those of other processes,
// come behind it, in a block that is never visited. Memory: 5 bytes a coordinate.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "surefield/core/neighbours.hpp"

namespace surefield {

class Awake {
 public:
  /// Nobody is, and nobody can be woken before wake_all.
  bool none_yet() const { return awake_.empty(); }

  /// Of an order, the places in it where its blocks end, and a state of `size` coordinates: once, before wake_all.
  void find_places(std::span<const Index> order, std::vector<std::uint32_t> block_ends,
                   Index size) {
    place_.resize(size);
    for (Index j = 0; j < size; ++j) place_[j] = static_cast<std::uint32_t>(j);
    for (std::size_t p = 0; p < order.size(); ++p) place_[order[p]] = static_cast<std::uint32_t>(p);
    ordered_ = order.size();
    ends_ = std::move(block_ends);
    ends_.push_back(static_cast<std::uint32_t>(size));
    near_.clear();
    std::uint32_t b = 0;
    for (std::size_t p = 0; p < size; p += kStride) {
      while (p >= ends_[b]) ++b;
      near_.push_back(b);
    }
  }

  /// All in the order.
  void wake_all() {
    awake_.assign(place_.size(), 0);
    std::fill_n(awake_.begin(), ordered_, std::uint8_t{1});
    stirred_.assign(ends_.size(), 1);
  }

  bool is_awake(Index i) const { return !awake_.empty() && awake_[place_[i]] != 0; }
  void put_to_sleep(Index i) { awake_[place_[i]] = 0; }
  /// Two blocks of a wave may wake the same coordinate of a third at once; both write the same.
  void wake(Index j) {
    const std::uint32_t place = place_[j];
    std::atomic_ref(awake_[place]).store(1, std::memory_order_relaxed);
    std::atomic_ref(stirred_[block_at(place)]).store(1, std::memory_order_relaxed);
  }
  /// Whether it was, and sleeps from now on.
  bool take(Index j) { return std::exchange(awake_[place_[j]], std::uint8_t{0}) != 0; }
  /// Whether somebody of the block was woken since this was asked last.
  bool take_stirred(std::size_t block) {
    return std::exchange(stirred_[block], std::uint8_t{0}) != 0;
  }

  /// Those awake at places first .. end - 1 of the order, who sleep from now on.
  void take(std::span<const Index> order, std::size_t first, std::size_t end,
            std::vector<Index>& ids) {
    ids.clear();
    std::uint8_t* const awake = awake_.data();
    for (std::size_t p = first; p < end;) {
      std::uint64_t eight = 1;
      if (p + 8 <= end) std::memcpy(&eight, awake + p, 8);
      const std::size_t last = std::min(p + 8, end);
      if (eight == 0) {
        p = last;
        continue;
      }
      for (; p < last; ++p)
        if (awake[p]) awake[p] = 0, ids.push_back(order[p]);
    }
  }

 private:
  static constexpr std::size_t kStride = 64;  // places; a block has about so many, or more

  /// The block of a place: few bytes a stride instead of four a place.
  std::uint32_t block_at(std::uint32_t place) const {
    std::uint32_t b = near_[place / kStride];
    while (place >= ends_[b]) ++b;
    return b;
  }

  std::size_t ordered_ = 0;            // coordinates in the order
  std::vector<std::uint32_t> place_;   // of every coordinate in the order
  std::vector<std::uint32_t> ends_;    // of every block, a place; then of those not in the order
  std::vector<std::uint32_t> near_;    // the block of every kStride-th place
  std::vector<std::uint8_t> awake_;    // by place
  std::vector<std::uint8_t> stirred_;  // a block: somebody in it is awake
};

}  // namespace surefield
