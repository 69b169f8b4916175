// The evidence lower bound of p(S) ~ exp(beta F(S)) at a product distribution x.
//
//   f(x) = beta m(x) + sum_i H(x_i)  <=  log Z(beta)
//
// DR-submodular where F is submodular. Along a coordinate it is slope * u + H(u), greatest at
// sigmoid(slope). Cost: as the state, plus O(n) for the entropies in value() and gradient().
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "surefield/core/block_sum.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/core/entropy_batch.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/grid_runs.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/sigmoid_batch.hpp"

namespace surefield {

/// slope * u + H(u): the ELBO along one coordinate. Greatest at sigmoid(slope), where it is
/// softplus(slope).
class EntropyLine {
 public:
  explicit EntropyLine(double slope) : slope_(slope), tail_(std::exp(-std::abs(slope))) {
    peak_ = slope >= 0 ? 1 / (1 + tail_) : tail_ / (1 + tail_);
  }

  /// +infinity at 0, -infinity at 1, whatever the linear part.
  double slope(double u) const {
    if (u <= 0) return kInfinity;
    if (u >= 1) return -kInfinity;
    return slope_ - logit(u);
  }

  double rise(double from, double to) const {
    if (from == to) return 0;
    if (std::isinf(slope_)) return slope_ * (to - from);
    if (to == peak_) return below_peak(from);
    if (from == peak_) return -below_peak(to);
    const double at_from = slope(from);
    const double at_to = slope(to);
    // Both on one side of the peak: the tangent at the nearer point, and what the curve falls below
    // it, a divergence. The two have the same sign, so nothing cancels, however close the points.
    if ((at_from > 0) == (at_to > 0)) {
      if (std::abs(at_to) < std::abs(at_from))
        return (to - from) * at_to + bernoulli_divergence_of(from, to);
      return (to - from) * at_from - bernoulli_divergence_of(to, from);
    }
    return below_peak(from) - below_peak(to);
  }

  double argmax(Interval in) const { return in.clamp(peak_); }

  /// The slope of the linear part, which is the logit of the unconstrained maximiser.
  double linear() const { return slope_; }
  /// The unconstrained maximiser, and the value there: sigmoid and softplus of the slope.
  double peak() const { return peak_; }
  double peak_value() const { return std::max(slope_, 0.0) + excess(); }

 private:
  /// How far the value at u lies below softplus(slope), the value at the peak: KL(u || peak).
  double below_peak(double u) const {
    if (u <= 0) return peak_value();
    if (u >= 1) return std::max(-slope_, 0.0) + excess();
    if (std::abs(slope_) < 700) return bernoulli_divergence(u, slope_);
    // The peak has left the range of a double: the linear part dwarfs the entropy.
    return (slope_ > 0 ? slope_ * (1 - u) : -slope_ * u) - entropy(u);
  }

  /// log(1 + e^-|slope|): rules, losses and gains all ask for it, many lines never.
  double excess() const {
    if (excess_ < 0) excess_ = std::log1p(tail_);
    return excess_;
  }

  double slope_;
  double tail_;  // e^-|slope|, shared by the peak and the value there
  double peak_;
  mutable double excess_ = -1;  // once it has been asked for
};

/// Adds the entropies of the coordinates 0 .. n - 1, a block of the sum at a time.
template <class Coordinate>
void add_entropies(BlockSum& sum, Index n, Coordinate&& coordinate) {
  std::array<double, BlockSum::kBlock> h;
  for (Index first = 0; first < n; first += h.size()) {
    const Index count = std::min<Index>(h.size(), n - first);
    for (Index k = 0; k < count; ++k) h[k] = coordinate(first + k);
    entropy_batch(std::span(h).first(count));
    for (Index k = 0; k < count; ++k) sum.add(first + k, h[k]);
  }
}

/// The value of F, times beta, with the entropies of all coordinates.
template <class Coordinate>
double elbo_value(Index n, double linear, Coordinate&& coordinate) {
  BlockSum sum;
  sum.add(0, linear);
  add_entropies(sum, n, coordinate);
  return sum.value();
}

/// Two ELBOs of one model that are only ever moved to the same place (algorithms/pass_points.hpp).
template <class P>
class ElboPair {
 public:
  ElboPair(P states, double inverse_temperature)
      : states_(std::move(states)), beta_(inverse_temperature) {}

  Index size() const { return states_.size(); }
  std::array<double, 2> coordinates(Index i) const { return states_.coordinates(i); }
  std::array<EntropyLine, 2> lines(Index i) const {
    const std::array<double, 2> slopes = states_.partials(i);
    return {EntropyLine(beta_ * slopes[0]), EntropyLine(beta_ * slopes[1])};
  }
  void set(Index i, double v) { states_.set(i, v); }
  void foresee(std::span<const Index> next) const { surefield::foresee(states_, next); }
  std::array<double, 2> values() const {
    const std::array<double, 2> of_f = states_.values();
    const auto value = [&](int lane) {
      return elbo_value(size(), beta_ * of_f[lane], [&](Index i) { return coordinates(i)[lane]; });
    };
    return {value(0), value(1)};
  }

 private:
  P states_;
  double beta_;
};

template <MultilinearState S>
class Elbo {
 public:
  static constexpr bool kIndependentMoves = requires { requires S::kIndependentMoves; };

  explicit Elbo(S state, double inverse_temperature = 1)
      : state_(std::move(state)), beta_(inverse_temperature) {
    require(std::isfinite(beta_) && beta_ > 0, "elbo: the inverse temperature is ", beta_,
            ", which must be finite and > 0");
  }

  Index size() const { return state_.size(); }
  double coordinate(Index i) const { return state_.coordinate(i); }
  EntropyLine line(Index i) const { return EntropyLine(beta_ * state_.partial(i)); }
  void set(Index i, double v) { state_.set(i, v); }
  void foresee(std::span<const Index> next) const { surefield::foresee(state_, next); }

  /// Of the lines where the box is the unit box, which holds every peak: no box is read.
  void peak_batch(std::span<const Index> ids, std::span<double> out) const {
    if constexpr (requires { state_.partials(ids, out); }) {
      state_.partials(ids, out);
      for (Index k = 0; k < ids.size(); ++k) out[k] *= beta_;
    } else {
      for (Index k = 0; k < ids.size(); ++k) out[k] = beta_ * state_.partial(ids[k]);
    }
    sigmoid_batch(out.first(ids.size()));
  }
  void argmax_batch(std::span<const Index> ids, const Box& box, std::span<double> out) const {
    peak_batch(ids, out);
    for (Index k = 0; k < ids.size(); ++k) out[k] = box[ids[k]].clamp(out[k]);
  }

  /// As peak_batch or argmax_batch, and set, for the nodes of a run of neighbours(); the bits are the same.
  auto settle_run(const GridRun& run, const Box* box, double wakes, const double* packed) requires
      requires(S& state) {
    state.settle_run(run, 1.0, box, wakes, packed);
  }
  { return state_.settle_run(run, beta_, box, wakes, packed); }
  void pack_run(const GridRun& run, double* packed) const requires requires(const S& state) {
    state.pack_run(run, packed);
  }
  { state_.pack_run(run, packed); }
  void foresee_fields(std::span<const Index> ids) const requires requires(const S& state) {
    state.foresee_fields(ids);
  }
  { state_.foresee_fields(ids); }
  auto neighbours() const requires requires(const S& state) { state.neighbours(); }
  { return state_.neighbours(); }

  double value() const {
    return elbo_value(size(), beta_ * state_.value(), [&](Index i) { return coordinate(i); });
  }

  void gradient(std::span<double> out) const {
    state_.gradient(out);
    for (Index i = 0; i < size(); ++i) out[i] = EntropyLine(beta_ * out[i]).slope(coordinate(i));
  }

  const S& state() const { return state_; }

  /// Of the same model and inverse temperature.
  static auto paired(const Elbo& first, const Elbo& second) requires requires { typename S::Pair; }
  {
    using Pair = typename S::Pair;
    return ElboPair<Pair>(Pair(first.state_, second.state_), first.beta_);
  }

 private:
  S state_;
  double beta_;
};

}  // namespace surefield
