// Proving how good a point is: the strongest bound there is for what the model is made of, for as long
// as it may take.
//
//   best items, concepts                     branch and bound over dual decomposition by dimension
//   concepts and pairs, up to 400 items      the root by parts, up to 20 items boxes, then log Z by branch and bound over sets, then branch and bound over quadratics above terms
//   the same with pairs                      the root by dimensions and stars, then boxes
//   pairs alone, balanced                    minimum cuts: the global optimum itself; of more than 200000 items one cut a tile
//   pairs alone, any other                   dual decomposition by edge, a few boxes, then branch and bound over
//                                            spectral bounds; from 250 items on one spectral bound, and boxes
//   products, cuts of hyperedges             boxes, then up to 400 items branch and bound over quadratics above terms
//   everything else that is submodular       branch and bound over boxes alone
//   not submodular, but a known difference   boxes of the difference, then quadratics above terms as before
//   of two that are
//
// Nothing else that is not submodular has a certificate. The bound holds whenever it is
// stopped. A better point found on the way is returned too.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "surefield/api/problem.hpp"
#include "surefield/core/bounds_now.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/claim.hpp"
#include "surefield/core/crew.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/report.hpp"

namespace surefield {

struct CertifyOptions {
  double inverse_temperature = 1;
  double wanted_gap = 1e-6;  ///< relative; stops there
  /// Of the ELBO on the whole box, known beforehand: log Z is above every ELBO. Caps every bound.
  double known_bound = kInfinity;
  Basis known_basis = Basis::kProved;  ///< of the bound known beforehand
  /// Most boxes of branch and bound, and a like number of rounds for the other methods. 1 is a
  /// quick try: nothing for models of more than 10000 members of concepts and customers.
  std::size_t effort = 100000;
  Budget budget = {};  ///< the result does not depend on its threads
  /// Shares the tiles of minimum cuts; all else is done by one of its processes. All get the certificate.
  Crew* crew = nullptr;
  /// Visit boxes of branch and bound; they hold the same problem (api/helping.hpp). The certificate does not depend on them.
  Helpers* helpers = nullptr;
  Index tiled_items = 200000;  ///< beyond, cuts are by tiles: one takes seconds and gigabytes
  Index tile = 20000;          ///< items a tile, at most
  BoundsWatcher watcher = {};  ///< of the best ELBO; the lower end is as computed
};

struct Certificate {
  End bound;                  ///< from above, of the ELBO on the problem's box; rounding included
  double value;               ///< of `point`, as computed
  std::vector<double> point;  ///< at least as good as the point given, in the problem's variables
  Status status;              ///< kConverged: the wanted gap is reached
};

inline auto fields_of(Certificate& certificate) {
  auto& [bound, value, point, status] = certificate;
  auto& [end, method, basis] = bound;
  return std::tie(end, method, basis, value, point, status);
}

/// Nothing where no method applies to the model. `point`, with its value, is where to start from.
/// Throws Error if the known bound is not a number.
std::optional<Certificate> certify(const Problem& problem, std::span<const double> point,
                                   double value, const CertifyOptions& options);

}  // namespace surefield
