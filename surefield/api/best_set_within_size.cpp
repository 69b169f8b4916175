#include <algorithm>

#include "surefield/algorithms/annealed_set.hpp"
#include "surefield/algorithms/lazy_greedy.hpp"
#include "surefield/api/best_set_run.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "surefield/models/weighted_sum/weighted_sum.hpp"

namespace surefield {
namespace {

constexpr std::size_t kMultipliers = 14;

}  // namespace

/// Greedy from what must be in, then exchanges of one item for another.
void BestSetRun::within_size() {
  AnySet set = least();
  const Index room = *options_.most - in_at_least_;
  lazy_greedy(
      open_, room, [&](Index i) { return gain(set, i); }, [&](Index i) { put(set, i, true); },
      options_.budget);
  consider(set, "lazy greedy");
  exchange(std::move(set), "lazy greedy and exchanges");
  exchange(trimmed(annealed_set(problem_.model.empty_set(), problem_.box,
                                {.seed = options_.seed, .budget = options_.budget})),
           "annealing, trimmed");
  promise();
  bound_by_thresholds(options_.budget.part(0.5));
  if (!closed()) bisect();
}

/// Down to the size by letting go of what gives least, again and again.
AnySet BestSetRun::trimmed(AnySet set) const {
  const Index size = size_of_set(set);
  if (size <= *options_.most) return set;
  const auto steps = static_cast<double>(size - *options_.most);
  if (steps * static_cast<double>(size) > kManyGains) return least();
  for (Index left = size; left > *options_.most && go_on(); --left) {
    Index least_given = open_.front();
    double least_gain = kInfinity;
    for (const Index i : open_)
      if (is_in(set, i) && gain(set, i) < least_gain) least_given = i, least_gain = gain(set, i);
    put(set, least_given, false);
  }
  return set;
}

void BestSetRun::exchange(AnySet set, std::string_view by) {
  const double passes = static_cast<double>(*options_.most) * static_cast<double>(open_.size());
  for (bool changed = passes <= kManyGains; changed && go_on();) {
    changed = false;
    for (const Index out : open_) {
      if (!is_in(set, out)) continue;
      const double lost = gain(set, out);
      put(set, out, false);
      Index best = out;
      double most = lost + 8 * facts_.gain_error;
      for (const Index in : open_)
        if (!is_in(set, in) && in != out && gain(set, in) > most) best = in, most = gain(set, in);
      if (best == out && lost < 0) {  // better without
        changed = true;
        continue;
      }
      put(set, best, true);
      changed = changed || best != out;
    }
  }
  consider(std::move(set), by);
}

/// The guarantee of greedy, where F is proved submodular and monotone.
void BestSetRun::promise() {
  if (!problem_.is_submodular() || facts_.submodularity != Submodularity::kProved ||
      !problem_.flips.empty() || static_cast<double>(open_.size()) > kManyGains)
    return;
  AnySet full = least();
  for (const Index i : open_) put(full, i, true);
  for (const Index i : open_)
    if (gain(full, i) < facts_.gain_error) return;
  result_.guarantee =
      "value - F(least set) >= (1 - 1/e) (optimum - F(least set)), by greedy on a monotone F";
}

/// The multiplier of the size: more than k items in the best set asks for a larger one.
void BestSetRun::bisect() {
  AnySet first = least();
  double low = 0, high = 0;
  for (const Index i : open_) high = std::max(high, gain(first, i) + facts_.gain_error);
  double mu = 0, best_mu = 0;
  for (std::size_t round = 0; round < kMultipliers && go_on() && !closed(); ++round) {
    const auto before = best_.high() ? best_.high()->value : kInfinity;
    const Index size = bound_with(mu, options_.budget.part(0.1), false);
    if (best_.high() && best_.high()->value < before) best_mu = mu;
    if (mu == 0 && size <= *options_.most) break;  // the size does not bind
    (size > *options_.most ? low : high) = mu;
    mu = (low + high) / 2;
  }
  if (!closed() && go_on()) bound_with(best_mu, options_.budget, true);
}

/// A bound by F(S) - mu (|S| - k); the size of the set that is best for that, or nearly.
Index BestSetRun::bound_with(double mu, const Budget& budget, bool certify) {
  Problem priced = problem_;
  double more = 0;
  if (mu > 0) {
    std::vector<double> price(problem_.size());
    Index base = 0;  // |S| = base + the sum of signs over the problem's items that are in
    for (Index i = 0; i < price.size(); ++i) {
      price[i] = flipped(i) ? mu : -mu;
      base += flipped(i);
    }
    priced.model = make_weighted_sum(
        problem_.size(), {{1, problem_.model}, {1, make_pairwise_field(std::move(price), {})}});
    more = mu * (static_cast<double>(*options_.most) - static_cast<double>(base));
  }
  if (auto set = bound(priced, more, budget, certify)) return size_of_set(*set);
  AnySet set = least();
  lazy_greedy(
      open_, open_.size(), [&](Index i) { return gain(set, i) - mu; },
      [&](Index i) { put(set, i, true); }, budget);
  const Index size = size_of_set(set);
  consider(std::move(set), "greedy with a price");
  return size;
}

}  // namespace surefield
