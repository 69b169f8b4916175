// Greedy completion: the set grown by the item that adds most, until none adds anything.
//
//   S <- S + argmax_j F(S + j) - F(S)      while the largest gain is > 0; ties to the first item
//
// What the model wants in the basket besides what is in it. Items that replace one another lose
// their gain as soon as one is in, so the completion is as diverse as the model. Items that are out
// in the box stay out. Cost: O(n) gains a step; where F is submodular and not flipped, gains only
// fall and most are not computed again.
// M. Minoux. Accelerated greedy algorithms for maximizing submodular set functions. 1978.
#pragma once

#include <vector>

#include "surefield/api/problem.hpp"
#include "surefield/core/budget.hpp"

namespace surefield {

struct CompletionStep {
  Index item;
  double gain;  ///< > 0: F(S + item) - F(S), S with all steps before
};

struct Completion {
  std::vector<CompletionStep> steps;
  double start_value = 0;     ///< F of the items that are in from the start
  double end_value = 0;       ///< F of the completed set
  std::vector<double> gains;  ///< F(S + i) - F(S) of every item at the start
};

/// F(S + i) - F(S) of every item, S the items that the box has in (low > 0).
std::vector<double> greedy_gains(const Problem& problem);

/// From the items that the box has in (low > 0). Ends early once the budget is spent.
Completion greedy_completion(const Problem& problem, const Budget& budget = {});

}  // namespace surefield
