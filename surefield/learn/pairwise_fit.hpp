// A pairwise field from sets, couplings of both signs, by maximum pseudo-likelihood.
//
// Minimises learn/pseudo_likelihood.hpp by limited-memory BFGS, each parameter scaled by the curvature
// it has where items are independent. The loss is convex: one start is enough, and another seed changes
// nothing but the folds of the penalty. With `repulsive` every coupling is <= 0, by projection: then F
// is submodular and every guarantee holds.
//
// Unless it is given, the penalty is the one of a grid whose fields foretell held-out sets best, by mean
// pseudo-likelihood over folds, of large catalogues as many as hold out enough sets: from the middle one on, as long as it gets better, each started
// from the field before.
//
// Cost: some dozens of evaluations for each penalty and fold; 8,000 baskets of 169 items, all pairs:
// 10 ms an evaluation.
//
// H. Hoefling, R. Tibshirani. Estimation of sparse binary pairwise Markov networks using
// pseudo-likelihoods. JMLR 2009.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/core/crew.hpp"
#include "surefield/core/paid_rounds.hpp"
#include "surefield/core/report.hpp"
#include "surefield/core/set_collection.hpp"
#include "surefield/learn/large_sets.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

struct PairwiseFitOptions {
  /// Couplings are N(0, 1 / penalty) a priori, so it does not depend on how many sets there are; > 0. By
  /// default chosen by folds.
  std::optional<double> penalty = {};
  std::vector<double> grid = {1000, 300, 100, 30, 10, 3, 1, 0.3};  ///< to choose from, descending
  Index folds = 3;
  double enough =
      10'000;  ///< held-out sets that tell penalties apart: of large catalogues no further fold
  bool repulsive = false;  ///< no coupling above 0
  /// Lower all couplings alike where all pairs have one and sets larger than any seen would win
  /// (learn/large_sets.hpp).
  bool sizes_seen = true;
  /// Pairs get a coupling if they met in so many sets, or should have. By default all pairs where they
  /// are few (learn/pair_support.hpp), else those that met twice, or
  /// should have, and say more than a number costs (learn/pair_gains.hpp).
  std::optional<double> least_pair = {};
  /// Sets that the items of an evaluation meet, all together: beyond, they are sampled
  /// (learn/control_sets.hpp).
  double most_work = 1e8;
  double smoothing = 1;          ///< sets with the item alone, and sets without it, added; > 0
  std::size_t iterations = 500;  ///< of BFGS, at most, for each penalty
  RoundsWork work = {};          ///< of all iterations together, those that choose the penalty too
  double tolerance = 1e-7;       ///< ten iterations that gain less, relative to the loss, end it
  std::uint64_t seed = 1;        ///< of the folds
  /// After every evaluation, with minus the loss a set; whether to go on.
  std::function<bool(std::size_t evaluations, double objective)> observer = {};
  /// Once it is spent the best field so far is returned. The answer does not depend on its threads.
  Budget budget = {};
  Crew* crew = nullptr;  ///< processes that share every evaluation
};

/// What a penalty of the grid is worth.
struct PenaltyTrial {
  double penalty = 0;
  double held_out = 0;  ///< mean log pseudo-likelihood a held-out set
};

struct PairwiseFit {
  PairwiseField model;
  double penalty = 0;                ///< given or chosen
  std::vector<PenaltyTrial> trials;  ///< strongest first; none where it was given
  double objective = 0;  ///< minus the loss a set, penalty and smoothing included; NaN where
                         ///< not even the start was evaluated
  double least_pair = 0;
  double least_gain =
      0;  ///< nats that a pair says more than chance, or it has no coupling; 0: not asked for
  Index pairs = 0;    ///< that could have a coupling
  SizeShift shift;    ///< what was taken off all couplings
  double beyond = 0;  ///< about how large the sets are that outweigh those seen; 0: none do
  Status status = Status::kConverged;
  std::size_t evaluations = 0;
  double operations = 0;  ///< of all evaluations, about
  bool unpaid = false;    ///< more iterations were asked for than the work pays for
};

/// Throws Error for data that flat_sets refuses and options out of range; TooMuch where memory for
/// the pairs is missing.
PairwiseFit fit_pairwise(const SetCollection& data, const PairwiseFitOptions& options = {});

}  // namespace surefield
