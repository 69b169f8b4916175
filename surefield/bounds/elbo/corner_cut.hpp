// The best corners of a field with polygons in place of entropies, by one minimum cut.
//
//   max over the corners of  constant + sum_i bias_i x_i + sum_ij w_ij x_i x_j + sum_i share_i polygon_i(x_i)
//
// The field must be attracting once the nodes marked are flipped (cut_bound.hpp). x_i is its first corner and the steps taken
// from it, x_i = c_0 + sum_k d_k z_k with z in {0, 1}; that leaves linear terms and products w d d' z z' >= 0, and with
// z z' = (z + z' - |z - z'|) / 2 a minimum cut. Steps are taken in order by themselves, because a polygon is concave. By the
// multilinear argument of docs/edge_decomposition.md the maximum bounds the field with share_i H(x_i) on the whole box.
//
// Cost: one flow (max_flow.hpp) with an arc for every product. Rounding: capacities are rounded down to whole
// numbers, flows are exact, and the bound carries at least 1e-12 of all coefficients.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "surefield/bounds/elbo/entropy_polygon.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

/// What a cut is made of. A view.
struct CornerField {
  double constant = 0;
  std::span<const double> bias;
  std::span<const Edge> edges;
  std::span<const double> share;  ///< of the entropy, in [0, 1]; where empty, all 1
  std::span<const std::uint8_t> flipped;

  double share_of(Index i) const { return share.empty() ? 1 : share[i]; }
};

struct CornerCut {
  double bound = 0;            ///< infinite where numbers leave the range of a double
  std::vector<double> corner;  ///< the best one of every node
};

/// Steps of a node times steps of its neighbour, over all edges: the arcs there will be.
double corner_products(std::span<const Edge> edges, std::span<const EntropyPolygon> polygons);

/// Throws TooMuch if that does not fit the budget. Once the budget is spent, the bound of the flow so far.
CornerCut best_corners(const CornerField& field, std::span<const EntropyPolygon> polygons,
                       const Budget& budget);

}  // namespace surefield
