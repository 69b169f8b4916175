#include "surefield/bounds/log_z/sampling/flid_sampling.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {

FlidSampler::FlidSampler(const Flid& model) : model_(&model), own_(model.size(), 0) {
  for (Index i = 0; i < model.size(); ++i)
    for (Index d = 0; d < model.dimensions; ++d) {
      require(model.weight(i, d) >= 0, "flid sampling: item ", i, " has weight ",
              model.weight(i, d), " in dimension ", d, ", which must be >= 0");
      if (model.weight(i, d) > model.weight(i, own_[i])) own_[i] = d;
    }
  const auto weight = [&](Index i) { return model.dimensions == 0 ? 0 : model.weight(i, own_[i]); };
  std::vector<std::vector<std::uint32_t>> items(std::max<Index>(1, model.dimensions));
  for (std::uint32_t i = 0; i < model.size(); ++i) items[own_[i]].push_back(i);
  for (auto& mine : items) {
    if (mine.empty()) continue;
    std::ranges::stable_sort(mine, {}, weight);
    Part part;
    std::vector<double> as_best;  // log
    double below = 0;             // log prod (1 + e^{u_j - W_j}) over the items below
    double greatest = 0;          // of the logs, that of no item included
    for (const std::uint32_t i : mine) {
      as_best.push_back(model.utility[i] + below);
      greatest = std::max(greatest, as_best.back());
      const double beside = model.utility[i] - weight(i);
      part.members.push_back({i, sigmoid(beside), 0});
      below += softplus(beside);
    }
    part.none = std::exp(-greatest);
    double sum = part.none;
    for (Index k = 0; k < mine.size(); ++k)
      part.members[k].up_to = sum += std::exp(as_best[k] - greatest);
    log_upper_ += greatest + std::log(sum);
    parts_.push_back(std::move(part));
  }
}

void FlidSampler::propose(Random& random) {
  set_.clear();
  for (const Part& part : parts_) {
    const double at = random.uniform() * part.members.back().up_to;
    if (at < part.none) continue;
    const auto found = std::ranges::upper_bound(part.members, at, {}, &Member::up_to);
    const auto best =
        std::min<std::ptrdiff_t>(found - part.members.begin(), std::ssize(part.members) - 1);
    for (std::ptrdiff_t k = 0; k < best; ++k)
      if (random.chance(part.members[static_cast<Index>(k)].beside))
        set_.push_back(part.members[static_cast<Index>(k)].item);
    set_.push_back(part.members[static_cast<Index>(best)].item);
  }
  std::ranges::sort(set_);
}

double FlidSampler::log_keep() const {
  double log = 0;
  for (Index d = 0; d < model_->dimensions; ++d) {
    double best = 0;
    double own_best = 0;
    for (const std::uint32_t i : set_) {
      const double w = model_->weight(i, d);
      best = std::max(best, w);
      if (own_[i] == d)
        own_best = std::max(own_best, w);
      else
        log -= w;
    }
    log += best - own_best;
  }
  return std::min(0.0, log);  // above 0 by rounding only
}

std::vector<std::uint32_t> FlidSampler::draw(Random& random, bool non_empty, Index most_draws) {
  for (Index k = 0; k < most_draws; ++k) {
    ++draws_;
    propose(random);
    if (non_empty && set_.empty()) continue;
    if (random.chance(std::exp(log_keep()))) return set_;
  }
  fail("flid sampling: no set is kept after ", most_draws,
       " draws: the items weigh too much outside their own dimensions",
       non_empty ? ", or the empty set is all but certain" : "");
}

}  // namespace surefield
