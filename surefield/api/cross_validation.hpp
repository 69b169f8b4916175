// Learning with parts of the data held out: one model a fold, and what each says of the sets it has
// not seen, with log Z proved from both sides.
//
// A pure function of (data, options): folds run on several threads, each as it would alone. Cost:
// one fit and one log Z a fold.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "surefield/api/fit.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/crew.hpp"

namespace surefield {

struct FoldFit {
  std::optional<Index> fold;  ///< held out, from 1; none: learned from all the data
  FitResult fit;
  std::optional<FoldLikelihood>
      held_out;  ///< none without a fold, or where log Z has not both ends
  std::optional<ItemJudgement> hidden = {};  ///< items of the fold's sets, hidden in turn
};

struct CrossValidationOptions {
  FitOptions fit = {};
  Index folds = 0;                 ///< parts of the data; 0: one model from all of it
  std::optional<Index> fold = {};  ///< from 1, the only one to run; by default all
  std::optional<double> deadline =
      {};                  ///< seconds for learning one model: then the best so far is taken
  double width = 1e-3;     ///< of the log Z interval of a held-out likelihood
  double seconds = 4;      ///< at most, for that interval
  std::uint64_t seed = 1;  ///< of the folds
  Budget budget = {};      ///< the models do not depend on its threads
  /// Called from any thread when a model is there, with its place among those to be learned.
  std::function<void(Index, const FoldFit&)> done = {};
  Crew* crew =
      nullptr;  ///< processes that share the folds; then `done` is called in each, at the end, in order
};

/// How many models that makes. Throws Error for a fold that does not exist.
Index models_to_learn(const CrossValidationOptions& options);

/// In the order of the folds; those not begun when the budget was spent are left out. Throws Error as
/// fit() and fold_of() do, for the number of folds before any work is done.
std::vector<FoldFit> cross_validate(const SetCollection& data,
                                    const CrossValidationOptions& options);

}  // namespace surefield
