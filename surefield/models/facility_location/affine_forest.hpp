// What the best chosen item of an ordered list is worth on average: a tree of affine maps per list.
//
// Go through a list in ascending order of weight, keeping e, the expected weight of the best item
// met so far. An item chosen with probability x turns e into (1 - x) e + x w, an affine map. The
// whole list is the composition of its maps, and its value is the composition at e = 0, the best
// of no item. A node holds the composition of the leaves below it; a block of 64 bytes, one cache
// line, holds the four children of a node.
//
//   replace      O(log_4 leaves): one leaf, then the nodes above it
//   derivative   O(log_4 leaves): of the value in x, from the siblings on the way up alone
//
// No division and no drift: a tree depends on its leaves, not on how they came to be.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/core/incidence.hpp"

namespace surefield {

/// T is double, or TwoLanes: the trees of two points at once, each with the bits that it would have alone.
template <class T>
struct AffineMapOf {
  T slope;  ///< p
  T shift;  ///< q
};
using AffineMap = AffineMapOf<double>;

using TwoLanes = double __attribute__((vector_size(16)));

/// First `first`, then `second`.
template <class T>
inline AffineMapOf<T> compose(AffineMapOf<T> first, AffineMapOf<T> second) {
  return {first.slope * second.slope, second.slope * first.shift + second.shift};
}

template <class T>
struct alignas(64) AffineBlockOf {
  T slope[4] = {T{} + 1, T{} + 1, T{} + 1, T{} + 1};  // unused children are the identity
  T shift[4] = {};

  AffineMapOf<T> operator[](std::uint32_t k) const { return {slope[k], shift[k]}; }
  void put(std::uint32_t k, AffineMapOf<T> map) {
    slope[k] = map.slope;
    shift[k] = map.shift;
  }
  AffineMapOf<T> whole() const {
    return compose(compose((*this)[0], (*this)[1]), compose((*this)[2], (*this)[3]));
  }
};
using AffineBlock = AffineBlockOf<double>;

/// Where an item stands in a list, and the tree of that list.
struct AffineLeaf {
  double weight;
  std::uint32_t list;
  std::uint32_t first_block;  ///< of the tree; its levels follow each other, leaves first
  std::uint32_t rank;         ///< place in the list
  std::uint32_t leaves;       ///< length of the list
};

/// The layout of all trees. It never changes; the blocks belong to whoever moves.
class AffineForest {
 public:
  AffineForest() : list_start_(1, 0), item_start_(1, 0) {}
  /// Lists of (item, weight), each already in ascending order of weight and without a repeated
  /// item.
  AffineForest(Index items, std::span<const std::vector<Entry>> lists);

  Index lists() const { return list_start_.size() - 1; }
  Index entries() const { return ranked_.size(); }
  Index first_entry(Index list) const { return list_start_[list]; }
  std::span<const Entry> of_list(Index list) const {
    return {ranked_.data() + list_start_[list], ranked_.data() + list_start_[list + 1]};
  }
  std::span<const AffineLeaf> of_item(Index i) const {
    return {leaves_.data() + item_start_[i], leaves_.data() + item_start_[i + 1]};
  }

  /// Fills the blocks and the value of every list at the point x. O(entries).
  void build(std::span<const double> x, std::vector<AffineBlock>& blocks,
             std::vector<double>& values) const;

  /// Adds the derivative of the sum of all lists to `out`. O(entries), by one scan up and one down
  /// each list.
  void add_gradient(const std::vector<AffineBlock>& blocks, std::span<double> out) const;

 private:
  std::vector<std::size_t> list_start_, item_start_;
  std::vector<Entry> ranked_;       // list by list
  std::vector<AffineLeaf> leaves_;  // item by item
  std::vector<std::uint32_t> first_block_;
  std::size_t blocks_ = 0;
};

namespace detail {

/// Blocks of a level that has `nodes` nodes.
inline std::uint32_t blocks_of(std::uint32_t nodes) { return nodes / 4 + (nodes % 4 != 0); }

/// The change (slope, shift) that a node's map undergoes becomes the change of its parent's, past
/// one sibling.
template <class T>
inline AffineMapOf<T> past_sibling(AffineMapOf<T> change, AffineMapOf<T> sibling,
                                   std::uint32_t is_second) {
  // Arithmetic in place of a branch nobody can predict: is it second, and is it not.
  static constexpr T kOf[2][2] = {{T{}, T{} + 1}, {T{} + 1, T{}}};
  const T second = kOf[is_second][0], first = kOf[is_second][1];
  return {change.slope * sibling.slope, change.slope * (second * sibling.shift) +
                                            change.shift * (first * sibling.slope + second)};
}

}  // namespace detail

/// So many are in the cache nearest to a core, and need not be asked for beforehand.
inline constexpr std::size_t kCachedBlocks = 512;

/// Asks for the two lowest blocks of a leaf's path, the ones that are not in cache when the forest
/// is large.
template <class T>
inline void prefetch(const AffineBlockOf<T>* blocks, const AffineLeaf& leaf) {
#if defined(__GNUC__)
  const AffineBlockOf<T>* const lowest = blocks + leaf.first_block;
  __builtin_prefetch(lowest + (leaf.rank >> 2));
  __builtin_prefetch(lowest + detail::blocks_of(leaf.leaves) + (leaf.rank >> 4));
#else
  static_cast<void>(blocks), static_cast<void>(leaf);
#endif
}

/// d value / d x of the leaf's list: slope above the leaf times (weight - e below the leaf).
template <class T>
inline T derivative(const AffineBlockOf<T>* blocks, const AffineLeaf& leaf) {
  AffineMapOf<T> change{T{} - 1, T{} + leaf.weight};  // of the map e -> (1 - x) e + x w
  const AffineBlockOf<T>* level = blocks + leaf.first_block;
  std::uint32_t node = leaf.rank;
  for (std::uint32_t nodes = leaf.leaves;; nodes = detail::blocks_of(nodes)) {
    const AffineBlockOf<T>& block = level[node >> 2];
    const std::uint32_t k = node & 3;
    change = detail::past_sibling(change, block[k ^ 1], k & 1);
    if (nodes > 2) {  // else the other pair is not there
      const std::uint32_t other_pair = (k & 2) ^ 2;
      change =
          detail::past_sibling(change, compose(block[other_pair], block[other_pair + 1]), k >> 1);
    }
    if (nodes <= 4) return change.shift;
    level += detail::blocks_of(nodes);
    node >>= 2;
  }
}

/// Sets the leaf's map to e -> (1 - x) e + x w and returns the new value of its list.
template <class T>
inline T replace(AffineBlockOf<T>* blocks, const AffineLeaf& leaf, double x) {
  AffineMapOf<T> map{T{} + (1 - x), T{} + x * leaf.weight};
  AffineBlockOf<T>* level = blocks + leaf.first_block;
  std::uint32_t node = leaf.rank;
  for (std::uint32_t nodes = leaf.leaves;; nodes = detail::blocks_of(nodes)) {
    AffineBlockOf<T>& block = level[node >> 2];
    block.put(node & 3, map);
    map = nodes > 2 ? block.whole() : compose(block[0], block[1]);
    if (nodes <= 4) return map.shift;
    level += detail::blocks_of(nodes);
    node >>= 2;
  }
}

}  // namespace surefield
