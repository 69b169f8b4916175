// Exact log Z and marginals by visiting every set: up to about 30 free items, any model.
//
//   log Z = log sum_S e^{beta F(S)},   P(i in S)     over the sets that agree with the fixed items
//
// A walk that takes items one by one, leaving the item out first and then putting it in; each set
// costs one gain, and half of them one add. The value of a set is a sum of at most n gains, so
// nothing drifts, as it would along a Gray code, which costs the same. The walk never takes an item
// out; what it carries from set to set is in growing_sets.hpp, a small constant a set for fields
// and determinants, the groups of an item for the rest. Items of few groups come last, where most
// of the sets are.
//
// The last items split the work into tasks, the first ones into blocks of 4096 sets that are added
// up together. Cost: 2^free gains and exponentials; 24 free items take a fraction of a second, 30 a
// minute. Tasks are added up in order, so the result does not depend on the number of threads.
#pragma once

#include "surefield/bounds/log_z/exact_log_z.hpp"
#include "surefield/core/box.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/models/any_model.hpp"

namespace surefield {

struct EnumerationOptions {
  double beta = 1;   ///< finite; may be negative
  Index limit = 30;  ///< free items, at most 40; 30 take about a minute
  bool marginals = true;
  Budget budget = {};  ///< the result does not depend on its threads; once spent, Error
};

/// Throws Error above the limit, naming the number of sets; for an interval of the box that is not
/// [0, 1], 0 or 1; where F is not finite; and where time runs out. Without a box no item is fixed.
ExactLogZ enumerate_log_z(const AnyModel& model, const Box* box = nullptr,
                          const EnumerationOptions& options = {});

}  // namespace surefield
