// Holds a line to its laws: concave, slope the derivative of rise, argmax the best of a fine grid.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "surefield/core/concepts.hpp"

namespace surefield::testing {

template <Line L>
void check_line_laws(const L& line, Interval in, double scale = 1) {
  constexpr int kGrid = 200;
  const double best = line.argmax(in);
  ASSERT_TRUE(in.contains(best)) << best;
  const auto at = [&](int k) { return in.low + in.width() * k / kGrid; };
  for (int k = 0; k <= kGrid; ++k) {
    ASSERT_LE(line.rise(best, at(k)), 1e-14 * scale) << "a better point than argmax at " << at(k);
    ASSERT_NEAR(line.rise(in.low, at(k)), -line.rise(at(k), in.low), 1e-12 * scale);
    if (k == 0) continue;
    ASSERT_LE(line.slope(at(k)), line.slope(at(k - 1)) + 1e-9 * scale)
        << "slope grows at " << at(k);
    // Mean value: the secant lies between the slopes at the two ends.
    const double secant = line.rise(at(k - 1), at(k)) / (at(k) - at(k - 1));
    ASSERT_LE(secant, line.slope(at(k - 1)) + 1e-9 * scale);
    ASSERT_GE(secant, line.slope(at(k)) - 1e-9 * scale);
  }
}

}  // namespace surefield::testing
