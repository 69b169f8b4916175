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

#include "surefield/core/box.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/random.hpp"
#include "surefield/models/any_model.hpp"

namespace surefield {

struct GibbsOptions {
  double beta = 1;
  Index burn_in = 1000;  ///< sweeps before the first set
  Index thinning = 10;   ///< sweeps from one set to the next; at least 1
  std::uint64_t seed = 1;
  Budget budget = {};  ///< once spent, fewer sets come back
};

/// One sweep over the free items in random order.
void gibbs_sweep(AnySet& set, std::span<Index> free, double beta, Random& random);

/// `count` sets, one byte an item; a pure function of its arguments. Starts from the fixed items.
std::vector<std::vector<std::uint8_t>> gibbs_sample(const AnyModel& model, Index count,
                                                    const Box* box = nullptr,
                                                    const GibbsOptions& options = {});

}  // namespace surefield
