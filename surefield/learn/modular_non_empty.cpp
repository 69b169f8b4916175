#include "surefield/learn/modular_non_empty.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/learn/modular.hpp"

namespace surefield {
namespace {

constexpr double kMostEmpty = 1 - 1e-6;

/// The root below 1 of e = prod_i (1 - f_i (1 - e)), or the most that is allowed.
double chance_of_empty(const std::vector<double>& share) {
  double low = 0;
  double high = kMostEmpty;
  for (int step = 0; step < 60; ++step) {
    const double e = (low + high) / 2;
    double log = 0;
    for (const double f : share) log += std::log1p(-f * (1 - e));
    (std::exp(log) > e ? low : high) = e;
  }
  return low;
}

}  // namespace

Flid fit_modular_given_non_empty(const SetCollection& data, double smoothing) {
  SetCollection kept = data;
  std::erase_if(kept.sets, [](const auto& set) { return set.empty(); });
  require(data.sets.empty() || !kept.sets.empty(), "modular: every set is empty");
  Flid model = fit_modular(kept, smoothing);  // logit of f_i
  const std::vector<double> share = chances(model);
  const double rest = 1 - chance_of_empty(share);
  for (Index i = 0; i < share.size(); ++i) model.utility[i] = logit(share[i] * rest);
  return make_flid(std::move(model.utility), {}, 0);
}

Flid fit_items_alone(const SetCollection& data, double smoothing) {
  const bool any_empty =
      std::ranges::any_of(data.sets, [](const auto& set) { return set.empty(); });
  return any_empty ? fit_modular(data, smoothing) : fit_modular_given_non_empty(data, smoothing);
}

std::vector<double> chances(const Flid& items) {
  std::vector<double> result;
  result.reserve(items.size());
  for (const double u : items.utility) result.push_back(sigmoid(u));
  return result;
}

}  // namespace surefield
