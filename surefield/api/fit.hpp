// The front door of learning: sets and the name of a model in, a model out.
//
//   flid      diversity of D dimensions, by noise contrastive estimation
//             (learn/noise_contrastive.hpp) or by maximum likelihood (learn/likelihood_fit.hpp)
//   fldc      the same with coherence of E concepts, by the same methods
//   modular   items by themselves, by maximum likelihood (learn/modular.hpp)
//   pairwise  items and couplings of pairs, of both signs, by pseudo-likelihood (learn/pairwise_fit.hpp)
//   thin      such a field of small treewidth, log Z exact (learn/thin_fit.hpp)
//   dpp       log det of a kernel of D features, by maximum likelihood (learn/dpp_fit.hpp)
//   auto      the best of these by hidden items and by certified likelihood (api/family_choice.hpp)
//
// One row a method in `fit_table`. The result holds no log Z that is not the model's own:
// `log_z_estimate` says what training believed, fold_likelihood uses bounds that are proved.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/api/family_choice.hpp"
#include "surefield/api/log_z.hpp"
#include "surefield/core/crew.hpp"
#include "surefield/core/paid_rounds.hpp"
#include "surefield/core/report.hpp"
#include "surefield/core/set_collection.hpp"
#include "surefield/learn/dpp_fit.hpp"
#include "surefield/learn/folds.hpp"
#include "surefield/learn/likelihood_fit.hpp"
#include "surefield/learn/noise_contrastive.hpp"
#include "surefield/learn/pairwise_fit.hpp"
#include "surefield/learn/set_statistics.hpp"
#include "surefield/learn/thin_fit.hpp"
#include "surefield/models/any_model.hpp"

namespace surefield {

/// What is shown while it runs: passes or evaluations done, the most there may be, and the
/// objective per set.
struct FitProgress {
  std::size_t done = 0, most = 0;
  double objective = 0;
};

struct FitOptions {
  std::string model = "flid";
  std::string method = {};  ///< of the table; empty: the first that the model has
  /// Of flid and fldc by likelihood; its dimensions, seed and observer are those of the others, and it is
  /// fitted given that sets are not empty unless some of the data are.
  LikelihoodFitOptions likelihood = {};
  NceOptions nce = {};     ///< its seed, observer, budget and concepts are those below
  Index concepts = 10;     ///< of fldc; its dimensions are nce.dimensions
  double smoothing = 1;    ///< of modular, pairwise and dpp: sets added to what was seen
  DppFitOptions dpp = {};  ///< likewise; its features are nce.dimensions
  ThinFitOptions thin =
      {};  ///< its smoothing, observer, work and budget, and a penalty given, are those here
  PairwiseFitOptions pairwise =
      {};  ///< its smoothing, seed, observer, work and budget are those here
  /// Of noise contrastive estimation of a flid or fldc, of thin and of pairwise: of all epochs or iterations.
  RoundsWork work = {};
  std::uint64_t seed = 1;
  std::function<bool(const FitProgress&)> observer = {};  ///< whether to go on
  /// Processes that share the learning of one model: the rows or sets of an evaluation, starts, families and folds that are compared. The
  /// model has the bits of one process. See fit_is_shared.
  Crew* crew = nullptr;
  /// Of all methods; once it is spent they end with the best model so far, Status::kInterrupted.
  Budget budget = {};
};

struct FitResult {
  AnyModel model;
  std::vector<std::string> items;  ///< names, or none
  std::string model_name, method;
  Status status = Status::kDone;         ///< kInterrupted: the best so far
  std::optional<double> log_z_estimate;  ///< as training has it; exact for modular, dpp and thin
  std::vector<FlidFitEpoch> trace;       ///< of methods that go by epochs
  std::size_t passes = 0;                ///< epochs or evaluations
  std::size_t best_epoch = 0;
  std::optional<double> penalty = {};       ///< of pairwise, given or chosen
  std::vector<PenaltyTrial> trials = {};    ///< of pairwise: what it was chosen from
  Index pairs = 0;                          ///< of pairwise and thin, that could have a coupling
  std::vector<std::string> notes = {};      ///< what is worth knowing of the model
  std::optional<FamilyChoice> choice = {};  ///< of auto: what was compared
  Index sets = 0, empty_sets = 0;           ///< given; of these empty
  double operations = 0;                    ///< of learning, about; 0 where they are not stated
  double seconds = 0;
};

struct FitRow {
  std::string_view model, method, about;
};

/// The models, the usual method of each first.
std::span<const FitRow> fit_table();

/// Whether a crew has something to share of what these options learn: not where every set moves the parameters (noise contrastive
/// estimation), samples do, or there is next to nothing to do.
bool fit_is_shared(const FitOptions& options);

/// Throws Error for a model or method that is not in the table, listing those that are, and for
/// data or options that the method refuses. Every number of the model is finite.
FitResult fit(const SetCollection& data, const FitOptions& options = {});

/// Mean log-likelihood of sets that training has not seen, with log Z proved from both sides.
struct FoldLikelihood {
  Index sets = 0;
  double lower = 0, upper = 0;  ///< of mean F(S) - log Z; equal where log Z is exact
  /// The same among sets that are not empty, mean F(S) - log(Z - 1); nothing where some of the sets
  /// are empty.
  std::optional<double> lower_not_empty, upper_not_empty;
};

/// Of any F, submodular or not. Nothing where log Z has no bound on one side; none among non-empty sets where rounding leaves no
/// bound of that. Throws Error if there is no set or an item is
/// unknown.
std::optional<FoldLikelihood> fold_likelihood(const FitResult& fit, const SetCollection& held_out,
                                              const LogZOptions& options);

}  // namespace surefield
