// log Z and marginals by the first exact method that a model and a bound on the work allow.
//
//   determinant    log det at beta = 1                          O(n^3)
//   best items     FLID, facility location                      at most `steps` of about 10 ns
//   elimination    pairwise fields, cuts, Gibbs fields          tables of at most `width` variables
//   enumeration    any model                                    at most `enumerable` free items
//
// None needs F to be submodular. A method that turns out too dear gives up at its limit, so asking
// costs no more than the limits say. docs/log_z.md
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "surefield/api/problem.hpp"

namespace surefield {

struct ExactAnswerOptions {
  double inverse_temperature = 1;
  bool marginals = false;
  double steps = 5e6;     ///< of best items
  Index width = 18;       ///< of elimination's tables, in variables
  Index enumerable = 18;  ///< free items
  unsigned threads = 1;   ///< the answer does not depend on it
};

struct ExactAnswer {
  std::string method;             ///< as in the table above
  double log_z = 0;               ///< over the sets that the box allows
  std::vector<double> marginals;  ///< P(i in S) in the user's variables; empty unless asked for
};

/// Nothing where no method applies within the limits, or the box is not one of sets (an interval
/// other than [0, 1], 0 and 1).
std::optional<ExactAnswer> exact_answer(const Problem& problem, const ExactAnswerOptions& options);

}  // namespace surefield
