// The best of a parabola with an entropy, bounded from above:
//
//   max over x in [low, high] of  l x + d x^2/2 + H(x)
//
// d <= 0: concave; the parabola lies below its tangent at the maximiser found, a line with an entropy
// (line_peak.hpp). d > 0: on a cell [p, q] the parabola lies below its chord, d ((p + q) x - p q)/2, at
// most d (q - p)^2/8 too high; cells are halved until no bound is more than the tolerance above a
// value attained. There are at most two local maxima, where d > 4, so few cells stay open. Cost:
// some 30 to 150 exponentials. Rounding: gamma_64 of |l| + |d| + 2, added.
#pragma once

#include "surefield/core/box.hpp"

namespace surefield {

struct ParabolaPeak {
  double bound;  ///< no point of the interval has a larger value
  double at;     ///< where the best value seen is
};

/// Infinite unless l and d are finite.
ParabolaPeak parabola_peak(double l, double d, Interval in, double tolerance = 1e-10);

/// Of  l x + d x^2/2 + bend max(0, x - at) + H(x): the better of both sides of the bend.
ParabolaPeak bent_peak(double l, double d, double bend, double at, Interval in,
                       double tolerance = 1e-10);

}  // namespace surefield
