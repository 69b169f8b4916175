// A bound of the best ELBO of a large balanced pairwise field: a minimum cut for each of its tiles.
//
//   max f <= constant + sum_t max f_t,   f_t with its shares of the biases and entropies (field_tiles.hpp)
//
// and each maximum is bounded by the best corners of polygons above its entropies (corner_cut.hpp). A round is one cut a
// tile, on as many threads as there are; only the tiles under way need memory for it. The first rounds, with coarse
// polygons, only move the shares until the copies of a node in two tiles hardly disagree; later ones go on with that and add tangents where
// the cuts lie, as cut_bound.hpp does for the field as a whole. The corners of all tiles, the mean where copies differ, are where
// coordinate ascent starts from: a very good point.
//
// What remains besides the polygons is the duality gap at the rims: on hard grids about 0.008 for each node shared after five rounds, and a tile of
// 100 x 100 shares a fiftieth of its nodes. So cut_bound.hpp is better where the field is small enough for it.
// The same bits for any number of threads and of processes of a crew: each of those holds the field and all tiles, cuts those that
// it is given and hears of all others, and one of them makes the points better and says when to stop. docs/edge_decomposition.md has figures.
#pragma once

#include <cstddef>
#include <span>

#include "surefield/bounds/elbo/cut_bound.hpp"
#include "surefield/core/crew.hpp"

namespace surefield {

struct TiledCutOptions {
  std::size_t rounds = 60;         ///< at most
  std::size_t sharing_rounds = 2;  ///< before tangents are added
  double wanted_gap = 1e-6;        ///< stop when bound - value <= wanted_gap * max(1, |value|)
  double spacing = 0.5;            ///< of the first tangents, in the angle of entropy_polygon.hpp
  double step = 0.08;              ///< of the shares in the first round, of the sum of |coupling|
  Index tile = 20000;              ///< nodes a tile, at most
  Budget budget = {};              ///< TooMuch where a tile does not fit its memory
  Crew* crew = nullptr;            ///< shares the tiles of a round
};

/// `point`, in the box, is where the shares begin and the least value that is returned. Throws Error unless it is, the box lies
/// in [0, 1]^n, the field is balanced in it and the options are in range.
CutBoundReport tiled_cut_bound(const PairwiseField& model, const Box& box,
                               std::span<const double> point, const TiledCutOptions& options = {},
                               const CutObserver& observer = {});

}  // namespace surefield
