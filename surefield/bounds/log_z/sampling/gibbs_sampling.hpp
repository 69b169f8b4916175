// Gibbs sampling: sets whose distribution tends to P(S) = e^{beta F(S)} / Z, for any model.
//
// A sweep visits every free item in random order and puts it in with probability sigmoid(beta F(i |
// S - i)). APPROXIMATE: the sets depend on one another and on the start, and nothing says how long
// the burn-in must be; between modes it may take longer than any run. Where perfect_sampling.hpp
// can be had, take that. Cost: n gains and at most n adds or removes a sweep.
//
// S. Geman, D. Geman. Stochastic relaxation, Gibbs distributions, and the Bayesian restoration of
// images. IEEE PAMI 6, 1984.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"
#include "surefield/bounds/log_z/free_items.hpp"

namespace surefield {

struct GibbsOptions {
  double beta = 1;
  Index burn_in = 1000;  ///< sweeps before the first set
  Index thinning = 10;   ///< sweeps from one set to the next; at least 1
  std::uint64_t seed = 1;
};

/// One sweep over the free items in random order.
template <SetState S>
void gibbs_sweep(S& set, std::span<Index> free, double beta, Random& random) {
  random.shuffle(free);
  for (const Index i : free)
    if (random.chance(sigmoid(beta * set.gain(i))))
      set.add(i);
    else
      set.remove(i);
}

/// `count` sets, one byte an item; a pure function of its arguments. Starts from the fixed items.
template <Model M>
std::vector<std::vector<std::uint8_t>> gibbs_sample(const M& model, Index count,
                                                    const Box* box = nullptr,
                                                    const GibbsOptions& options = {}) {
  FreeItems which = free_items(box, model.size(), "gibbs sampling");
  require_inverse_temperature(options.beta, "gibbs sampling");
  Random random(options.seed);
  auto set = model.empty_set();
  for (const Index i : which.in) set.add(i);
  std::vector<std::vector<std::uint8_t>> sets;
  for (Index sweep = 0; sweep < options.burn_in; ++sweep)
    gibbs_sweep(set, which.free, options.beta, random);
  while (sets.size() < count) {
    for (Index sweep = 0; sweep < std::max<Index>(options.thinning, 1); ++sweep)
      gibbs_sweep(set, which.free, options.beta, random);
    auto& chosen = sets.emplace_back(model.size());
    for (Index i = 0; i < model.size(); ++i) chosen[i] = set.contains(i) ? 1 : 0;
  }
  return sets;
}

}  // namespace surefield
