#include "surefield/bounds/log_z/sampling/perfect_sampling.hpp"

#include <algorithm>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {

PerfectSample perfect_sample(const LogZTree& tree, Index count, std::uint64_t seed,
                             const Budget& budget, Index max_draws) {
  std::vector<double> up_to = tree.upper_shares();
  CompensatedSum sum;
  for (double& share : up_to) {
    sum.add(share);
    share = sum.value();
  }
  Random random(seed);
  PerfectSample sample;
  while (sample.sets.size() < count && !budget.spent()) {
    require(sample.draws < max_draws, "perfect sampling: only ", sample.sets.size(), " of ", count,
            " sets are kept after ", max_draws, " draws: log Z is known to within ",
            tree.log_z().width(), ", which must be smaller");
    ++sample.draws;
    const double at = random.uniform() * up_to.back();
    const auto leaf = std::ranges::upper_bound(up_to, at) - up_to.begin();
    auto proposal = tree.propose(std::min(static_cast<Index>(leaf), tree.leaves() - 1), random);
    if (random.chance(proposal.keep)) sample.sets.push_back(std::move(proposal.set));
  }
  return sample;
}

}  // namespace surefield
