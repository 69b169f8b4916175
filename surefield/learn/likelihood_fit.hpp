// FLID or FLDC from sets by maximum likelihood, with a log Z that can be had together with its gradient.
//
//   mean over the data of F(S; u, W) - log Z(u, W)  -  prior          W >= 0, by W = a^2
//
//   kExact      log Z itself: the likelihood, for about 3 dimensions and concepts (bounds/log_z/exact/flid_exact.hpp)
//   kHoelder    an upper bound of log Z: what is maximised is a lower bound of the likelihood
//   kMeanField  the ELBO, a lower bound of log Z: what is maximised is an UPPER bound of the
//               likelihood, and can grow while the likelihood falls
//
// The derivatives are the chances of items under the data minus those under the model: of being in
// S for u, of being the best of a dimension for W, and of a concept with the sign turned round for V, which is
// a^2 too (learn/weight_columns.hpp). Under Hoelder the
// multipliers of the bound are moved together with the model. Data that cannot hold an empty set
// are fitted by p(S | S not empty), log(Z - 1) in place of log Z (F(empty) = 0). The prior is
// normal, about the log odds of the items for u and about 0 for W, and weak: it keeps items never
// seen finite. Not concave in W: a local optimum, the best of a few starts.
//
// Cost: L-BFGS, an evaluation O(entries of the distinct sets * D) plus that of log Z: O(D n log n)
// for Hoelder. docs/gradients.md compares the three with noise contrastive estimation.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "surefield/core/budget.hpp"
#include "surefield/core/crew.hpp"
#include "surefield/core/set_collection.hpp"
#include "surefield/learn/flid_fit.hpp"
#include "surefield/learn/training_log_z.hpp"

namespace surefield {

struct LikelihoodFitOptions {
  Index dimensions = 10;
  LogZMethod log_z = LogZMethod::kHoelder;
  bool given_non_empty = true;     ///< fits p(S | S not empty) and leaves out empty sets
  std::optional<Flid> start = {};  ///< to be polished; it says the dimensions. None: u the log odds
                                   ///< of the items, W drawn from U[0, initial_weight]
  double initial_weight = 1;
  std::size_t starts = 3;  ///< draws of the first W; the fit of the greatest objective is returned
  double prior = 0.1;      ///< 1 / variance of every u_i - log odds and of every W_id
  std::size_t iterations = 500;  ///< of L-BFGS, at most, from each start
  double progress = 1e-7;        ///< ends when ten iterations gain less, relative
  std::uint64_t seed = 1;        ///< of the first W
  /// Once it is spent the best model so far is returned; asked between evaluations and between the
  /// epochs of mean field. Its threads are those of exact log Z; the answer does not depend on them.
  Budget budget = {};
  /// After every evaluation; whether to go on.
  std::function<bool(const FlidFitEpoch&)> observer = {};
  Crew* crew = nullptr;  ///< processes that share the starts
};

/// The trace has one entry an evaluation: `training` is the objective per set, `constant` the log
/// normaliser used, and `best_epoch` the evaluation returned. log_z_estimate is log Z by the
/// method, on the side it says: for Hoelder the certified bound, optimised anew. Throws Error for
/// data that flat_sets refuses, for options out of range, and under kExact for a model too large to
/// sum.
FlidFit fit_flid_likelihood(const SetCollection& data, const LikelihoodFitOptions& options = {});

/// The same with concepts; there is no ELBO as log Z and no start to be given.
FldcFit fit_fldc_likelihood(const SetCollection& data, Index concepts,
                            const LikelihoodFitOptions& options = {});

}  // namespace surefield
