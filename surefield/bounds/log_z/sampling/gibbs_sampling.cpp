#include "surefield/bounds/log_z/sampling/gibbs_sampling.hpp"

#include <algorithm>

#include "surefield/bounds/log_z/free_items.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {

void gibbs_sweep(AnySet& set, std::span<Index> free, double beta, Random& random) {
  random.shuffle(free);
  for (const Index i : free)
    if (random.chance(sigmoid(beta * set.gain(i))))
      set.add(i);
    else
      set.remove(i);
}

std::vector<std::vector<std::uint8_t>> gibbs_sample(const AnyModel& model, Index count,
                                                    const Box* box, const GibbsOptions& options) {
  FreeItems which = free_items(box, model.size(), "gibbs sampling");
  require_inverse_temperature(options.beta, "gibbs sampling");
  Random random(options.seed);
  AnySet set = model.empty_set();
  for (const Index i : which.in) set.add(i);
  std::vector<std::vector<std::uint8_t>> sets;
  for (Index sweep = 0; sweep < options.burn_in && !options.budget.spent(); ++sweep)
    gibbs_sweep(set, which.free, options.beta, random);
  while (sets.size() < count) {
    for (Index sweep = 0; sweep < std::max<Index>(options.thinning, 1); ++sweep) {
      if (options.budget.spent()) return sets;
      gibbs_sweep(set, which.free, options.beta, random);
    }
    auto& chosen = sets.emplace_back(model.size());
    for (Index i = 0; i < model.size(); ++i) chosen[i] = set.contains(i) ? 1 : 0;
  }
  return sets;
}

}  // namespace surefield
