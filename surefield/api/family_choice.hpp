// Which family of models to learn: by hidden items and by certified held-out likelihood, by folds.
//
//   for each family and fold   a model of the sets outside the fold ranks every hidden item of those
//                              inside (learn/item_baselines.hpp), and says how likely they are, log Z proved
//   decided                    by both, as api/family_decision.hpp says
//
// Of many sets as many folds are judged, and as many sets of a fold, as tell families apart: 20,000 held-out sets leave a
// standard error of 0.002 of a mean reciprocal rank. Where ranking all items of all of them costs too much, one item of each set is
// hidden. Likelihoods are given that a set is not empty where no set of the data is. Families are named plainest first.
// Nothing here needs F to be submodular. log Z is bounded in operations, not in seconds: the same answer on every
// machine. Cost: one fit and one quick log Z a family and fold. Threads share the folds; the answer does not
// depend on them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/paid_rounds.hpp"
#include "surefield/core/set_collection.hpp"
#include "surefield/learn/item_baselines.hpp"

namespace surefield {

struct FitOptions;

struct FamilyChoiceOptions {
  const FitOptions* fit = nullptr;  ///< how each is learned: its budget, observer and options
  std::vector<std::string> families = {"modular", "flid", "dpp",
                                       "thin",    "fldc", "pairwise"};  ///< plainest first
  Index folds = 3;
  Index enough = 20'000;         ///< held-out sets
  Index learned_from = 100'000;  ///< sets, at most: which family is best does not hang on more
  double most_ranked = 5e8;  ///< items ranked for hidden ones; beyond, one of each set is hidden
  std::uint64_t seed = 1;    ///< of the folds
  /// Of all trainings together. Each family has an equal part of what is left, as of time, and its folds of that; one whose rounds of
  /// use are not paid is left out.
  RoundsWork work = {};
  std::function<void()> trained = {};  ///< after every family and fold, from any thread
};

struct FamilyRow {
  std::string model;
  ItemJudgement hidden;      ///< over the sets of all folds
  MeanEstimate behind = {};  ///< reciprocal rank of what leads less this, set by set
  /// Mean log-likelihood a held-out set, certified; an end that has no bound is infinite.
  Interval likelihood = {-kInfinity, kInfinity};
  /// The same less that of items by themselves, and its standard error, set by set.
  Interval over_items = {-kInfinity, kInfinity};
  double over_items_error = 0;
  double seconds = 0;                  ///< of learning, added up over folds
  std::optional<double> penalty = {};  ///< of pairwise, in the first fold
};

struct FamilyChoice {
  std::vector<FamilyRow> rows;  ///< in the order given
  std::string leader, winner;   ///< of no set of two items: the plainest
  std::string verdict;          ///< in one sentence, against popularity and items by themselves
  Index sets = 0, items = 0, folds = 0;
  Index judged = 0;                     ///< sets held out, in all folds together
  std::vector<std::string> unfinished;  ///< families that did not end in their part of the time
  /// Families whose part of the work is too small, and what it does not pay for.
  std::vector<std::pair<std::string, std::string>> unpaid;
  bool complete = true;  ///< false: told to stop; families not finished are left out
};

/// Throws Error for a family that fit() does not know, one named twice, fewer than two folds or more
/// than sets, and as fit() does.
FamilyChoice choose_family(const SetCollection& data, const FamilyChoiceOptions& options);

/// The families left out, each with a sentence why.
std::vector<std::pair<std::string, std::string>> left_out(const FamilyChoice& choice);

}  // namespace surefield
