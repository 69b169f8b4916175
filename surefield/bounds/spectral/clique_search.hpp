// The search for the best spectral bound with clique inequalities (clique_inequalities.hpp), up to some hundred items: cutting planes.
//
//   min over l, d, y >= 0 of  the spectral bound of  F + sum_t y_t q_t           jointly convex
//
// by L-BFGS on the barrier (barrier.hpp), its weight falling from round to round; between rounds those join that the moments break
// most, and idle ones leave. At the end l and d by Newton's method. Newton's method on y as well, by a barrier for y >= 0, was tried: 30 times
// slower and far from converged. Any point gives a bound: nothing here needs proof. Cost of an evaluation: n^3 and some
// dozen operations an inequality; a round takes some 75.
#pragma once

#include <vector>

#include "surefield/bounds/spectral/clique_inequalities.hpp"
#include "surefield/bounds/spectral/spectral_newton.hpp"

namespace surefield {

struct CliqueSearchOptions {
  double first = 0;             ///< the weight to begin with; 0: by the size of the couplings
  double last = 0;              ///< the weight to end with; 0: by the precision of 1e-4
  double fall = 0.5;            ///< of the weight, a round
  std::size_t more = 4;         ///< rounds at the last weight, at most
  std::size_t iterations = 60;  ///< of L-BFGS in a round
  double least = 0.02;          ///< by how much one must be broken to join
  double joining = 5;           ///< triangles that join in a round, an item
  double pentagons = 0;         ///< pentagons that join in a round, an item
  double enough = -kInfinity;   ///< ends where the bound is below this
  double progress =
      0.02;  ///< or where a round at the last weight brings less of what is above that
  Budget budget = {};
};

struct CliqueSearchResult {
  SpectralSearchResult found;             ///< its point has a y for every inequality
  std::vector<CliqueInequality> cliques;  ///< items by their places
};

/// From a point with a y for each of the inequalities given; its d is raised until A is positive definite. The barrier is of the quadratic; it
/// stays at the point found.
CliqueSearchResult clique_search(SpectralBarrier& barrier, const Quadratic& quadratic,
                                 SpectralPoint start, std::vector<CliqueInequality> cliques,
                                 const CliqueSearchOptions& options = {});

}  // namespace surefield
