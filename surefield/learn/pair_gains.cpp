#include "surefield/learn/pair_gains.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace surefield {

std::vector<double> times_met(const DistinctSets& sets, const PairSupport& pairs) {
  const Index n = pairs.items();
  std::vector<std::vector<std::uint32_t>> holders(n);
  for (Index k = 0; k < sets.sets.size(); ++k)
    for (const auto i : sets.sets[k]) holders[i].push_back(static_cast<std::uint32_t>(k));
  std::vector<double> met(n, 0.0), result(pairs.pairs(), 0.0);
  for (Index i = 0; i < n; ++i) {
    for (const auto k : holders[i])
      for (const auto j : sets.sets[k]) met[j] += sets.times[k];
    for (auto e = pairs.start[i]; e < pairs.start[i + 1]; ++e)
      if (pairs.neighbour[e] > i) result[pairs.pair[e]] = met[pairs.neighbour[e]];
    for (const auto k : holders[i])
      for (const auto j : sets.sets[k]) met[j] = 0;
  }
  return result;
}

std::vector<PairGain> pair_gains(const DistinctSets& sets, const PairSupport& pairs,
                                 const std::vector<double>& alone, bool given_non_empty) {
  double total = 0, log_empty = 0;
  for (const double times : sets.times) total += times;
  for (const double q : alone) log_empty += std::log1p(-q);
  if (given_non_empty) total /= -std::expm1(log_empty);
  const std::vector<double> met = times_met(sets, pairs);
  std::vector<PairGain> gains(met.size());
  for (std::uint32_t i = 0; i < pairs.items(); ++i)
    for (auto e = pairs.start[i]; e < pairs.start[i + 1]; ++e) {
      const auto j = pairs.neighbour[e];
      if (j <= i) continue;
      const double expected = total * alone[i] * alone[j];
      const double seen = met[pairs.pair[e]];
      const double more = seen > 0 ? seen * std::log(seen / expected) : 0;
      gains[pairs.pair[e]] = {i, j, more - seen + expected};
    }
  return gains;
}

double price_of_number(double sets) { return std::log(std::max(2.0, sets)) / 2; }

PricedGains priced_gains(const DistinctSets& sets, const std::vector<double>& alone,
                         bool given_non_empty, const Budget& budget) {
  const Index items = alone.size();
  const bool large = default_least_pair(items) > 0;
  const double total = std::accumulate(sets.times.begin(), sets.times.end(), 0.0);
  const PairSupport seen = pair_support(sets, items, large ? 2 : 1, budget);
  return {pair_gains(sets, seen, alone, given_non_empty), large ? price_of_number(total) : 1};
}

PairSupport pairs_worth(double price, std::span<const PairGain> gains, Index items) {
  std::vector<std::vector<std::uint32_t>> partners(items);
  for (const auto& [i, j, gain] : gains)  // by i, then j
    if (gain > price) partners[i].push_back(j);
  return support_of(partners);
}

}  // namespace surefield
