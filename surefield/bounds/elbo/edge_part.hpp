// One edge of a pairwise field with its share of the linear terms and entropies: its global
// maximum, bounded from above.
//
//   P = max  weight x y + slope_x x + slope_y y + entropy_x H(x) + entropy_y H(y)
//            over x in box_x, y in box_y
//
// Given x the best y is closed form, and what is left in x has at most two local maxima: the least
// and the greatest fixed point of the monotone map x -> best y -> best x, whose derivative has no
// interior minimum (docs/edge_decomposition.md). Each is enclosed by a Newton iteration that never
// passes it, and the convex part is replaced by a line above it on the enclosing interval. A weight
// > 0 is turned into one < 0 by y -> 1 - y. Cost: some twenty exponentials, about half a
// microsecond. Rounding: every bound carries kEdgeMargin of the sum of all coefficients.
#pragma once

#include <array>

#include "surefield/core/box.hpp"

namespace surefield {

inline constexpr double kEdgeMargin = 1e-14;

struct EdgePart {
  double weight = 0;                    ///< finite, of either sign
  double slope_x = 0, slope_y = 0;      ///< finite
  double entropy_x = 0, entropy_y = 0;  ///< >= 0
  Interval box_x{}, box_y{};            ///< inside [0, 1]

  double value(double x, double y) const;
};

/// A local maximum: the point, to about 1e-6, and an upper bound of the values around it.
struct EdgePeak {
  double bound = 0;
  double x = 0, y = 0;
};

/// All local maxima, or, in the rare case that they cannot be told apart in
/// double precision, one or two points with bounds that hold all the same.
struct EdgePeaks {
  std::array<EdgePeak, 2> peak;
  int count = 1;

  double bound() const;  ///< no point of the box has a larger value
  const EdgePeak& best() const;
};

EdgePeaks edge_peaks(const EdgePart& part);

}  // namespace surefield
