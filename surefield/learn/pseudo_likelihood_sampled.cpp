// Rows of a pseudo-likelihood by controls: learn/control_sets.hpp.
#include <algorithm>

#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"
#include "surefield/learn/pseudo_likelihood_row.hpp"

namespace surefield {

double PseudoLikelihood::sampled_row(Index i, std::span<const double> theta, double smoothing,
                                     Row& now, double& by_bias, double* by_end) const {
  const double bias = theta[i];
  const std::uint32_t mark = now.next_mark();
  const std::size_t first = support_->start[i];
  const std::size_t degree = support_->start[i + 1] - first;

  // Place 0 is of all items that are no neighbours.
  now.coupling.assign(degree + 1, 0.0);
  now.by_coupling.assign(degree + 1, 0.0);
  now.place.resize(items(), 0);
  for (std::size_t k = 1; k <= degree; ++k) {
    now.coupling[k] = theta[items() + support_->pair[first + k - 1]];
    now.place[support_->neighbour[first + k - 1]] = static_cast<std::uint32_t>(k);
  }
  double loss = 0, slope = 0, weight = 0;
  double apart = 0;  // weight of controls without a neighbour: h = b_i, taken together
  const auto look_at = [&](Index s, bool there, double factor) {
    double h = bias;
    std::uint32_t any = 0;
    for (const auto j : sets_[s]) {
      any |= now.place[j];
      h += now.coupling[now.place[j]];
    }
    const double times = factor * times_[s];
    if (any == 0 && !there) {
      apart += times;
      return;
    }
    const double residual = times * (sigmoid(h) - (there ? 1 : 0));
    loss += times * (softplus(h) - (there ? h : 0));
    slope += residual;
    for (const auto j : sets_[s]) now.by_coupling[now.place[j]] += residual;
  };

  // A: sets of the item, then sets of its rare neighbours.
  for (const auto s : holders(i)) {
    now.stamp[s] = mark;
    weight += times_[s];
    look_at(s, true, 1);
  }
  for (std::size_t e = first; e < first + degree; ++e) {
    const Index j = support_->neighbour[e];
    if (static_cast<double>(start_[j + 1] - start_[j]) > plan_.rare) continue;
    for (const auto s : holders(j)) {
      if (now.stamp[s] == mark) continue;
      now.stamp[s] = mark;
      weight += times_[s];
      look_at(s, false, 1);
    }
  }
  // B: a run of the shuffled sets, from a place of its own.
  const Index number = times_.size();
  auto s = static_cast<Index>(keyed_uniform(0, i, 0) * static_cast<double>(number));
  const Index controls = std::max(plan_.controls, kControlsACase * holders(i).size());
  now.met.clear();
  double seen = 0;
  for (Index step = 0; step < number && now.met.size() < controls; ++step) {
    if (now.stamp[s] != mark) {
      now.met.push_back(static_cast<std::uint32_t>(s));
      seen += times_[s];
    }
    s = s + 1 == number ? 0 : s + 1;
  }
  for (const auto control : now.met) look_at(control, false, (total_ - weight) / seen);

  const double base = sigmoid(bias);
  by_bias = slope + apart * base - alone_[i] * (base - 1) + smoothing * (2 * base - 1);
  for (std::size_t k = 1; k <= degree; ++k) {
    if (by_end != nullptr) by_end[k - 1] = now.by_coupling[k];
    now.place[support_->neighbour[first + k - 1]] = 0;
  }
  return loss + apart * softplus(bias) - alone_[i] * (softplus(bias) - bias) +
         smoothing * (2 * softplus(bias) - bias);
}

}  // namespace surefield
