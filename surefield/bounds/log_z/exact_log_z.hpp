// What an exact method returns.
#pragma once

#include <vector>

namespace surefield {

struct ExactLogZ {
  double log_z = 0;  ///< log sum of e^{beta F(S)} over the sets of the box
  double error = 0;  ///< log_z is off by no more, by rounding; no marginal by more than twice that
  std::vector<double> marginals;  ///< P(i in S) for all items, fixed ones included; empty unless
                                  ///< asked for
};

}  // namespace surefield
