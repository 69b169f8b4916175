// A pairwise field on the free coordinates of a box:
//
//   F(x) = constant + bias.x + x'Wx/2 + sum_i bend_i max(0, x_i - bend_at_i),   low <= x <= high,   W symmetric with zero diagonal
//
// A field has no bends; those above concepts do (cover_grid.hpp). // What the box fixes is put in (free_field.hpp). Cost: O(n + edges).
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

struct Quadratic {
  std::vector<Index> item;  ///< of the field, ascending: the coordinates left free
  double constant = 0;
  double error = 0;  ///< F, with the entropies put in, is at most so far from what stands here
  Eigen::VectorXd bias;
  Eigen::SparseMatrix<double> couplings;  ///< W, both triangles, no zeros
  Eigen::VectorXd low, high;
  Eigen::VectorXd bend = {}, bend_at = {};  ///< of each item, or empty

  Index size() const { return item.size(); }
  bool is_bent() const { return bend.size() > 0; }
};

/// Throws Error unless the box lies in [0, 1]^n.
Quadratic free_quadratic(const PairwiseField& field, const Box& box, bool entropies,
                         double narrow = 0);

}  // namespace surefield
