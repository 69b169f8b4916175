// Proving how good a point is: the strongest bound there is for the model's family, for as long as
// it may take.
//
//   facility location, FLID                    branch and bound over dual decomposition by dimension
//   coverage, sums of coverage and the above   the same; of at most 20 items as sums with fields
//   sums with pairwise fields and cuts         the root by dimensions and stars, then boxes
//   pairwise fields and cuts, balanced         minimum cuts: the global optimum itself
//   pairwise fields and cuts, any other        dual decomposition by edge, then boxes
//   every other submodular family              branch and bound over boxes alone
//
// A dimension of a coverage is a concept; weights of sums must be >= 0. A field that is not
// submodular has the edges alone, and no boxes.
// The bound holds whenever it is stopped. A better point found on the way is returned too.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "surefield/api/problem.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/report.hpp"

namespace surefield {

struct CertifyOptions {
  double inverse_temperature = 1;
  double wanted_gap = 1e-6;  ///< relative; stops there
  /// Of the ELBO on the whole box, known beforehand: log Z is above every ELBO. Caps every bound.
  double known_bound = kInfinity;
  unsigned threads = 1;  ///< the result does not depend on it
  /// Most boxes of branch and bound, and a like number of rounds for the other methods. 1 is a
  /// quick try: nothing for coverage and sums of more than 10000 members of concepts and customers.
  std::size_t effort = 100000;
  std::function<bool()> go_on = {};  ///< asked every now and then
};

struct Certificate {
  std::string method;         ///< in words; of the bound, so log Z where that is the least
  double upper_bound;         ///< of the ELBO on the problem's box
  double value;               ///< of `point`
  std::vector<double> point;  ///< at least as good as the point given, in the problem's variables
  Status status;              ///< kConverged: the wanted gap is reached
};

/// Nothing where no method applies to the model. `point`, with its value, is where to start from.
/// Throws Error if the known bound is not a number.
std::optional<Certificate> certify(const Problem& problem, std::span<const double> point,
                                   double value, const CertifyOptions& options);

}  // namespace surefield
