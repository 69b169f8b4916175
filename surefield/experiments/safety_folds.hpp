// The paper's chain from data to Table 1, learned anew: FLIDs of 2, 3 and 10 dimensions from the
// authors' own ten training folds of the safety registries, DR-DoubleGreedy on each, beside the
// printed numbers; then what the paper does not have: the certified log Z and the likelihood of the
// test folds, against items by themselves.
//
// Files: 1_100_100_100_safety_regs_train_fold_<k>.csv and .._test_fold_<k>.csv, k = 1 .. 10, ids
// from 1 to 36.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/core/crew.hpp"
#include "surefield/experiments/ticker.hpp"

namespace surefield {

struct SafetyFoldsOptions {
  std::string folder;
  std::uint64_t seed = 1;  ///< of training; the order of a fold's pass is shuffled by seed + fold
  double width = 1e-3;     ///< of the certified log Z
  double seconds = 10;     ///< at most, for one log Z
  Budget budget = {};      ///< the answer does not depend on its threads
  ProgressReport progress = {};
  Crew* crew = nullptr;  ///< processes that share the problems
};

struct SafetyFold {
  Index dimensions = 0, fold = 0;
  double elbo = 0;                          ///< DR-DoubleGreedy, one epoch
  double best_elbo = 0;                     ///< the algorithm `best`
  double log_z_lower = 0, log_z_upper = 0;  ///< proved
  double log_z_estimate = 0;                ///< what training believed
  double likelihood_lower = 0;              ///< of the test fold, a set, given that it is not empty
  double likelihood_upper = 0;
  double modular_likelihood = 0;  ///< the same of items by themselves
  double seconds = 0;             ///< of training
};

/// By dimensions, then fold; those not reached when told to stop are left out. Throws Error for
/// what is missing.
std::vector<SafetyFold> safety_folds(const SafetyFoldsOptions& options);

std::string safety_folds_text(const std::vector<SafetyFold>& folds);
std::string safety_folds_csv(const std::vector<SafetyFold>& folds);
std::string safety_folds_json(const std::vector<SafetyFold>& folds);

}  // namespace surefield
