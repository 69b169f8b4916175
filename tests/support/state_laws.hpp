// Holds a model's fast state to its definition: a random walk, corners included, checked by
// enumeration at each step.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/core/random.hpp"
#include "tests/support/reference.hpp"

namespace surefield::testing {

struct LawOptions {
  double tolerance = 1e-11;  ///< relative to the largest |F|
  int moves = 40;
  bool submodular = true;  ///< whether L4 is asked for
};

/// A coordinate: 0 or 1 exactly in half of the draws, tiny or nearly 1 in some, else uniform.
inline double random_coordinate(Random& random) {
  switch (random.below(8)) {
    case 0:
    case 1:
      return 0;
    case 2:
    case 3:
      return 1;
    case 4:
      return random.chance(0.5) ? 1e-300 : 1 - 0x1p-53;
    default:
      return random.uniform();
  }
}

/// Checks L1 to L6 of MultilinearState (core/concepts.hpp). n <= 12.
template <Model M>
void check_state_laws(const M& model, std::uint64_t seed, LawOptions options = {}) {
  SCOPED_TRACE(::testing::Message() << "state laws, seed " << seed << ", n = " << model.size());
  const Index n = model.size();
  ASSERT_LE(n, 12U) << "too large to enumerate";
  const auto values = reference::all_values(model);
  double scale = 1;
  for (const double value : values) scale = std::max(scale, std::abs(value));
  const double tolerance = options.tolerance * scale;

  Random random(seed);
  std::vector<double> x(n);
  for (double& v : x) v = random_coordinate(random);
  auto state = model.at(x);
  ASSERT_EQ(state.size(), n);
  std::vector<double> gradient(n);
  for (int move = 0; move <= options.moves; ++move) {
    const auto before = state;
    Index moved = n;
    if (move > 0 && n > 0) {
      moved = random.below(n);
      x[moved] = random_coordinate(random);
      state.set(moved, x[moved]);
    }
    ASSERT_EQ(point_of(state), x) << "L1 at move " << move;
    ASSERT_NEAR(state.value(), reference::multilinear(values, x), tolerance)
        << "L2 at move " << move;
    state.gradient(gradient);
    for (Index j = 0; j < n; ++j) {
      auto low = x;
      auto high = x;
      low[j] = 0;
      high[j] = 1;
      const double slope =
          reference::multilinear(values, high) - reference::multilinear(values, low);
      ASSERT_NEAR(state.partial(j), slope, tolerance)
          << "L3 or L5 along " << j << " at move " << move;
      ASSERT_NEAR(gradient[j], slope, tolerance) << "L6 along " << j << " at move " << move;
      if (options.submodular && moved < n && j != moved && x[moved] > before.coordinate(moved)) {
        ASSERT_LE(state.partial(j), before.partial(j) + tolerance) << "L4 along " << j;
      }
    }
  }
}

}  // namespace surefield::testing
