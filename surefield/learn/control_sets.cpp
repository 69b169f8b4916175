#include "surefield/learn/control_sets.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"

namespace surefield {
namespace {

constexpr double kSightings = 20;  // of the least frequent neighbour that is left to the controls
constexpr std::uint64_t kShuffleSeed = 0x5eed5e75;

}  // namespace

ControlPlan control_plan(const DistinctSets& sets, const PairSupport& support,
                         std::span<const double> holders, double most_work) {
  const Index n = support.items();
  const auto number = static_cast<double>(sets.sets.size());
  const auto degree = [&](Index j) {
    return static_cast<double>(support.start[j + 1] - support.start[j]);
  };
  double work = 0;
  for (Index j = 0; j < n; ++j) work += degree(j) * holders[j];
  if (work <= most_work || number == 0) return {};
  const double size = static_cast<double>(sets.sets.entries()) / number;
  ControlPlan best;
  double least = kInfinity;
  for (double rare = 1; rare < number; rare *= 2) {
    const double controls = std::min(number, std::ceil(kSightings * number / rare));
    double cost = static_cast<double>(n) * controls * size;
    for (Index j = 0; j < n; ++j)
      if (holders[j] <= rare) cost += degree(j) * holders[j] * size;
    if (cost < least) {
      least = cost;
      best = {.rare = rare, .controls = static_cast<Index>(controls)};
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
