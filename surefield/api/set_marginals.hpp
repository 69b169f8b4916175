// P(i in S) under p(S) ~ e^{F(S)}: exact where a method is, certified where the model is submodular, mean field otherwise.
//
// In this order: determinant (log det), best items (FLID and facility location of few dimensions), elimination (fields of low
// treewidth), enumeration (up to 20 free items), branch and bound (submodular models: an interval an item, its middle
// reported), mean field. Where an interval stays wider than 0.02, the mean field marginal moved into it is reported instead of its
// middle. The method used is always named.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "surefield/api/problem.hpp"

namespace surefield {

struct SetMarginalsOptions {
  double width = 1e-2;   ///< of the interval of log Z at which branch and bound stops
  double seconds = 10;   ///< at most, for branch and bound
  unsigned threads = 1;  ///< the values do not depend on it, unless the seconds end the work
  std::function<bool()> go_on = {};
};

struct SetMarginals {
  std::vector<double> values;  ///< in the user's variables
  std::string method;
  double error = 0;  ///< no value is wrong by more; +infinity for mean field, which has no bound
};

/// Throws Error if the box has an interval other than [0, 1], 0 or 1.
SetMarginals set_marginals(const Problem& problem, const SetMarginalsOptions& options = {});

}  // namespace surefield
