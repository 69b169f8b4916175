// The two points of a double greedy pass: two objectives, or one that holds both in lanes of a vector where it knows how
// (a FLID does: less time, the same bits).
//
//   paired(bottom, top)   what holds both: coordinates(i), lines(i), values() in pairs, and one set(i, u) for both
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/core/report.hpp"

namespace surefield {

template <class O>
concept PairableObjective = Objective<O> && requires(const O& objective) {
  O::paired(objective, objective);
};

template <Objective O>
class PassPoints {
 public:
  PassPoints(O bottom, O top) : bottom_(std::move(bottom)), top_(std::move(top)) {}

  Interval between(Index i) const { return {bottom_.coordinate(i), top_.coordinate(i)}; }
  auto lines(Index i) const { return std::array{bottom_.line(i), top_.line(i)}; }
  void set(Index i, double u) {
    bottom_.set(i, u);
    top_.set(i, u);
  }
  void foresee(std::span<const Index> next) const {
    surefield::foresee(bottom_, next);
    surefield::foresee(top_, next);
  }
  std::array<double, 2> values() const { return {bottom_.value(), top_.value()}; }
  std::vector<double> point() const { return point_of(bottom_); }

  const O& bottom() const { return bottom_; }
  const O& top() const { return top_; }

 private:
  O bottom_, top_;
};

template <PairableObjective O>
class PassPoints<O> {
 public:
  PassPoints(const O& bottom, const O& top) : pair_(O::paired(bottom, top)) {}

  Interval between(Index i) const {
    const auto [low, high] = pair_.coordinates(i);
    return {low, high};
  }
  auto lines(Index i) const { return pair_.lines(i); }
  void set(Index i, double u) { pair_.set(i, u); }
  void foresee(std::span<const Index> next) const { surefield::foresee(pair_, next); }
  std::array<double, 2> values() const { return pair_.values(); }
  std::vector<double> point() const {
    std::vector<double> point(pair_.size());
    for (Index i = 0; i < point.size(); ++i) point[i] = pair_.coordinates(i)[0];
    return point;
  }

 private:
  decltype(O::paired(std::declval<const O&>(), std::declval<const O&>())) pair_;
};

}  // namespace surefield
