// A pairwise field of small treewidth from sets, couplings of both signs, log Z exact.
//
//   (1 - share) L + share P       L: minus the log-likelihood (learn/field_likelihood.hpp)
//                                 P: minus the log pseudo-likelihood (learn/pseudo_likelihood.hpp)
//
// Which couplings there are says learn/thin_support.hpp, how large they are the minimum of this, by limited-memory BFGS
// from items by themselves: both parts are convex, so there is one answer and no seed. Share 0 is maximum
// likelihood; half of each ranks hidden items better at next to no loss of likelihood (media registries, one fold:
// mean reciprocal rank 0.327 and 0.333, -7.612 and -7.615 nats), whereas pseudo-likelihood alone may put most of
// p(S) on sets that never come (-9.1). Data without empty sets are fitted given that. log Z of such a field, its
// marginals and its likelihood are exact wherever they are asked for.
//
// Cost: some dozens of evaluations; 16,000 registries of 100 items, width 8: about a second.
//
// B. Lindsay. Composite likelihood methods. Contemporary Mathematics 80, 1988.
#pragma once

#include <cstddef>
#include <functional>

#include "surefield/core/budget.hpp"
#include "surefield/core/crew.hpp"
#include "surefield/core/paid_rounds.hpp"
#include "surefield/core/report.hpp"
#include "surefield/core/set_collection.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

struct ThinFitOptions {
  Index width = 8;       ///< items that one is joined with at most, 1 to 15
  double share = 0.5;    ///< of the pseudo-likelihood, 0 to 1
  double penalty = 3;    ///< couplings are N(0, 1 / penalty) a priori; > 0
  double smoothing = 1;  ///< sets with the item alone, and sets without it, added; > 0
  /// Sets that the items of a pseudo-likelihood meet, all together: beyond, they are sampled (learn/control_sets.hpp).
  double most_work = 1e8;
  std::size_t iterations = 500;  ///< of BFGS, at most
  RoundsWork work = {};          ///< of all iterations together
  double tolerance = 1e-7;       ///< ten iterations that gain less, relative to the loss, end it
  /// After every evaluation, with minus the loss a set; whether to go on.
  std::function<bool(std::size_t evaluations, double objective)> observer = {};
  Budget budget = {};    ///< once it is spent the best field so far is returned
  Crew* crew = nullptr;  ///< processes that share the rows of the pseudo-likelihood
};

struct ThinFit {
  PairwiseField model;
  double objective = 0;  ///< minus the loss a set
  double log_z = 0;      ///< exact
  Index pairs = 0;       ///< that have a coupling
  Index table = 0;       ///< items of the largest table
  Status status = Status::kConverged;
  std::size_t evaluations = 0;
  double operations = 0;  ///< of an evaluation, about
  bool unpaid = false;    ///< more iterations were asked for than the work pays for
};

/// Throws Error for data that flat_sets refuses and options out of range.
ThinFit fit_thin(const SetCollection& data, const ThinFitOptions& options = {});

}  // namespace surefield
