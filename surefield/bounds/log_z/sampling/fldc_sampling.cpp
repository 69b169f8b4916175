#include "surefield/bounds/log_z/sampling/fldc_sampling.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

std::unique_ptr<const Flid> flid_above(const Fldc& model) {
  std::vector<double> utility = model.utility;
  for (Index i = 0; i < model.size(); ++i)
    for (Index e = 0; e < model.concepts; ++e) {
      require(model.together(i, e) >= 0, "fldc sampling: item ", i, " has coherence ",
              model.together(i, e), " in concept ", e, ", which must be >= 0");
      utility[i] += model.together(i, e);
    }
  return std::make_unique<const Flid>(
      make_flid(std::move(utility), model.weights, model.dimensions));
}

}  // namespace

FldcSampler::FldcSampler(const Fldc& model)
    : model_(&model), above_(flid_above(model)), flid_(*above_) {}

std::vector<std::uint32_t> FldcSampler::draw(Random& random, bool non_empty, Index most_draws) {
  const Index last = flid_.draws() + most_draws;
  while (flid_.draws() < last) {
    std::vector<std::uint32_t> set = flid_.draw(random, non_empty, last - flid_.draws());
    double taken = 0;
    for (Index e = 0; e < model_->concepts; ++e) {
      double best = 0;
      for (const std::uint32_t i : set) best = std::max(best, model_->together(i, e));
      taken += best;
    }
    if (random.chance(std::exp(-taken))) return set;
  }
  fail("fldc sampling: no set is kept after ", most_draws,
       " draws: the items go together too strongly");
}

}  // namespace surefield
