// Holds a model's incremental set to its definition: a random walk over subsets, gains checked at
// each step.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/core/random.hpp"
#include "tests/support/reference.hpp"

namespace surefield::testing {

/// Checks S1 to S4 of SetState (core/concepts.hpp). n <= 16.
template <Model M>
void check_set_laws(const M& model, std::uint64_t seed, double relative_tolerance = 1e-11,
                    int moves = 60) {
  SCOPED_TRACE(::testing::Message() << "set laws, seed " << seed << ", n = " << model.size());
  const Index n = model.size();
  const auto values = reference::all_values(model);
  double scale = 1;
  for (const double value : values) scale = std::max(scale, std::abs(value));
  const double tolerance = relative_tolerance * scale;

  Random random(seed);
  auto set = model.empty_set();
  ASSERT_EQ(set.size(), n);
  std::size_t code = 0;
  for (int move = 0; move <= moves; ++move) {
    const auto before = set;
    const std::size_t code_before = code;
    if (move > 0 && n > 0) {
      const Index i = random.below(n);
      if (random.chance(0.6)) {
        set.add(i);
        code |= std::size_t{1} << i;
      } else {
        set.remove(i);
        code &= ~(std::size_t{1} << i);
      }
    }
    ASSERT_NEAR(set.value(), values[code], tolerance) << "S2 at move " << move;
    ASSERT_NEAR(before.value(), values[code_before], tolerance) << "S4 at move " << move;
    for (Index j = 0; j < n; ++j) {
      const std::size_t bit = std::size_t{1} << j;
      ASSERT_EQ(set.contains(j), (code & bit) != 0) << "S1 at move " << move;
      ASSERT_NEAR(set.gain(j), values[code | bit] - values[code & ~bit], tolerance)
          << "S3 along " << j << " at move " << move;
    }
  }
}

}  // namespace surefield::testing
