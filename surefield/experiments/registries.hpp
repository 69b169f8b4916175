// Models learned from real registries, judged by the registries they have not seen.
//
// Each category is split into ten folds. On nine of ten parts every learner is trained: items by
// themselves (modular), fitted to all sets and fitted given that a set is not empty, a
// determinantal point process, FLIDs of 2, 3 and 10 dimensions by noise contrastive estimation, of 2 by exact
// likelihood and of 10 from perfect samples, an FLDC of 5 dimensions and 5 concepts, pairwise fields of all pairs and of
// small treewidth (thin), and what auto picks. On the tenth each is judged: mean log-likelihood a set with a certified interval of log Z, over
// all sets and over the non-empty ones (learn/held_out.hpp), and by asking for hidden items back
// (learn/item_prediction.hpp), where popularity joins in.
//
// Files: `<anything>_<category>_regs.csv`, one registry a line, ids from 1; beside it, if it is
// there, `..._item_names.txt`. They are in the public repository ryancotterell/em-for-dpps. J.
// Gillenwater, A. Kulesza, E. Fox, B. Taskar. Expectation-Maximization for Learning Determinantal
// Point Processes. NIPS 2014.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/core/crew.hpp"
#include "surefield/experiments/ticker.hpp"
#include "surefield/learn/mean_estimate.hpp"

namespace surefield {

struct RegistryStudyOptions {
  std::string folder;
  std::vector<std::string> categories = {};    ///< none: all that are there
  Index folds = 10;                            ///< of the split, at least 2
  std::optional<Index> run = {};               ///< how many of them; all by default
  std::vector<std::string> learners = {};      ///< of registry_learners(); none: all
  std::vector<Index> dimensions = {2, 3, 10};  ///< of flid by noise contrastive estimation
  double width = 2e-3;                         ///< of the interval of log Z
  double seconds = 30;                         ///< at most, for the interval of one model
  std::uint64_t seed = 1;                      ///< of the folds and of the training
  Budget budget = {};                          ///< the answer does not depend on its threads
  ProgressReport progress = {};
  Crew* crew = nullptr;  ///< processes that share the problems
};

/// One learner on one fold.
struct RegistryFold {
  std::string category;
  Index items = 0, sets = 0;  ///< of the category
  std::string learner;        ///< of registry_learners()
  std::string picked;         ///< of auto: the family
  Index dimensions = 0;
  Index fold = 0;                     ///< from 1
  std::optional<Interval> all_sets;   ///< mean log-likelihood a held-out set
  std::optional<Interval> non_empty;  ///< the same, given that a set is not empty
  double hit_rate_at_1 = 0, hit_rate_at_5 = 0, hit_rate_at_10 = 0, reciprocal_rank = 0;
  double seconds = 0;  ///< of training
};

struct RegistryStudy {
  Index folds = 0;                  ///< run
  std::vector<RegistryFold> rows;   ///< by category, learner and fold
  std::vector<std::string> faults;  ///< what could not be read, or bounded, and why
  bool complete = true;
  double seconds = 0;
};

/// popularity, modular, modular-non-empty, dpp, flid, flid-likelihood, flid-samples, fldc, pairwise, thin,
/// thin-likelihood, auto.
std::vector<std::string> registry_learners();

/// Throws Error if the folder holds no registries or lacks a category asked for, if a learner is
/// unknown or a number out of range.
RegistryStudy registry_study(const RegistryStudyOptions& options);

/// What one learner does on one category: means over folds, with their standard errors over folds.
struct RegistrySummary {
  std::string category, learner;
  std::string picked =
      {};  ///< of auto: families with the folds they were picked in, "thin 8, fldc 2"
  Index items = 0, sets = 0, dimensions = 0, folds = 0;
  std::optional<Interval> all_sets = {},
                          non_empty = {};  ///< mean of the lower and of the upper ends
  MeanEstimate non_empty_middle = {};      ///< of the middles: for its standard error
  /// Fold by fold, of the same; none for popularity.
  MeanEstimate gain_over_modular = {}, gain_over_modular_non_empty = {};
  MeanEstimate hit_rate_at_5 = {}, reciprocal_rank = {};
};
std::vector<RegistrySummary> summaries(const RegistryStudy& study);

std::string registry_study_text(const RegistryStudy& study);
std::string registry_study_csv(const RegistryStudy& study);   ///< every fold
std::string registry_study_json(const RegistryStudy& study);  ///< the summaries

}  // namespace surefield
