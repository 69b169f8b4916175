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

struct AffineMap {
  double slope = 1;  ///< p
  double shift = 0;  ///< q
};

/// First `first`, then `second`.
inline AffineMap compose(AffineMap first, AffineMap second) {
  return {first.slope * second.slope, second.slope * first.shift + second.shift};
}

struct alignas(64) AffineBlock {
  double slope[4] = {1, 1, 1, 1};  // unused children are the identity
  double shift[4] = {0, 0, 0, 0};

  AffineMap operator[](std::uint32_t k) const { return {slope[k], shift[k]}; }
  void put(std::uint32_t k, AffineMap map) {
    slope[k] = map.slope;
    shift[k] = map.shift;
  }
  AffineMap whole() const {
    return compose(compose((*this)[0], (*this)[1]), compose((*this)[2], (*this)[3]));
  }
};

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
inline AffineMap past_sibling(AffineMap change, AffineMap sibling, std::uint32_t is_second) {
  static constexpr double kOne[2] = {0, 1};
  const double second = kOne[is_second];  // arithmetic in place of a branch nobody can predict
  return {change.slope * sibling.slope, change.slope * (second * sibling.shift) +
                                            change.shift * ((1 - second) * sibling.slope + second)};
}

}  // namespace detail

/// Asks for the two lowest blocks of a leaf's path, the ones that are not in cache when the forest
/// is large.
inline void prefetch(const AffineBlock* blocks, const AffineLeaf& leaf) {
#if defined(__GNUC__)
  const AffineBlock* const lowest = blocks + leaf.first_block;
  __builtin_prefetch(lowest + (leaf.rank >> 2));
  __builtin_prefetch(lowest + detail::blocks_of(leaf.leaves) + (leaf.rank >> 4));
#else
  static_cast<void>(blocks), static_cast<void>(leaf);
#endif
}

/// d value / d x of the leaf's list: slope above the leaf times (weight - e below the leaf).
inline double derivative(const AffineBlock* blocks, const AffineLeaf& leaf) {
  AffineMap change{-1, leaf.weight};  // of the map e -> (1 - x) e + x w
  const AffineBlock* level = blocks + leaf.first_block;
  std::uint32_t node = leaf.rank;
  for (std::uint32_t width = detail::blocks_of(leaf.leaves);; width = detail::blocks_of(width)) {
    const AffineBlock& block = level[node >> 2];
    const std::uint32_t k = node & 3;
    const std::uint32_t other_pair = (k & 2) ^ 2;
    change = detail::past_sibling(change, block[k ^ 1], k & 1);
    change =
        detail::past_sibling(change, compose(block[other_pair], block[other_pair + 1]), k >> 1);
    if (width == 1) return change.shift;
    level += width;
    node >>= 2;
  }
}

/// Sets the leaf's map to e -> (1 - x) e + x w and returns the new value of its list.
inline double replace(AffineBlock* blocks, const AffineLeaf& leaf, double x) {
  AffineMap map{1 - x, x * leaf.weight};
  AffineBlock* level = blocks + leaf.first_block;
  std::uint32_t node = leaf.rank;
  for (std::uint32_t width = detail::blocks_of(leaf.leaves);; width = detail::blocks_of(width)) {
    AffineBlock& block = level[node >> 2];
    block.put(node & 3, map);
    map = block.whole();
    if (width == 1) return map.shift;
    level += width;
    node >>= 2;
  }
}

}  // namespace surefield
