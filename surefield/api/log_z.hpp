// The one door to log Z: every method that there is, by what is asked for.
//
//   Z(beta) = sum of exp(beta F(S)) over the sets that the box allows; always the natural logarithm
//
//   kQuick   what costs about as much as inference: an exact method within small limits, else an interval
//            for best items, a bound from above for others; their lower end is left to the caller, who
//            has an ELBO; marginals exact where that is cheap, else of few items by a short branch and bound
//   kExact   exact methods alone, within large limits; small ones where the budget limits operations
//   kWidth   the cheapest way to an interval of the width asked for: exact within small limits, Harris'
//            inequality, branch and bound, exact within large limits, then mean field, Hoelder's
//            inequality and spectra
//   kAll     every method that applies, to compare them
//
// The methods are the rows of log_z_methods.hpp. What each finds is an end of one Claim, so that two
// methods that exclude each other fail the answer instead of passing unseen. docs/log_z.md
#pragma once

#include <cstdint>

#include "surefield/api/problem.hpp"
#include "surefield/core/bounds_now.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/helpers.hpp"
#include "surefield/core/log_z_result.hpp"
#include "surefield/models/factor_graph.hpp"

namespace surefield {

enum class LogZGoal { kQuick, kExact, kWidth, kAll };

struct LogZOptions {
  LogZGoal goal = LogZGoal::kAll;
  double inverse_temperature = 1;
  double width = 1e-3;     ///< > 0, of the certified interval; branch and bound stops there
  Index conditioned = 6;   ///< items settled in all ways for the conditioned bounds
  Index enumerable = 24;   ///< free items, at most 30: up to so many all sets are visited
  bool compare = true;     ///< of kAll: all methods; else nothing more once one is exact
  bool exact = true;       ///< of kWidth: exact methods too; without, certified bounds alone
  bool estimates = true;   ///< of kAll: annealed importance sampling as well
  bool marginals = false;  ///< P(i in S) too: exact by any exact method, else certified intervals
  std::uint64_t seed = 1;  ///< of the estimates
  Budget budget = {};      ///< the values do not depend on its threads
  BoundsWatcher watcher = {};
  Helpers* helpers =
      nullptr;  ///< of branch and bound, harris and cases (api/helping.hpp); the values do not depend on them
};

/// What is asked for one log Z of several: so many seconds, but no less than a moment, in which what is
/// as good as free is had.
Budget log_z_budget(const Budget& all, double seconds);

/// Throws Error if the box has an interval other than [0, 1], 0 or 1, and for options out of range.
LogZResult log_z(const Problem& problem, const LogZOptions& options);

/// The same for tables with zeros, which no model of this library holds: by elimination, or not at
/// all.
LogZResult log_z(const FactorGraph& tables, const Box& box, const LogZOptions& options);

}  // namespace surefield
