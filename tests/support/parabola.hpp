#pragma once
// A line with a peak that is known: strength * -(u - peak)^2.
#include "surefield/core/box.hpp"

namespace surefield::testing {

struct Parabola {
  double peak, strength;
  double slope(double u) const { return -2 * strength * (u - peak); }
  double rise(double from, double to) const {
    return strength * (from - to) * (from + to - 2 * peak);
  }
  double argmax(Interval in) const { return in.clamp(peak); }
};

}  // namespace surefield::testing
