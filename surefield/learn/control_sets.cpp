#include "surefield/learn/control_sets.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"

namespace surefield {
namespace {

constexpr double kSightings = 2;  // of the least frequent neighbour that is left to the controls
constexpr std::uint64_t kShuffleSeed = 0x5eed5e75;

}  // namespace

double sets_met(const DistinctSets& sets, const PairSupport& support) {
  const std::vector<Index> holders = item_counts(sets.sets, support.items());
  double sum = 0;
  for (const auto j : support.neighbour) sum += static_cast<double>(holders[j]);
  return sum;
}

ControlPlan control_plan(const DistinctSets& sets, const PairSupport& support, double most_work) {
  if (sets_met(sets, support) <= most_work) return {};
  const Index n = support.items();
  const auto number = static_cast<double>(sets.sets.size());
  std::vector<double> holders;  // in how many sets each item is
  for (const Index count : item_counts(sets.sets, n)) holders.push_back(static_cast<double>(count));
  const auto met = [&](Index i,
                       double most) {  // sets that neighbours of i in at most so many stand in
    double sum = 0;
    for (std::size_t e = support.start[i]; e < support.start[i + 1]; ++e)
      if (const double held = holders[support.neighbour[e]]; held <= most) sum += held;
    return sum;
  };
  std::vector<double> exact(n);
  for (Index i = 0; i < n; ++i) exact[i] = met(i, kInfinity);
  const double size = static_cast<double>(sets.sets.entries()) / number;
  ControlPlan best;
  double least = kInfinity;
  for (double rare = 1; rare < number; rare *= 2) {
    const double controls = std::min(number, std::ceil(kSightings * number / rare));
    ControlPlan plan{.rare = rare,
                     .controls = static_cast<Index>(controls),
                     .sampled = std::vector<std::uint8_t>(n, 0)};
    double cost = 0;
    for (Index i = 0; i < n; ++i) {
      const double own = std::max(controls, static_cast<double>(kControlsACase) * holders[i]);
      const double sampled = size * (met(i, rare) + std::min(number, own));
      plan.sampled[i] = sampled < exact[i];
      cost += std::min(sampled, exact[i]);
    }
    if (cost < least) {
      least = cost;
      best = std::move(plan);
    }
  }
  return best;
}

DistinctSets shuffled(const DistinctSets& sets) {
  Random random(kShuffleSeed);
  DistinctSets moved;
  for (const Index k : permutation(sets.sets.size(), random)) {
    moved.sets.add(sets.sets[k]);
    moved.times.push_back(sets.times[k]);
  }
  return moved;
}

}  // namespace surefield
