// The abstraction of this library: a function on a box, moved one coordinate at a time.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "surefield/core/box.hpp"

namespace surefield {

using Index = std::size_t;
using Subset = std::span<const std::uint8_t>;  // one byte per element, 1 = chosen

/// A concave function of one variable: an objective along one coordinate, all others fixed.
///
/// Laws, checked by tests/support/line_laws.hpp:
///   slope is non-increasing and is the derivative of rise(from, .);
///   argmax(in) lies in the interval and no point of a fine grid is better;
///   rise is accurate to rounding even where it is tiny (no cancellation).
template <class L>
concept Line = requires(const L& line, double u, Interval in) {
  { line.slope(u) } -> std::same_as<double>;
  { line.rise(u, u) } -> std::same_as<double>;  // value(second) - value(first)
  { line.argmax(in) } -> std::same_as<double>;
};

/// A set function's multilinear extension together with its current point.
///
/// Laws, checked for every model by tests/support/state_laws.hpp:
///   L1  after set(i, v): coordinate(i) == v and no other coordinate has changed;
///   L2  value() depends on the point only, not on the moves that led to it;
///   L3  partial(i) is the derivative along i, and does not depend on coordinate(i);
///   L4  raising a coordinate never raises a partial (submodular);
///   L5  a copy moves independently of its original;
///   L6  gradient(out) writes what partial(i) returns, for all i.
/// Cost: a sweep calls partial and set n times each; every model states both in its header.
/// value() may cost as much as a sweep: ask for it once an epoch, not once a coordinate.
template <class S>
concept MultilinearState = std::copyable<S> &&
    requires(const S& now, S& state, Index i, double v, std::span<double> out) {
  { now.size() } -> std::same_as<Index>;
  { now.coordinate(i) } -> std::same_as<double>;
  { now.partial(i) } -> std::same_as<double>;
  { now.gradient(out) } -> std::same_as<void>;
  { now.value() } -> std::same_as<double>;
  { state.set(i, v) } -> std::same_as<void>;
};

/// A set together with what every element would add to it.
///
/// Laws, checked for every model by tests/support/set_laws.hpp:
///   S1  after add(i): contains(i); after remove(i): not; both leave the rest alone and may repeat;
///   S2  value() is evaluate of the set, however it was reached;
///   S3  gain(i) is F(S + i) - F(S - i): what i adds if outside, what it gives if inside;
///   S4  a copy changes independently of its original.
template <class S>
concept SetState = std::copyable<S> && requires(const S& now, S& state, Index i) {
  { now.size() } -> std::same_as<Index>;
  { now.contains(i) } -> std::same_as<bool>;
  { now.gain(i) } -> std::same_as<double>;
  { now.value() } -> std::same_as<double>;
  { state.add(i) } -> std::same_as<void>;
  { state.remove(i) } -> std::same_as<void>;
};

/// What the algorithms ask for: a DR-submodular function that knows its line along every
/// coordinate.
///
/// Laws: as for MultilinearState, with line(i) in place of the partial; a line's slope at any u is
/// non-increasing in every coordinate (DR). gradient(out) writes line(i).slope(coordinate(i)).
template <class O>
concept Objective = std::copyable<O> &&
    requires(const O& now, O& state, Index i, double v, std::span<double> out) {
  { now.size() } -> std::same_as<Index>;
  { now.coordinate(i) } -> std::same_as<double>;
  { now.line(i) } -> Line;
  { now.gradient(out) } -> std::same_as<void>;
  { now.value() } -> std::same_as<double>;
  { state.set(i, v) } -> std::same_as<void>;
};

/// An objective that can also give the best points of many lines at once: what
/// line(i).argmax(box[i]) would, to rounding, and where the box is [0, 1]^n the same bits without one.
template <class O>
concept BatchObjective = Objective<O> &&
    requires(const O& now, std::span<const Index> ids, const Box& box, std::span<double> out) {
  { now.argmax_batch(ids, box, out) } -> std::same_as<void>;
  { now.peak_batch(ids, out) } -> std::same_as<void>;
};

/// What a model gives: the set function by definition (slow, plainly right), a fast state of its
/// multilinear extension, and the empty set with its marginal gains, ready to grow.
/// A model never changes during a run, and must outlive the states made from it.
template <class M>
concept Model = requires(const M& model, Subset chosen, std::span<const double> x) {
  { model.size() } -> std::same_as<Index>;
  { model.evaluate(chosen) } -> std::same_as<double>;
  { model.at(x) } -> MultilinearState;
  { model.empty_set() } -> SetState;
};

/// Tells a state or an objective which coordinates are asked for next, in this order, if it has a use for that: a large one has them
/// brought from memory meanwhile. It changes no number.
template <class S>
void foresee(const S& state, std::span<const Index> next) {
  if constexpr (requires { state.foresee(next); }) state.foresee(next);
}

/// The current point of a state or an objective.
template <class S>
std::vector<double> point_of(const S& state) {
  std::vector<double> x(state.size());
  for (Index i = 0; i < x.size(); ++i) x[i] = state.coordinate(i);
  return x;
}

}  // namespace surefield
