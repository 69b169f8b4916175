#pragma once
// The best ELBO of a small pairwise field that coordinate ascent finds: from every corner of the box
// and four random points. 2^n ascents.
#include <algorithm>
#include <vector>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield::testing {

inline double climb(const PairwiseField& model, const Box& box, const std::vector<double>& from) {
  return coordinate_ascent(Elbo(model.at(from)), box, Order::natural(model.size()),
                           {.epochs = 2000, .tolerance = 1e-11})
      .value;
}

inline double best_field_elbo(const PairwiseField& model, const Box& box, std::uint64_t seed) {
  const Index n = model.size();
  Random random(seed);
  double best = -kInfinity;
  for (std::size_t code = 0; code < (std::size_t{1} << n) + 4; ++code) {
    std::vector<double> x(n);
    for (Index i = 0; i < n; ++i)
      x[i] = code >> n ? box[i].low + random.uniform() * box[i].width()
                       : ((code >> i) & 1 ? box.high[i] : box.low[i]);
    best = std::max(best, climb(model, box, x));
  }
  return best;
}

}  // namespace surefield::testing
