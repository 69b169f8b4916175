// What an exact method returns.
#pragma once

#include <vector>

namespace surefield {

struct ExactLogZ {
  double log_z = 0;               ///< log sum of e^{beta F(S)} over the sets of the box
  std::vector<double> marginals;  ///< P(i in S) for all items, fixed ones included; empty unless
                                  ///< asked for
};

}  // namespace surefield
