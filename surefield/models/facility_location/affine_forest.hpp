// What the best chosen item of an ordered list is worth on average: a tree of affine maps per list.
//
// Go through a list in ascending order of weight, keeping e, the expected weight of the best item
// met so far. An item chosen with probability x turns e into (1 - x) e + x w, an affine map. The
// whole list is the composition of its maps, and its value is the composition at e = 0, the best
// of no item. A node holds the composition of the leaves below it; the four children of a node lie
// in one cache line. affine_paths.hpp goes up the trees. No division and no drift: a tree depends on
// its leaves, not on how they came to be.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/core/incidence.hpp"
#include "surefield/core/large_arrays.hpp"

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
inline AffineMapOf<T> compose(const AffineMapOf<T>& first, const AffineMapOf<T>& second) {
  return {first.slope * second.slope, second.slope * first.shift + second.shift};
}

/// All trees, map after map: four children of a node, of which those unused are the identity, fill 64 bytes, or 128.
template <class T>
using AffineMapsOf = std::vector<AffineMapOf<T>, LargeArrays<AffineMapOf<T>>>;
using AffineMaps = AffineMapsOf<double>;

/// Of the four children that follow each other.
template <class T>
inline AffineMapOf<T> composition(const AffineMapOf<T>* children) {
  return compose(compose(children[0], children[1]), compose(children[2], children[3]));
}

/// Where an item stands in a list.
struct AffineLeaf {
  double weight;
  std::uint32_t list;
  std::uint32_t rank;  ///< place in the list
};

/// Where the tree of a list is: its levels follow each other, leaves first.
struct AffineTree {
  std::uint32_t first_four;  ///< of maps
  std::uint32_t leaves;      ///< length of the list

  bool operator==(const AffineTree&) const = default;
};

/// The layout of all trees. It never changes; the maps belong to whoever moves (affine_paths.hpp).
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
  const AffineTree& tree(Index list) const { return trees_[list]; }
  /// Asks for where the leaves of the item are.
  void foresee_item(Index i) const { prefetch_line(&item_start_[i]); }

  /// Fills the maps and the value of every list at the point x. O(entries).
  void build(std::span<const double> x, AffineMaps& maps, std::vector<double>& values) const;

  /// Adds the derivative of the sum of all lists to `out`. O(entries), by one scan up and one down
  /// each list.
  void add_gradient(const AffineMaps& maps, std::span<double> out) const;

 private:
  std::vector<std::size_t> list_start_, item_start_;
  std::vector<Entry> ranked_;                                // list by list
  std::vector<AffineLeaf, LargeArrays<AffineLeaf>> leaves_;  // item by item
  std::vector<AffineTree> trees_;
  std::size_t fours_ = 0;  // of maps, in all trees
};

/// Fours of nodes on a level that has `nodes` nodes.
inline std::uint32_t fours_of(std::uint32_t nodes) { return nodes / 4 + (nodes % 4 != 0); }

}  // namespace surefield
