#pragma once
// A box inside [0, 1]^n: most coordinates free, some with an interval of their own, some fixed.
#include "surefield/core/box.hpp"
#include "surefield/core/random.hpp"

namespace surefield::testing {

inline Box random_box(Index n, Random& random) {
  Box box = unit_box(n);
  for (Index i = 0; i < n; ++i)
    if (random.chance(0.3)) {
      box.low[i] = random.uniform(0, 0.5);
      box.high[i] = random.chance(0.2) ? box.low[i] : random.uniform(box.low[i], 1);
    }
  return box;
}

}  // namespace surefield::testing
