// Observed sets and noise sets in one labelled sample, and the objective of noise contrastive
// estimation.
//
//   h(S) = sigmoid(score(S) - log nu - log P_noise(S))             the chance that S was observed
//   J    = (sum_observed log h + sum_noise log(1 - h)) / observed
//
// score(S) is F(S) + c, nu the noise sets per observed set. At the maximum e^{score} is the
// probability of S among the sets that are not empty, so -c estimates log(Z - 1) and nothing has to
// be normalised.
//
// M. Gutmann, A. Hyvarinen. Noise-Contrastive Estimation of Unnormalized Statistical Models. JMLR
// 2012.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/learn/flat_sets.hpp"
#include "surefield/learn/nce_parameters.hpp"
#include "surefield/learn/noise.hpp"

namespace surefield {

struct NceSample {
  FlatSets sets;                   ///< observed ones first, none empty
  Index observed = 0;              ///< how many of them were observed
  std::vector<double> log_weight;  ///< log nu + log P_noise(S) of each

  bool is_observed(Index k) const { return k < observed; }
};

/// round(ratio * observed) noise sets, at least one, are drawn beside the observed sets; fewer once
/// the budget is spent, which then is not fit to train on.
NceSample nce_sample(FlatSets observed, const NoiseSets& noise, double ratio, Random& random,
                     const Budget& budget = {});

/// J over the sample, and its gradient if asked for (resized to theta). The parameters are those of
/// nce_parameters.hpp or nce_pairs.hpp: a vector theta, score and for_each_partial.
template <class Parameters>
double nce_objective(const Parameters& parameters, const NceSample& sample,
                     std::vector<double>* gradient = nullptr) {
  const double scale = 1 / static_cast<double>(sample.observed);
  if (gradient) gradient->assign(parameters.theta.size(), 0);
  typename Parameters::Scored scored(parameters);
  CompensatedSum sum;
  for (Index k = 0; k < sample.sets.size(); ++k) {
    const auto set = sample.sets[k];
    const double log_odds = score(parameters, set, scored) - sample.log_weight[k];
    sum.add(-softplus(sample.is_observed(k) ? -log_odds : log_odds));
    if (!gradient) continue;
    const double excess = (sample.is_observed(k) ? 1 : 0) - sigmoid(log_odds);
    for_each_partial(parameters, set, scored, [&](Index at, std::span<const double> partials) {
      for (const double partial : partials) (*gradient)[at++] += scale * excess * partial;
    });
  }
  return scale * sum.value();
}

}  // namespace surefield
