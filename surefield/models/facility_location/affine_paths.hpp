// The ways from a leaf of a tree of affine maps up to its root (affine_forest.hpp), several trees at a time.
//
//   replace      O(log_4 leaves): one leaf, then the nodes above it
//   derivative   O(log_4 leaves): of the value in x, from the siblings on the way up alone
//
// A step waits for the one below it, some 16 cycles, and there is nothing else to do on one path: so an item's trees, which have
// the same shape in a FLID, are gone up side by side, kAbreast at a time. Every path has the bits that it would have alone.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "surefield/models/facility_location/affine_forest.hpp"

namespace surefield {
namespace detail {

inline constexpr std::size_t kAbreast = 5;

/// So many maps, half a megabyte, are in the caches near a core: to ask for them beforehand costs more than to wait.
inline constexpr std::size_t kCachedMaps = 32768;

/// The change (slope, shift) that a node's map undergoes becomes the change of its parent's, past
/// one sibling.
template <class T>
[[gnu::always_inline]] inline AffineMapOf<T> past_sibling(const AffineMapOf<T>& change,
                                                          const AffineMapOf<T>& sibling,
                                                          std::uint32_t is_second) {
  // Arithmetic in place of a branch nobody can predict: is it second, and is it not.
  static constexpr T kOf[2][2] = {{T{}, T{} + 1}, {T{} + 1, T{}}};
  const T second = kOf[is_second][0], first = kOf[is_second][1];
  return {change.slope * sibling.slope, change.slope * (second * sibling.shift) +
                                            change.shift * (first * sibling.slope + second)};
}

/// K paths of one shape: where they stand.
template <class Map, std::size_t K>
struct Paths {
  std::array<Map*, K> level;          // the maps of the level
  std::array<std::uint32_t, K> node;  // on it
  std::uint32_t nodes;                // of the level

  [[gnu::always_inline]] Paths(const AffineForest& forest, Map* maps, const AffineLeaf* leaves)
      : nodes(forest.tree(leaves->list).leaves) {
    for (std::size_t j = 0; j < K; ++j) {
      level[j] = maps + 4 * std::size_t{forest.tree(leaves[j].list).first_four};
      node[j] = leaves[j].rank;
    }
  }
  [[gnu::always_inline]] void climb() {
    nodes = fours_of(nodes);
    for (std::size_t j = 0; j < K; ++j) {
      level[j] += 4 * std::size_t{nodes};
      node[j] >>= 2;
    }
  }
};

/// d value / d x of the lists of K leaves: slope above the leaf times (weight - e below the leaf).
template <std::size_t K, class T>
[[gnu::always_inline]] inline std::array<T, K> derivatives(const AffineForest& forest,
                                                           const AffineMapOf<T>* maps,
                                                           const AffineLeaf* leaves) {
  std::array<AffineMapOf<T>, K> change;
  for (std::size_t j = 0; j < K; ++j) change[j] = {T{} - 1, T{} + leaves[j].weight};
  for (Paths<const AffineMapOf<T>, K> at(forest, maps, leaves);; at.climb()) {
#pragma GCC unroll 8
    for (std::size_t j = 0; j < K; ++j)
      change[j] = past_sibling(change[j], at.level[j][at.node[j] ^ 1], at.node[j] & 1);
    if (at.nodes > 2) {  // else the other pair is not there
#pragma GCC unroll 8
      for (std::size_t j = 0; j < K; ++j) {
        const AffineMapOf<T>* const pair = at.level[j] + ((at.node[j] & ~1U) ^ 2);
        change[j] = past_sibling(change[j], compose(pair[0], pair[1]), at.node[j] >> 1 & 1);
      }
    }
    if (at.nodes <= 4) break;
  }
  std::array<T, K> result;
  for (std::size_t j = 0; j < K; ++j) result[j] = change[j].shift;
  return result;
}

/// Sets the maps of K leaves to e -> (1 - x) e + x w and returns the new values of their lists.
template <std::size_t K, class T>
[[gnu::always_inline]] inline std::array<T, K> replaced(const AffineForest& forest,
                                                        AffineMapOf<T>* maps,
                                                        const AffineLeaf* leaves, double x) {
  std::array<AffineMapOf<T>, K> map;
  for (std::size_t j = 0; j < K; ++j) map[j] = {T{} + (1 - x), T{} + x * leaves[j].weight};
  for (Paths<AffineMapOf<T>, K> at(forest, maps, leaves);; at.climb()) {
#pragma GCC unroll 8
    for (std::size_t j = 0; j < K; ++j) at.level[j][at.node[j]] = map[j];
#pragma GCC unroll 8
    for (std::size_t j = 0; j < K; ++j) {
      const AffineMapOf<T>* const four = at.level[j] + (at.node[j] & ~3U);
      map[j] = at.nodes > 2 ? composition(four) : compose(four[0], four[1]);
    }
    if (at.nodes <= 4) break;
  }
  std::array<T, K> result;
  for (std::size_t j = 0; j < K; ++j) result[j] = map[j].shift;
  return result;
}

/// Whether the next kAbreast leaves are there, in trees of one shape.
inline bool alike(const AffineForest& forest, std::span<const AffineLeaf> leaves) {
  if (leaves.size() < kAbreast) return false;
  bool same = true;
  for (std::size_t j = 1; j < kAbreast; ++j)
    same &= forest.tree(leaves[j].list).leaves == forest.tree(leaves[0].list).leaves;
  return same;
}

}  // namespace detail

/// start plus the derivatives in x of the lists of an item's leaves, added one after another.
template <class T>
inline T derivative(const AffineForest& forest, const AffineMapsOf<T>& maps,
                    std::span<const AffineLeaf> leaves, T start) {
  while (!leaves.empty()) {
    if (detail::alike(forest, leaves)) {
      const auto terms = detail::derivatives<detail::kAbreast>(forest, maps.data(), leaves.data());
      for (const T& term : terms) start += term;
      leaves = leaves.subspan(detail::kAbreast);
    } else {
      start += detail::derivatives<1>(forest, maps.data(), leaves.data())[0];
      leaves = leaves.subspan(1);
    }
  }
  return start;
}

/// The item moves to x: its leaves, the nodes above them, and the values of its lists.
template <class T, class Values>
inline void replace(const AffineForest& forest, AffineMapsOf<T>& maps,
                    std::span<const AffineLeaf> leaves, double x, Values& values) {
  while (!leaves.empty()) {
    if (detail::alike(forest, leaves)) {
      const auto now = detail::replaced<detail::kAbreast>(forest, maps.data(), leaves.data(), x);
      for (std::size_t j = 0; j < detail::kAbreast; ++j) values[leaves[j].list] = now[j];
      leaves = leaves.subspan(detail::kAbreast);
    } else {
      values[leaves[0].list] = detail::replaced<1>(forest, maps.data(), leaves.data(), x)[0];
      leaves = leaves.subspan(1);
    }
  }
}

/// Asks for the maps at the feet of the paths: their lowest levels are those that are not in cache when the forest is large.
template <class T>
inline void prefetch(const AffineForest& forest, const AffineMapsOf<T>& maps,
                     std::span<const AffineLeaf> leaves) {
  constexpr int kLevels = 6;
  for (const AffineLeaf& leaf : leaves) {
    const AffineTree tree = forest.tree(leaf.list);
    const AffineMapOf<T>* level = maps.data() + 4 * std::size_t{tree.first_four};
    std::uint32_t nodes = tree.leaves;
    std::uint32_t node = leaf.rank;
    for (int k = 0; k < kLevels; ++k) {
      prefetch_line(level + (node & ~3U));
      if (sizeof(T) > sizeof(double)) prefetch_line(level + (node & ~3U) + 2);
      if (nodes <= 4) break;
      nodes = fours_of(nodes);
      level += 4 * std::size_t{nodes};
      node >>= 2;
    }
  }
}

/// What the items that come next will ask for, brought from memory meanwhile: of the second one the maps, of the third one its leaves,
/// of the fourth one where they are. A core has room for some twenty lines under way, so half of the maps are asked for before
/// a partial and half before a set.
class PathsAhead {
 public:
  /// Of a partial: the items that follow, in this order.
  template <class T>
  void foresee(const AffineForest& forest, const AffineMapsOf<T>& maps,
               std::span<const Index> next) {
    rest_ = {};
    if (maps.size() <= detail::kCachedMaps) return;
    if (next.size() > 3) forest.foresee_item(next[3]);
    if (next.size() > 2) {
      const auto leaves = forest.of_item(next[2]);
      for (std::size_t j = 0; j < leaves.size(); j += 4) prefetch_line(&leaves[j]);
      if (!leaves.empty()) prefetch_line(&leaves.back());
    }
    if (next.size() < 2) return;
    const auto leaves = forest.of_item(next[1]);
    prefetch(forest, maps, leaves.first(leaves.size() / 2));
    rest_ = leaves.subspan(leaves.size() / 2);
  }

  /// Before the set that follows it.
  template <class T>
  void foresee_rest(const AffineForest& forest, const AffineMapsOf<T>& maps) {
    prefetch(forest, maps, rest_);
    rest_ = {};
  }

 private:
  std::span<const AffineLeaf> rest_;
};

}  // namespace surefield
