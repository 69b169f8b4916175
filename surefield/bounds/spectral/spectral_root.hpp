// The best spectral bound that the budget buys, searched and proved: by vectors and one eigenvalue, and up to some hundred items by
// Newton's method too, which knows the intervals of items; the lower of the two. docs/spectral.md
#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "surefield/bounds/spectral/spectral_bound.hpp"

namespace surefield {

inline constexpr std::size_t kNewtonItems = 250;  ///< free ones; beyond, vectors are faster

struct SpectralRoot {
  double bound;  ///< proved; infinite where nothing was
  Eigen::VectorXd z, d;
  /// Points of {0, 1}^n of the free items, rounded from the moments: where to look for good values.
  std::vector<std::vector<double>> draws;
};

struct SpectralRootOptions {
  double precision = 1e-4;  ///< of the bound, relative
  std::size_t draws = 0;
  Budget budget = {};
};

/// Throws TooMuch where it does not fit the budget.
SpectralRoot spectral_root(const Quadratic& quadratic, SpectralKind kind,
                           const SpectralRootOptions& options = {});

inline constexpr std::size_t kTriangleItems = 150;  ///< free ones; beyond, triangles take minutes

struct SpectralLogZOptions {
  bool triangles =
      false;  ///< also the search with triangles (clique_search.hpp), if they are few enough
  Budget budget = {};
};

/// An upper bound of log Z of a field over the sets of a box of sets, at inverse temperature 1.
double spectral_log_z(const PairwiseField& field, const Box& box,
                      const SpectralLogZOptions& options = {});

}  // namespace surefield
