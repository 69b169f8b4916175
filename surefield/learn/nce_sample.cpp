#include "surefield/learn/nce_sample.hpp"

#include <algorithm>
#include <cmath>

namespace surefield {

NceSample nce_sample(FlatSets observed, const NoiseSets& noise, double ratio, Random& random,
                     const Budget& budget) {
  NceSample sample{.sets = std::move(observed), .observed = 0, .log_weight = {}};
  sample.observed = sample.sets.size();
  const double count = std::max(1.0, std::round(ratio * static_cast<double>(sample.observed)));
  std::vector<std::uint32_t> set;
  Ticks ticks(budget, 256);
  for (double drawn = 0; drawn < count && !ticks.spent(); ++drawn) {
    noise.draw(random, set);
    sample.sets.add(set);
  }
  const double log_ratio = std::log(count / static_cast<double>(sample.observed));
  sample.log_weight.resize(sample.sets.size());
  for (Index k = 0; k < sample.sets.size() && !ticks.spent(); ++k)
    sample.log_weight[k] = log_ratio + noise.log_probability(sample.sets[k]);
  return sample;
}

double nce_objective(const NceParameters& parameters, const NceSample& sample,
                     std::vector<double>* gradient) {
  const double scale = 1 / static_cast<double>(sample.observed);
  if (gradient) gradient->assign(parameters.theta.size(), 0);
  ScoredSet scored(parameters.dimensions);
  CompensatedSum sum;
  for (Index k = 0; k < sample.sets.size(); ++k) {
    const auto set = sample.sets[k];
    const double log_odds = score(parameters, set, scored) - sample.log_weight[k];
    sum.add(-softplus(sample.is_observed(k) ? -log_odds : log_odds));
    if (!gradient) continue;
    const double excess = (sample.is_observed(k) ? 1 : 0) - sigmoid(log_odds);
    for_each_partial(parameters, set, scored, [&](Index at, double partial) {
      (*gradient)[at] += scale * excess * partial;
    });
  }
  return scale * sum.value();
}

}  // namespace surefield
