#include "surefield/learn/nce_sample.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/learn/noise_contrastive.hpp"

namespace surefield {
namespace {

constexpr double kSlope = 8;  // operations: a root, a division, a place in memory

}  // namespace

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

double nce_operations(const SetCollection& data, const NceOptions& options) {
  double entries = 0;
  for (const auto& set : data.sets) entries += static_cast<double>(set.size());
  const auto columns = static_cast<double>(options.dimensions + options.concepts + 1);
  return kSlope * entries * (1 + options.noise_ratio) * columns;
}

}  // namespace surefield
