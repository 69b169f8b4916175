// A polygon above the entropy on an interval: the lower envelope of tangents.
//
//   H(x) <= min_t H(t) + H'(t) (x - t),   exact at the points of contact t
//
// Cost: O(tangents) to add one or to list the corners; memory 40 bytes and 8 a tangent. Rounding: corners carry a margin of 1e-14.
#pragma once

#include <vector>

#include "surefield/core/box.hpp"

namespace surefield {

class EntropyPolygon {
 public:
  struct Corner {
    double x, height;
  };

  /// Tangents spread evenly in the angle 2 asin sqrt(x), where H bends alike everywhere; `spacing`
  /// > 0. An interval that is a point has one corner, on the entropy.
  EntropyPolygon(Interval in, double spacing);

  const Interval& domain() const { return in_; }

  /// Left to right, the ends of the interval included. The line through them lies above H.
  std::vector<Corner> corners() const;

  /// The height of the polygon above the entropy at x in the interval.
  double excess(double x) const;

  /// A tangent at x in the interval: no excess there any more.
  void touch(double x);

 private:
  Interval in_;
  std::vector<double> contact_;  // ascending
};

}  // namespace surefield
