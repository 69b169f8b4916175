// A pairwise field as a sum of smaller ones, its tiles: the ELBO of the field is the sum of theirs.
//
//   f(x) = sum_t f_t(x_t),   f_t(x) = sum_i bias_ti x_i + sum_{ij in t} w_ij x_i x_j + sum_i share_ti H(x_i)
//
// Every edge belongs to one tile, that of its first end. A node whose edges lie in several tiles has a copy in each, and
// its bias and its entropy are shared: sum_t bias_ti = bias_i, sum_t share_ti = 1, share_ti in proportion to the couplings. So
// max f <= sum_t max f_t for any sharing of biases (Lagrange multipliers: the copies may disagree, and what is paid for it is what the
// sum is too high). The first sharing makes the point given stationary in every tile; agree() moves it against the
// disagreement of the copies, a subgradient step.
//
// Tiles are independent: for threads, and for ranks. Cost: O(n + edges) to make, O(copies) a step. Rounding: what the shares of a
// node miss its bias and its entropy by is added up, rounding included, in `missing`.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/core/graph_tiles.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

struct FieldTile {
  std::vector<std::uint32_t> node;  ///< of the field, ascending
  std::vector<double> bias, share;  ///< of every node of the tile
  std::vector<Edge> edges;          ///< in the tile's numbers
};

class FieldTiles {
 public:
  /// `point` in [0, 1]^n. The model need not outlive this.
  FieldTiles(const PairwiseField& model, const GraphTiles& tiles, std::span<const double> point);

  const std::vector<FieldTile>& tiles() const { return tiles_; }
  /// Nodes with more than one copy.
  Index shared() const { return start_.size() - 1; }

  /// Every copy has a value, values[t][k] of node k of tile t; the mean over copies, for every node.
  std::vector<double> mean(std::span<const std::vector<double>> values) const;

  /// Moves the biases of copies by `step` times the sum of |coupling| at the node, against what their values differ from the mean.
  void agree(std::span<const std::vector<double>> values, double step);

  /// At least the most by which the sum of all tiles can be below the ELBO of the field in [0, 1]^n, constant aside.
  double missing() const;

 private:
  struct Copy {
    std::uint32_t tile, local;
  };
  std::span<const Copy> copies(Index k) const {
    return std::span(copies_).subspan(start_[k], start_[k + 1] - start_[k]);
  }

  std::vector<FieldTile> tiles_;
  Index size_ = 0;
  std::vector<std::size_t> start_{0};  // the copies of the k-th shared node are start_[k] ..
  std::vector<Copy> copies_;
  std::vector<double> bias_, coupling_;  // of the k-th shared node: its bias, its sum of |coupling|
};

}  // namespace surefield
