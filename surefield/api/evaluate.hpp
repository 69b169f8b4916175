// How good a model of sets is, by sets it was not made from: likelihood, prediction of hidden
// items, calibration.
//
// The likelihood uses the certified interval of log Z (api/log_z.hpp), never an estimate. It is
// given twice: over all sets, and over the non-empty ones, which is the right one for data that
// cannot hold an empty set. See docs/evaluation.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "surefield/api/log_z.hpp"
#include "surefield/core/set_collection.hpp"
#include "surefield/learn/calibration.hpp"
#include "surefield/learn/held_out.hpp"
#include "surefield/learn/item_baselines.hpp"

namespace surefield {

struct EvaluateOptions {
  /// Of the calibration: whether the marginals are those of a non-empty set.
  Support support = Support::kAllSets;
  double width = 1e-3;  ///< of the interval of log Z
  /// At most, for all of it, of which half for log Z. By default 10 for log Z, and what the rest takes.
  std::optional<double> seconds = {};
  Index bins = 10;                                     ///< of the calibration
  std::optional<std::uint64_t> hide_one_by_seed = {};  ///< by default every item in turn
  double most_ranked = kMostRanked;  ///< of judge_items_within, where no seconds are said
  Budget budget = {};  ///< the answer does not depend on its threads, unless time ends the work
};

struct Evaluation {
  std::string model_kind;
  std::vector<std::string> names;  ///< of the items, or none
  Index items = 0, sets = 0, empty_sets = 0;
  double mean_size = 0;
  std::optional<double> log_z_lower, log_z_upper;
  bool log_z_exact = false;
  /// None where log Z is not bounded from both sides, or there is no such set.
  std::optional<HeldOutLikelihood> over_all_sets, over_non_empty_sets;
  ItemJudgement hidden;  ///< beside the baselines, where training sets are given
  Support calibrated_for = Support::kAllSets;
  std::optional<Calibration> calibration;  ///< none where there is no set of that kind
  std::string marginals_by;                ///< the method
  double marginals_error = 0;              ///< at most; +infinity where there is no bound
  double seconds = 0;

  /// False: the budget was spent, and some part is of the sets judged by then.
  bool is_complete() const;
};

/// Throws Error unless the sets are of the model's items and there is at least one. The training
/// sets, of the same items, are for the baselines of hidden items only. No part needs F to be
/// submodular.
Evaluation evaluate_model(const AnyModel& model, const SetCollection& held_out,
                          const SetCollection* training = nullptr,
                          const EvaluateOptions& options = {});

}  // namespace surefield
