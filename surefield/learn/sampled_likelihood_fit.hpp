// FLID or FLDC by maximum likelihood from perfect samples: no log Z, no noise, no constant to learn.
//
//   d/dtheta mean log p(S) = mean over the data of dF(S)/dtheta - E_p dF/dtheta
//
// Every round draws independent sets of exactly the model as it is (bounds/log_z/sampling), so that the second
// term is unbiased, and moves every parameter along its slope over the root mean square of its last slopes, by steps
// that fall as 1/sqrt(round). What is returned is the mean of the parameters over the
// second half of the rounds. Data without empty sets are fitted given that sets are not empty: both terms leave
// the empty set out. As in likelihood_fit.hpp utilities lean to the log odds of the items and weights to 0.
//
// The start is a fit by noise contrastive estimation with a quarter of the epochs, which it polishes: the
// likelihood has the local optima that J has. Cost: a round is one pass over the distinct sets and over the
// samples, O(sum |S| (D + E + 1)), and as many draws, of O(n) each and more where few are kept.
//
// Stochastic gradients from samples of the model: L. Younes. Estimation and annealing for Gibbsian fields.
// Annales de l'IHP B 24, 1988; there by a Markov chain, here exact.
#pragma once

#include <cstdint>
#include <functional>

#include "surefield/core/budget.hpp"
#include "surefield/core/set_collection.hpp"
#include "surefield/learn/flid_fit.hpp"
#include "surefield/learn/noise_contrastive.hpp"

namespace surefield {

struct SampledFitOptions {
  NceOptions start =
      {};  ///< dimensions, concepts, seed, budget, chance of the empty set; the start
  std::size_t rounds = 300;     ///< > 0
  Index samples = 1000;         ///< a round, > 0
  double step = 0.05;           ///< of the first rounds
  double prior = 0.1;           ///< 1 / variance of u_i - log odds and of W, V
  bool given_non_empty = true;  ///< fits p(S | S not empty) and leaves out empty sets
  /// After every round: `training` is the share of draws kept, `constant` log Z by that share. Whether to go on.
  std::function<bool(const FlidFitEpoch&)> observer = {};
};

/// log_z_estimate is by the share of draws kept in the last round. Throws Error as fit_flid_nce does, and where a
/// model is met whose draws are hardly ever kept.
FlidFit fit_flid_by_samples(const SetCollection& data, const SampledFitOptions& options = {});
FldcFit fit_fldc_by_samples(const SetCollection& data, const SampledFitOptions& options = {});

}  // namespace surefield
