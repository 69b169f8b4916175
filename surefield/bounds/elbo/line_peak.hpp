// The best of a line with an entropy: max over u in [low, high] of slope u + weight H(u).
//
// On [0, 1] it is weight * log(1 + e^(slope / weight)) at sigmoid(slope / weight); f is concave, so
// where that lies outside the interval the nearer end is best. Right for weight = 0 and for a
// quotient that is infinite. One exponential, one logarithm.
#pragma once

#include <algorithm>
#include <cmath>

#include "surefield/core/box.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {

struct LinePeak {
  double value;
  double at;
};

inline LinePeak line_peak(double slope, double weight, Interval in) {
  const auto end = [&](double u) { return LinePeak{slope * u + weight * entropy(u), u}; };
  if (in.is_point() || !(weight > 0)) return end(slope > 0 ? in.high : in.low);
  const double e = std::exp(-std::abs(slope / weight));
  const double at = slope >= 0 ? 1 / (1 + e) : e / (1 + e);
  if (at <= in.low) return end(in.low);
  if (at >= in.high) return end(in.high);
  return {std::max(slope, 0.0) + weight * std::log1p(e), at};
}

}  // namespace surefield
