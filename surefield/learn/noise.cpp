#include "surefield/learn/noise.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {

NoiseSets::NoiseSets(const FlatSets& sets, Index items) {
  Index count = 0;
  for (Index k = 0; k < sets.size(); ++k) count += !sets[k].empty();
  require(count > 0, "noise: all ", sets.size(), " sets are empty, so no item has a frequency");
  const auto n = static_cast<double>(count);
  double log_empty = 0;
  for (const Index seen : item_counts(sets, items)) {
    const double q = std::min((static_cast<double>(seen) + 1) / n, n / (n + 1));
    marginal_.push_back(q);
    log_odds_.push_back(logit(q));
    log_empty += std::log1p(-q);
  }
  // Z = 1 / q_0, so log(Z - 1) = -log q_0 + log(1 - q_0).
  log_z_without_empty_ = -log_empty + std::log(-std::expm1(log_empty));
  by_chance_.resize(items);
  for (std::uint32_t i = 0; i < items; ++i) by_chance_[i] = i;
  std::stable_sort(by_chance_.begin(), by_chance_.end(),
                   [&](auto a, auto b) { return marginal_[a] > marginal_[b]; });
  for (const auto i : by_chance_) log_stay_.push_back(std::log1p(-marginal_[i]));
}

double NoiseSets::log_probability(std::span<const std::uint32_t> set) const {
  double sum = -log_z_without_empty_;
  for (const auto i : set) sum += log_odds_[i];
  return sum;
}

void NoiseSets::draw(Random& random, std::vector<std::uint32_t>& set) const {
  do {
    set.clear();
    Index bound = 0;  // steps are drawn for this item's chance, which no later one exceeds
    for (Index at = 0; at < by_chance_.size(); ++at) {
      const double step = std::log1p(-random.uniform()) / log_stay_[bound];
      if (!(step < static_cast<double>(by_chance_.size() - at))) break;
      at += static_cast<Index>(step);
      const auto i = by_chance_[at];
      if (random.chance(marginal_[i] / marginal_[by_chance_[bound]])) set.push_back(i);
      bound = at;
    }
  } while (set.empty());
  std::sort(set.begin(), set.end());
}

}  // namespace surefield
