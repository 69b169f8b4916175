// A rule of double greedy chosen at run time: one branch a coordinate, one instance of the pass a
// model. And what runs of large models share, in one process or in several.
#pragma once

#include <optional>
#include <span>

#include "surefield/algorithms/step_rules.hpp"
#include "surefield/api/algorithm_table.hpp"

namespace surefield {

/// From here on cache misses and vector width matter more than the order itself.
inline constexpr Index kLarge = 10000;
/// Moves of the last sweep after which the values of two starts can be told apart: what is still to
/// come is of second order in them.
inline constexpr double kStartsToldApart = 1e-3;

struct NamedRule {
  Algorithm id;
  std::optional<double> bisection;  // epsilon / n
  std::span<const double> hint;

  template <Line L>
  double operator()(const Step<L>& step) const {
    switch (id) {
      case Algorithm::kEqualised:
        return Equalised{}(step);
      case Algorithm::kGuarded:
        return Guarded{hint}(step);
      case Algorithm::kSubmodularDoubleGreedy:
        return Winner{}(step);
      case Algorithm::kBscb:
        return bisection ? BalancedByBisection{*bisection}(step) : Balanced{}(step);
      default:
        return Proportional{}(step);
    }
  }
};

}  // namespace surefield
