#include "surefield/learn/nce_sample.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/learn/noise_contrastive.hpp"

namespace surefield {
namespace {

// Nanoseconds of a release build, one thread. A set: its place in the order, a logarithm, an exponential. A slope: a root, a division
// and two places in memory. Groceries (169 items): 600 a set and 7.6 a slope; 10^4 items: 630 and 16; 10^5: up to 29.
constexpr double kSet = 600, kSlope = 8, kFarSlope = 20;
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
  const auto sets = static_cast<double>(data.sets.size());
  const bool near = 2 * sizeof(double) * static_cast<double>(data.items) * columns <= kNear;
  return (1 + options.noise_ratio) *
         (kSet * sets + (near ? kSlope : kFarSlope) * entries * columns);
}

}  // namespace surefield
