// P(i in S) as one number an item, from what log Z gives: exact values, or certified intervals.
//
// The middle of an interval is reported; where it is wider than 0.02, the mean field marginal moved
// into it. Where there is no interval, the mean field marginal. What it was is always named, with a
// bound on the error where there is one.
#pragma once

#include <string>
#include <vector>

#include "surefield/api/problem.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/log_z_result.hpp"

namespace surefield {

struct SetMarginals {
  std::vector<double> values;  ///< in the user's variables
  std::string method;
  double error = 0;  ///< no value is wrong by more; +infinity for mean field, which has no bound
};

/// `found` is what log_z says of the problem, asked for marginals.
SetMarginals set_marginals(const Problem& problem, const LogZResult& found,
                           const Budget& budget = {});

}  // namespace surefield
