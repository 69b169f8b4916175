// log Z from both sides: every method that applies to a model, each with its side and its time, and
// the tightest interval.
//
//   Z(beta) = sum of exp(beta F(S)) over the sets that the box allows; always the natural logarithm
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "surefield/api/problem.hpp"
#include "surefield/core/log_z_result.hpp"
#include "surefield/models/factor_graph.hpp"

namespace surefield {

struct LogZOptions {
  double inverse_temperature = 1;
  double width = 1e-3;         ///< of the certified interval; branch and bound stops there
  double seconds = 10;         ///< at most, for branch and bound
  Index conditioned = 6;       ///< items settled in all ways for the conditioned bounds
  Index enumerable = 24;       ///< free items, at most 30: up to so many all sets are visited
  bool stop_at_exact = false;  ///< run nothing more once a method is exact
  bool estimates = true;       ///< annealed importance sampling as well
  bool marginals = false;  ///< P(i in S) too: exact by any exact method, else certified intervals
  unsigned threads = 1;    ///< the values do not depend on it
  std::uint64_t seed = 1;  ///< of the estimates
  std::function<bool()> go_on = {};
};

/// Throws Error if the box has an interval other than [0, 1], 0 or 1.
LogZResult log_z(const Problem& problem, const LogZOptions& options);

/// The same for tables with zeros, which no model of this library holds: by elimination, or not at
/// all.
LogZResult log_z(const FactorGraph& tables, const Box& box, const LogZOptions& options);

/// An upper bound of log Z at about the cost of inference; nothing where none is cheap or proved.
std::optional<double> quick_log_z_upper(const Problem& problem, double inverse_temperature);

/// An upper bound of the ELBO of every point of the box, at the same cost: that of log Z over all
/// sets that its points can draw, so an item bounded to a part of [0, 1] counts as free.
std::optional<double> quick_elbo_upper(const Problem& problem, double inverse_temperature);

}  // namespace surefield
