// Double greedy on a box: one pass, at least half the optimum, and a certificate of how much more.
//
// Two points close in on each other, one from the bottom of the box and one from the top. Each
// coordinate is settled once, somewhere between the best move of the one and the best move of the
// other; the rule says where.
//
//   value(x) >= 1/2 optimum + 1/4 (value(bottom) + value(top))     every 1/2 rule of step_rules.hpp
//   optimum  <= value(x) + sum of losses                           certificate, every rule
//
// Y. Bian, J. Buhmann, A. Krause. Optimal Continuous DR-Submodular Maximization and Applications to
// Provable Mean Field Inference. ICML 2019, Algorithm 1 (rule Proportional). docs/double_greedy.md
// derives the certificate. Cost: two lines and two sets per coordinate. Rounding: the certificate
// carries a margin of 1e-12 of all that was added up.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <optional>
#include <span>
#include <utility>

#include "surefield/algorithms/pass_points.hpp"
#include "surefield/core/block_sum.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/report.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {

/// What a rule sees: the lines through the two points, the interval between them, and the best
/// point of either line.
template <Line L>
struct Step {
  Index coordinate;
  const L& from_below;
  const L& from_above;
  Interval in;
  double up;    ///< argmax of from_below; >= down if the function is DR-submodular
  double down;  ///< argmax of from_above
};

/// A rule settles a coordinate. The certificate holds for any u of the interval; a sensible one is
/// in [down, up].
template <class R, class L>
concept StepRule = requires(R& rule, const Step<L>& step) {
  { rule(step) } -> std::same_as<double>;
};

/// A line that is linear plus the binary entropy of u, as in an ELBO: it has closed forms.
template <class L>
concept EntropicLine = Line<L> && requires(const L& line) {
  { line.linear() } -> std::same_as<double>;      // slope of the linear part
  { line.peak() } -> std::same_as<double>;        // sigmoid of it
  { line.peak_value() } -> std::same_as<double>;  // softplus of it
};

/// A line that is maximised only to an additive error, which it states (bracketed_line.hpp).
template <class L>
concept ApproximateLine = Line<L> && requires(const L& line) {
  { line.error() } -> std::same_as<double>;
};

namespace detail {

/// How far the best point of a line may be above the one it gave.
template <Line L>
double error_of(const L& line) {
  if constexpr (ApproximateLine<L>)
    return line.error();
  else
    return 0;
}

/// What settling at u costs the optimum at most: the larger fall from the best point of either
/// line.
template <Line L>
double loss_of(const Step<L>& step, double u) {
  if constexpr (EntropicLine<L>) {
    // Both peaks inside: one entropy serves both. Absolute accuracy is all that a sum of losses
    // needs.
    if (step.up == step.from_below.peak() && step.down == step.from_above.peak() &&
        std::abs(step.from_below.linear()) < 1e3 && std::abs(step.from_above.linear()) < 1e3)
      return std::max(0.0, std::max(step.from_below.peak_value() - step.from_below.linear() * u,
                                    step.from_above.peak_value() - step.from_above.linear() * u) -
                               entropy(u));
  }
  return std::max({step.from_below.rise(u, step.up), step.from_above.rise(u, step.down), 0.0});
}

/// The sizes of the numbers that cancel in loss_of, beyond its rises.
template <Line L>
double sizes_in_loss(const L& line) {
  if constexpr (EntropicLine<L>)
    return 1 + std::min(std::abs(line.linear()), 1e3);
  else
    return 1;
}

/// At least the rise of the line between two points: a scale of rounding need not be sharp, and a rise takes several logarithms.
template <Line L>
double size_of_rise(const L& line, double from, double to) {
  if constexpr (EntropicLine<L>)
    return from == to ? 0 : std::abs(line.linear()) * std::abs(to - from) + 0.7;  // > log 2
  else
    return line.rise(from, to);
}

/// By how much the upper line is steeper than the lower one, which DR-submodularity forbids.
template <Line L>
double fall_of(const L& from_below, const L& from_above, Interval in) {
  if constexpr (EntropicLine<L>) return from_above.linear() - from_below.linear();
  const double middle = in.low + in.width() / 2;
  return from_above.slope(middle) - from_below.slope(middle);
}

}  // namespace detail

struct DoubleGreedyReport {
  Report report;
  /// Value of the top point at the end: equal to the bottom's but for rounding.
  double top_value = 0;
  /// What the guarantee loses to lines that were maximised approximately: 5/4 of their errors.
  double slack = 0;
  /// False if some line falls from bottom to top: the function is not DR-submodular, and no bound is
  /// given.
  bool antitone = true;
};

/// What rounding can do to the numbers of an objective, as the certificate needs it.
struct PassRounding {
  double value = 0;  ///< to a value
  double slope = 0;  ///< to the slope of one line
  double lines = 0;  ///< to the slopes of all lines together
};

/// A pass under way: coordinates are settled in any order, each once, and what they cost is added up.
template <Objective O, class Rule>
class DoubleGreedyPass {
 public:
  /// Both objectives stand at their corner of the box.
  DoubleGreedyPass(O bottom, O top, Rule rule, PassRounding rounding)
      : points_(std::move(bottom), std::move(top)), rule_(std::move(rule)), rounding_(rounding) {}

  struct Settled {
    double rise, fall;  ///< of the value of the point from below, and of the one from above
  };

  /// Both points at coordinate i in one place; nothing where they are already. What it does to the values is computed
  /// only if asked for.
  std::optional<Settled> settle(Index i, bool with_values = false) {
    const Interval in = points_.between(i);
    if (in.is_point()) return std::nullopt;
    const auto [from_below, from_above] = points_.lines(i);
    double up = from_below.argmax(in);
    double down = from_above.argmax(in);
    if (down > up) {
      const bool exact = detail::error_of(from_below) == 0 && detail::error_of(from_above) == 0;
      if (exact && detail::fall_of(from_below, from_above, in) >
                       2 * rounding_.slope + kSlack * (rounding_.slope == 0))
        antitone_ = false;
      up = down = in.clamp(up + (down - up) / 2);
    }
    const Step step{i, from_below, from_above, in, up, down};
    const double u = in.clamp(rule_(step));
    const double error = std::max(detail::error_of(from_below), detail::error_of(from_above));
    loss_.add(i, detail::loss_of(step, u) + error);
    slack_ += 1.25 * error;
    path_.add(i, detail::size_of_rise(from_below, in.low, up) +
                     detail::size_of_rise(from_above, in.high, down) +
                     detail::sizes_in_loss(from_below) + detail::sizes_in_loss(from_above));
    Settled settled{};
    if (with_values) settled = {from_below.rise(in.low, u), from_above.rise(in.high, u)};
    points_.set(i, u);
    return settled;
  }

  /// Another process has settled it.
  void put(Index i, double u) { points_.set(i, u); }

  const PassPoints<O>& points() const { return points_; }
  const BlockSum& loss() const { return loss_; }
  const BlockSum& path() const { return path_; }  ///< all that was added up: the scale of rounding
  double slack() const { return slack_; }
  bool antitone() const { return antitone_; }
  const PassRounding& rounding() const { return rounding_; }

 private:
  static constexpr double kSlack = 1e-9;  // of lines that are maximised approximately

  PassPoints<O> points_;
  Rule rule_;
  PassRounding rounding_;
  BlockSum loss_, path_;
  double slack_ = 0;
  bool antitone_ = true;
};

/// The certificate of a whole pass from `start`, the value of its bottom, to `value`. A loss is a difference of two values
/// along a line, so it takes the error of the slope twice.
inline double pass_bound(double start, double value, double loss, double path,
                         const PassRounding& rounding) {
  const double margin = gamma_of(64) * (1 + std::abs(start) + path + loss + std::abs(value)) +
                        rounding.value + 2 * rounding.lines;
  return value + loss + margin;
}

/// Both objectives stand at their corner of the box. The bound carries the rounding stated, and that
/// of the losses. Once the budget is spent the pass ends with the bottom point as it is and no bound.
template <Objective O, class Rule>
DoubleGreedyReport double_greedy(O bottom, O top, std::span<const Index> order, Rule rule,
                                 bool trace = false, PassRounding rounding = {},
                                 const Budget& budget = {}) {
  Ticks ticks(budget, 16);
  DoubleGreedyReport result;
  const double start = bottom.value();
  double below = start;
  double above = trace ? top.value() : 0;
  std::size_t settled = 0;
  DoubleGreedyPass<O, Rule> pass(std::move(bottom), std::move(top), std::move(rule), rounding);
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (ticks.spent()) {
      result.report.status = Status::kInterrupted;
      break;
    }
    foresee(pass.points(), order.subspan(k + 1));
    const auto step = pass.settle(order[k], trace);
    if (!trace || !step) continue;
    below += step->rise;  // both curves, by what each line rises
    above += step->fall;
    result.report.trace.push_back(
        {static_cast<double>(++settled) / static_cast<double>(order.size()), below, 0, above});
  }
  result.antitone = pass.antitone();
  result.slack = pass.slack();
  result.report.point = pass.points().point();
  const auto [value, top_value] = pass.points().values();
  result.report.value = value;
  result.top_value = top_value;
  result.report.epochs = 1;
  if (result.antitone && result.report.status != Status::kInterrupted)
    result.report.upper_bound =
        pass_bound(start, result.report.value, pass.loss().value(), pass.path().value(), rounding);
  return result;
}

}  // namespace surefield
