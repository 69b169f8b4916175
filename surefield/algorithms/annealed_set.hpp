// A set of large F by annealing: items enter and leave at random, less and less against what they add.
//
//   P(i in S next) = sigmoid(F(i | S) / T),   T from 0.7 g down to 0.04 g
//
// with g the root of the mean square of the gains at a random set,
//
// then every item goes to its better side until none gains. At a low temperature the best ELBO is near
// the value of the best set, and sets see across what stops a coordinate at a time: a start for
// coordinate ascent, with no guarantee of its own. Cost: `sweeps` times n gains and changes.
//
// S. Kirkpatrick, C. Gelatt, M. Vecchi. Optimization by Simulated Annealing. Science 220, 1983.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"

namespace surefield {

struct AnnealedSetOptions {
  std::size_t sweeps = 200;
  std::uint64_t seed = 1;
  Budget budget = {};
};

namespace detail {

template <SetState S>
double gain_size(S set, const std::vector<Index>& open, Random& random) {
  for (const Index i : open) random.chance(0.5) ? set.add(i) : set.remove(i);
  double squares = 0;
  for (const Index i : open) squares += set.gain(i) * set.gain(i);
  const double size = std::sqrt(squares / static_cast<double>(std::max<Index>(1, open.size())));
  return size > 0 && std::isfinite(size) ? size : 1;
}

}  // namespace detail

/// From the set given. Items whose interval does not hold 0 are in, those whose interval does not hold
/// 1 are out, whatever they add.
template <SetState S>
S annealed_set(S set, const Box& box, const AnnealedSetOptions& options = {}) {
  std::vector<Index> open;
  for (Index i = 0; i < set.size(); ++i) {
    if (box.low[i] > 0) set.add(i);
    if (box.high[i] < 1 && box.low[i] <= 0) set.remove(i);
    if (box.low[i] <= 0 && box.high[i] >= 1) open.push_back(i);
  }
  Random random(options.seed);
  const double size = detail::gain_size(set, open, random);
  const auto put = [&](Index i, bool in) {
    if (in == set.contains(i)) return false;
    in ? set.add(i) : set.remove(i);
    return true;
  };
  Ticks ticks(options.budget, 256);
  for (std::size_t sweep = 0; sweep < options.sweeps; ++sweep) {
    const double done = static_cast<double>(sweep) / static_cast<double>(options.sweeps);
    const double temperature = 0.7 * size * std::pow(0.06, done);
    for (const Index i : open) {
      if (ticks.spent()) return set;
      put(i, random.uniform() < sigmoid(set.gain(i) / temperature));
    }
  }
  // A change gains at least nothing, so this ends; the limit is for gains that rounding makes of 0.
  bool changed = true;
  for (std::size_t sweep = 0; changed && sweep < 10 * options.sweeps + 10; ++sweep) {
    changed = false;
    for (const Index i : open) {
      if (ticks.spent()) return set;
      const double gain = set.gain(i);
      if (gain != 0) changed = put(i, gain > 0) || changed;
    }
  }
  return set;
}

/// The set as a point of the box: every item at the end of its interval that is nearest.
template <SetState S>
std::vector<double> corner_of(const S& set, const Box& box) {
  std::vector<double> x(set.size());
  for (Index i = 0; i < x.size(); ++i) x[i] = box[i].clamp(set.contains(i) ? 1 : 0);
  return x;
}

}  // namespace surefield
