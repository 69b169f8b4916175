// Where double greedy settles a coordinate, between the best move from above (down) and from below
// (up).
//
//   Proportional   weights of the two gains: Bian, Buhmann, Krause 2019, Algorithm 1
//   (DR-DoubleGreedy); 1/2
#pragma once

#include <algorithm>
#include <cmath>

#include "surefield/algorithms/double_greedy.hpp"

namespace surefield {

/// u = (gain_up * up + gain_down * down) / (gain_up + gain_down); both gains zero only where
/// nothing is to be had: the middle.
struct Proportional {
  template <Line L>
  double operator()(const Step<L>& step) const {
    const double gain_up = std::max(0.0, step.from_below.rise(step.in.low, step.up));
    const double gain_down = std::max(0.0, step.from_above.rise(step.in.high, step.down));
    const double larger = std::max(gain_up, gain_down);
    if (larger == 0) return step.down + (step.up - step.down) / 2;
    if (!std::isfinite(larger))  // an infinite slope: the finite gain weighs nothing against it
      return gain_up == gain_down ? step.down + (step.up - step.down) / 2
                                  : (gain_up > gain_down ? step.up : step.down);
    const double a = gain_up / larger;  // scaled, so that gains of 1e300 do not overflow
    const double b = gain_down / larger;
    return (a * step.up + b * step.down) / (a + b);
  }
};

}  // namespace surefield
