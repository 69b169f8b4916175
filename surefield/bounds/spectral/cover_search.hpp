// The search for the best spectral bound of a coverage: L-BFGS on the barrier (barrier.hpp) over l, d and the coefficients of the
// quadratic (cover_quadratic.hpp) at once,
//
//   Phi(l, d, coefficients) = spectral bound, softened - t log det (D - W) - t/3 sum log share,       t falling
//
// convex in l, d, the coefficients of grids and the shares of stars, which are moved by their logits. Any point gives a bound: nothing here needs proof.
// Cost of an evaluation: n^3, and the points of the grids.
#pragma once

#include <tuple>
#include <vector>

#include "surefield/bounds/spectral/cover_quadratic.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {

struct CoverSearchOptions {
  std::vector<double> weights;  ///< t, falling
  std::size_t iterations = 80;  ///< of L-BFGS, for each
  double progress = 1e-5;       ///< relative, of ten iterations: ends where there is less
  double enough = -kInfinity;   ///< ends where the bound is below this
  Budget budget = {};
};

struct CoverPoint {
  double bound = kInfinity;         ///< over atoms, without its rounding: not proved
  Eigen::VectorXd z, d;             ///< of the free items
  std::vector<double> coefficient;  ///< of the quadratic
  Eigen::VectorXd
      spread;  ///< what the bound owes to item i: d_i times its variance, and twice its shares in concepts
};

/// From z, d and the coefficients of a like problem. `from.d` is raised until D - W is positive definite.
CoverPoint cover_search(CoverQuadratic& relaxed, const CoverPoint& from,
                        const CoverSearchOptions& options);

/// Where to begin with nothing known: D - W diagonally dominant, z the middle, expansions of the concepts.
CoverPoint cover_start(const CoverQuadratic& relaxed);

/// What a box hands on to its halves, of all items of the model: single precision will do.
struct CoverParent {
  std::vector<float> z, d, bend, coefficient;
};

inline auto fields_of(CoverParent& parent) {
  auto& [z, d, bend, coefficient] = parent;
  return std::tie(z, d, bend, coefficient);
}

/// Where the search of a part of the parent's box begins: at the parent's own l, d and coefficients, so that its bound is no higher than the parent's, but for bends that
/// move. z is the parent's too and may lie outside the part: moved inside it would say another l.
CoverPoint cover_start_below(const CoverQuadratic& relaxed, const CoverParent& parent);

}  // namespace surefield
