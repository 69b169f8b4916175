#include "surefield/learn/nce_sample.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/learn/noise_contrastive.hpp"

namespace surefield {
namespace {

// Nanoseconds of a root, a division and two places in memory, a release build on a busy machine: 10 to 13 of 100 items, 18 of 10^4, 23
// to 36 of 10^5 (D = E = 10).
constexpr double kSlope = 8, kFarSlope = 20;
constexpr double kNear = 1 << 20;  // bytes of weights and their squares that stay in a cache

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
  const bool near = 2 * sizeof(double) * static_cast<double>(data.items) * columns <= kNear;
  return (near ? kSlope : kFarSlope) * entries * (1 + options.noise_ratio) * columns;
}

}  // namespace surefield
