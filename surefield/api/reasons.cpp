#include "surefield/api/reasons.hpp"

#include <algorithm>
#include <cmath>

namespace surefield {

std::vector<Reason> reasons_for(Index i, UserSet& set, std::span<const Index> basket, Index most) {
  const double gain = set.gain(i);
  std::vector<Reason> reasons;
  for (const Index j : basket) {
    if (j == i) continue;
    set.remove(j);
    const double effect = gain - set.gain(i);
    set.add(j);
    if (effect != 0) reasons.push_back({j, effect});
  }
  std::ranges::stable_sort(reasons, [](const Reason& a, const Reason& b) {
    return std::abs(a.effect) > std::abs(b.effect);
  });
  reasons.resize(std::min(reasons.size(), most));
  return reasons;
}

}  // namespace surefield
