// Which family of models to learn: those that foretell hidden items best, by folds.
//
//   for each family and fold   a model of the sets outside the fold ranks every hidden item of those
//                              inside (learn/item_baselines.hpp)
//   leads                      the highest mean reciprocal rank over all sets
//   wins                       the plainest whose difference from what leads, set by set, is within two
//                              standard errors
//
// Families are named plainest first. Nothing here needs F to be submodular, nor any log Z. Cost: one fit a
// family and fold. Threads share the folds; the answer does not depend on them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/core/set_collection.hpp"
#include "surefield/learn/item_baselines.hpp"

namespace surefield {

struct FitOptions;

struct FamilyChoiceOptions {
  const FitOptions* fit = nullptr;  ///< how each is learned: its budget, observer and options
  std::vector<std::string> families = {"modular", "flid", "fldc", "pairwise"};  ///< plainest first
  Index folds = 3;
  std::uint64_t seed = 1;  ///< of the folds
};

struct FamilyRow {
  std::string model;
  ItemJudgement hidden;      ///< over the sets of all folds
  MeanEstimate behind = {};  ///< reciprocal rank of what leads less this, set by set
  double seconds = 0;        ///< of learning, added up over folds
};

struct FamilyChoice {
  std::vector<FamilyRow> rows;  ///< in the order given
  std::string leader, winner;   ///< of no set of two items: the plainest
  std::string verdict;          ///< in one sentence, against popularity
  Index sets = 0, items = 0, folds = 0;
  bool complete = true;  ///< false: told to stop; families not finished are left out
};

/// Throws Error for a family that fit() does not know, one named twice, fewer than two folds or more
/// than sets, and as fit() does.
FamilyChoice choose_family(const SetCollection& data, const FamilyChoiceOptions& options);

}  // namespace surefield
